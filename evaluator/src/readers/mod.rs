//! Reads problems and submissions of any known format, recognised by their fields.
//!
//! A file holds JSON lines or one JSON array, plain, gzip or zstd; or it is Parquet. Each row is read by the module of its format into
//! the same two types, [`crate::Problem`] and [`crate::Submission`]. Rows that hold a problem with its gold solutions give these as
//! submissions. A row that cannot be read is an error that names file, line and field: never a pass, never a skip.
//! Nothing of a row is ever executed here, and pickled tests are accepted only as one plain string.
//!
//! | told by | format |
//! |---|---|
//! | `problem_id` and `code` or `response`; `kind` and `tests` | this project's own |
//! | `question_id`, `code_list`; an array of arrays | what LiveCodeBench's custom evaluator takes |
//! | `verification_info` | SYNTHETIC |
//! | `reward_model` | verl |
//! | `public_test_cases`, `private_test_cases` | LiveCodeBench |
//! | `official_tests` | open-r1's codeforces |
//! | `public_tests`, `private_tests`, `generated_tests` | code_contests |
//! | `correct_submissions`, `incorrect_submissions` | CodeContests+ |
//! | `test_list` | MBPP |
//! | `task_id`, `entry_point` | HumanEval, EvalPlus; LeetCodeDataset, if the entry point is `Solution().name`; BigCodeBench, with `complete_prompt` |
//! | `question`, `test` | KodCode |
//! | `task_id` or `question_id`, and `completion`, `solution`, `response` or `code` | samples for those |
//! | `input_output` | APPS, TACO |
//! | `problem`, `tests` | DeepCoder; LeetCode tables, if the tests are `functional` |
//! | `ground_truth`; `question`, `test_cases` | open-instruct, AceCoder |
//!
//! ```
//! use evaluator::{Task, readers};
//!
//! let (problems, errors) = readers::problems(&["../fixtures/problems.jsonl".into()]);
//! assert!(errors.is_empty(), "{errors:?}");
//! let mut tasks = Vec::new();
//! for item in readers::submissions(&["../fixtures/solutions.jsonl".into()])? {
//!     let submission = item?.submission;
//!     let problem = problems.get(&submission.problem_id).expect("listed").clone();
//!     tasks.push(Task { submission, problem });
//! }
//! assert!(tasks.len() > problems.len());
//! # Ok::<(), readers::ReadError>(())
//! ```

mod apps;
mod bigcodebench;
mod cases;
mod checker;
mod code_contests;
mod codeforces;
mod content;
mod deepcoder;
mod error;
mod evalplus;
mod folder;
mod format;
mod generated_tests;
mod ground_truth;
mod humaneval;
mod ids;
mod kodcode;
mod languages;
mod leetcode;
mod livecodebench;
mod mbpp;
mod mbpp_plus;
mod misplaced;
mod node;
mod own;
mod package;
mod parquet_file;
mod pickled;
mod problems;
mod pytest;
mod quantities;
mod raw;
mod response;
mod rewards;
mod row;
mod rows;
mod source;
mod submissions;
mod synthetic;

use crate::problem::Declared;
use crate::value::json;
use error::named;
use node::Node;

pub use error::ReadError;
pub use folder::holds_rows;
pub use generated_tests::holds_only_tests;
pub use package::{Package, TimeRule, package};
pub use problems::{Problems, problems};
pub(crate) use response::FoundProgram;
pub use response::program;
pub use row::{RowContent, row};
pub use rows::{WholeRow, rows};
pub use source::reader;
pub use submissions::{Item, count_rows, submissions};

/// Checks the names of the fields of a pair of outputs, from its JSON text: those that no pair has are metadata, unless they look
/// like a slip.
///
/// # Errors
/// The field at fault and why: `field "statemnt": is not recognised; did you mean "statement"?`
pub fn pair_fields(text: &str) -> Result<(), String> {
    let value = json::parse(text)?;
    own::pair(&Node::row(&value)).map_err(|fault| named(fault.field.as_deref()) + &fault.message)
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
