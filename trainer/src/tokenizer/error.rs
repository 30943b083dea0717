//! What can go wrong between text and tokens.

use std::path::PathBuf;

/// Why text could not become tokens, or tokens text.
#[derive(Debug, thiserror::Error)]
pub enum TokenizerError {
    /// A file that cannot be read or written; the error names it.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// A file that does not hold what it should.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The tokenizer's library failed.
    #[error("failed to {action}: {problem}")]
    Library {
        /// `encode` or `decode`.
        action: &'static str,
        /// What it said.
        problem: String,
    },
    /// Text outside what the ASCII tokenizer knows.
    #[error("failed to encode: character {0:?} is not printable ASCII, a tab or a newline")]
    NotAscii(char),
    /// A chat template that is absent or fails.
    #[error("chat template: {0}")]
    Template(String),
}
