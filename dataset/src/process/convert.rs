//! Problems of functions as problems of whole programs, and the reverse: tests, statement and solutions change together, so that
//! `verify` can hold the result against its references.
//!
//! A program reads each argument on a line of its own, as JSON, and prints what is returned as JSON. A function `solve` is given
//! all input as a text and returns what is to be printed.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::pairs::pairs_of;
use crate::python::Assertion;
use crate::record::{Kind, Record, Solution, Stage, Test, stdin_text};

/// The function that stands for a program.
const SOLVE: &str = "solve";

/// Makes a program of one that defines `NAME`.
const READING: &str = "

import json as _json, sys as _sys
print(_json.dumps(NAME(*map(_json.loads, _sys.stdin.read().splitlines()))))
";

/// Makes a function of the program `SOURCE`. It reads and writes by bytes too, as programs in a hurry do.
const SOLVING: &str = r#"import contextlib
import io
import sys


def solve(text):
    given, written = io.TextIOWrapper(io.BytesIO(text.encode())), io.TextIOWrapper(io.BytesIO(), write_through=True)
    before, sys.stdin = sys.stdin, given
    try:
        with contextlib.redirect_stdout(written), contextlib.suppress(SystemExit):
            exec(compile(SOURCE, "solution", "exec"), {"__name__": "__main__"})
    finally:
        sys.stdin = before
    lines = written.buffer.getvalue().decode().rstrip().split("\n")
    return "\n".join(line.rstrip() for line in lines)
"#;

/// Make the record one of `kind`, and take down if that cannot be done.
pub fn convert(record: &mut Record, kind: Kind) {
    let is_function = record.kind != Kind::Stdin;
    let converted = match kind {
        _ if is_function == (kind != Kind::Stdin) => return,
        // What decides about outputs would be given others.
        _ if record.checker.is_some() || record.compare.is_some() => {
            Err("the problem says itself how outputs are compared")
        }
        Kind::Stdin => to_program(record),
        Kind::Call | Kind::Assert => to_function(record),
    };
    match converted {
        Ok(parts) => take(record, parts),
        Err(why) => record.note(Stage::Process, "not_converted", why),
    }
}

/// What changes.
struct Parts {
    kind: Kind,
    fn_name: Option<String>,
    tests: Vec<Test>,
    added: String,
    program: Box<dyn Fn(&str) -> String>,
}

fn take(record: &mut Record, parts: Parts) {
    let kind = std::mem::replace(&mut record.kind, parts.kind);
    let name = match parts.kind {
        Kind::Stdin => "a program",
        Kind::Call | Kind::Assert => "a function",
    };
    record.changed(
        Stage::Process,
        "kind",
        format!("converted to {name}"),
        &kind,
    );
    record.fn_name = parts.fn_name;
    record.one_process = None;
    let before = std::mem::replace(&mut record.tests, parts.tests);
    record.changed(Stage::Process, "tests", format!("those of {name}"), &before);
    if let Some(statement) = record.statement.clone() {
        let what = format!("says how to write {name}");
        record.changed(Stage::Process, "statement", what, &statement);
        record.statement = Some(format!("{}\n\n{}", statement.trim_end(), parts.added));
    }
    let converted = |one: &Solution| Solution {
        code: (parts.program)(&one.code),
        role: one.role,
    };
    let solutions = record.solutions.iter().map(converted).collect();
    let before = std::mem::replace(&mut record.solutions, solutions);
    record.changed(
        Stage::Process,
        "solutions",
        format!("each as {name}"),
        &before,
    );
}

fn to_program(record: &Record) -> Result<Parts, &'static str> {
    let function = record.fn_name.clone().ok_or("it names no function")?;
    let tests = record.tests.iter().map(|test| {
        let pairs = pairs_of(record, test);
        let asserts = test
            .code
            .as_deref()
            .map(|code| code.matches("assert ").count());
        let is_plain = asserts.is_none_or(|asserts| asserts == pairs.len());
        let tests = pairs.iter().map(stdin_test).collect::<Option<Vec<Test>>>();
        tests.filter(|tests| is_plain && !tests.is_empty())
    });
    let tests: Option<Vec<Vec<Test>>> = tests.collect();
    let tests = tests
        .ok_or("not every test is a call that gives plain data")?
        .concat();
    let called = match function.split_once('.') {
        Some((class, method)) => format!("{class}().{method}"),
        None => function.clone(),
    };
    let name = function.rsplit('.').next().unwrap_or(&function);
    Ok(Parts {
        kind: Kind::Stdin,
        fn_name: None,
        tests,
        added: format!(
            "Input\nEach line holds one argument of `{name}` as JSON, in their order.\n\nOutput\nPrint what `{name}` returns, as JSON.\n"
        ),
        program: Box::new(move |code: &str| format!("{code}{}", READING.replace("NAME", &called))),
    })
}

/// The test of a program that reads these arguments.
fn stdin_test(pair: &Assertion) -> Option<Test> {
    let arguments: Vec<Value> = serde_json::from_str(&pair.input).ok()?;
    let output: Value = serde_json::from_str(&pair.output).ok()?;
    let lines: Vec<String> = arguments.iter().map(dumped).collect();
    Some(Test::stdin(
        &(lines.join("\n") + "\n"),
        &(dumped(&output) + "\n"),
    ))
}

fn to_function(record: &Record) -> Result<Parts, &'static str> {
    let raw = |value: Value| RawValue::from_string(value.to_string()).ok();
    let tests = record.tests.iter().map(|test| {
        let (input, output) = (test.input.as_ref()?, test.output.as_ref()?);
        let printed = stdin_text(output);
        let lines: Vec<&str> = printed.trim_end().split('\n').map(str::trim_end).collect();
        Some(Test::pair(
            raw(json!([stdin_text(input)]))?,
            raw(json!(lines.join("\n")))?,
        ))
    });
    let tests: Option<Vec<Test>> = tests.collect();
    Ok(Parts {
        kind: Kind::Call,
        fn_name: Some(SOLVE.to_owned()),
        tests: tests.ok_or("a test is no pair of texts")?,
        added: format!(
            "Write a function `{SOLVE}(text)` that is given all of the input as a string and returns what is to be printed, without \
             white space at the ends of lines and without empty lines at its end.\n"
        ),
        // A text in JSON is one in Python.
        program: Box::new(|code: &str| SOLVING.replace("SOURCE", &json!(code).to_string())),
    })
}

/// JSON as Python's `json.dumps` writes it.
fn dumped(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(dumped).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(key, value)| format!("{}: {}", text(key), dumped(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::String(string) => text(string),
        other => other.to_string(),
    }
}

/// A text in ASCII alone.
fn text(string: &str) -> String {
    let mut ascii = String::new();
    for character in json!(string).to_string().chars() {
        match character.is_ascii() {
            true => ascii.push(character),
            false => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    ascii.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    ascii
}
