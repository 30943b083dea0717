//! The time limit of a package that states none: found by running its accepted submissions.

use std::sync::Arc;

use crate::readers::{Package, TimeRule};
use crate::verdict::Decision;
use crate::{Evaluator, Problem, Submission, Task};

/// Seconds of CPU time that an accepted submission gets for a test while no limit is known.
const UNKNOWN: f64 = 60.0;

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
    let slowest = verdicts
        .filter(|verdict| verdict.verdict == Decision::Accepted)
        .flat_map(|verdict| verdict.cases)
        .map(|case| case.cpu_ms / 1e3)
        .reduce(f64::max);
    match slowest {
        Some(slowest) => Ok(limited(package.time.limit(slowest))),
        None => Err(
            "states no time limit, and has no submission that is accepted and could show one"
                .to_owned(),
        ),
    }
}

/// Whether a submission is one of those that the limit has to leave time for.
fn shows_the_limit(submission: &Submission) -> bool {
    submission.expected == [Decision::Accepted] && submission.expected_score.is_none()
}
