//! What a reader makes of one row.

use crate::problem::{Problem, Submission};

/// What one row holds: a problem, submissions, or both.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// Whether it is a row of LiveCodeBench, whose evaluator orders problems by id.
    pub is_livecodebench: bool,
    pub problem: Option<Problem>,
    /// The id is empty where the row gives none. It is made once all rows before are known.
    pub submissions: Vec<Submission>,
}

/// A whole program for `problem_id`, whose id is yet to be made.
pub(super) fn unnamed(problem_id: &str, code: String) -> Submission {
    Submission::new("", problem_id, Some(code))
}

/// Whole programs for `problem_id`.
pub(super) fn all_unnamed(
    problem_id: &str,
    codes: impl IntoIterator<Item = String>,
) -> Vec<Submission> {
    let unnamed = |code| unnamed(problem_id, code);
    codes.into_iter().map(unnamed).collect()
}
