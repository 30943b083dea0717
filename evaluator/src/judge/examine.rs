//! Runs test code against a candidate, each in a box of its own.
//!
//! Comparison is the test code's own business, so every profile says the same.

use std::time::Duration;

use sandbox::{
    Entry, Examination, Input, Launch, Limits, Outcome, Program, SandboxError, Termination, Tested,
};

use super::ending::{case, failure, is_memory_error, last_line, near_limit};
use super::{Compared, Court, Ran, Settings, Tried, enough};
use crate::value::{Budget, Returned, wire};
use crate::verdict::{AcceptedBy, CaseResult, Clock, Decision, TestCode};
use crate::{Problem, Value};

/// What test code and candidate in one process call to show that they came to the end.
const END: &str = "_all_tests_ended";

/// Run the tests of `problem`, of kind `assert`, against the candidate.
pub(super) fn run(
    court: &mut Court<'_>,
    candidate: &Program,
    problem: &Problem,
    cases: &[String],
) -> Result<Ran, SandboxError> {
    let mut tried = Vec::with_capacity(cases.len());
    for code in cases {
        match try_one(court, candidate, problem, code)? {
            Ok(case) => tried.push(Tried {
                also: also(court.settings, &case),
                case,
            }),
            Err(why) => return Ok(Ran::Rejected(why)),
        }
        if enough(court.settings, &tried) {
            break;
        }
    }
    Ok(Ran::Tried(tried))
}

fn also(settings: &Settings, case: &CaseResult) -> Vec<Compared> {
    let same = Compared {
        verdict: case.verdict,
        strategy: case.strategy,
        diff: None,
    };
    vec![same; settings.also.len()]
}

/// One test, or the compiler's message on the candidate.
fn try_one(
    court: &mut Court<'_>,
    candidate: &Program,
    problem: &Problem,
    code: &str,
) -> Result<Result<CaseResult, String>, SandboxError> {
    let settings = court.settings;
    let limit = settings.cpu_limit(problem);
    let budget = court.quiet.budget(limit);
    let worker = &mut *court.worker;
    let mut examine = |limits: Limits| worker.examine(candidate, code, &limits);
    let mut examined = court
        .quiet
        .among(|| examine(settings.limits(problem, budget)))?;
    let near = examined
        .as_ref()
        .is_ok_and(|it| near_limit(&it.candidate, limit, budget));
    if near {
        examined = court
            .quiet
            .alone(|| examine(settings.limits_alone(problem, limit)))?;
    }
    let examination = match examined {
        Ok(examination) => examination,
        Err(why) => return Ok(Err(why)),
    };
    if settings.allow_unshielded && matches!(examination.finding, Tested::Unshieldable(_)) {
        return unshielded(court, candidate, problem, code).map(Ok);
    }
    let mut case = weigh(&examination, limit, settings.keep_output);
    case.reruns = u32::from(near);
    Ok(Ok(case))
}

/// Decide one test.
fn weigh(examination: &Examination, limit: Duration, keep_output: usize) -> CaseResult {
    let (decision, clock, message) = decide(examination, limit);
    let mut case = case(&examination.candidate, decision, keep_output);
    if decision == Decision::Accepted {
        case.strategy = Some(AcceptedBy::TestCode(TestCode::Assertions));
    }
    case.clock = clock;
    case.message = message;
    case.shielded = (decision != Decision::JudgeFailed).then_some(true);
    case
}

/// Where nothing can be decided that is all; else a limit that the candidate ran into comes first, then what the test
/// code found, then how the test code ended.
fn decide(examination: &Examination, limit: Duration) -> (Decision, Option<Clock>, Option<String>) {
    let undecided = |why: String| (Decision::JudgeFailed, None, Some(why));
    match &examination.finding {
        Tested::Unshieldable(why) => {
            return undecided(format!(
                "the test code cannot be kept apart from the candidate: {why}; --allow-unshielded runs them together"
            ));
        }
        Tested::Broken(why) => return undecided(format!("the test code cannot run: {why}")),
        Tested::Idle => {
            return undecided("the test code asks nothing of the candidate".to_owned());
        }
        _ => {}
    }
    if let Some((decision, clock)) = limit_of(&examination.candidate, limit) {
        return (decision, clock, None);
    }
    match &examination.finding {
        Tested::CandidateFailed(why) => candidate_failed(&examination.candidate, why),
        _ => by_examiner(examination, limit),
    }
}

/// The candidate raised an exception or ended early; if it died of an exception, that says more than that it ended.
fn candidate_failed(candidate: &Outcome, why: &str) -> (Decision, Option<Clock>, Option<String>) {
    let died = !candidate.stderr.is_empty() && candidate.termination != Termination::Exited(0);
    let exception = if died {
        last_line(&candidate.stderr)
    } else {
        why.to_owned()
    };
    let decision = if is_memory_error(&exception) {
        Decision::MemoryLimit
    } else {
        Decision::RuntimeError
    };
    (decision, None, Some(exception))
}

fn by_examiner(
    examination: &Examination,
    limit: Duration,
) -> (Decision, Option<Clock>, Option<String>) {
    let examiner = &examination.examiner;
    if let Some((decision, clock)) = limit_of(examiner, limit) {
        let why = "the test code, not the candidate, ran into the limit";
        return (decision, clock, Some(why.to_owned()));
    }
    if examination.finding == Tested::Passed {
        return match examination.candidate.termination {
            Termination::Exited(0) => (Decision::Accepted, None, None),
            _ => (Decision::RuntimeError, None, None),
        };
    }
    match examiner.termination {
        Termination::Exited(0) => {
            let why = "the test code left before its end";
            (Decision::JudgeFailed, None, Some(why.to_owned()))
        }
        _ => {
            let why = last_line(&examiner.stderr);
            (Decision::WrongAnswer, None, Some(why))
        }
    }
}

/// A failure other than an exit status: a limit or a signal.
fn limit_of(outcome: &Outcome, limit: Duration) -> Option<(Decision, Option<Clock>)> {
    let exited = matches!(outcome.termination, Termination::Exited(_));
    let failure = failure(outcome, limit)?;
    (!exited || failure.0 == Decision::TimeLimit).then_some(failure)
}

/// Run test code in one process with the candidate, which could cheat there.
fn unshielded(
    court: &mut Court<'_>,
    candidate: &Program,
    problem: &Problem,
    code: &str,
) -> Result<CaseResult, SandboxError> {
    let limit = court.settings.cpu_limit(problem);
    let limits = court.settings.limits(problem, limit);
    let together = together(candidate, problem.tests.function(), code);
    let outcome = match court.worker.launch(&together, &limits)? {
        Launch::Ready(mut running) => court.quiet.among(|| running.run(Input::Arguments(b"[]")))?,
        Launch::Rejected(why) => {
            let why = format!("the test code does not compile behind the candidate: {why}");
            return Err(SandboxError::Worker(why));
        }
    };
    let mut case = weigh_together(&outcome, limit, court.settings.keep_output);
    case.shielded = Some(false);
    Ok(case)
}

fn weigh_together(outcome: &Outcome, limit: Duration, keep_output: usize) -> CaseResult {
    let mut exception = last_line(&outcome.stderr);
    let returned = outcome
        .returned
        .as_deref()
        .and_then(|bytes| wire::returned(bytes, &Budget::of_message()));
    let ended = returned == Some(Returned::Value(Value::Bool(true)));
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

/// One program of the candidate and the test code.
fn together(candidate: &Program, name: Option<&str>, code: &str) -> Program {
    let alias = match name.map(|name| name.split_once('.').ok_or(name)) {
        None => String::new(),
        Some(Ok((class, method))) => format!("candidate = {class}().{method}\n"),
        Some(Err(function)) => format!("candidate = {function}\n"),
    };
    let source = &candidate.source;
    Program {
        source: format!("{source}\n\n{alias}{code}\n\ndef {END}():\n    return True\n"),
        entry: Entry::Function(END.to_owned()),
        grants: candidate.grants,
    }
}
