//! `mc-data export`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use dataset::export;

use super::exit::CliError;

/// Write the records that are left as problems that `mc-eval` and `mc-train` read
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Records, as an earlier command wrote them
    input: PathBuf,

    /// The file of problems to write
    #[arg(short, long)]
    out: PathBuf,

    /// A file for the verified solutions
    #[arg(long)]
    solutions: Option<PathBuf>,
}

/// Export, and print how much.
pub fn run(args: ExportArgs) -> Result<ExitCode, CliError> {
    let written = export::own(&args.input, &args.out, args.solutions.as_deref())?;
    println!("{written} problems");
    Ok(ExitCode::SUCCESS)
}
