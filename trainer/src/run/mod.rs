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
pub mod policy;
pub mod probe;
pub mod remote;
pub mod rollout;
pub mod sampler;
pub mod samples;
mod served;
pub mod setup;
pub mod sft;
pub mod solutions;
pub mod tensorboard;
pub mod update;

use std::io;
use std::path::{Path, PathBuf};

use evaluator::jsonl::JsonLinesError;
use evaluator::readers::ReadError;
use sandbox::SandboxError;

use crate::config::ConfigError;
use crate::model::ModelError;
use crate::server::ServerError;
use crate::update::NotFinite;

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
    /// A file that cannot be read; the error names it.
    #[error(transparent)]
    Read(io::Error),
    /// A file of the run that cannot be written; the error names it.
    #[error(transparent)]
    Write(io::Error),
    /// A file of JSON lines that cannot be read, written or resumed; the error names it.
    #[error(transparent)]
    Lines(#[from] JsonLinesError),
    /// A file that does not hold what it should, or an output of an earlier run that cannot be overwritten or resumed.
    #[error("{}: {problem}", path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// There is nothing to train on, or to ask.
    #[error("{0} contains nothing usable")]
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
    #[error("the evaluator returned {verdicts} verdicts for {submissions} submissions")]
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
    #[error(
        "{what}: problem \"{problem}\" has none of the fields that data.template uses: {fields}"
    )]
    Unasked {
        /// The setting that names the problem's file.
        what: &'static str,
        /// The problem's id.
        problem: String,
        /// The fields it might have.
        fields: String,
    },
    /// A loss or gradient that is not a number.
    #[error("step {step}: {source}; the weights were left as they were")]
    NotFinite {
        /// The step, from 1.
        step: usize,
        /// Which of the two.
        source: NotFinite,
    },
    /// Weights that make no numbers after an update: the step was too long.
    #[error("step {step}: the updated policy produces NaN; it was not saved")]
    Ruined {
        /// The step, from 1.
        step: usize,
    },
}

impl RunError {
    /// The error of a step, counted from 1, for `map_err`.
    pub fn not_finite(step: usize) -> impl FnOnce(NotFinite) -> RunError {
        move |source| RunError::NotFinite { step, source }
    }

    /// A file or folder that cannot be used.
    pub fn unusable(path: &Path, problem: impl ToString) -> RunError {
        RunError::Unusable {
            path: path.to_path_buf(),
            problem: problem.to_string(),
        }
    }
}
