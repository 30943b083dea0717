//! Rows of KodCode: a question, a solution, and tests for pytest that import the module `solution`.

use super::content::{Content, all_unnamed};
use super::node::{Fault, Node};
use super::{apps, pytest};
use crate::problem::Problem;

/// Read a row; `made_id` names one that has no id of its own.
pub(super) fn read(row: &Node<'_>, made_id: &str) -> Result<Content, Fault> {
    let id = apps::id(row, made_id)?;
    let tests = pytest::tests(&row.need("test")?)?;
    let solution = row.read("solution", apps::code)?;
    Ok(Content {
        submissions: all_unnamed(&id, solution),
        problem: Some(Problem {
            statement: row.find_text("question")?,
            difficulty: row.find_label("gpt_difficulty")?,
            ..Problem::new(id, tests)
        }),
        ..Content::default()
    })
}
