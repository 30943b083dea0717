//! A row before it is known what it holds: its text, and where it is from.

use std::path::Path;
use std::sync::Arc;

use super::error::ReadError;
use super::node::Fault;

/// One row of a file.
pub(super) struct Row {
    /// The path of its file; of a row that is a folder, that one's.
    pub file: Arc<str>,
    /// The line it starts on, from 1; its number in a file that has no lines, 0 for a folder.
    pub line: usize,
    /// Its JSON text.
    pub text: String,
    /// Its place in an array and the array's length.
    pub position: Option<(usize, usize)>,
    /// Whether it is by itself, from no file, so that no other is beside it.
    pub is_alone: bool,
}

impl Row {
    /// The folder of its file, where what it names by a path is; none of a row by itself.
    pub fn folder(&self) -> Option<&Path> {
        let folder = Path::new(&*self.file).parent();
        let here = folder.is_none_or(|folder| folder.as_os_str().is_empty());
        (!self.is_alone).then(|| folder.filter(|_| !here).unwrap_or(Path::new(".")))
    }

    /// The error of a fault in this row.
    pub fn error(&self, fault: Fault) -> ReadError {
        ReadError {
            file: self.file.to_string(),
            line: (self.line > 0).then_some(self.line),
            field: fault.field,
            message: fault.message,
        }
    }
}

/// Rows that come as such, each an error of its own where it cannot be read.
pub(super) type MadeRows = Box<dyn Iterator<Item = Result<Row, ReadError>> + Send>;
