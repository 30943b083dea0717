//! Why a stage cannot go on. What is wrong with a record is never one of these: that is a reason to drop it.

use std::io;
use std::path::PathBuf;

use evaluator::SandboxError;
use evaluator::jsonl::JsonLinesError;
use evaluator::readers::ReadError;

use crate::llm::LlmError;

/// Why a stage cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A source cannot be read.
    #[error(transparent)]
    Source(#[from] ReadError),
    /// A file of records cannot be read or written.
    #[error(transparent)]
    Records(#[from] JsonLinesError),
    /// The output is of other input or other settings, so it cannot be resumed.
    #[error("{0} was written from other input or with other settings, so it cannot be resumed")]
    Changed(PathBuf),
    /// A setting is wrong: which and why.
    #[error("{0}")]
    Setting(String),
    /// The machine does not run programs as asked.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A model that is to help does not.
    #[error(transparent)]
    Llm(#[from] LlmError),
    /// A Parquet file cannot be written.
    #[cfg(feature = "parquet")]
    #[error(transparent)]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The file system failed; the error names the file.
    #[error(transparent)]
    Io(#[from] io::Error),
}
