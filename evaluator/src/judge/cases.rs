//! Runs a program on text or on arguments, and compares what it gives.

use std::sync::Arc;
use std::time::Duration;

use rayon::prelude::*;
use sandbox::{Input, Launch, Outcome, Program, SandboxError};

use super::ending::{case, failure, near_limit};
use super::{Compared, Court, Ran, Tried, enough};
use crate::value::{Budget, Returned, wire};
use crate::verdict::{AcceptedBy, CaseResult, Decision};
use crate::{Comparator, Comparison, Problem, TestCase, Tests, Value};

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
    for test in tests(problem) {
        let arguments = arguments(&test);
        let input = || input(&test, &arguments);
        let mut outcome = court.quiet.among(|| running.run(input()))?;
        let near = near_limit(&outcome, run.limit, limits.cpu);
        if near {
            let exactly = settings.limits_alone(problem, run.limit);
            outcome = court.quiet.alone(|| running.run_within(input(), exactly))?;
        }
        let mut done = weigh(&outcome, &test, &run);
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

/// One test that is decided by comparing.
enum Test<'a> {
    Stdin(&'a TestCase<String, String>),
    Call(&'a TestCase<Vec<Value>, Value>),
}

fn tests(problem: &Problem) -> Vec<Test<'_>> {
    match &problem.tests {
        Tests::Stdin(cases) => cases.iter().map(Test::Stdin).collect(),
        Tests::Call { cases, .. } => cases.iter().map(Test::Call).collect(),
        Tests::Assert { .. } => Vec::new(),
    }
}

/// What the harness reads of the arguments of a call.
fn arguments(test: &Test<'_>) -> String {
    match test {
        Test::Call(case) => wire::encode_arguments(&case.input),
        Test::Stdin(_) => String::new(),
    }
}

fn input<'a>(test: &Test<'a>, arguments: &'a str) -> Input<'a> {
    match test {
        Test::Stdin(case) => Input::Stdin(case.input.as_bytes()),
        Test::Call(_) => Input::Arguments(arguments.as_bytes()),
    }
}

/// What a run that ended well is compared by.
enum Answer<'a> {
    Text { expected: &'a str, actual: &'a [u8] },
    Value { expected: &'a Value, actual: Value },
}

/// Decide one test, under every profile.
fn weigh(outcome: &Outcome, test: &Test<'_>, run: &Run<'_>) -> Tried {
    let (compared, clock, message) = match failure(outcome, run.limit) {
        Some((decision, clock)) => (same(run, decision), clock, None),
        None => match answer(outcome, test) {
            Ok(answer) => (compare(&answer, run), None, None),
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
fn answer<'a>(outcome: &'a Outcome, test: &Test<'a>) -> Result<Answer<'a>, (Decision, String)> {
    let case = match test {
        Test::Stdin(case) => {
            return Ok(Answer::Text {
                expected: &case.expected,
                actual: &outcome.stdout,
            });
        }
        Test::Call(case) => case,
    };
    let budget = Budget::of_result(&case.expected);
    let returned = outcome.returned.as_deref();
    match returned.and_then(|bytes| wire::returned(bytes, &budget)) {
        Some(Returned::Value(actual)) => Ok(Answer::Value {
            expected: &case.expected,
            actual,
        }),
        Some(Returned::Refused(why)) => Err((
            Decision::WrongAnswer,
            format!("the result was refused: {why}"),
        )),
        None => {
            let why = "it exited before the function returned";
            Err((Decision::RuntimeError, why.to_owned()))
        }
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
fn compare(answer: &Answer<'_>, run: &Run<'_>) -> Vec<Compared> {
    let by = |comparator: &Comparator| compared(answer, comparator);
    let is_large = matches!(answer, Answer::Text { actual, .. } if actual.len() >= LARGE);
    if is_large && run.comparators.len() > 1 {
        run.comparators.par_iter().map(by).collect()
    } else {
        run.comparators.iter().map(by).collect()
    }
}

fn compared(answer: &Answer<'_>, comparator: &Comparator) -> Compared {
    let comparison = match answer {
        Answer::Text { expected, actual } => comparator.compare_text(expected.as_bytes(), actual),
        Answer::Value { expected, actual } => comparator.compare_value(expected, actual),
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
