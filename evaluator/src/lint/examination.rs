//! All that is looked at of a problem with its solutions.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use super::conduct::{Conduct, excerpt};
use super::references::{Reference, against, conducts, repeated, rounds, slowest};
use super::strength::rejections;
use super::{Defect, contradiction};
use crate::compare::several_answers;
use crate::{Decision, Evaluator, Problem, Settings, Submission, Task, Tests};

/// Characters of a test that are shown.
const SHOWN: usize = 100;

/// A time limit should be at least so many times what a reference takes: other machines are slower.
const MARGIN: f64 = 2.0;

/// A problem with the solutions of which it is known whether they are right.
pub struct KnownSolutions {
    /// The problem.
    pub problem: Arc<Problem>,
    /// Said to be right.
    pub right: Vec<Submission>,
    /// Said to be wrong.
    pub wrong: Vec<Submission>,
}

/// A defect of a problem.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LintFinding {
    /// The problem.
    pub problem_id: String,
    /// What is wrong with it.
    pub defect: Defect,
    /// What shows it.
    pub evidence: Value,
}

/// Examine problems side by side, their references in `runs` rounds. What is found stands in the order of the problems.
pub fn examine(
    evaluator: &Arc<Evaluator>,
    problems: &[KnownSolutions],
    runs: usize,
) -> Vec<LintFinding> {
    let references = problems.iter().flat_map(|known| known.references(runs));
    let mut conducts = conducts(evaluator, references.collect()).into_iter();
    let wrong = problems.iter().flat_map(KnownSolutions::wrong_tasks);
    let mut rejected = evaluator
        .judge_all(wrong.collect::<Vec<_>>())
        .map(|verdict| {
            let why = rejections(&verdict);
            (verdict.id, verdict.verdict, why)
        });
    let mut found = Vec::new();
    for known in problems {
        let conducts: Vec<Conduct> = conducts.by_ref().take(known.right.len()).collect();
        let wrong: Vec<Rejected> = rejected.by_ref().take(known.wrong.len()).collect();
        let defects = known.defects(&conducts, &wrong);
        found.extend(defects.into_iter().map(|(defect, evidence)| LintFinding {
            problem_id: known.problem.id.clone(),
            defect,
            evidence,
        }));
    }
    found
}

/// Of a wrong program: its id, what was decided, and which tests reject it.
type Rejected = (String, Decision, Option<Vec<bool>>);

impl KnownSolutions {
    fn references(&self, runs: usize) -> Vec<Reference> {
        let tests = self.problem.tests.len();
        let problem = repeated(&self.problem, rounds(runs, tests));
        let reference = |submission: &Submission| Reference {
            submission: submission.clone(),
            problem: problem.clone(),
            tests,
        };
        self.right.iter().map(reference).collect()
    }

    fn wrong_tasks(&self) -> impl Iterator<Item = Task> {
        self.wrong.iter().map(|submission| Task {
            submission: submission.clone(),
            problem: self.problem.clone(),
        })
    }

    fn defects(&self, conducts: &[Conduct], wrong: &[Rejected]) -> Vec<(Defect, Value)> {
        let problem = &self.problem;
        let statement = problem.statement.as_deref();
        let has_checker = problem.checker.is_some();
        let all: Vec<&Conduct> = conducts.iter().collect();
        let against = against(statement, has_checker, &all);
        let mut defects: Vec<(Defect, Value)> = contradicting(&problem.tests).into_iter().collect();
        let needs_checker = matches!(against, Some((Defect::NeedsChecker, _)));
        if !has_checker
            && !needs_checker
            && !matches!(problem.tests, Tests::Assert { .. })
            && let Some(said) = statement.and_then(several_answers)
        {
            defects.push((Defect::AnyAnswer, json!({"statement": said})));
        }
        defects.extend(against);
        defects.extend(weak(wrong));
        defects.extend(idle(problem.tests.len(), wrong));
        defects.extend(tight(problem, slowest(conducts)));
        defects
    }
}

/// Two tests that expect different answers to the same input. What test code expects is its own business.
fn contradicting(tests: &Tests) -> Option<(Defect, Value)> {
    let pairs: Vec<(String, String)> = match tests {
        Tests::Stdin(cases) => {
            let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let pair = |(input, output): (&String, &String)| (squeezed(input), squeezed(output));
            cases
                .iter()
                .map(|case| pair((&case.input, &case.expected)))
                .collect()
        }
        Tests::Call { cases, .. } => {
            let shown = |value: &crate::Value| format!("{value:?}");
            let input = |arguments: &Vec<crate::Value>| format!("{arguments:?}");
            cases
                .iter()
                .map(|case| (input(&case.input), shown(&case.expected)))
                .collect()
        }
        Tests::Assert { .. } => Vec::new(),
    };
    let pairs = pairs.iter().map(|(input, output)| (&**input, &**output));
    let ((input, one), (_, other)) = contradiction(pairs)?;
    let evidence = json!({
        "input": excerpt(input, SHOWN),
        "outputs": [excerpt(one, SHOWN), excerpt(other, SHOWN)],
    });
    Some((Defect::ContradictingTests, evidence))
}

/// Wrong solutions that pass all the same.
fn weak(wrong: &[Rejected]) -> Option<(Defect, Value)> {
    let accepted = wrong
        .iter()
        .filter(|(_, decision, _)| *decision == Decision::Accepted);
    let ids: Vec<&str> = accepted.map(|(id, ..)| id.as_str()).collect();
    let evidence = json!({"solutions": ids, "wrong": wrong.len()});
    (!ids.is_empty()).then_some((Defect::WrongPasses, evidence))
}

/// Tests that reject none of the wrong solutions that others do.
fn idle(tests: usize, wrong: &[Rejected]) -> Option<(Defect, Value)> {
    let rejections: Vec<&Vec<bool>> = wrong
        .iter()
        .filter_map(|(.., tests)| tests.as_ref())
        .filter(|tests| tests.contains(&true))
        .collect();
    let rejects = |test: &usize| rejections.iter().any(|tests| tests[*test]);
    let idle: Vec<usize> = (0..tests)
        .filter(|test| !rejects(test))
        .map(|test| test + 1)
        .collect();
    let evidence = json!({"tests": idle, "wrong": rejections.len()});
    (!rejections.is_empty() && !idle.is_empty()).then_some((Defect::IdleTests, evidence))
}

/// A time limit that a slower machine would make the reference miss.
fn tight(problem: &Problem, slowest: Option<f64>) -> Option<(Defect, Value)> {
    let took = slowest? / 1000.0;
    let default = Settings::TIME_LIMIT.as_secs_f64();
    let limit = problem.time_limit.unwrap_or(default);
    let evidence = json!({"seconds": took, "time_limit": limit});
    (took * MARGIN > limit).then_some((Defect::TightTimeLimit, evidence))
}
