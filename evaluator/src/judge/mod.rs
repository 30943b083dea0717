//! The judge: one submission x one problem -> [`Verdict`].
//!
//! Runs the submission once per test in the sandbox, maps how each run ended, and compares what ended well. Knows
//! nothing of files, of other submissions or of rewards beyond asking the function it is given.

mod cases;
mod chains;
mod ending;
mod examine;
mod quiet;
mod settings;

use std::collections::BTreeMap;
use std::sync::Arc;

use sandbox::{Entry, Grants, Isolation, Program, SandboxError, Worker};

pub(crate) use chains::Chains;
pub use quiet::Quiet;
pub use settings::Settings;

use crate::verdict::{AcceptedBy, AlsoCase, AlsoVerdict, CaseResult, Decision, Verdict};
use crate::{Difference, Problem, Submission, Tests, readers};

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
pub(crate) struct Court<'a> {
    /// Where programs run.
    pub worker: &'a mut Worker,
    /// The comparators of the last problem.
    pub chains: &'a mut Chains,
    /// Keeps other workers still while a run must be alone.
    pub quiet: &'a Quiet,
    /// How to judge.
    pub settings: &'a Settings,
    /// What protects the runs.
    pub isolation: &'a Isolation,
}

/// One test's result, under the main profile and under the others.
struct Tried {
    case: CaseResult,
    /// In the order of [`Settings::also`].
    also: Vec<Compared>,
}

/// What one profile says of one test.
#[derive(Debug, Clone, PartialEq)]
struct Compared {
    verdict: Decision,
    strategy: Option<AcceptedBy>,
    diff: Option<Difference>,
}

/// What became of a submission's program.
enum Ran {
    /// It does not compile.
    Rejected(String),
    /// It was run, perhaps not on all tests.
    Tried(Vec<Tried>),
}

/// Judge one task. An error means that the host failed; nothing is decided then.
pub(crate) fn judge(court: &mut Court<'_>, task: &Task) -> Result<Verdict, SandboxError> {
    let Some(code) = task.submission.program(&task.problem) else {
        let why = format!("the response holds no {} block", task.submission.language);
        return Ok(undecided(court, task, Decision::CompileError, why));
    };
    let program = program(code.into_owned(), &task.problem);
    let ran = match &task.problem.tests {
        Tests::Assert { cases, .. } => examine::run(court, &program, &task.problem, cases)?,
        Tests::Stdin(_) | Tests::Call { .. } => cases::run(court, &program, &task.problem)?,
    };
    Ok(match ran {
        Ran::Rejected(why) => undecided(court, task, Decision::CompileError, why),
        Ran::Tried(tried) => decided(court, task, tried),
    })
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

fn program(source: String, problem: &Problem) -> Program {
    let entry = match &problem.tests {
        Tests::Stdin(_) => Entry::Main,
        tests => Entry::Function(tests.function().unwrap_or_default().to_owned()),
    };
    let grants = Grants::JUDGED;
    Program {
        source,
        entry,
        grants,
    }
}

/// A verdict without cases.
fn undecided(court: &Court<'_>, task: &Task, decision: Decision, why: String) -> Verdict {
    let mut verdict = blank(court.settings, court.isolation, task);
    verdict.verdict = decision;
    verdict.message = Some(why);
    verdict.also = also_all(court.settings, decision);
    verdict.reward = court.settings.reward.reward(&verdict);
    verdict
}

fn decided(court: &Court<'_>, task: &Task, tried: Vec<Tried>) -> Verdict {
    let mut verdict = blank(court.settings, court.isolation, task);
    verdict.also = court
        .settings
        .also
        .iter()
        .enumerate()
        .map(|(i, profile)| (profile.name().to_owned(), also_verdict(i, &tried)))
        .collect();
    verdict.cases = tried.into_iter().map(|tried| tried.case).collect();
    verdict.verdict = overall(verdict.cases.iter().map(|case| case.verdict));
    verdict.passed = passed(verdict.cases.iter().map(|case| case.verdict));
    verdict.not_run = verdict.total - verdict.cases.len();
    verdict.message = case_failure(&verdict.cases);
    verdict.reward = court.settings.reward.reward(&verdict);
    verdict
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
        isolation: isolation.clone(),
        platform: problem.platform.clone(),
        difficulty: problem.difficulty.clone(),
    }
}

fn also_all(settings: &Settings, decision: Decision) -> BTreeMap<String, AlsoVerdict> {
    let verdict = AlsoVerdict {
        verdict: decision,
        passed: 0,
        differs: Vec::new(),
    };
    let names = settings.also.iter().map(|profile| profile.name());
    names
        .map(|name| (name.to_owned(), verdict.clone()))
        .collect()
}

/// What the further profile number `i` says of all that was tried.
fn also_verdict(i: usize, tried: &[Tried]) -> AlsoVerdict {
    let decisions = || tried.iter().map(|tried| tried.also[i].verdict);
    let differs = tried.iter().enumerate().filter_map(|(case, tried)| {
        let other = &tried.also[i];
        (other.verdict != tried.case.verdict).then(|| AlsoCase {
            case,
            verdict: other.verdict,
            strategy: other.strategy,
            diff: other.diff.clone(),
        })
    });
    AlsoVerdict {
        verdict: overall(decisions()),
        passed: passed(decisions()),
        differs: differs.collect(),
    }
}

/// Accepted only if all are; else the first failure; a failure of the judge above all.
fn overall(mut decisions: impl Iterator<Item = Decision> + Clone) -> Decision {
    if decisions
        .clone()
        .any(|decision| decision == Decision::JudgeFailed)
    {
        return Decision::JudgeFailed;
    }
    decisions
        .find(|decision| *decision != Decision::Accepted)
        .unwrap_or(Decision::Accepted)
}

fn passed(decisions: impl Iterator<Item = Decision>) -> usize {
    decisions
        .filter(|decision| *decision == Decision::Accepted)
        .count()
}

/// Whether enough was tried: with [`Settings::first_failure`], once every profile fails a test.
fn enough(settings: &Settings, tried: &[Tried]) -> bool {
    let fails = |profile: &dyn Fn(&Tried) -> Decision| {
        tried
            .iter()
            .any(|tried| profile(tried) != Decision::Accepted)
    };
    settings.first_failure
        && fails(&|tried| tried.case.verdict)
        && (0..settings.also.len()).all(|i| fails(&|tried| tried.also[i].verdict))
}
