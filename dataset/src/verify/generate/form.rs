//! How the inputs of a record stand in its tests: as text, as arguments, or in test code.

use evaluator::writers::plain_json;
use evaluator::{Value, literal};
use serde_json::value::RawValue;

use super::layout::Layout;
use crate::process::samples;
use crate::python::{Asks, AssertedCall, asserted_calls, literal as python_literal};
use crate::record::{Kind, Record, Test, stdin_text};

/// How the inputs of a record stand in its tests.
pub enum Form {
    /// Text that a program reads.
    Text(Layout),
    /// The arguments of this function.
    Call(String),
    /// The arguments of this function in an assertion.
    Assertion(String, Box<Asserted>),
}

/// Test code with one assertion, in which arguments and expected value can be exchanged.
pub struct Asserted {
    code: String,
    call: AssertedCall,
}

/// What a program prints that is called in this way.
const CALLED: &str = "
import ast as _ast, sys as _sys
print(repr(NAME(*_ast.literal_eval(_sys.stdin.read()))))
";

impl Form {
    /// The form of a record's tests, with the inputs that are known: theirs, and those of the samples in the statement. `None`
    /// where the tests are not all of one form.
    pub fn of(record: &Record) -> Option<(Form, Vec<Vec<Value>>)> {
        let (form, mut rows) = Form::of_tests(record)?;
        if !matches!(form, Form::Text(_)) {
            let samples = samples(record);
            let samples = samples.iter().filter_map(|sample| list(&sample.input));
            rows.extend(samples);
        }
        Some((form, rows))
    }

    /// The form of a record's tests, with their inputs.
    pub fn of_tests(record: &Record) -> Option<(Form, Vec<Vec<Value>>)> {
        let function = || record.fn_name.clone();
        match record.kind {
            Kind::Stdin => {
                let inputs = record.tests.iter().map(|test| test.input.as_deref());
                let texts: Option<Vec<String>> =
                    inputs.map(|input| input.map(stdin_text)).collect();
                let (layout, rows) = Layout::of(&texts?)?;
                Some((Form::Text(layout), rows))
            }
            Kind::Call => {
                let rows: Option<Vec<_>> = record.tests.iter().map(arguments).collect();
                Some((Form::Call(function()?), rows?))
            }
            Kind::Assert => {
                let function = function()?;
                let asserted = record.tests.iter().map(|test| asserted(test, &function));
                let asserted: Option<Vec<_>> = asserted.collect();
                let (mut asserted, rows): (Vec<_>, Vec<_>) = asserted?.into_iter().unzip();
                let first = asserted.drain(..).next()?;
                Some((Form::Assertion(function, Box::new(first)), rows))
            }
        }
    }

    /// A program that writes what the solution `code` answers to an input.
    pub fn program(&self, code: &str) -> String {
        match self {
            Form::Text(_) => code.to_owned(),
            Form::Call(function) | Form::Assertion(function, _) => {
                let name = match function.split_once('.') {
                    Some((class, method)) => format!("{class}().{method}"),
                    None => function.clone(),
                };
                format!("{code}\n{}", CALLED.replace("NAME", &name))
            }
        }
    }

    /// What that program reads.
    pub fn stdin(&self, row: &[Value]) -> Option<String> {
        match self {
            Form::Text(layout) => Some(layout.write(row)),
            Form::Call(_) | Form::Assertion(..) => python_literal(&Value::List(row.to_vec())),
        }
    }

    /// The test of an input whose answer that program wrote; `None` where the answer is no plain data, or could come out
    /// otherwise in another right program.
    pub fn test(&self, row: &[Value], written: &str) -> Option<Test> {
        match self {
            Form::Text(layout) => Some(Test::stdin(&layout.write(row), written)),
            Form::Call(_) => {
                let input = plain_json(&Value::List(row.to_vec())).ok()?;
                let answer = literal::parse(written)
                    .ok()
                    .filter(|answer| *answer != Value::None)?;
                let raw = |json: String| RawValue::from_string(json).ok();
                Some(Test::pair(raw(input)?, raw(plain_json(&answer).ok()?)?))
            }
            Form::Assertion(_, asserted) => {
                let answer = literal::parse(written).ok().filter(is_exact)?;
                Some(Test::assert(asserted.with(row, &answer)?))
            }
        }
    }
}

/// Whether `==` is the right question to ask of an answer. `None` alone is what a function gives that returns nothing.
fn is_exact(answer: &Value) -> bool {
    let within = |value: &Value| *value == Value::None || is_exact(value);
    match answer {
        Value::Bool(_) | Value::Int(_) | Value::BigInt(_) | Value::Str(_) => true,
        Value::List(items) | Value::Tuple(items) => items.iter().all(within),
        Value::Dict(pairs) => pairs
            .iter()
            .all(|(key, value)| is_exact(key) && within(value)),
        _ => false,
    }
}

/// The arguments of a test of a function.
fn arguments(test: &Test) -> Option<Vec<Value>> {
    list(test.input.as_ref()?.get())
}

fn list(text: &str) -> Option<Vec<Value>> {
    match literal::parse(text).ok()? {
        Value::List(items) => Some(items),
        _ => None,
    }
}

/// The only assertion of test code, with its arguments.
fn asserted(test: &Test, function: &str) -> Option<(Asserted, Vec<Value>)> {
    let code = test.code.clone()?;
    let [call] = asserted_calls(&code, Some(function)).try_into().ok()?;
    let call: AssertedCall = call;
    let values = call
        .arguments
        .iter()
        .map(|place| literal::parse(&code[place.clone()]).ok());
    let values: Option<Vec<Value>> = values.collect();
    Some((Asserted { code, call }, values?))
}

impl Asserted {
    /// The same test code with other arguments and another expected value.
    fn with(&self, row: &[Value], answer: &Value) -> Option<String> {
        let AssertedCall {
            whole,
            call,
            arguments,
            asks,
        } = &self.call;
        let mut called = self.code[call.clone()].to_owned();
        // From the back, so that the places before stay where they are.
        for (place, value) in arguments.iter().zip(row).rev() {
            let place = place.start - call.start..place.end - call.start;
            called.replace_range(place, &python_literal(value)?);
        }
        let asserted = match (asks, answer) {
            (Asks::Truth, Value::Bool(true)) => called,
            (Asks::Truth, Value::Bool(false)) => format!("not {called}"),
            (Asks::Same, Value::Bool(_) | Value::None) => {
                format!("{called} is {}", python_literal(answer)?)
            }
            (Asks::Truth | Asks::Same, _) => return None,
            (Asks::Equal, answer) => format!("{called} == {}", python_literal(answer)?),
        };
        let mut code = self.code.clone();
        code.replace_range(whole.clone(), &asserted);
        Some(code)
    }
}
