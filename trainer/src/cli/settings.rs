//! The arguments that every command with settings shares.

use std::path::PathBuf;

use clap::Args;
use trainer::config::{Config, load};

use super::exit::CliError;

/// Where settings come from.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// Settings file (TOML)
    #[arg(long, short, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,

    /// Override one setting, as in `--set rollout.samples=16`; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(super) set: Vec<String>,
}

impl ConfigArgs {
    /// Read, check and return them.
    pub(super) fn load(&self) -> Result<Config, CliError> {
        Ok(load(self.config.as_deref(), &self.set)?)
    }
}
