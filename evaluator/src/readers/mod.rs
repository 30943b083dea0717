//! Reads problems and submissions of any known format, recognised by their fields.
//!
//! A file holds JSON lines or one JSON array; plain, gzip or zstd. Each row is read by the module of its format into
//! the same two types, [`Problem`] and [`Submission`]. Rows that hold a problem with its gold solutions give these as
//! submissions. A row that cannot be read is an error that names file, line and field: never a pass, never a skip.
//! Nothing of a row is ever executed here, and pickled tests are accepted only as one plain string.
//!
//! | told by | format |
//! |---|---|
//! | `problem_id` and `code` or `response`; `kind` and `tests` | this project's own |
//! | `question_id`, `code_list`; an array of arrays | what LiveCodeBench's custom evaluator takes |
//! | `public_test_cases`, `private_test_cases` | LiveCodeBench |
//! | `test_list` | MBPP |
//! | `task_id`, `entry_point` | HumanEval, EvalPlus; LeetCodeDataset, if the entry point is `Solution().name` |
//! | `task_id` or `question_id`, and `completion`, `solution`, `response` or `code` | samples for those |
//! | `input_output` | APPS, TACO |
//! | `problem`, `tests` | DeepCoder; LeetCode tables, if the tests are `functional` |

mod apps;
mod cases;
mod deepcoder;
mod evalplus;
mod format;
mod humaneval;
mod ids;
mod leetcode;
mod livecodebench;
mod mbpp;
mod mbpp_plus;
mod node;
mod own;
mod problems;
mod response;
mod source;
mod submissions;

use std::sync::Arc;

use crate::problem::{Declared, Problem, Submission};
use crate::value::json;
use node::Node;

pub use problems::{Problems, problems};
pub use response::program;
pub use submissions::{count_rows, submissions};

/// A row that cannot be read: which file, line and field, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {}{message}", file, place(*line), named(field.as_deref()))]
pub struct ReadError {
    /// The file's path, or `-` for standard input.
    pub file: String,
    /// The line, from 1; absent where the file as a whole is at fault.
    pub line: Option<usize>,
    /// The field, as a path: `tests[2].input`; absent where the row as a whole is at fault.
    pub field: Option<String>,
    /// What is wrong with it, as a fragment: `is missing`.
    pub message: String,
}

fn place(line: Option<usize>) -> String {
    line.map(|line| format!(":{line}")).unwrap_or_default()
}

fn named(field: Option<&str>) -> String {
    field
        .map(|field| format!("field \"{field}\": "))
        .unwrap_or_default()
}

/// What a problem's field `compare` declares, from its JSON text.
///
/// # Errors
/// The field at fault and why: `field "compare.order": must be "any"`.
pub fn declared(text: &str) -> Result<Declared, String> {
    let value = json::parse(text)?;
    own::declared(&Node::at("compare", &value))
        .map_err(|fault| named(fault.field.as_deref()) + &fault.message)
}

/// A submission as read.
#[derive(Debug, Clone)]
pub struct Item {
    /// The submission.
    pub submission: Submission,
    /// Its problem, where the row carries its own tests.
    pub problem: Option<Arc<Problem>>,
    /// The file it is from.
    pub file: String,
    /// Its line there, from 1.
    pub line: usize,
}

impl Item {
    /// The error of a field of this row.
    pub fn error(&self, field: &str, message: String) -> ReadError {
        ReadError {
            file: self.file.clone(),
            line: Some(self.line),
            field: Some(field.to_owned()),
            message,
        }
    }
}

/// What one row holds: a problem, candidate solutions, or both.
#[derive(Debug, Default)]
struct Content {
    /// Whether it is a row of LiveCodeBench, whose evaluator orders problems by id.
    is_livecodebench: bool,
    problem: Option<Problem>,
    candidates: Vec<Candidate>,
}

/// A submission that has no id of its own yet.
#[derive(Debug)]
struct Candidate {
    id: Option<String>,
    problem_id: String,
    code: Option<String>,
    completes_prompt: bool,
}

impl Candidate {
    /// A whole program for `problem_id`.
    fn whole(problem_id: &str, code: String) -> Candidate {
        Candidate {
            id: None,
            problem_id: problem_id.to_owned(),
            code: Some(code),
            completes_prompt: false,
        }
    }

    /// Whole programs for `problem_id`.
    fn all_whole(problem_id: &str, codes: impl IntoIterator<Item = String>) -> Vec<Candidate> {
        let whole = |code| Candidate::whole(problem_id, code);
        codes.into_iter().map(whole).collect()
    }
}
