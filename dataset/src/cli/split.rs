//! `mc-data split`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use dataset::split::{HeldOut, split};

use super::exit::CliError;

/// Split the records that are left in two
///
/// Neither way moves a record when others are added.
#[derive(Debug, Args)]
pub struct SplitArgs {
    /// Records, as an earlier command wrote them
    input: PathBuf,

    /// The file for the larger part
    #[arg(long)]
    train: PathBuf,

    /// The file for the part that is held out
    #[arg(long)]
    held_out: PathBuf,

    /// The share that is held out, chosen by the hash of source and id
    #[arg(long, default_value_t = 0.1)]
    share: f64,

    /// Hold out what was published on this day or later instead
    #[arg(long, value_name = "DATE", conflicts_with = "share")]
    after: Option<String>,
}

/// Split, and print how many records each part got.
pub fn run(args: SplitArgs) -> Result<ExitCode, CliError> {
    let by = args
        .after
        .map_or(HeldOut::Share(args.share), HeldOut::After);
    let (train, held_out) = split(&args.input, &by, &args.train, &args.held_out)?;
    println!("{train} records to train on, {held_out} held out");
    Ok(ExitCode::SUCCESS)
}
