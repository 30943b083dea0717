//! Files that programs are made of, or given.

use std::sync::Arc;

/// One file of a program or a test.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceFile {
    /// Its path below the program's folder, with `/` between the parts.
    pub name: String,
    /// What it holds. Shared, as many submissions may include the same one.
    pub content: Arc<[u8]>,
    /// Whether it may be executed.
    pub executable: bool,
}

impl SourceFile {
    /// A file that is only read.
    pub fn new(name: impl Into<String>, content: impl Into<Arc<[u8]>>) -> SourceFile {
        SourceFile {
            name: name.into(),
            content: content.into(),
            executable: false,
        }
    }
}
