//! The files that every stage is given.

use std::path::PathBuf;
use std::thread;

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

/// As many workers as asked for, or one per core.
pub fn workers(asked: Option<usize>) -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    asked.unwrap_or_else(cores)
}
