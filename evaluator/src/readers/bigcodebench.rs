//! Rows of BigCodeBench: a head of a program that a completion continues, and tests for unittest.
//!
//! Most of its problems use libraries; where the interpreter lacks one, the tests cannot run, and the judge says so. Many
//! give or take objects of these libraries, which do not cross from box to box.

use super::cases;
use super::content::{Content, unnamed};
use super::humaneval::test_code;
use super::node::{Fault, Node};
use crate::problem::{Problem, Tests};

/// What a row's tests derive from. BigCodeBench itself runs the class `TestCases` alone, and its rows have no other.
const BASE: &str = "TestCase)";

/// Runs all of them, and tells of the first fault.
const RUN: &str = r#"
import io as _io
import unittest as _unittest
_suite = _unittest.defaultTestLoader.loadTestsFromModule(__import__(__name__))
_result = _unittest.TextTestRunner(stream=_io.StringIO()).run(_suite)
_faults = _result.failures + _result.errors
_raised = [line for _, why in _faults[:1] for line in why.rpartition("call last):\n")[2].split("\n") if line[:1].strip()]
assert not _faults, "%s: %s" % (_faults[0][0].id(), _raised[0])
_passed = _result.unexpectedSuccesses
assert not _passed, "%s: unexpected success" % _passed[0].id()
"#;

/// Whether a row is of BigCodeBench rather than of HumanEval's kind.
pub(super) fn is_row(row: &Node<'_>) -> bool {
    row.has("complete_prompt") || row.has("instruct_prompt")
}

/// Read a row.
pub(super) fn read(row: &Node<'_>) -> Result<Content, Fault> {
    let id = row.need("task_id")?.label()?;
    let prompt = row.need("complete_prompt")?.text()?.to_owned();
    let test = row.need("test")?;
    let code = test.filled()?;
    if !code.contains(BASE) {
        return Err(test.fault("defines no class that derives from TestCase"));
    }
    test_code(&test)?;
    let tests = Tests::Assert {
        function: Some(cases::fn_name(&row.need("entry_point")?)?),
        cases: vec![format!("{code}\n{RUN}")],
        one_process: None,
    };
    let rest = row.find_text("canonical_solution")?;
    Ok(Content {
        submissions: rest
            .map(|rest| unnamed(&id, format!("{prompt}{rest}")))
            .into_iter()
            .collect(),
        problem: Some(Problem {
            statement: Some(prompt.clone()),
            prompt: Some(prompt),
            ..Problem::new(&id, tests)
        }),
        ..Content::default()
    })
}
