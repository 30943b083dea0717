//! Why a reference folder could not be replayed.

use crate::model::ModelError;
use std::path::{Path, PathBuf};

/// Why a reference folder could not be replayed.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// A file that cannot be read; the error names it.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// A file or folder that does not hold what it should.
    #[error("{}: {problem}", path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The model itself.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl CheckError {
    pub(super) fn unusable(path: &Path, problem: impl ToString) -> CheckError {
        CheckError::Unusable {
            path: path.to_path_buf(),
            problem: problem.to_string(),
        }
    }
}
