//! The files that every stage is given.

use std::path::PathBuf;

use clap::Args;

/// What a stage reads and writes.
#[derive(Debug, Args)]
pub struct FileArgs {
    /// Records, as an earlier command wrote them
    pub input: PathBuf,

    /// The file to write
    #[arg(short, long)]
    pub out: PathBuf,

    /// Continue an output that was begun from the same input with the same settings
    #[arg(long)]
    pub resume: bool,
}
