//! What several rounds of the same tests show of a program.

use serde_json::{Value, json};

use crate::{CaseResult, Decision, Verdict};

/// Characters of evidence.
const SHOWN: usize = 300;

/// What a program did in all rounds.
#[derive(Debug, Clone, PartialEq)]
pub enum Conduct {
    /// It passed every test in every round.
    Passes {
        /// The most CPU time of a test, in milliseconds.
        slowest: f64,
    },
    /// It did not do the same in every round.
    Flaky(Value),
    /// It failed a test in every round.
    Fails(Failure),
    /// The host failed.
    Undecided(String),
}

/// The first test that a program fails.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The test, from 0; `None` for a program that does not compile.
    pub test: Option<usize>,
    /// What was decided.
    pub decision: Decision,
    /// Where its answer differs, and what it gave there.
    pub actual: Option<String>,
    /// All of it, for people.
    pub evidence: Value,
}

impl Conduct {
    /// Whether it passed.
    pub fn passes(&self) -> bool {
        matches!(self, Conduct::Passes { .. })
    }

    /// Of a program that was run on `tests` tests, round after round.
    pub fn of(verdict: &Verdict, tests: usize) -> Conduct {
        if verdict.verdict == Decision::JudgeFailed {
            return Conduct::Undecided(verdict.message.clone().unwrap_or_default());
        }
        if verdict.cases.is_empty() {
            return Conduct::Fails(Failure {
                test: None,
                decision: verdict.verdict,
                actual: None,
                evidence: json!({"verdict": verdict.verdict, "message": shown(verdict.message.as_deref())}),
            });
        }
        let unsteady = (0..tests).find_map(|test| unsteady(verdict, tests, test));
        if let Some(evidence) = unsteady {
            return Conduct::Flaky(evidence);
        }
        let failed = |case: &CaseResult| case.verdict != Decision::Accepted;
        match verdict.cases.iter().position(failed) {
            Some(place) => Conduct::Fails(failure(&verdict.cases[place], place % tests)),
            None => Conduct::Passes {
                slowest: verdict
                    .cases
                    .iter()
                    .map(|case| case.cpu_ms)
                    .fold(0.0, f64::max),
            },
        }
    }
}

/// What a test was decided in each round, if not always the same.
fn unsteady(verdict: &Verdict, tests: usize, test: usize) -> Option<Value> {
    let rounds = verdict.cases.iter().skip(test).step_by(tests);
    let decisions: Vec<Decision> = rounds.map(|case| case.verdict).collect();
    let is_steady = decisions.iter().all(|decision| *decision == decisions[0]);
    (!is_steady).then(|| json!({"test": test + 1, "rounds": decisions}))
}

fn failure(case: &CaseResult, test: usize) -> Failure {
    let evidence = json!({
        "test": test + 1,
        "verdict": case.verdict,
        "difference": case.diff,
        "message": shown(case.message.as_deref().or(case.stderr_tail.as_deref())),
    });
    let actual = case.diff.as_ref().map(|diff| json!(diff).to_string());
    Failure {
        test: Some(test),
        decision: case.verdict,
        actual,
        evidence,
    }
}

fn shown(text: Option<&str>) -> Option<String> {
    text.map(|text| excerpt(text, SHOWN))
}

/// The start of a text, for evidence that people read.
pub fn excerpt(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
