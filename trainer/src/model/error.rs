//! What can be wrong with a model's folder.

use std::path::PathBuf;

/// Why a model could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file system refused; the error names the file.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// config.json says something that is wrong or not supported.
    #[error("{}: field `{field}`: {problem}", path.display())]
    Config {
        /// The config file.
        path: PathBuf,
        /// The field's name.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The weight files lack a tensor, or hold one that does not fit.
    #[error("{}: tensor `{tensor}`: {problem}", path.display())]
    Weights {
        /// The model's folder or one of its files.
        path: PathBuf,
        /// The tensor's name.
        tensor: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A weight file that is no safetensors file.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What its reader said.
        problem: String,
    },
}
