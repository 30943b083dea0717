//! Runs the references of problems in rounds, and concludes what that says of each problem.

use std::sync::Arc;

use serde_json::{Value, json};

use super::Defect;
use super::conduct::{Conduct, Failure};
use crate::compare::several_answers;
use crate::{Decision, Evaluator, Problem, Submission, Task, Tests};

/// Runs of a reference over all its tests at least: one that fails half the time, on its only test, is then found with a chance of
/// 0.9995.
const RUNS: usize = 12;

/// A program that is said to be right, with its problem, every test of which is there so many times over.
pub struct Reference {
    /// The program.
    pub submission: Submission,
    /// As [`repeated`] makes it.
    pub problem: Arc<Problem>,
    /// The tests of one round.
    pub tests: usize,
}

/// How many rounds a reference is run, of which `least` are asked for, on so many tests.
pub fn rounds(least: usize, tests: usize) -> usize {
    least.max(RUNS.div_ceil(tests.max(1)))
}

/// The problem with each test `times` over, in rounds, and those of test code that run in one process in one for each round. A
/// program gets another seed in every test, so that one which asks for chance shows it.
pub fn repeated(problem: &Problem, times: usize) -> Arc<Problem> {
    let mut problem = problem.clone();
    match &mut problem.tests {
        Tests::Stdin(cases) => repeat(cases, times),
        Tests::Call { cases, .. } => repeat(cases, times),
        Tests::Assert { cases, .. } => repeat(cases, times),
    }
    Arc::new(problem)
}

fn repeat<T: Clone>(cases: &mut Vec<T>, times: usize) {
    let all = cases.iter().cycle().take(cases.len() * times);
    *cases = all.cloned().collect();
}

/// What each of the references did, in their order.
pub fn conducts(evaluator: &Arc<Evaluator>, references: Vec<Reference>) -> Vec<Conduct> {
    let counts: Vec<usize> = references.iter().map(|one| one.tests).collect();
    let tasks: Vec<Task> = references
        .into_iter()
        .map(|one| Task {
            submission: one.submission,
            problem: one.problem,
        })
        .collect();
    let verdicts = evaluator.judge_all(tasks);
    let both = verdicts.zip(counts);
    both.map(|(verdict, tests)| Conduct::of(&verdict, tests))
        .collect()
}

/// The most CPU time of a test that a reference took which passes, in milliseconds.
pub fn slowest<'a>(conducts: impl IntoIterator<Item = &'a Conduct>) -> Option<f64> {
    let times = conducts.into_iter().filter_map(|conduct| match conduct {
        Conduct::Passes { slowest } => Some(*slowest),
        _ => None,
    });
    times.max_by(f64::total_cmp)
}

/// What the conduct of its references says against a problem.
pub fn against(
    statement: Option<&str>,
    has_checker: bool,
    conducts: &[&Conduct],
) -> Option<(Defect, Value)> {
    if conducts.is_empty() {
        return Some((Defect::NoReference, json!({})));
    }
    let passes = conducts.iter().any(|conduct| conduct.passes());
    let checker = (!has_checker).then(|| needs_checker(statement, passes, conducts));
    checker
        .flatten()
        .or_else(|| (!passes).then(|| loudest(conducts)))
}

/// Of references none of which passes: what speaks against the problem.
fn loudest(conducts: &[&Conduct]) -> (Defect, Value) {
    let defects = conducts.iter().filter_map(|conduct| match conduct {
        Conduct::Flaky(evidence) => Some((Defect::FlakyReference, evidence.clone())),
        Conduct::Fails(failure) => Some((Defect::ReferenceFails, failure.evidence.clone())),
        Conduct::Undecided(why) => Some((Defect::JudgeFailed, json!({"message": why}))),
        Conduct::Passes { .. } => None,
    });
    // Flaky speaks loudest: what it fails may be right.
    let rank = |defect: &Defect| match defect {
        Defect::FlakyReference => 0,
        Defect::ReferenceFails => 1,
        _ => 2,
    };
    defects
        .min_by_key(|(defect, _)| rank(defect))
        .expect("a reference was run, and does not pass")
}

/// Several answers are right if references give different ones to one test, or if one gives another than expected and
/// the statement says that any will do.
fn needs_checker(
    statement: Option<&str>,
    passes: bool,
    conducts: &[&Conduct],
) -> Option<(Defect, Value)> {
    let wrong: Vec<&Failure> = conducts
        .iter()
        .filter_map(|conduct| match conduct {
            Conduct::Fails(failure) if failure.decision == Decision::WrongAnswer => Some(failure),
            _ => None,
        })
        .collect();
    let first = wrong.first()?;
    if let Some(said) = statement.and_then(several_answers) {
        let evidence = json!({"statement": said, "reference": first.evidence});
        return Some((Defect::NeedsChecker, evidence));
    }
    let other = wrong
        .iter()
        .find(|other| other.test == first.test && other.actual != first.actual)?;
    let differs = !passes && first.actual.is_some();
    differs.then(|| {
        let evidence = json!({"references": [first.evidence, other.evidence]});
        (Defect::NeedsChecker, evidence)
    })
}
