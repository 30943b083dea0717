//! DeepCoder rows: `problem`, `tests` in one of several shapes, gold solutions.

use crate::Value;

use super::apps;
use super::cases::{self, Hints};
use super::content::{Content, all_unnamed};
use super::leetcode;
use super::node::{Fault, Node};
use crate::problem::{Prelude, Problem};

/// Read a row; `made_id` names one that has no id of its own.
pub(super) fn read(row: &Node<'_>, made_id: &str) -> Result<Content, Fault> {
    let id = apps::id(row, made_id)?;
    let field = row.need("tests")?;
    let tests = cases::embedded(&field)?;
    let tests = Node::at(field.path(), &tests);
    if tests.has("functional") {
        return leetcode::table(row, &tests, &id);
    }
    let solutions = apps::solutions(row)?;
    let hints = Hints {
        fn_name: cases::method(row)?,
        ..Hints::of(row, &solutions)?
    };
    let node = tests;
    let tests = match node.value() {
        Value::Dict(_) => cases::paired(&node, &hints)?,
        _ => cases::listed(&cases::some_items(&node)?, &hints)?,
    };
    Ok(Content {
        submissions: all_unnamed(&id, solutions),
        problem: Some(Problem {
            statement: row.find_text("problem")?,
            prelude: Prelude::DeepCoder,
            compare: cases::declared(&node, &tests)?,
            platform: row.find_text("platform")?,
            difficulty: row.find_label("difficulty")?,
            ..Problem::new(id, tests)
        }),
        ..Content::default()
    })
}
