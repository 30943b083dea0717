//! Judges programs written by language models.
//!
//! A [`Submission`] is run against the tests of its [`Problem`] in the sandbox; a [`Comparator`] decides each test, and
//! the [`Verdict`] can be turned into training signal by a [`RewardFn`].
//!
//! The words: a [`TestCase`] is an input with its expected output; a [`Strategy`] is one way to compare two outputs; a
//! [`Profile`] says which strategies are admitted; a [`CaseResult`] is the result of one test. A wrong program is a
//! verdict; a broken host is [`Decision::JudgeFailed`], which has no reward.
//!
//! ```
//! use std::sync::Arc;
//! use evaluator::{Evaluator, Interpreter, Level, Problem, Settings, Task, TestCase, Tests};
//!
//! let test = TestCase { input: "21".into(), expected: "42".into() };
//! let problem = Arc::new(Problem::new("double", Tests::Stdin(vec![test])));
//! let evaluator = Evaluator::new(Interpreter::find(None)?, Level::Full, 2, Settings::default())?;
//! let codes = ["print(int(input()) * 2)", "print(input() * 2)"];
//! let tasks: Vec<Task> = codes.iter().map(|code| Task::new("sample", *code, problem.clone())).collect();
//! let rewards: Vec<Option<f64>> = evaluator.judge_all(tasks).map(|verdict| verdict.reward).collect();
//! assert_eq!(rewards, [Some(1.0), Some(0.0)]);
//! # Ok::<(), evaluator::SandboxError>(())
//! ```

pub mod batch;
pub mod checker;
pub mod compare;
pub mod fingerprint;
pub mod grading;
mod harness;
pub mod jsonl;
pub mod judge;
pub mod languages;
pub mod lint;
pub mod page;
pub mod previous_run;
pub mod problem;
pub mod rates;
pub mod readers;
pub mod report;
pub mod reward;
pub mod serve;
pub mod source;
pub mod time_limit;
pub mod transcripts;
pub mod value;
pub mod verdict;
mod worker;
pub mod writers;

pub use batch::{Evaluator, Stopper, Verdicts};
pub use checker::{Checker, OwnChecker, StandardChecker};
pub use compare::{Comparator, Comparison, Difference, Evidence, Profile, Strategy};
pub use grading::Grading;
pub use judge::{HarnessKind, PlainRun, Ran, Settings, Task};
pub use problem::{
    Declared, FloatTolerance, OneProcess, Prelude, Problem, Submission, TestCase, Tests,
};
pub use reward::RewardFn;
pub use sandbox::{Interpreter, Level, SandboxError};
pub use source::SourceFile;
pub use value::{Value, literal};
pub use verdict::{CaseResult, Decision, Verdict};
