//! What a reader says of a row that it cannot read.

use std::path::Path;

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

impl ReadError {
    /// An error of a file as a whole.
    pub(super) fn of_file(path: &Path, message: impl Into<String>) -> ReadError {
        ReadError {
            file: path.display().to_string(),
            line: None,
            field: None,
            message: message.into(),
        }
    }
}

fn place(line: Option<usize>) -> String {
    line.map(|line| format!(":{line}")).unwrap_or_default()
}

/// The field, as it opens a complaint.
pub(super) fn named(field: Option<&str>) -> String {
    field
        .map(|field| format!("field \"{field}\": "))
        .unwrap_or_default()
}
