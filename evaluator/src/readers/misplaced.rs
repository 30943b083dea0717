//! Fields of this project's own schema that stand beside the object they belong in.
//!
//! What the schema does not know is metadata, and these names are common ones: so only what reads as the field itself is held
//! for it.

use super::node::{Fault, Node};
use crate::Value;

/// A field, the object that it belongs in, and whether a value is one that it has there.
type Belonging = (&'static str, &'static str, fn(&Value) -> bool);

/// Those of a problem's objects.
const BELONG: [Belonging; 5] = [
    ("interactive", "checker", |value| {
        *value == Value::Bool(true)
    }),
    ("float", "compare", |value| matches!(value, Value::Dict(_))),
    ("order", "compare", |value| is_text(value, "any")),
    ("case", "compare", |value| is_text(value, "ignore")),
    ("list_of_one", "compare", |value| is_text(value, "same")),
];

/// Those that a checker alone gives a sense.
const OF_CHECKERS: [&str; 2] = ["style", "flags"];

/// What holds for a whole problem, and is lost in one of its tests.
const OF_PROBLEMS: [&str; 8] = [
    "fn_name",
    "in_place",
    "one_process",
    "prelude",
    "time_limit",
    "memory_limit",
    "compare",
    "checker",
];

fn is_text(value: &Value, wanted: &str) -> bool {
    matches!(value, Value::Str(text) if text == wanted)
}

/// Fails for a field beside the object that it belongs in.
pub(super) fn in_problem(row: &Node<'_>) -> Result<(), Fault> {
    for (name, object, is_one) in BELONG {
        if let Some(node) = row.find(name).filter(|node| is_one(node.value())) {
            return Err(belongs(&node, object));
        }
    }
    let checker = row.find("checker");
    let has_object = checker.is_some_and(|checker| checker.object().is_ok());
    match OF_CHECKERS.iter().find_map(|name| row.find(name)) {
        Some(node) if has_object => Err(belongs(&node, "checker")),
        _ => Ok(()),
    }
}

/// Fails for a field of the problem in one of its tests, however it is spelt.
pub(super) fn in_test(test: &Node<'_>) -> Result<(), Fault> {
    let is_of_problems = |name: &&str| {
        let is_same = |field: &&str| plainly(name) == plainly(field);
        OF_PROBLEMS.iter().any(is_same)
    };
    let mut found = test.names().filter(is_of_problems);
    match found.find_map(|name| test.find(name)) {
        Some(node) => Err(node.fault("belongs to the problem: it holds for all tests")),
        None => Ok(()),
    }
}

/// A name without what joins its words.
pub(super) fn plainly(name: &str) -> String {
    name.to_lowercase().replace(['_', '-', ' '], "")
}

fn belongs(node: &Node<'_>, object: &str) -> Fault {
    node.fault(format!("belongs inside \"{object}\""))
}
