//! Verdicts, made of what was tried of a submission.

use std::collections::BTreeMap;

use sandbox::Isolation;

use super::context::{JudgeContext, Task};
use super::settings::{HarnessKind, Settings};
use super::tried::{Attempt, also_verdict, overall, passed};
use crate::grading::total;
use crate::verdict::{AlsoVerdict, CaseResult, Decision, LcbResult, Verdict};

/// The verdict on what is no program.
pub(super) fn rejected(context: &JudgeContext<'_>, task: &Task, why: String) -> Verdict {
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

/// The verdict on all that was tried.
pub(super) fn decided(context: &JudgeContext<'_>, task: &Task, attempt: Attempt) -> Verdict {
    let settings = context.settings;
    let Attempt { tried, graded } = attempt;
    let mut verdict = blank(settings, context.isolation, task);
    verdict.also = also_verdicts(settings, |i| also_verdict(i, &tried));
    verdict.cases = tried.into_iter().map(|tried| tried.case).collect();
    verdict.verdict = overall(verdict.cases.iter().map(|case| case.verdict));
    verdict.passed = passed(verdict.cases.iter().map(|case| case.verdict));
    verdict.not_run = verdict.total - verdict.cases.len();
    verdict.message = case_failure(&verdict.cases);
    verdict.score = points(&verdict.cases);
    if let Some(graded) = graded {
        verdict.verdict = graded.decision;
        verdict.score = graded.score;
        verdict.message = graded.fault.or(verdict.message);
    }
    verdict.several_answers =
        task.problem.checker.is_none() && context.comparators.several_answers(&task.problem);
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

/// The points of all tests together, where a checker gave any.
fn points(cases: &[CaseResult]) -> Option<f64> {
    let given: Vec<f64> = cases.iter().filter_map(|case| case.score).collect();
    (!given.is_empty()).then(|| total(given.into_iter()))
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
        expected: task.submission.expected.clone(),
        score: None,
        max_score: problem
            .grading
            .as_ref()
            .and_then(|grading| grading.max_score),
        passed: 0,
        total: problem.tests.len(),
        not_run: problem.tests.len(),
        reward: None,
        cases: Vec::new(),
        message: None,
        same_as: None,
        profile: settings.profile,
        also: BTreeMap::new(),
        lcb: None,
        isolation: isolation.clone(),
        platform: problem.platform.clone(),
        difficulty: problem.difficulty.clone(),
        several_answers: false,
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
