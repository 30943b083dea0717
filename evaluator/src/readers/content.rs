//! What a reader makes of one row.

use crate::problem::Problem;

/// What one row holds: a problem, candidate solutions, or both.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// Whether it is a row of LiveCodeBench, whose evaluator orders problems by id.
    pub is_livecodebench: bool,
    pub problem: Option<Problem>,
    pub candidates: Vec<Candidate>,
}

/// A submission that has no id of its own yet.
#[derive(Debug)]
pub(super) struct Candidate {
    pub id: Option<String>,
    pub problem_id: String,
    pub code: Option<String>,
    pub completes_prompt: bool,
}

impl Candidate {
    /// A whole program for `problem_id`.
    pub fn whole(problem_id: &str, code: String) -> Candidate {
        Candidate {
            id: None,
            problem_id: problem_id.to_owned(),
            code: Some(code),
            completes_prompt: false,
        }
    }

    /// Whole programs for `problem_id`.
    pub fn all_whole(problem_id: &str, codes: impl IntoIterator<Item = String>) -> Vec<Candidate> {
        let whole = |code| Candidate::whole(problem_id, code);
        codes.into_iter().map(whole).collect()
    }
}
