//! Problems with their tests, and submissions to them.

use std::borrow::Cow;

use crate::Value;

/// How a problem's submissions are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A whole program, text in and text out.
    Stdin,
    /// A function or method, plain data in and plain data out.
    Call,
    /// Test code that calls the candidate.
    Assert,
}

/// One test: an input with its expected output.
#[derive(Debug, Clone, PartialEq)]
pub enum TestCase {
    /// Standard input and the expected standard output.
    Stdin {
        /// Standard input.
        input: String,
        /// Expected standard output.
        output: String,
    },
    /// Positional arguments and the expected result.
    Call {
        /// Positional arguments.
        arguments: Vec<Value>,
        /// Expected result.
        expected: Value,
    },
    /// Test code; it passes if it ends without an exception. Names it does not define stand for the candidate's.
    Assert {
        /// Python source.
        code: String,
    },
}

/// Absolute and relative tolerance: `|a - b| <= abs + rel * |b|`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloatTolerance {
    /// Absolute part.
    pub abs: f64,
    /// Relative part, of the expected number.
    pub rel: f64,
}

/// What a problem itself declares about comparing outputs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Declared {
    /// Reals may differ by this much.
    pub float: Option<FloatTolerance>,
    /// Lines or items may come in any order.
    pub any_order: bool,
    /// Letter case does not matter.
    pub ignore_case: bool,
}

/// A problem: its statement, its tests and what it declares.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Unique in its file.
    pub id: String,
    /// The text given to the model.
    pub statement: Option<String>,
    /// The code that a completion continues, for problems that are given as the head of a program.
    pub prompt: Option<String>,
    /// How submissions are run.
    pub kind: Kind,
    /// The function (`solve`) or method (`Solution.solve`) to call, for [`Kind::Call`] and [`Kind::Assert`].
    pub fn_name: Option<String>,
    /// At least one.
    pub tests: Vec<TestCase>,
    /// Seconds of CPU time per test.
    pub time_limit: Option<f64>,
    /// Memory per test in MiB.
    pub memory_limit: Option<u64>,
    /// Where it comes from: `atcoder`, `leetcode`.
    pub platform: Option<String>,
    /// `easy`, `medium`, `hard`, or the platform's own word.
    pub difficulty: Option<String>,
    /// What it declares about comparing outputs.
    pub compare: Declared,
}

/// A candidate solution to one problem, as a user gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// Unique in its file; made of problem and running number where the file gives none.
    pub id: String,
    /// The problem it solves.
    pub problem_id: String,
    /// The program, or `None` where a response holds no block of the wanted language.
    pub code: Option<String>,
    /// Its language; Python where the file says nothing.
    pub language: String,
    /// Whether `code` is only the continuation of [`Problem::prompt`].
    pub completes_prompt: bool,
}

impl Submission {
    /// The whole program: `code`, behind the problem's prompt where it only completes that. `None` where there is no code.
    pub fn program(&self, problem: &Problem) -> Option<Cow<'_, str>> {
        let code = self.code.as_deref()?;
        match &problem.prompt {
            Some(prompt) if self.completes_prompt => Some(Cow::Owned(format!("{prompt}{code}"))),
            _ => Some(Cow::Borrowed(code)),
        }
    }
}
