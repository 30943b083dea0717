//! Runs test code against a candidate, each in a box of its own, joined by one channel.
//!
//! Comparison is the test code's own business, so every profile says the same.

use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::Duration;

use sandbox::{
    Files, LaunchError, Limits, Outcome, SandboxError, Termination, content, memory_file,
};

use super::budget::Budget;
use super::ending::{case, failure, is_memory_error, last_line};
use super::launched::program;
use super::runtimes::Side;
use super::tried::{Tried, enough};
use super::{JudgeContext, unshielded};
use crate::harness::Entry;
use crate::verdict::{AcceptedBy, CaseResult, Clock, Decision, TestCode};
use crate::{Prelude, Problem};

/// How a run of test code against a candidate ended.
struct Examination {
    /// The process that held the candidate.
    candidate: Outcome,
    /// The process that ran the test code.
    test_code: Outcome,
    conclusion: Conclusion,
}

/// What test code came to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Conclusion {
    /// It came to its end, and asked something of the candidate on the way.
    Passed,
    /// It came to its end and asked nothing of the candidate. The run decides nothing.
    Idle,
    /// It raised an exception of its own, an assertion for the most part, of which its standard error tells; or it left
    /// before its end.
    Failed,
    /// The candidate raised an exception that the test code did not expect, or ended early: which.
    CandidateFailed(String),
    /// The two cannot be kept apart, as a live object crosses: which. The run decides nothing.
    Unshieldable(String),
    /// The test code itself does not compile, or imports what is not there: the message. The run decides nothing.
    Broken(String),
}

impl Conclusion {
    /// From what the test code's box wrote into its result file; an exception of its own leaves that empty.
    fn read(written: &[u8]) -> Conclusion {
        let said: serde_json::Value = serde_json::from_slice(written).unwrap_or_default();
        let text = |name: &str| said[name].as_str().map(str::to_owned);
        let stopped = text("unshieldable").map(Conclusion::Unshieldable);
        let stopped = stopped.or_else(|| text("broken").map(Conclusion::Broken));
        let stopped = stopped.or_else(|| text("candidate").map(Conclusion::CandidateFailed));
        stopped.unwrap_or(if said.get("passed").is_some() {
            Conclusion::Passed
        } else if said.get("idle").is_some() {
            Conclusion::Idle
        } else {
            Conclusion::Failed
        })
    }
}

/// Run all test code of a problem, each against a fresh run of the candidate.
pub(super) fn run(
    context: &mut JudgeContext<'_>,
    source: &str,
    problem: &Arc<Problem>,
    function: &str,
    cases: &[String],
) -> Result<Vec<Tried>, LaunchError> {
    let budget = Budget::new(context.settings, context.settings.cpu_limit(problem));
    let mut tried = Vec::with_capacity(cases.len());
    for (code, number) in cases.iter().zip(0..) {
        let trial = Trial {
            source,
            function,
            prelude: problem.prelude,
            code,
            seeds: [2 * number + 1, 2 * number + 2],
        };
        let case = trial.judge(context, problem)?;
        tried.push(Tried::undisputed(case, context.settings));
        if enough(context.settings, &tried) || budget.is_spent(&tried) {
            break;
        }
    }
    Ok(tried)
}

/// A candidate and the test code that it is tried by.
pub(super) struct Trial<'a> {
    pub source: &'a str,
    pub function: &'a str,
    pub prelude: Prelude,
    pub code: &'a str,
    /// Of the candidate's and of the test code's pseudo-random numbers.
    seeds: [u64; 2],
}

impl Trial<'_> {
    fn judge(
        &self,
        context: &mut JudgeContext<'_>,
        problem: &Problem,
    ) -> Result<CaseResult, LaunchError> {
        let settings = context.settings;
        let limit = settings.cpu_limit(problem);
        let allowance = context.gate.allowance(limit);
        let limits = settings.limits(problem, allowance);
        let gate = context.gate;
        let examined = gate.shared(|| self.examine(context, &limits))?;
        if settings.allow_unshielded && matches!(examined.conclusion, Conclusion::Unshieldable(_)) {
            return unshielded::run(context, problem, self);
        }
        let case = weigh(&examined, allowance, settings.keep_output);
        let late = examined.candidate.usage.cpu > limit;
        if !(late && case.verdict == Decision::Accepted) {
            return Ok(case);
        }
        let alone = settings.limits_alone(problem, limit);
        let examined = gate.alone(|| self.examine(context, &alone))?;
        Ok(CaseResult {
            reruns: 1,
            ..weigh(&examined, limit, settings.keep_output)
        })
    }

    /// Launch both boxes, tie them together, and wait for both to end.
    fn examine(
        &self,
        context: &mut JudgeContext<'_>,
        limits: &Limits,
    ) -> Result<Examination, LaunchError> {
        let candidate = program(self.source, Entry::Candidate(self.function, self.prelude));
        let test_code = program(self.code, Entry::TestCode(self.function));
        let runtime = context.runtimes.of(Side::Candidate, self.source)?;
        let mut candidate_box = runtime.launch(&candidate, limits)?;
        let runtime = context.runtimes.of(Side::TestCode, self.code)?;
        let mut test_box = match runtime.launch(&test_code, limits) {
            Err(LaunchError::Rejected(why)) => return Ok(Examination::broken(why)),
            launched => launched?,
        };
        // The test code waits for the candidate; only the clock can tell that it waits too long.
        let patient = Limits {
            idle: limits.wall,
            ..limits.clone()
        };
        let (theirs, ours) = UnixStream::pair().map_err(host("make a channel"))?;
        let result = memory_file("result")?;
        let result_end = result.try_clone().map_err(host("share the result file"))?;
        let files = Files::new(&[])?.give(theirs);
        candidate_box.begin(files, &patient, self.seeds[0])?;
        let files = Files::new(&[])?.give(ours).give(result_end);
        test_box.begin(files, &patient, self.seeds[1])?;
        let test_code = test_box.finish()?;
        let candidate = candidate_box.finish()?;
        Ok(Examination {
            candidate,
            test_code,
            conclusion: Conclusion::read(&content(&result)?),
        })
    }
}

impl Examination {
    /// Of test code that does not compile.
    fn broken(why: String) -> Examination {
        Examination {
            candidate: Outcome::default(),
            test_code: Outcome::default(),
            conclusion: Conclusion::Broken(why),
        }
    }
}

fn host(doing: &'static str) -> impl Fn(std::io::Error) -> SandboxError {
    move |source| SandboxError::Host { doing, source }
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
    match &examination.conclusion {
        Conclusion::Unshieldable(why) => {
            return undecided(format!(
                "the test code cannot be kept apart from the candidate: {why}; --allow-unshielded runs them together"
            ));
        }
        Conclusion::Broken(why) => return undecided(format!("the test code cannot run: {why}")),
        Conclusion::Idle => {
            return undecided("the test code asks nothing of the candidate".to_owned());
        }
        _ => {}
    }
    if let Some((decision, clock)) = limit_of(&examination.candidate, limit) {
        return (decision, clock, None);
    }
    match &examination.conclusion {
        Conclusion::CandidateFailed(why) => candidate_failed(&examination.candidate, why),
        _ => by_test_code(examination, limit),
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

fn by_test_code(
    examination: &Examination,
    limit: Duration,
) -> (Decision, Option<Clock>, Option<String>) {
    let test_code = &examination.test_code;
    if let Some((decision, clock)) = limit_of(test_code, limit) {
        let why = "the test code, not the candidate, ran into the limit";
        return (decision, clock, Some(why.to_owned()));
    }
    if examination.conclusion == Conclusion::Passed {
        return match examination.candidate.termination {
            Termination::Exited(0) => (Decision::Accepted, None, None),
            _ => (Decision::RuntimeError, None, None),
        };
    }
    match test_code.termination {
        Termination::Exited(0) => {
            let why = "the test code left before its end";
            (Decision::JudgeFailed, None, Some(why.to_owned()))
        }
        _ => {
            let why = last_line(&test_code.stderr);
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
