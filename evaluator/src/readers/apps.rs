//! APPS and TACO rows: tests in the JSON text `input_output`, gold solutions beside them.

use super::cases::{self, Hints};
use super::content::{Content, all_unnamed};
use super::node::{Fault, Node};
use super::{quantities, response};
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
            time_limit: row.read("time_limit", quantities::seconds)?.flatten(),
            memory_limit: row.read("memory_limit", quantities::mebibytes)?.flatten(),
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

/// A program, fenced or bare.
pub(super) fn code(node: &Node<'_>) -> Result<String, Fault> {
    let text = node.text()?;
    if text.trim_start().starts_with("```") {
        response::program(text).ok_or_else(|| node.fault("contains no Python code block"))
    } else {
        Ok(response::unfenced(text))
    }
}
