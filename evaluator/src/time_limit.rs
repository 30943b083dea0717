//! The time limit of a package that states none: found by running its accepted submissions.

use std::sync::Arc;

use crate::readers::{Package, TimeRule};
use crate::verdict::{Decision, Verdict};
use crate::{Evaluator, Problem, Submission, Task};

/// Seconds of CPU time that an accepted submission gets for a test while no limit is known.
const UNKNOWN: f64 = 60.0;

/// The folder of those that are accepted for a part of the points.
const PARTIAL: &str = "partially_accepted";

/// The problem of a package with its time limit.
///
/// # Errors
/// No submission of the package is accepted, so that nothing tells how long one may take.
pub fn with_time_limit(
    evaluator: &Arc<Evaluator>,
    package: &Package,
) -> Result<Arc<Problem>, String> {
    if let TimeRule::Stated(_) = package.time {
        return Ok(package.problem.clone());
    }
    let limited = |seconds| {
        Arc::new(Problem {
            time_limit: Some(seconds),
            ..Problem::clone(&package.problem)
        })
    };
    let problem = limited(UNKNOWN);
    let accepted = package.submissions.iter().filter(|it| shows_the_limit(it));
    let tasks: Vec<Task> = accepted
        .map(|submission| Task {
            submission: submission.clone(),
            problem: problem.clone(),
        })
        .collect();
    let verdicts = evaluator.judge_all(tasks);
    let (accepted, others): (Vec<Verdict>, Vec<Verdict>) =
        verdicts.partition(|verdict| verdict.verdict == Decision::Accepted);
    let cases = accepted.into_iter().flat_map(|verdict| verdict.cases);
    match cases.map(|case| case.cpu_ms / 1e3).reduce(f64::max) {
        Some(slowest) => Ok(limited(package.time.limit(slowest))),
        None => Err(none_shows_it(others.first())),
    }
}

/// Why there is no limit; what came of one that was to show it says most about that, or why it could not be judged.
fn none_shows_it(other: Option<&Verdict>) -> String {
    let none = "states no time limit, and has no submission that is accepted and could show one";
    let Some(other) = other else {
        return none.to_owned();
    };
    let of_cases = other.cases.iter().find_map(|case| case.message.as_ref());
    match other.message.as_ref().or(of_cases) {
        Some(why) if other.verdict == Decision::JudgeFailed => {
            format!(
                "states no time limit, and {} cannot be judged to show one: {why}",
                other.id
            )
        }
        _ => format!("{none}; {} is not: {}", other.id, other.reason()),
    }
}

/// Whether a submission is one of those that the limit has to leave time for.
fn shows_the_limit(submission: &Submission) -> bool {
    let folder = submission.id.split('/').next();
    submission.expected == [Decision::Accepted] && folder != Some(PARTIAL)
}
