//! Runs test code in one process with the candidate, which could cheat there: only where that was asked for.

use std::time::Duration;

use sandbox::{LaunchError, Outcome, SandboxError};

use super::context::JudgeContext;
use super::ending::{case, failure, last_line};
use super::kinds::{Call, Kind};
use super::launched::Launched;
use super::runtimes::Side;
use super::trial::Trial;
use crate::harness::{CallOptions, Entry};
use crate::verdict::{AcceptedBy, CaseResult, Decision, TestCode};
use crate::{Problem, TestCase, Value};

/// What test code and candidate in one process call to show that they came to the end.
const END: &str = "_all_tests_ended";

/// Run a trial's test code behind its candidate.
pub(super) fn run(
    context: &mut JudgeContext<'_>,
    problem: &Problem,
    trial: &Trial<'_>,
) -> Result<CaseResult, LaunchError> {
    let settings = context.settings;
    let limit = trial.limit;
    let limits = settings.limits(problem, limit);
    let source = together(trial);
    let options = CallOptions::default();
    let launched = Launched::new(
        context.runtimes,
        Side::Candidate,
        &source,
        Entry::Call(END, problem.prelude, &options),
        true,
        limits.clone(),
    );
    let mut launched = launched.map_err(|error| match error {
        LaunchError::Rejected(why) => SandboxError::Worker(format!(
            "the test code does not compile after the candidate: {why}"
        )),
        LaunchError::Host(error) => error,
    })?;
    let ended = TestCase {
        input: Vec::new(),
        expected: Value::Bool(true),
    };
    let given = Call::given(&ended)?;
    let outcome = context
        .gate
        .shared(|| launched.run(given.files, &limits, 1))?;
    let answer = Call::answer(&ended, &outcome, given.result.as_ref())?;
    let came_to_its_end = answer.is_ok_and(|value| value == ended.expected);
    let mut case = weigh(&outcome, came_to_its_end, limit, settings.keep_output);
    case.shielded = Some(false);
    Ok(case)
}

fn weigh(outcome: &Outcome, ended: bool, limit: Duration, keep_output: usize) -> CaseResult {
    let mut exception = exception(&outcome.stderr);
    let (decision, clock) = match failure(outcome, limit) {
        None if ended => (Decision::Accepted, None),
        None => (Decision::RuntimeError, None),
        Some((Decision::RuntimeError, _)) if exception.starts_with("AssertionError") => {
            (Decision::WrongAnswer, None)
        }
        Some(failure) => failure,
    };
    let mut case = case(outcome, decision, keep_output);
    if decision == Decision::Accepted {
        case.strategy = Some(AcceptedBy::TestCode(TestCode::Assertions));
    } else {
        if failure(outcome, limit).is_none() {
            exception = "it exited before the tests ended".to_owned();
        }
        case.message = Some(exception).filter(|exception| !exception.is_empty());
    }
    case.clock = clock;
    case
}

/// The first line of the exception of a traceback; what it says may take more of them.
fn exception(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let trace = text.rsplit("Traceback (most recent call last):\n").next();
    let line = trace.and_then(|trace| trace.lines().find(|line| !line.starts_with(' ')));
    match line {
        Some(line) if line.starts_with("AssertionError") => line.to_owned(),
        _ => last_line(stderr),
    }
}

/// One source of the candidate and the test code.
fn together(trial: &Trial<'_>) -> String {
    let alias = match trial.function.split_once('.') {
        _ if trial.function.is_empty() => String::new(),
        Some((class, method)) => format!("candidate = {class}().{method}\n"),
        None => format!("candidate = {}\n", trial.function),
    };
    let (source, code) = (trial.source, trial.code);
    let runner = if code.contains("unittest") {
        RUNNER
    } else {
        ""
    };
    format!("{source}\n\n{alias}{runner}{code}\n\ndef {END}():\n    return True\n")
}

/// Test code is the main module, as in a process of its own, and `unittest.main` goes on behind itself where nothing is wrong.
const RUNNER: &str = r#"
import sys, unittest
def _main(module="__main__", *arguments, _program=unittest.TestProgram, **options):
    ran = _program(module, *arguments, **{"argv": sys.argv[:1], **options, "exit": False})
    assert ran.result.wasSuccessful(), "a test of unittest failed"
unittest.main = _main
sys.modules["__main__"] = sys.modules[__name__]
__name__ = "__main__"
"#;
