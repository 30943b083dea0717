//! One row by itself, for callers that hold rows rather than files.

use std::sync::Arc;

use super::error::ReadError;
use super::format;
use super::raw::Row;
use crate::problem::{Problem, Submission};

/// What a row holds: a problem, submissions to it or to one that is elsewhere, or both.
#[derive(Debug)]
pub struct RowContent {
    /// The problem, where the row carries tests.
    pub problem: Option<Arc<Problem>>,
    /// The submissions. The id of one is empty where the row gives none.
    pub submissions: Vec<Submission>,
}

/// Read a row of any known format from its JSON text. Errors name it as line `line` of `file`. It has no folder, so that a
/// path in it, such as a checker's, is an error.
///
/// ```
/// let text = r#"{"problem_id": "sum", "response": "```python\nprint(3)\n```"}"#;
/// let content = evaluator::readers::row("request", 1, text)?;
/// assert_eq!(content.submissions[0].code.as_deref(), Some("print(3)\n"));
/// # Ok::<(), evaluator::readers::ReadError>(())
/// ```
pub fn row(file: &str, line: usize, text: &str) -> Result<RowContent, ReadError> {
    let row = Row {
        file: file.into(),
        line,
        text: text.to_owned(),
        position: None,
        is_alone: true,
    };
    let content = format::read(&row).map_err(|fault| row.error(fault))?;
    Ok(RowContent {
        problem: content.problem.map(Arc::new),
        submissions: content.submissions,
    })
}
