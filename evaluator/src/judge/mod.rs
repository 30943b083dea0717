//! The judge: one submission x one problem -> [`Verdict`].
//!
//! Runs the submission once per test in the sandbox, maps how each run ended, and compares what ended well. Knows
//! nothing of files, of other submissions or of rewards beyond asking the function it is given.

mod blame;
mod budget;
mod cases;
mod comparators;
mod conclusion;
mod ending;
mod gate;
mod hints;
mod kinds;
mod launched;
mod livecodebench;
mod runtimes;
mod settings;
mod test_code;
mod tried;
mod unshielded;

use std::collections::BTreeMap;
use std::sync::Arc;

use sandbox::{Isolation, LaunchError, SandboxError};

pub(crate) use comparators::ComparatorCache;
pub(crate) use gate::CpuGate;
pub(crate) use runtimes::{Images, Runtimes};
pub use settings::{HarnessKind, Settings};

use crate::harness::Entry;
use crate::problem::Tests;
use crate::verdict::{AlsoVerdict, CaseResult, Decision, LcbResult, Verdict};
use crate::{Problem, Submission, readers};
use cases::Run;
use kinds::{Call, Kind, Text};
use launched::Launched;
use runtimes::Side;
use tried::{Tried, also_verdict, overall, passed};

/// A submission to judge, with its problem.
#[derive(Debug, Clone)]
pub struct Task {
    /// The submission.
    pub submission: Submission,
    /// The problem it is meant to solve.
    pub problem: Arc<Problem>,
}

impl Task {
    /// A whole Python program for `problem`.
    pub fn new(id: impl Into<String>, code: impl Into<String>, problem: Arc<Problem>) -> Task {
        Task::of(id.into(), Some(code.into()), problem)
    }

    /// A model's full text for `problem`. Its program is found as in the field `response` of a solutions file; where there
    /// is none, the verdict is [`Decision::CompileError`].
    pub fn from_response(id: impl Into<String>, response: &str, problem: Arc<Problem>) -> Task {
        Task::of(id.into(), readers::program(response), problem)
    }

    fn of(id: String, code: Option<String>, problem: Arc<Problem>) -> Task {
        let submission = Submission {
            id,
            problem_id: problem.id.clone(),
            code,
            language: "python".to_owned(),
            completes_prompt: false,
        };
        Task {
            submission,
            problem,
        }
    }
}

/// What a task is judged with.
pub(crate) struct JudgeContext<'a> {
    /// Where programs run.
    pub runtimes: &'a mut Runtimes,
    /// The comparators of the last problem.
    pub comparators: &'a mut ComparatorCache,
    /// Keeps other workers still while a run must be alone.
    pub gate: &'a CpuGate,
    /// How to judge.
    pub settings: &'a Settings,
    /// What protects the runs.
    pub isolation: &'a Isolation,
}

/// Judge one task. An error means that the host failed; nothing is decided then.
pub(crate) fn judge(context: &mut JudgeContext<'_>, task: &Task) -> Result<Verdict, SandboxError> {
    let Some(source) = task.submission.program(&task.problem) else {
        let why = format!("the response holds no {} block", task.submission.language);
        return Ok(rejected(context, task, why));
    };
    if context.settings.harness == HarnessKind::LiveCodeBench {
        return livecodebench::judge(context, &source, task);
    }
    match run(context, &source, &task.problem) {
        Ok(tried) => Ok(decided(context, task, tried)),
        Err(LaunchError::Rejected(why)) => Ok(rejected(context, task, why)),
        Err(LaunchError::Host(error)) => Err(error),
    }
}

/// The verdict where the host failed.
pub(crate) fn failed(
    settings: &Settings,
    isolation: &Isolation,
    task: &Task,
    why: String,
) -> Verdict {
    let mut verdict = blank(settings, isolation, task);
    verdict.message = Some(why);
    verdict
}

/// Run a submission's program on the tests of its problem, perhaps not on all.
fn run(
    context: &mut JudgeContext<'_>,
    source: &str,
    problem: &Arc<Problem>,
) -> Result<Vec<Tried>, LaunchError> {
    let prelude = problem.prelude;
    match &problem.tests {
        Tests::Stdin(cases) => {
            compared::<Text>(context, source, problem, Entry::Script(prelude), cases)
        }
        Tests::Call { function, cases } => {
            let options = hints::of_calls(problem, cases);
            let entry = Entry::Call(function, prelude, &options);
            compared::<Call>(context, source, problem, entry, cases)
        }
        Tests::Assert { function, cases } => {
            let function = function.as_deref().unwrap_or_default();
            test_code::run(context, source, problem, function, cases)
        }
    }
}

fn compared<K: Kind>(
    context: &mut JudgeContext<'_>,
    source: &str,
    problem: &Arc<Problem>,
    entry: Entry<'_>,
    cases: &[K::Case],
) -> Result<Vec<Tried>, LaunchError> {
    let comparators = context.comparators.of(problem, context.settings);
    let run = Run::new(context.settings, context.gate, comparators, problem);
    let limits = run.limits.clone();
    let mut program = Launched::new(context.runtimes, Side::Candidate, source, entry, limits)?;
    run.all::<K>(&mut program, cases)
}

/// The verdict on what is no program.
fn rejected(context: &JudgeContext<'_>, task: &Task, why: String) -> Verdict {
    let settings = context.settings;
    let also = AlsoVerdict {
        verdict: Decision::CompileError,
        passed: 0,
        differs: Vec::new(),
    };
    let mut verdict = blank(settings, context.isolation, task);
    verdict.verdict = Decision::CompileError;
    verdict.message = Some(why);
    verdict.also = also_verdicts(settings, |_| also.clone());
    verdict.lcb = (settings.harness == HarnessKind::LiveCodeBench)
        .then(|| LcbResult::of_no_program(verdict.message.as_deref().unwrap_or_default()));
    verdict.reward = settings.reward.reward(&verdict);
    verdict
}

fn decided(context: &JudgeContext<'_>, task: &Task, tried: Vec<Tried>) -> Verdict {
    let settings = context.settings;
    let mut verdict = blank(settings, context.isolation, task);
    verdict.also = also_verdicts(settings, |i| also_verdict(i, &tried));
    verdict.cases = tried.into_iter().map(|tried| tried.case).collect();
    verdict.verdict = overall(verdict.cases.iter().map(|case| case.verdict));
    verdict.passed = passed(verdict.cases.iter().map(|case| case.verdict));
    verdict.not_run = verdict.total - verdict.cases.len();
    verdict.message = case_failure(&verdict.cases);
    verdict.several_answers = context.comparators.several_answers(&task.problem);
    verdict.reward = settings.reward.reward(&verdict);
    verdict
}

fn also_verdicts(
    settings: &Settings,
    of: impl Fn(usize) -> AlsoVerdict,
) -> BTreeMap<String, AlsoVerdict> {
    let profiles = settings.also.iter().enumerate();
    profiles
        .map(|(i, profile)| (profile.name().to_owned(), of(i)))
        .collect()
}

/// Why the judge failed, if it did in one of the cases.
fn case_failure(cases: &[CaseResult]) -> Option<String> {
    let failed = cases
        .iter()
        .find(|case| case.verdict == Decision::JudgeFailed)?;
    failed.message.clone()
}

/// A verdict that decides nothing yet.
fn blank(settings: &Settings, isolation: &Isolation, task: &Task) -> Verdict {
    let problem = &task.problem;
    Verdict {
        id: task.submission.id.clone(),
        problem_id: problem.id.clone(),
        verdict: Decision::JudgeFailed,
        passed: 0,
        total: problem.tests.len(),
        not_run: problem.tests.len(),
        reward: None,
        cases: Vec::new(),
        message: None,
        profile: settings.profile,
        also: BTreeMap::new(),
        lcb: None,
        isolation: isolation.clone(),
        platform: problem.platform.clone(),
        difficulty: problem.difficulty.clone(),
        several_answers: false,
    }
}
