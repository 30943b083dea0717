//! Judges as LiveCodeBench's own evaluator does: all tests of a submission run in one process, one after the other, until
//! one fails. What the process answers is compared here, so that nothing that is expected enters it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

use sandbox::{Files, LaunchError, Limits, Outcome, SandboxError, Termination};
use serde::Deserialize;
use serde_json::json;

use super::context::{JudgeContext, Task};
use super::ending::{case, failure};
use super::launched::program;
use super::runtimes::Side;
use super::settings::Settings;
use super::tried::{Attempt, Tried};
use super::verdicts::{decided, failed, rejected};
use crate::harness::Entry;
use crate::problem::Tests;
use crate::value::{DataBudget, Returned, wire};
use crate::verdict::{AcceptedBy, CaseResult, Clock, Decision, LcbGrade, LcbResult, Verdict};
use crate::{Comparator, Comparison, TestCase, Value};

/// The main thread's stack: what a shell gives, and so what deep recursion dies of there.
const STACK: u64 = 8 << 20;

/// Judge a program with its tests; test code is no problem of LiveCodeBench's.
pub(super) fn judge(
    context: &mut JudgeContext<'_>,
    source: &str,
    task: &Task,
) -> Result<Verdict, SandboxError> {
    let problem = &task.problem;
    let refused = |what| {
        let why =
            format!("LiveCodeBench has no problems with {what}: judge them without --harness lcb");
        failed(context.settings, context.isolation, task, why)
    };
    if problem.checker.is_some() {
        return Ok(refused("a checker"));
    }
    let tests: Vec<LcbTest<'_>> = match &problem.tests {
        Tests::Stdin(cases) => cases.iter().map(LcbTest::Text).collect(),
        Tests::Call { cases, .. } => cases.iter().map(LcbTest::Call).collect(),
        Tests::Assert { .. } => return Ok(refused("test code")),
    };
    match examine(context, source, task, &tests) {
        Ok(examined) => {
            let result = examined.result();
            let mut verdict = decided(context, task, Attempt::of(examined.tried(context.settings)));
            verdict.lcb = Some(result);
            Ok(verdict)
        }
        Err(LaunchError::Rejected(why)) => Ok(rejected(context, task, why)),
        Err(LaunchError::Host(error)) => Err(error),
    }
}

/// A test as it is asked and compared.
#[derive(Clone, Copy)]
enum LcbTest<'a> {
    Text(&'a TestCase<String, String>),
    Call(&'a TestCase<Vec<Value>, Value>),
}

/// What came of a test.
enum LcbAnswer {
    /// The program failed before its first test.
    Failed(String),
    /// It was answered; the comparison says what the answer is worth.
    Compared(Comparison),
    /// What it gave back can be equal to nothing that is expected, for this reason.
    Refused(String),
    /// It raised an exception for being out of time.
    Late(String),
    /// It raised an exception.
    Raised(String),
    /// The process ended.
    Silent,
}

impl LcbAnswer {
    fn is_right(&self) -> bool {
        matches!(self, LcbAnswer::Compared(Comparison::Accepted(_)))
    }
}

/// A line of the program's box, but for what a call gives back.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum LcbReply {
    Ready(bool),
    Failed(String),
    Output(String),
    Late(String),
    Raised(String),
}

impl LcbTest<'_> {
    fn request(self) -> String {
        match self {
            LcbTest::Text(case) => json!({ "input": case.input }).to_string(),
            LcbTest::Call(case) => {
                let arguments = wire::encode_arguments(&case.input);
                format!("{{\"arguments\":{arguments}}}")
            }
        }
    }

    /// What a line says of this test; `None` if it says nothing of it.
    fn answer(self, comparator: &Comparator, line: &[u8]) -> Option<LcbAnswer> {
        if let LcbTest::Call(case) = self {
            let returned = wire::returned(line, &DataBudget::of_result(&case.expected));
            match returned {
                Some(Returned::Value(value)) => {
                    let comparison = comparator.compare_value(&case.expected, &value);
                    return Some(LcbAnswer::Compared(comparison));
                }
                Some(Returned::Refused(why)) => return Some(LcbAnswer::Refused(why)),
                None => {}
            }
        }
        match (self, serde_json::from_slice(line).ok()?) {
            (LcbTest::Text(case), LcbReply::Output(text)) => {
                let comparison = comparator.compare_text(case.expected.as_bytes(), text.as_bytes());
                Some(LcbAnswer::Compared(comparison))
            }
            (_, LcbReply::Late(error)) => Some(LcbAnswer::Late(error)),
            (_, LcbReply::Raised(error)) => Some(LcbAnswer::Raised(error)),
            _ => None,
        }
    }
}

/// The answers to the tests, until the first that is not right, and the time by the clock that each took.
type Answers = Vec<(LcbAnswer, Duration)>;

/// A program, and how it did.
struct Examined {
    answers: Answers,
    outcome: Outcome,
    limits: Limits,
    is_call: bool,
}

fn examine(
    context: &mut JudgeContext<'_>,
    source: &str,
    task: &Task,
    tests: &[LcbTest<'_>],
) -> Result<Examined, LaunchError> {
    let settings = context.settings;
    let limit = settings.cpu_limit(&task.problem);
    // What its own evaluator gives all tests together, of time by the clock there.
    let tests_there = u32::try_from(tests.len()).unwrap_or(u32::MAX);
    let whole =
        (limit + Duration::from_secs(1)).saturating_mul(tests_there) + Duration::from_secs(5);
    let limits = Limits {
        stack: STACK,
        ..settings.limits(&task.problem, whole)
    };
    let comparator = &context.comparators.of(&task.problem, settings)[0];
    let entry = Entry::LiveCodeBench(task.problem.tests.function());
    let program = program(source, entry);
    let mut boxed = context
        .runtimes
        .of(Side::Candidate, source, entry)?
        .launch(&program, &limits)?;
    let (ours, theirs) = UnixStream::pair().map_err(|source| SandboxError::Host {
        doing: "make a channel",
        source,
    })?;
    let files = Files::new(&[])?.give(theirs);
    let talk = || {
        let mut channel = LcbChannel::new(&ours, limits.output);
        let answers = answers(&mut channel, comparator, tests, limit, limits.output);
        // Nothing more comes: the program may end.
        let _ = ours.shutdown(Shutdown::Write);
        answers
    };
    let (outcome, answers) = context.gate.shared(|| {
        boxed.begin(files, &limits, 1)?;
        thread::scope(|scope| {
            let talking = scope.spawn(talk);
            let outcome = boxed.finish();
            // Where the wait was broken off, the other end may still be open.
            let _ = ours.shutdown(Shutdown::Both);
            let answers = talking.join().expect("a dialogue does not panic");
            Ok::<_, SandboxError>((outcome?, answers))
        })
    })?;
    Ok(Examined {
        answers,
        outcome,
        limits,
        is_call: matches!(tests, [LcbTest::Call(_), ..]),
    })
}

/// The supervisor's end of the channel to a program.
struct LcbChannel<'a> {
    requests: &'a UnixStream,
    replies: BufReader<&'a UnixStream>,
    longest: u64,
}

impl<'a> LcbChannel<'a> {
    /// Of a program whose answers have at most `output` bytes; JSON writes quotes and ends of lines as two.
    fn new(stream: &'a UnixStream, output: u64) -> LcbChannel<'a> {
        LcbChannel {
            requests: stream,
            replies: BufReader::new(stream),
            longest: output.saturating_mul(2) + 64,
        }
    }

    /// The line that answers a request; `None` if there is none.
    fn ask(&mut self, request: &str) -> Option<Vec<u8>> {
        self.requests.write_all(request.as_bytes()).ok()?;
        self.requests.write_all(b"\n").ok()?;
        let mut line = Vec::new();
        let mut replies = self.replies.by_ref().take(self.longest);
        replies.read_until(b'\n', &mut line).ok()?;
        line.ends_with(b"\n").then_some(line)
    }
}

/// Put the tests to a program, one by one, until one is not answered right.
fn answers(
    channel: &mut LcbChannel<'_>,
    comparator: &Comparator,
    tests: &[LcbTest<'_>],
    limit: Duration,
    output: u64,
) -> Answers {
    let start = Instant::now();
    let limits = json!({ "seconds": limit.as_secs_f64(), "bytes": output }).to_string();
    let ready = channel.ask(&limits);
    match ready.and_then(|line| serde_json::from_slice(&line).ok()) {
        Some(LcbReply::Ready(true)) => {}
        Some(LcbReply::Failed(why)) => return vec![(LcbAnswer::Failed(why), start.elapsed())],
        _ => return vec![(LcbAnswer::Silent, start.elapsed())],
    }
    let mut answers = Answers::with_capacity(tests.len());
    for test in tests {
        let start = Instant::now();
        let line = channel.ask(&test.request());
        let answer = line.and_then(|line| test.answer(comparator, &line));
        answers.push((answer.unwrap_or(LcbAnswer::Silent), start.elapsed()));
        if answers.last().is_some_and(|(answer, _)| !answer.is_right()) {
            break;
        }
    }
    answers
}

impl Examined {
    /// In LiveCodeBench's own form.
    fn result(&self) -> LcbResult {
        let right = self.answers.iter().filter(|(answer, _)| answer.is_right());
        let passed = right.count();
        let failed = |code: i8, message: &str, error: Option<&str>| {
            LcbResult::failed(passed, LcbGrade::Failed(code), code, message, error)
        };
        let (last, _) = self.answers.last().expect("a problem has tests");
        match last {
            LcbAnswer::Compared(Comparison::Accepted(_)) => LcbResult::passed(passed, self.time()),
            LcbAnswer::Compared(Comparison::Rejected(_)) | LcbAnswer::Refused(_)
                if self.is_call =>
            {
                let grade = LcbGrade::Passed(false);
                LcbResult::failed(passed, grade, -2, "Wrong Answer", None)
            }
            LcbAnswer::Compared(Comparison::Rejected(_)) | LcbAnswer::Refused(_) => {
                failed(-2, "Wrong Answer", None)
            }
            LcbAnswer::Late(error) => failed(-3, "Time Limit Exceeded", Some(error)),
            LcbAnswer::Raised(error) => failed(-4, "Runtime Error", Some(error)),
            LcbAnswer::Failed(why) => LcbResult::of_no_program(why),
            // A program that sleeps is out of time there too.
            LcbAnswer::Silent if self.outcome.termination == Termination::IdleLimit => {
                failed(-3, "Time Limit Exceeded", None)
            }
            // Of a process that ended nothing is known there, not even what it passed.
            LcbAnswer::Silent => {
                LcbResult::failed(0, LcbGrade::Failed(-2), -5, "TestRunnerError", None)
            }
        }
    }

    /// Time by the clock that all tests took.
    fn time(&self) -> Duration {
        self.answers.iter().map(|(_, time)| *time).sum()
    }

    /// The cases. What the process used, in all, stands with the last.
    fn tried(self, settings: &Settings) -> Vec<Tried> {
        let last = self.answers.len() - 1;
        let nothing = Outcome::default();
        let cases = self.answers.iter().enumerate();
        let cases = cases.map(|(place, (answer, time))| {
            let used = if place == last {
                &self.outcome
            } else {
                &nothing
            };
            let case = CaseResult {
                wall_ms: time.as_micros() as f64 / 1e3,
                ..self.case(answer, used, settings.keep_output)
            };
            Tried::undisputed(case, settings)
        });
        cases.collect()
    }

    fn case(&self, answer: &LcbAnswer, used: &Outcome, keep_output: usize) -> CaseResult {
        let plain = |decision| case(used, decision, keep_output);
        let with = |decision, why: &str| CaseResult {
            message: Some(why.to_owned()),
            ..plain(decision)
        };
        match answer {
            LcbAnswer::Compared(Comparison::Accepted(strategy)) => CaseResult {
                strategy: Some(AcceptedBy::Strategy(*strategy)),
                ..plain(Decision::Accepted)
            },
            LcbAnswer::Compared(Comparison::Rejected(difference)) => CaseResult {
                diff: Some(difference.clone()),
                ..plain(Decision::WrongAnswer)
            },
            LcbAnswer::Refused(why) => with(Decision::WrongAnswer, why),
            LcbAnswer::Late(error) => CaseResult {
                clock: Some(Clock::Cpu),
                ..with(Decision::TimeLimit, error)
            },
            LcbAnswer::Raised(error) | LcbAnswer::Failed(error) => {
                with(Decision::RuntimeError, error)
            }
            LcbAnswer::Silent => {
                let (decision, clock) = failure(&self.outcome, self.limits.cpu)
                    .unwrap_or((Decision::RuntimeError, None));
                CaseResult {
                    clock,
                    ..with(decision, "it ended before its tests did")
                }
            }
        }
    }
}
