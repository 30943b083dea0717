//! Problems and submissions as rows of this project's own schema: the other direction of [`crate::readers`].

use serde::Serialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use crate::languages::PYTHON;
use crate::problem::TestDetails;
use crate::{Checker, Decision, Declared, Prelude, Problem, Submission, TestCase, Tests, Value};

/// What a row cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{what}, which a row cannot hold", place(*test))]
pub struct Inexpressible {
    /// The test that holds it, from 1; absent where it belongs to the problem as a whole.
    pub test: Option<usize>,
    /// What it is.
    pub what: &'static str,
}

impl Inexpressible {
    fn whole(what: &'static str) -> Inexpressible {
        Inexpressible { test: None, what }
    }
}

fn place(test: Option<usize>) -> String {
    test.map_or_else(
        || "there is ".to_owned(),
        |test| format!("test {test} holds "),
    )
}

/// The fields of a problem, as docs/formats.md lists them.
#[derive(Serialize)]
struct ProblemFields<'a> {
    id: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    statement: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fn_name: Option<&'a str>,
    tests: Vec<TestFields<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prelude: Option<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    in_place: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    one_process: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_limit: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_limit: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    platform: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difficulty: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compare: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checker: Option<serde_json::Value>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum TestFields<'a> {
    Pair {
        input: Box<RawValue>,
        output: Box<RawValue>,
    },
    Code {
        code: &'a str,
    },
}

#[derive(Serialize)]
struct SubmissionFields<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    id: &'a str,
    problem_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'a str>,
    /// Blank, for a response that held no program.
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    #[serde(skip_serializing_if = "<[Decision]>::is_empty")]
    expected: &'a [Decision],
}

/// A problem as the JSON text of a row. Tuples are written as lists, which the judge takes for equal; any other value that
/// JSON does not have is an error, and so is what only packages have. The head of a program that completions continue is
/// left out: a row's solutions are whole programs.
pub fn problem(problem: &Problem) -> Result<String, Inexpressible> {
    if problem.grading.is_some() {
        return Err(Inexpressible::whole("a score for groups of tests"));
    }
    if problem.output_limit.is_some() {
        return Err(Inexpressible::whole("a limit on output"));
    }
    if let Some(test) = problem.details.iter().position(has_surroundings) {
        let what = "arguments, files or flags of its own";
        return Err(Inexpressible {
            test: Some(test + 1),
            what,
        });
    }
    let fields = ProblemFields {
        id: &problem.id,
        kind: match problem.tests {
            Tests::Stdin(_) => "stdin",
            Tests::Call { .. } => "call",
            Tests::Assert { .. } => "assert",
        },
        statement: problem.statement.as_deref(),
        fn_name: problem.tests.function(),
        tests: tests(&problem.tests)?,
        prelude: (problem.prelude != Prelude::None).then(|| problem.prelude.name()),
        in_place: problem.in_place,
        one_process: one_process(&problem.tests),
        time_limit: problem.time_limit,
        memory_limit: problem.memory_limit,
        platform: problem.platform.as_deref(),
        difficulty: problem.difficulty.as_deref(),
        compare: declared(&problem.compare),
        checker: problem.checker.as_ref().map(checker).transpose()?,
    };
    Ok(text(&fields))
}

/// A submission as the JSON text of a row. One that continues the head of a program is written with it, from `problem`.
pub fn submission(
    submission: &Submission,
    problem: Option<&Problem>,
) -> Result<String, Inexpressible> {
    if submission.files.len() > 1 {
        return Err(Inexpressible::whole("a solution of several files"));
    }
    let whole = problem.and_then(|problem| submission.program(problem));
    if submission.completes_prompt && whole.is_none() && submission.code.is_some() {
        return Err(Inexpressible::whole(
            "a completion of a prompt that is not known",
        ));
    }
    let code = whole.as_deref().or(submission.code.as_deref());
    let fields = SubmissionFields {
        id: &submission.id,
        problem_id: &submission.problem_id,
        code,
        response: code.is_none().then_some(""),
        language: (submission.language != PYTHON).then_some(&*submission.language),
        expected: &submission.expected,
    };
    Ok(text(&fields))
}

fn text(fields: &impl Serialize) -> String {
    serde_json::to_string(fields).expect("a row has only string keys")
}

/// Whether a test is more than its input and its expected output. Its name is for people alone.
fn has_surroundings(test: &TestDetails) -> bool {
    !(test.arguments.is_empty() && test.files.is_empty() && test.checker_flags.is_empty())
}

fn tests(tests: &Tests) -> Result<Vec<TestFields<'_>>, Inexpressible> {
    Ok(match tests {
        Tests::Stdin(cases) => cases.iter().map(stdin).collect(),
        Tests::Call { cases, .. } => {
            let calls = cases.iter().zip(1..).map(|(case, test)| {
                let test = Some(test);
                call(case).map_err(|what| Inexpressible { test, what })
            });
            calls.collect::<Result<_, _>>()?
        }
        Tests::Assert { cases, .. } => {
            let code = |code| TestFields::Code { code };
            cases.iter().map(|case| code(case.as_str())).collect()
        }
    })
}

fn stdin(case: &TestCase<String, String>) -> TestFields<'static> {
    let raw = |text: &String| to_raw_value(text).expect("a text is JSON");
    TestFields::Pair {
        input: raw(&case.input),
        output: raw(&case.expected),
    }
}

fn call(case: &TestCase<Vec<Value>, Value>) -> Result<TestFields<'static>, &'static str> {
    let mut input = String::new();
    list(&case.input, &mut input)?;
    let output = plain_json(&case.expected)?;
    let raw = |text: String| RawValue::from_string(text).expect("it was written as JSON");
    Ok(TestFields::Pair {
        input: raw(input),
        output: raw(output),
    })
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

/// The field `one_process`.
fn one_process(tests: &Tests) -> Option<serde_json::Value> {
    let Tests::Assert { one_process, .. } = tests else {
        return None;
    };
    let setup = &one_process.as_ref()?.setup;
    Some(match setup.is_empty() {
        true => json!(true),
        false => json!({"setup": setup}),
    })
}

/// The field `checker`.
fn checker(checker: &Checker) -> Result<serde_json::Value, Inexpressible> {
    let own = match checker {
        Checker::Standard(name, flags) if flags.is_empty() => return Ok(json!(name)),
        Checker::Standard(name, flags) => return Ok(json!({"name": name, "flags": flags})),
        Checker::Own(own) => own,
    };
    let source = match own.files.as_slice() {
        [only] => std::str::from_utf8(&only.content).ok(),
        _ => None,
    };
    let (Some(source), Some(language)) = (source, &own.language) else {
        return Err(Inexpressible::whole("a checker of several files"));
    };
    Ok(json!({
        "language": language,
        "source": source,
        "style": own.style.name(),
        "flags": own.flags,
        "interactive": own.interactive,
    }))
}

/// The field `compare`.
fn declared(declared: &Declared) -> Option<serde_json::Value> {
    let mut fields = serde_json::Map::new();
    let mut say = |name: &str, value| drop(fields.insert(name.to_owned(), value));
    if let Some(tolerance) = declared.float {
        say("float", json!({"abs": tolerance.abs, "rel": tolerance.rel}));
    }
    if declared.any_order {
        say("order", json!("any"));
    }
    if declared.ignore_case {
        say("case", json!("ignore"));
    }
    if declared.in_list_of_one {
        say("list_of_one", json!("same"));
    }
    (!fields.is_empty()).then_some(serde_json::Value::Object(fields))
}
