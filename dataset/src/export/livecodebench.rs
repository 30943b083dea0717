//! Rows as LiveCodeBench publishes them (Jain et al. 2024, arXiv 2403.07974), for evaluators that read no other.

use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::chosen::{Chosen, Written};
use crate::error::DataError;
use crate::record::{Kind, Record, Test, stdin_text};

/// Tests that a row shows as public.
const PUBLIC: usize = 2;

/// Write what is chosen. The format has no test code: records of that kind are left out.
pub fn livecodebench(chosen: &Chosen, out: &Path) -> Result<Written, DataError> {
    let mut file = BufWriter::new(fs_err::File::create_new(out)?);
    let written = chosen.each(|record| {
        let has_place = record.kind != Kind::Assert;
        if has_place {
            writeln!(file, "{}", row(record))?;
        }
        Ok(has_place)
    })?;
    file.flush()?;
    Ok(written)
}

fn row(record: &Record) -> Value {
    let tests: Vec<Value> = record
        .tests
        .iter()
        .map(|test| test_of(record.kind, test))
        .collect();
    let (public, private) = tests.split_at(PUBLIC.min(tests.len()));
    let listed = |tests: &[Value]| json!(tests).to_string();
    let name = record
        .fn_name
        .as_deref()
        .map(|name| name.rsplit('.').next().unwrap_or(name));
    json!({
        "question_title": record.origin.title,
        "question_content": record.statement,
        "platform": record.platform,
        "question_id": record.id,
        "contest_id": record.origin.source,
        "contest_date": record.origin.date,
        "starter_code": starter(record),
        "difficulty": record.difficulty,
        "public_test_cases": listed(public),
        "private_test_cases": listed(private),
        "metadata": json!({"func_name": name}).to_string(),
    })
}

/// The head of what is to be written: a method of `Solution`, as its evaluator calls no other function.
fn starter(record: &Record) -> String {
    let Some(name) = record
        .fn_name
        .as_deref()
        .filter(|_| record.kind == Kind::Call)
    else {
        return String::new();
    };
    let name = name.rsplit('.').next().unwrap_or(name);
    format!("class Solution:\n    def {name}(self, *arguments):\n        ")
}

/// A call's arguments stand one to a line.
fn test_of(kind: Kind, test: &Test) -> Value {
    let text = |json: &Option<Box<serde_json::value::RawValue>>| {
        json.as_ref()
            .map(|json| stdin_text(json))
            .unwrap_or_default()
    };
    if kind == Kind::Stdin {
        return json!({"input": text(&test.input), "output": text(&test.output), "testtype": "stdin"});
    }
    let raw = |json: &Option<Box<serde_json::value::RawValue>>| {
        json.as_ref().map_or("null", |json| json.get()).to_owned()
    };
    let input = raw(&test.input);
    let arguments: Vec<Box<serde_json::value::RawValue>> =
        serde_json::from_str(&input).unwrap_or_default();
    let lines: Vec<&str> = arguments.iter().map(|argument| argument.get()).collect();
    json!({"input": lines.join("\n"), "output": raw(&test.output), "testtype": "functional"})
}
