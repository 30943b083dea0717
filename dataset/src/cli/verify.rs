//! `mc-data verify`.

use std::process::ExitCode;
use std::thread;

use clap::Args;
use dataset::verify::{Verifier, Verify};

use super::exit::CliError;
use super::files::FileArgs;

/// Run the references, and drop records whose tests cannot be trusted
#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    files: FileArgs,

    /// How often each reference is run on each test
    #[arg(long, default_value_t = 3)]
    runs: usize,

    /// References of a record that are run
    #[arg(long, default_value_t = 5)]
    references: usize,

    /// Programs that run at a time; one per core if absent
    #[arg(long)]
    workers: Option<usize>,
}

/// Verify, and print what came of it.
pub fn run(args: VerifyArgs) -> Result<ExitCode, CliError> {
    let verify = Verify {
        runs: args.runs,
        references: args.references,
    };
    let verifier = Verifier::new(verify, workers(args.workers))?;
    let report = verifier.run(&args.files.input, &args.files.out, args.files.resume)?;
    println!("{}", report.table());
    Ok(ExitCode::SUCCESS)
}

/// As many as asked for, or one per core.
fn workers(asked: Option<usize>) -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    asked.unwrap_or_else(cores)
}
