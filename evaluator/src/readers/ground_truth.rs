//! The tests that a trainer's data give as ground truth, in any of the shapes that are in use: pairs of inputs and outputs,
//! assertions, test code for pytest or that calls `check`.

use super::cases::{self, Hints};
use super::node::{Fault, Node};
use super::{humaneval, leetcode, pickled, pytest};
use crate::Value;
use crate::problem::{Declared, Tests};

/// The value of a ground truth: as it stands, or in text as JSON, as a Python literal or packed.
pub(super) fn value(node: &Node<'_>) -> Result<Value, Fault> {
    let Ok(text) = node.text() else {
        return Ok(node.value().clone());
    };
    match is_packed(text) {
        true => pickled::plain(text).map_err(|message| node.fault(message)),
        false => cases::embedded(node),
    }
}

/// Whether a text can only be base64: a literal opens with a bracket, or with what base64 does not have.
fn is_packed(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let text = text.trim();
    !text.is_empty() && text.bytes().all(is_letter)
}

/// The tests, and what they say about comparing.
pub(super) fn tests(truth: &Node<'_>, hints: &Hints) -> Result<(Tests, Declared), Fault> {
    if let Some(code) = truth.find("functional") {
        return Ok((leetcode::functional(&code)?, Declared::default()));
    }
    if let Some(code) = truth.find("pytest") {
        return Ok((pytest::tests(&code)?, Declared::default()));
    }
    if let Some(cases) = truth.find("assert_case") {
        let cases = listed_assertions(&cases::some_items(&cases)?)?;
        return Ok((cases, Declared::default()));
    }
    let tests = match truth.value() {
        Value::Dict(_) => cases::paired(truth, hints)?,
        _ => {
            let items = cases::some_items(truth)?;
            match items[0].value() {
                Value::Str(_) => return Ok((listed_assertions(&items)?, Declared::default())),
                _ => cases::listed(&items, hints)?,
            }
        }
    };
    let declared = cases::declared(truth, &tests)?;
    Ok((tests, declared))
}

fn listed_assertions(items: &[Node<'_>]) -> Result<Tests, Fault> {
    let code = |node: &Node<'_>| Ok(format!("{}\n", humaneval::test_code(node)?));
    let codes = items.iter().map(code).collect::<Result<_, _>>()?;
    Ok(Tests::in_one_process(None, String::new(), codes))
}
