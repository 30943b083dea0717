//! APPS and TACO rows: tests in the JSON text `input_output`, gold solutions beside them.

use super::cases::{self, Hints};
use super::content::{Content, all_unnamed};
use super::node::{Fault, Node};
use super::response;
use crate::problem::{Prelude, Problem};

/// Read a row; `made_id` names one that has no id of its own, as TACO's have none.
pub(super) fn read(row: &Node<'_>, made_id: &str) -> Result<Content, Fault> {
    let id = id(row, made_id)?;
    let solutions = solutions(row)?;
    let text = row.need("input_output")?;
    if text.value() == &crate::Value::Str(String::new()) {
        return Err(text.fault("has no tests"));
    }
    let tests = cases::embedded(&text)?;
    let hints = Hints::of(row, &solutions)?;
    let node = Node::at(text.path(), &tests);
    let tests = cases::paired(&node, &hints)?;
    Ok(Content {
        submissions: all_unnamed(&id, solutions),
        problem: Some(Problem {
            statement: row.find_text("question")?,
            prelude: Prelude::Apps,
            compare: cases::declared(&node, &tests)?,
            time_limit: row.read("time_limit", seconds)?.flatten(),
            memory_limit: row.read("memory_limit", mebibytes)?.flatten(),
            platform: row.find_text("source")?,
            difficulty: row.find_label("difficulty")?,
            ..Problem::new(id, tests)
        }),
        ..Content::default()
    })
}

/// The row's id by one of the names it goes by, or the made one.
pub(super) fn id(row: &Node<'_>, made_id: &str) -> Result<String, Fault> {
    let names = ["problem_id", "id", "question_id", "task_id"];
    match names.iter().find_map(|name| row.find(name)) {
        Some(id) => id.label(),
        None => Ok(made_id.to_owned()),
    }
}

/// The gold solutions: one text, a list of texts, or the JSON text of such a list; fenced or bare.
pub(super) fn solutions(row: &Node<'_>) -> Result<Vec<String>, Fault> {
    let Some(node) = row.find("solutions") else {
        return Ok(Vec::new());
    };
    if let Ok("") = node.text() {
        return Ok(Vec::new());
    }
    if node
        .text()
        .is_ok_and(|text| !text.trim_start().starts_with('['))
    {
        return Ok(vec![code(&node)?]);
    }
    let list = cases::embedded(&node)?;
    let list = Node::at(node.path(), &list);
    list.items()?.iter().map(code).collect()
}

fn code(node: &Node<'_>) -> Result<String, Fault> {
    let text = node.text()?;
    if text.trim_start().starts_with("```") {
        response::program(text).ok_or_else(|| node.fault("contains no Python code block"))
    } else {
        Ok(response::unfenced(text))
    }
}

/// `2.0 seconds`, `500 ms`.
fn seconds(node: &Node<'_>) -> Result<Option<f64>, Fault> {
    quantity(node, |unit| match unit {
        "s" | "sec" | "secs" | "second" | "seconds" | "" => Some(1.0),
        "ms" | "millisecond" | "milliseconds" => Some(0.001),
        "minute" | "minutes" => Some(60.0),
        _ => None,
    })
}

/// `256 megabytes`, `262144 kb`; rounded up to whole MiB.
fn mebibytes(node: &Node<'_>) -> Result<Option<u64>, Fault> {
    let size = quantity(node, |unit| match unit {
        "mb" | "mib" | "megabyte" | "megabytes" | "" => Some(1.0),
        "kb" | "kib" | "kilobyte" | "kilobytes" => Some(1.0 / 1024.0),
        "gb" | "gib" | "gigabyte" | "gigabytes" => Some(1024.0),
        "b" | "byte" | "bytes" => Some(1.0 / (1024.0 * 1024.0)),
        _ => None,
    });
    Ok(size?.map(|size| size.ceil() as u64))
}

/// A number with a unit; none for an empty text.
fn quantity(node: &Node<'_>, unit: impl Fn(&str) -> Option<f64>) -> Result<Option<f64>, Fault> {
    let text = match node.text() {
        Ok(text) => text.trim().to_lowercase(),
        Err(_) => node.number()?.to_string(),
    };
    if text.is_empty() {
        return Ok(None);
    }
    let digits = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, name) = text.split_at(digits);
    let number: Option<f64> = number.parse().ok();
    match number.zip(unit(name.trim())) {
        // A day and a TiB are far beyond any real limit; what is above would overflow further on.
        Some((number, unit)) if number > 0.0 && number * unit <= 1_048_576.0 => {
            Ok(Some(number * unit))
        }
        _ => Err(node.fault(format!(
            "is \"{text}\", which is no limit with a known unit"
        ))),
    }
}
