//! Records as the evaluator's problems.

use std::sync::Arc;

use evaluator::Problem;
use evaluator::readers::{self, ReadError};
use serde_json::value::RawValue;

use super::{Kind, Record};

const ASK: &str = "Answer with a Python program in a fenced block.";

impl Record {
    /// The problem that it holds, as the evaluator reads its line.
    ///
    /// # Errors
    /// The field at fault, if somebody edited the record.
    pub fn problem(&self) -> Result<Arc<Problem>, ReadError> {
        let file = self.origin.file.as_deref().unwrap_or("record");
        let row = serde_json::to_string(&self.bare()).expect("a record has only string keys");
        let row = readers::row(file, self.origin.line.unwrap_or(1), &row)?;
        Ok(row.problem.expect("a record has tests"))
    }

    /// What a model is asked that is to solve it.
    pub fn prompt(&self) -> String {
        let statement = self.statement.as_deref().unwrap_or_default();
        let named = self.fn_name.as_deref().filter(|_| self.kind != Kind::Stdin);
        let define = named.map_or_else(String::new, |name| format!("Define `{name}`. "));
        format!("{statement}\n\n{define}{ASK}")
    }

    /// Only what a problem file holds of it.
    pub fn bare(&self) -> Record {
        Record {
            tests: self.tests.iter().map(super::Test::bare).collect(),
            solutions: Vec::new(),
            changes: Vec::new(),
            notes: Vec::new(),
            strength: None,
            written_in: None,
            level: None,
            rated: None,
            solved: None,
            calibrated: None,
            dropped_by: None,
            ..self.clone()
        }
    }
}

impl super::Test {
    fn bare(&self) -> super::Test {
        super::Test {
            kills: None,
            made_by: None,
            ..self.clone()
        }
    }
}

/// The text of a test's input or output, whose JSON is a string; any other JSON as it stands.
pub fn stdin_text(json: &RawValue) -> String {
    serde_json::from_str(json.get()).unwrap_or_else(|_| json.get().to_owned())
}
