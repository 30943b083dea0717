//! The evaluator's problems as records: how a row of any format becomes fields of this project's own schema.

use evaluator::{Checker, Declared, Prelude, Problem, TestCase, Tests, Value};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::{Kind, Origin, Record, Test};

/// What a record cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("test {test} holds {what}, which a record cannot hold")]
pub struct Inexpressible {
    /// The test, from 1.
    pub test: usize,
    /// What it is.
    pub what: &'static str,
}

impl Record {
    /// A record of no more than a problem. Tuples are written as lists, which the judge takes for equal; any other value that JSON
    /// does not have is an error.
    pub fn of_problem(problem: &Problem) -> Result<Record, Inexpressible> {
        let tests = tests(&problem.tests)?;
        let grouped = problem
            .grading
            .is_some()
            .then_some("scores for groups of tests");
        if let Some(what) = grouped {
            return Err(Inexpressible { test: 1, what });
        }
        Ok(Record {
            tests,
            checker: problem.checker.as_ref().map(checker).transpose()?,
            ..Record::without_tests(problem)
        })
    }

    /// All of a problem but its tests.
    pub fn without_tests(problem: &Problem) -> Record {
        let kind = match problem.tests {
            Tests::Stdin(_) => Kind::Stdin,
            Tests::Call { .. } => Kind::Call,
            Tests::Assert { .. } => Kind::Assert,
        };
        Record {
            id: problem.id.clone(),
            kind,
            statement: problem.statement.clone(),
            fn_name: problem.tests.function().map(str::to_owned),
            tests: Vec::new(),
            prelude: (problem.prelude != Prelude::None).then(|| problem.prelude.name().to_owned()),
            time_limit: problem.time_limit,
            memory_limit: problem.memory_limit,
            platform: problem.platform.clone(),
            difficulty: problem.difficulty.clone(),
            compare: declared(&problem.compare),
            checker: None,
            solutions: Vec::new(),
            origin: Origin::default(),
            changes: Vec::new(),
            notes: Vec::new(),
            strength: None,
            level: None,
            dropped_by: None,
        }
    }
}

impl Test {
    /// A test of input and output, both as JSON.
    pub fn pair(input: Box<RawValue>, output: Box<RawValue>) -> Test {
        Test {
            input: Some(input),
            output: Some(output),
            code: None,
            kills: None,
            made_by: None,
        }
    }

    /// A test of texts.
    pub fn stdin(input: &str, output: &str) -> Test {
        Test::pair(raw(&json!(input)), raw(&json!(output)))
    }

    /// Test code.
    pub fn assert(code: impl Into<String>) -> Test {
        Test {
            input: None,
            output: None,
            code: Some(code.into()),
            kills: None,
            made_by: None,
        }
    }
}

fn tests(tests: &Tests) -> Result<Vec<Test>, Inexpressible> {
    Ok(match tests {
        Tests::Stdin(cases) => {
            let stdin = |case: &TestCase<String, String>| Test::stdin(&case.input, &case.expected);
            cases.iter().map(stdin).collect()
        }
        Tests::Call { cases, .. } => {
            let calls = cases
                .iter()
                .zip(1..)
                .map(|(case, test)| call(case).map_err(|what| Inexpressible { test, what }));
            calls.collect::<Result<_, _>>()?
        }
        Tests::Assert { cases, .. } => {
            let code = |code: &String| Test::assert(code.as_str());
            cases.iter().map(code).collect()
        }
    })
}

fn call(case: &TestCase<Vec<Value>, Value>) -> Result<Test, &'static str> {
    let mut input = String::new();
    list(&case.input, &mut input)?;
    let output = plain_json(&case.expected)?;
    let raw = |text: String| RawValue::from_string(text).expect("it was written as JSON");
    Ok(Test::pair(raw(input), raw(output)))
}

/// A value as JSON text: integers of any size, tuples as lists. The error is the kind of a value that JSON does not have.
pub fn plain_json(value: &Value) -> Result<String, &'static str> {
    let mut text = String::new();
    write(value, &mut text)?;
    Ok(text)
}

fn write(value: &Value, out: &mut String) -> Result<(), &'static str> {
    match value {
        Value::None => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Int(whole) => out.push_str(&whole.to_string()),
        Value::BigInt(whole) => out.push_str(&whole.to_string()),
        Value::Float(real) if real.is_finite() => out.push_str(&json!(real).to_string()),
        Value::Str(text) => out.push_str(&json!(text).to_string()),
        Value::List(items) | Value::Tuple(items) => list(items, out)?,
        Value::Dict(pairs) => object(pairs, out)?,
        Value::Float(_) => return Err("a real that is not finite"),
        Value::Complex(..) => return Err("a complex number"),
        Value::Bytes(_) => return Err("bytes"),
        Value::Set(_) => return Err("a set"),
        Value::Array(_) => return Err("an array of numpy"),
        Value::ListNode(_) | Value::TreeNode(_) => return Err("nodes"),
    }
    Ok(())
}

fn list(items: &[Value], out: &mut String) -> Result<(), &'static str> {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(item, out)?;
    }
    out.push(']');
    Ok(())
}

fn object(pairs: &[(Value, Value)], out: &mut String) -> Result<(), &'static str> {
    out.push('{');
    for (index, (key, value)) in pairs.iter().enumerate() {
        let Value::Str(_) = key else {
            return Err("a dict with a key that is no string");
        };
        if index > 0 {
            out.push(',');
        }
        write(key, out)?;
        out.push(':');
        write(value, out)?;
    }
    out.push('}');
    Ok(())
}

/// The field `checker` of a problem file.
fn checker(checker: &Checker) -> Result<serde_json::Value, Inexpressible> {
    let own = match checker {
        Checker::Standard(name, flags) if flags.is_empty() => return Ok(json!(name)),
        Checker::Standard(name, flags) => return Ok(json!({"name": name, "flags": flags})),
        Checker::Own(own) => own,
    };
    let text = match own.files.as_slice() {
        [only] => std::str::from_utf8(&only.content).ok(),
        _ => None,
    };
    let (Some(source), Some(language)) = (text, &own.language) else {
        let what = "outputs for a checker of several files";
        return Err(Inexpressible { test: 1, what });
    };
    Ok(json!({
        "language": language,
        "source": source,
        "style": own.style.name(),
        "flags": own.flags,
        "interactive": own.interactive,
    }))
}

fn declared(declared: &Declared) -> Option<serde_json::Value> {
    let mut fields = serde_json::Map::new();
    if let Some(tolerance) = declared.float {
        let float = json!({"abs": tolerance.abs, "rel": tolerance.rel});
        fields.insert("float".to_owned(), float);
    }
    if declared.any_order {
        fields.insert("order".to_owned(), json!("any"));
    }
    if declared.ignore_case {
        fields.insert("case".to_owned(), json!("ignore"));
    }
    (!fields.is_empty()).then_some(serde_json::Value::Object(fields))
}

fn raw(value: &serde_json::Value) -> Box<RawValue> {
    to_raw_value(value).expect("it is JSON already")
}
