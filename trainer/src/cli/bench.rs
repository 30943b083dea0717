//! `mc-train bench`: measurements on work that a file gives.

use fs_err as fs;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;
use trainer::bench;

use super::exit::CliError;
use super::settings::ConfigArgs;

/// Measure scores, generation speed or update speed on given tokens
///
/// --work is a JSON file of token ids: `{"prompts": [[..], ..], "responses": [[..], ..], "samples": 8, "stop": [..]}`.
/// trainer/gpu/measure.sh makes such files and compares the results with PyTorch and transformers.
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// What to measure
    what: What,

    #[command(flatten)]
    settings: ConfigArgs,

    /// Work file (JSON)
    #[arg(long, value_name = "FILE")]
    work: PathBuf,

    /// Output file
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

impl BenchArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let config = self.settings.load()?;
        match self.what {
            What::Score => Ok(bench::score(&config, &self.work, &self.out)?),
            What::Generate => self.write(&bench::generate(&config, &self.work)?),
            What::Update => self.write(&bench::update(&config, &self.work)?),
        }
    }

    fn write(&self, record: &impl Serialize) -> Result<(), CliError> {
        let text = serde_json::to_string(record).expect("a record of numbers");
        Ok(fs::write(&self.out, text)?)
    }
}
