//! `mc-train bench`: measurements on work that a file gives.

use std::fs;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use trainer::bench;

use super::Settings;
use super::exit::Failure;

/// Measure the model on given tokens: its numbers, or the speed of generation or of updates
///
/// The work is a JSON file of token ids: `{"prompts": [[..], ..], "responses": [[..], ..], "samples": 8, "stop": [..]}`.
/// trainer/gpu/measure.sh makes such files, and holds what comes out against PyTorch and transformers.
#[derive(Debug, Args)]
pub(super) struct Bench {
    /// What is measured
    what: What,

    #[command(flatten)]
    settings: Settings,

    /// The work
    #[arg(long, value_name = "FILE")]
    work: PathBuf,

    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// Log-probabilities, entropies, gradients and sampled responses, as safetensors
    Score,
    /// Seconds, tokens and memory of sampling `samples` responses to each prompt, as JSON
    Generate,
    /// Seconds and memory of updates on all responses, as JSON
    Update,
}

impl Bench {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let config = self.settings.load()?;
        match self.what {
            What::Score => Ok(bench::score(&config, &self.work, &self.out)?),
            What::Generate => self.write(&bench::generate(&config, &self.work)?),
            What::Update => self.write(&bench::update(&config, &self.work)?),
        }
    }

    fn write(&self, record: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(record).expect("a record of numbers");
        fs::write(&self.out, text).map_err(|error| Failure::file(&self.out, error))
    }
}
