//! Why a model gave no answer.

use std::path::PathBuf;

/// Why a model gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    /// Something is missing in the settings.
    #[error("{0}")]
    Setting(String),
    /// Nothing is recorded of a question.
    #[error("no answer is recorded in {path} to the question \"{question}\"")]
    NotRecorded {
        /// Where it would be.
        path: PathBuf,
        /// How it begins.
        question: String,
    },
    /// What is recorded cannot be read, or answers something else.
    #[error("{path}: {reason}")]
    Recorded {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The server did not answer, or not usefully, on every try.
    #[error("{url}: {reason}")]
    Server {
        /// What was asked.
        url: String,
        /// What went wrong the last time.
        reason: String,
    },
    /// The folder of answers cannot be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}
