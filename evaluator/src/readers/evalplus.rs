//! EvalPlus's own rows, which hold inputs without outputs: a test runs the reference beside the candidate.
//!
//! The reference runs with the test code, apart from the candidate. The result must be equal, or for floats close to it
//! as EvalPlus's own comparison has it: relative 1e-7, absolute `atol` or else 1e-6.

use crate::Value;
use crate::problem::Tests;

use super::mbpp_plus;
use super::node::{Fault, Node};

/// How results are compared. `find_zero` has many right answers: what counts is the polynomial's value there.
const COMPARISON: &str = r#"
def _is_real(value):
    if isinstance(value, (list, tuple)):
        return all(isinstance(item, float) for item in value)
    return isinstance(value, float)

def _is_close(actual, expected, tolerance):
    if isinstance(expected, (list, tuple)):
        return (type(actual) is type(expected) and len(actual) == len(expected)
                and all(_is_close(a, e, tolerance) for a, e in zip(actual, expected)))
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)) and abs(expected) != float("inf"):
        return actual == expected or abs(actual - expected) <= tolerance + 1e-7 * abs(expected)
    return actual == expected

def _assert_same(actual, expected, tolerance):
    if tolerance == 0 and _is_real(expected):
        tolerance = 1e-6
    if tolerance == 0:
        assert actual == expected
    else:
        assert actual == expected or _is_close(actual, expected, tolerance)
"#;

/// The tests of a row: one for each input.
pub(super) fn tests(row: &Node<'_>, prompt: &str, function: String) -> Result<Tests, Fault> {
    let solution = row.need("canonical_solution")?.text()?;
    let base = row.need("base_input")?;
    let task = row.need("task_id")?.label()?;
    let mbpp = task
        .strip_prefix("Mbpp/")
        .and_then(|number| number.parse().ok());
    let tolerance = row.read("atol", Node::number)?.unwrap_or(0.0);
    let mut inputs = base.items()?;
    if let Some(plus) = row.find("plus_input") {
        inputs.extend(plus.items()?);
    }
    if inputs.is_empty() {
        return Err(base.fault("has no tests"));
    }
    let head = format!("{prompt}{solution}\n{COMPARISON}\nimport copy as _copy\n");
    let test = |input: &Node<'_>| {
        let arguments = literal(input, mbpp)?;
        let compare = match &*function {
            "find_zero" => format!("assert abs(poly(_input[0], _actual)) <= {tolerance:?}\n"),
            _ => mbpp
                .and_then(|_| mbpp_plus::comparison(&function))
                .map(str::to_owned)
                .unwrap_or_else(|| format!("_assert_same(_actual, _expected, {tolerance:?})\n")),
        };
        Ok(format!(
            "_input = {arguments}\n_expected = {function}(*_copy.deepcopy(_input))\n\
             _actual = candidate(*_copy.deepcopy(_input))\n{compare}"
        ))
    };
    let codes = inputs.iter().map(test).collect::<Result<_, _>>()?;
    Ok(Tests::in_one_process(Some(function), head, codes))
}

/// A list of arguments as a Python literal, those of problem `mbpp` with the types that JSON took from them.
fn literal(input: &Node<'_>, mbpp: Option<u32>) -> Result<String, Fault> {
    let arguments = super::cases::arguments(input)?;
    let arguments = match mbpp {
        Some(task) => mbpp_plus::restored(task, arguments).map_err(|why| input.fault(why))?,
        None => arguments,
    };
    let mut text = String::new();
    write(&Value::List(arguments), &mut text).map_err(|message| input.fault(message))?;
    Ok(text)
}

fn write(value: &Value, text: &mut String) -> Result<(), String> {
    match value {
        Value::None => text.push_str("None"),
        Value::Bool(true) => text.push_str("True"),
        Value::Bool(false) => text.push_str("False"),
        Value::Int(number) => text.push_str(&number.to_string()),
        Value::BigInt(number) => text.push_str(&number.to_string()),
        // An exponent keeps it a float in Python; infinity, which JSON gives for 1e999, has no literal.
        Value::Float(number) if number.is_finite() => text.push_str(&format!("{number:e}")),
        Value::Float(number) => text.push_str(&format!("float('{number}')")),
        // Every escape that JSON text is written with means the same in Python.
        Value::Str(string) => text.push_str(&serde_json::Value::from(string.as_str()).to_string()),
        Value::List(items) => write_all('[', items, ']', text)?,
        Value::Tuple(items) => write_all('(', items, ')', text)?,
        // Without items it would be a dict.
        Value::Set(items) if !items.is_empty() => write_all('{', items, '}', text)?,
        Value::Complex(real, imaginary) => {
            text.push_str(&format!("complex({real:?}, {imaginary:?})"));
        }
        Value::Dict(members) => {
            text.push('{');
            for (key, member) in members {
                write(key, text)?;
                text.push(':');
                write(member, text)?;
                text.push(',');
            }
            text.push('}');
        }
        _ => return Err("contains a value that JSON cannot express".to_owned()),
    }
    Ok(())
}

/// Items with a comma behind each, which makes a tuple of a single one.
fn write_all(open: char, items: &[Value], close: char, text: &mut String) -> Result<(), String> {
    text.push(open);
    for item in items {
        write(item, text)?;
        text.push(',');
    }
    text.push(close);
    Ok(())
}
