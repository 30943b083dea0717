//! The lines in which rows are answered.

use serde::Serialize;

use super::ask::Refusal;
use crate::Verdict;

/// A verdict, with the row that it answers.
#[derive(Serialize)]
struct VerdictLine<'a> {
    row: u64,
    #[serde(flatten)]
    verdict: &'a Verdict,
}

/// A problem is kept.
#[derive(Serialize)]
struct RegisteredLine<'a> {
    row: u64,
    registered: &'a str,
    problem_id: &'a str,
    tests: usize,
}

/// A row that cannot be judged.
#[derive(Serialize)]
struct RefusalLine<'a> {
    row: u64,
    id: Option<&'a str>,
    error: &'a str,
    field: Option<&'a str>,
}

/// The answer to a row that was judged, newline included.
pub fn of_verdict(row: u64, verdict: &Verdict) -> String {
    line(&VerdictLine { row, verdict })
}

/// The answer to a row that registers a problem.
pub fn of_registered(row: u64, hash: &str, problem: &crate::Problem) -> String {
    line(&RegisteredLine {
        row,
        registered: hash,
        problem_id: &problem.id,
        tests: problem.tests.len(),
    })
}

/// The answer to a row that is refused.
pub fn of_refusal(row: u64, refusal: &Refusal) -> String {
    line(&RefusalLine {
        row,
        id: refusal.id.as_deref(),
        error: &refusal.message,
        field: refusal.field.as_deref(),
    })
}

fn line(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("only string keys") + "\n"
}
