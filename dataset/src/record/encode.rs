//! The evaluator's problems as records: a row of any format becomes fields of this project's own schema.

use evaluator::writers::{self, Inexpressible};
use evaluator::{Problem, Tests};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::{Record, Test};

impl Record {
    /// A record of no more than a problem. Tuples are written as lists, which the judge takes for equal; any other value that JSON
    /// does not have is an error.
    pub fn of_problem(problem: &Problem) -> Result<Record, Inexpressible> {
        let row = writers::problem(problem)?;
        Ok(serde_json::from_str(&row).expect("a record begins with the fields of a problem"))
    }

    /// All of a problem but its tests and what decides about them.
    pub fn without_tests(problem: &Problem) -> Record {
        let bare = Problem {
            tests: none_of(&problem.tests),
            checker: None,
            details: Vec::new(),
            grading: None,
            output_limit: None,
            ..problem.clone()
        };
        Record::of_problem(&bare).expect("no test holds anything")
    }
}

/// No tests of the same kind.
fn none_of(tests: &Tests) -> Tests {
    match tests {
        Tests::Stdin(_) => Tests::Stdin(Vec::new()),
        Tests::Call { function, .. } => Tests::Call {
            function: function.clone(),
            cases: Vec::new(),
        },
        Tests::Assert {
            function,
            one_process,
            ..
        } => Tests::Assert {
            function: function.clone(),
            cases: Vec::new(),
            one_process: one_process.clone(),
        },
    }
}

impl Test {
    /// A test of input and output, both as JSON.
    pub fn pair(input: Box<RawValue>, output: Box<RawValue>) -> Test {
        Test {
            input: Some(input),
            output: Some(output),
            code: None,
            kills: None,
            made_by: None,
        }
    }

    /// A test of texts.
    pub fn stdin(input: &str, output: &str) -> Test {
        let raw = |text: &str| to_raw_value(&json!(text)).expect("a text is JSON");
        Test::pair(raw(input), raw(output))
    }

    /// Test code.
    pub fn assert(code: impl Into<String>) -> Test {
        Test {
            input: None,
            output: None,
            code: Some(code.into()),
            kills: None,
            made_by: None,
        }
    }
}
