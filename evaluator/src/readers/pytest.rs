//! Test code for pytest, as tests of this project: each test function is a test of its own. What it imports of the module
//! `solution` is the candidate's, and stays a free name; what it uses of pytest is a stand-in, so that no library is needed
//! and what crosses to the candidate's box is plain data.

use super::cases;
use super::node::{Fault, Node};

/// What tests use of pytest, and what calls them.
const STAND_IN: &str = include_str!("pytest_stand_in.py");

/// The module that stands for the candidate.
const CANDIDATE: &str = "from solution import ";

/// The tests of test code: one for each test function.
pub(super) fn tests(node: &Node<'_>) -> Result<Vec<String>, Fault> {
    let code = node.filled()?;
    let calls = calls(code);
    if calls.is_empty() {
        return Err(node.fault("defines no function whose name begins with test"));
    }
    let (future, body) = without_imports(code);
    let test = |call: String| format!("{future}{STAND_IN}\n\n{body}\n\n{call}\n");
    Ok(calls.into_iter().map(test).collect())
}

/// A call of each test function, and of each test method of a class.
fn calls(code: &str) -> Vec<String> {
    let mut class = None;
    let mut calls = Vec::new();
    for line in code.lines() {
        let text = line.trim_start();
        let is_indented = text.len() < line.len();
        if !is_indented && !text.is_empty() && !text.starts_with(['#', ')', ']', '}', '@']) {
            class = text.strip_prefix("class ").and_then(name_in);
        }
        let Some(test) = text
            .strip_prefix("def ")
            .and_then(name_in)
            .filter(|name| name.starts_with("test"))
        else {
            continue;
        };
        match class {
            Some(class) => calls.push(format!("_run_method({class}, \"{test}\")")),
            None if !is_indented => calls.push(format!("_run({test})")),
            None => {}
        }
    }
    calls
}

/// The name that a text opens with.
fn name_in(text: &str) -> Option<&str> {
    let end = text
        .find(|c: char| c != '_' && !c.is_alphanumeric())
        .unwrap_or(text.len());
    let name = &text[..end];
    cases::is_identifier(name).then_some(name)
}

/// The code without its imports of pytest and of the candidate, and before it those that must stand first. A name that is
/// imported as another is bound to it.
fn without_imports(code: &str) -> (String, String) {
    let mut future = String::new();
    let mut kept = String::with_capacity(code.len());
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        if let Some(names) = text.strip_prefix(CANDIDATE) {
            let mut names = names.to_owned();
            while names.contains('(') && !names.contains(')') {
                let Some(more) = lines.next() else { break };
                names.push_str(more);
            }
            kept.push_str(&format!("{indent}pass{}\n", aliases(&names)));
        } else if line.starts_with("from __future__ import ") {
            future.push_str(line);
            future.push('\n');
        } else if text.trim_end() == "import pytest" {
            kept.push_str(&format!("{indent}pass\n"));
        } else {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    (future, kept)
}

fn aliases(names: &str) -> String {
    let names = names.split('#').next().unwrap_or_default();
    let both = names
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')'))
        .split(',')
        .filter_map(|name| name.trim().split_once(" as "));
    both.map(|(name, alias)| format!("; {} = {}", alias.trim(), name.trim()))
        .collect()
}
