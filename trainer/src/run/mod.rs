//! Runs: what the commands do, from a configuration to files in a folder.
//!
//! [`grpo`] is the loop of training and fits a page: rollout, reward, advantage, update, record, save. The other modules
//! are its verbs and nouns; the arithmetic is that of [`crate::algorithm`].

pub mod batch;
mod changes;
pub mod checkpoint;
pub mod cursor;
pub mod evaluate;
pub mod folder;
pub mod generate;
pub mod grpo;
pub mod judging;
mod measure;
pub mod metrics;
pub mod probe;
pub mod remote;
pub mod rollout;
pub mod samples;
pub mod setup;
pub mod sft;
pub mod solutions;
pub mod tensorboard;
pub mod update;

use std::io;
use std::path::{Path, PathBuf};

use evaluator::readers::ReadError;
use sandbox::SandboxError;

use crate::config::ConfigError;
use crate::model::ModelError;
use crate::server::ServerError;

/// Why a run ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The model's folder.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model's tokenizer.
    #[error(transparent)]
    Tokenizer(#[from] crate::tokenizer::TokenizerError),
    /// A file of problems.
    #[error(transparent)]
    Problems(#[from] ReadError),
    /// The machine cannot judge.
    #[error(transparent)]
    Sandbox(SandboxError),
    /// The file system.
    #[error("failed to {action} {}: {source}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// What came of it.
        source: io::Error,
    },
    /// A folder or file of an earlier run that is not to be written over, or cannot be gone on with.
    #[error("{}: {problem}", path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// There is nothing to train on, or to ask.
    #[error("{0} holds nothing that can be used")]
    Nothing(&'static str),
    /// A server that cannot be asked.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// Responses that a server did not give.
    #[error("{missing} of {wanted} responses are missing from {}: {source}", file.display())]
    Missing {
        /// How many.
        missing: usize,
        /// Of how many.
        wanted: usize,
        /// Where those that came are kept.
        file: PathBuf,
        /// Why the first is missing.
        source: Box<ServerError>,
    },
    /// The evaluator ended early.
    #[error("the evaluator gave {verdicts} verdicts for {submissions} submissions")]
    Unjudged {
        /// Programs handed in.
        submissions: usize,
        /// Verdicts that came back.
        verdicts: usize,
    },
    /// The judge failed on more responses than not.
    #[error(
        "the judge failed on {failed} of {of} responses; the first, to problem \"{problem}\": {message}"
    )]
    JudgeFailed {
        /// How many.
        failed: usize,
        /// Of how many.
        of: usize,
        /// The problem of the first.
        problem: String,
        /// Why the first.
        message: String,
    },
    /// A problem that says nothing where it is asked.
    #[error("{what}: problem \"{problem}\" has none of what data.template asks with: {fields}")]
    Unasked {
        /// The setting that names the problem's file.
        what: &'static str,
        /// The problem's id.
        problem: String,
        /// The fields it might have.
        fields: String,
    },
    /// A loss or gradient that is no number; the weights were not touched.
    #[error("step {step}: the {what} is {value}; no update was made of it")]
    NotFinite {
        /// The step, from 1.
        step: usize,
        /// `loss` or `gradient norm`.
        what: &'static str,
        /// What it is.
        value: f64,
    },
    /// Weights that make no numbers after an update: the step was too long.
    #[error("step {step}: the updated policy gives no numbers; no checkpoint was written of it")]
    Ruined {
        /// The step, from 1.
        step: usize,
    },
}

impl RunError {
    /// An error unless a loss or a gradient norm is a number. `step` counts from 1.
    pub fn unless_finite(step: usize, what: &'static str, value: f64) -> Result<(), RunError> {
        match value.is_finite() {
            true => Ok(()),
            false => Err(RunError::NotFinite { step, what, value }),
        }
    }

    /// An error of the file system, for `map_err`.
    pub fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RunError {
        let path = path.to_path_buf();
        move |source| RunError::File {
            action,
            path,
            source,
        }
    }
}
