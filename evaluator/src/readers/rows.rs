//! The rows of a file with their own text, for callers that also need fields that judging does not read.

use std::path::Path;
use std::sync::Arc;

use super::error::ReadError;
use super::format;
use super::raw::Row;
use super::row::RowContent;
use super::source::Rows;

/// A row of a file.
#[derive(Debug)]
pub struct WholeRow {
    /// The file's path.
    pub file: String,
    /// Its line there, from 1.
    pub line: usize,
    /// Its JSON text.
    pub text: String,
    /// What it holds.
    pub content: RowContent,
}

/// The rows of a file, in order; what cannot be read is an error in its place. An error at once means that the file cannot
/// be opened.
pub fn rows(
    path: &Path,
) -> Result<impl Iterator<Item = Result<WholeRow, ReadError>> + use<>, ReadError> {
    let mut rows = Rows::open(path)?;
    let all = std::iter::from_fn(move || rows.next());
    Ok(all.map(|row| row.and_then(whole)))
}

fn whole(row: Row) -> Result<WholeRow, ReadError> {
    let content = format::read(&row).map_err(|fault| row.error(fault))?;
    Ok(WholeRow {
        file: row.file.to_string(),
        line: row.line,
        text: row.text,
        content: RowContent {
            problem: content.problem.map(Arc::new),
            submissions: content.submissions,
        },
    })
}
