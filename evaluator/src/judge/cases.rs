//! Runs a program on text or on arguments, and compares what it gives.

use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;
use sandbox::{Input, Launch, Outcome, Program, SandboxError};

use super::ending::{case, failure, near_limit};
use super::{Compared, Court, Ran, Tried, enough};
use crate::value::{Budget, Returned, wire};
use crate::verdict::{AcceptedBy, CaseResult, Decision};
use crate::{Comparator, Comparison, Problem, TestCase, Value};

/// Outputs of at least so many bytes are compared under the profiles side by side.
const LARGE: usize = 1 << 20;

/// Run `program` on the tests of `problem`, of kind `stdin` or `call`.
pub(super) fn run(
    court: &mut Court<'_>,
    program: &Program,
    problem: &Arc<Problem>,
) -> Result<Ran, SandboxError> {
    let settings = court.settings;
    let run = Run {
        limit: settings.cpu_limit(problem),
        comparators: court.chains.of(problem, settings),
        keep_output: settings.keep_output,
    };
    let limits = settings.limits(problem, court.quiet.budget(run.limit));
    let mut running = match court.worker.launch(program, &limits)? {
        Launch::Rejected(why) => return Ok(Ran::Rejected(why)),
        Launch::Ready(running) => running,
    };
    let mut tried = Vec::with_capacity(problem.tests.len());
    for test in &problem.tests {
        let arguments = arguments(test);
        let input = || input(test, &arguments);
        let mut outcome = court.quiet.among(|| running.run(input()))?;
        let near = near_limit(&outcome, run.limit, limits.cpu);
        if near {
            let exactly = settings.limits_alone(problem, run.limit);
            outcome = court.quiet.alone(|| running.run_within(input(), exactly))?;
        }
        let mut done = weigh(&outcome, test, &run);
        done.case.reruns = u32::from(near);
        tried.push(done);
        if enough(settings, &tried) {
            break;
        }
    }
    Ok(Ran::Tried(tried))
}

/// What all tests of one submission share.
struct Run<'a> {
    limit: Duration,
    /// The main profile's, then the others'.
    comparators: &'a [Comparator],
    keep_output: usize,
}

/// What the harness reads of the arguments of a call.
fn arguments(test: &TestCase) -> String {
    match test {
        TestCase::Call { arguments, .. } => wire::encode_arguments(arguments),
        TestCase::Stdin { .. } | TestCase::Assert { .. } => String::new(),
    }
}

fn input<'a>(test: &'a TestCase, arguments: &'a str) -> Input<'a> {
    match test {
        TestCase::Stdin { input, .. } => Input::Stdin(input.as_bytes()),
        TestCase::Call { .. } => Input::Arguments(arguments.as_bytes()),
        TestCase::Assert { code } => Input::Stdin(code.as_bytes()),
    }
}

/// Decide one test, under every profile.
fn weigh(outcome: &Outcome, test: &TestCase, run: &Run<'_>) -> Tried {
    let (compared, clock, message) = match failure(outcome, run.limit) {
        Some((decision, clock)) => (same(run, decision), clock, None),
        None => match answer(outcome, test) {
            Ok(returned) => (compare(outcome, returned.as_ref(), test, run), None, None),
            Err((decision, why)) => (same(run, decision), None, Some(why)),
        },
    };
    let mut compared = compared.into_iter();
    let main = compared.next().expect("the main profile's comparator");
    let case = CaseResult {
        strategy: main.strategy,
        diff: main.diff,
        clock,
        message,
        ..case(outcome, main.verdict, run.keep_output)
    };
    Tried {
        case,
        also: compared.collect(),
    }
}

/// Whether a run that ended well gave something that can be compared.
fn answer(outcome: &Outcome, test: &TestCase) -> Result<Option<Value>, (Decision, String)> {
    let budget = match test {
        TestCase::Call { expected, .. } => Budget::of_result(expected),
        TestCase::Stdin { .. } | TestCase::Assert { .. } => Budget::of_message(),
    };
    let returned = outcome
        .returned
        .as_deref()
        .and_then(|bytes| wire::returned(bytes, &budget));
    match (test, returned) {
        (TestCase::Call { .. }, None) => {
            let why = "it exited before the function returned";
            Err((Decision::RuntimeError, why.to_owned()))
        }
        (TestCase::Call { .. }, Some(Returned::Refused(why))) => Err((
            Decision::WrongAnswer,
            format!("the result was refused: {why}"),
        )),
        (_, Some(Returned::Value(value))) => Ok(Some(value)),
        _ => Ok(None),
    }
}

/// What every profile says where nothing is to be compared.
fn same(run: &Run<'_>, verdict: Decision) -> Vec<Compared> {
    let compared = Compared {
        verdict,
        strategy: None,
        diff: None,
    };
    vec![compared; run.comparators.len()]
}

/// What every profile says of an answer.
fn compare(
    outcome: &Outcome,
    returned: Option<&Value>,
    test: &TestCase,
    run: &Run<'_>,
) -> Vec<Compared> {
    let by = |comparator: &Comparator| compared(outcome, returned, test, comparator);
    if outcome.stdout.len() < LARGE || run.comparators.len() == 1 {
        run.comparators.iter().map(by).collect()
    } else {
        run.comparators.par_iter().map(by).collect()
    }
}

fn compared(
    outcome: &Outcome,
    returned: Option<&Value>,
    test: &TestCase,
    comparator: &Comparator,
) -> Compared {
    let comparison = match (test, returned) {
        (TestCase::Call { expected, .. }, Some(actual)) => {
            comparator.compare_value(expected, actual)
        }
        (TestCase::Stdin { output, .. }, _) => {
            comparator.compare_text(output.as_bytes(), &outcome.stdout)
        }
        _ => unreachable!("only an answer to a text or call test is compared"),
    };
    match comparison {
        Comparison::Accepted(strategy) => Compared {
            verdict: Decision::Accepted,
            strategy: Some(AcceptedBy::Strategy(strategy)),
            diff: None,
        },
        Comparison::Rejected(diff) => Compared {
            verdict: Decision::WrongAnswer,
            strategy: None,
            diff: Some(diff),
        },
    }
}
