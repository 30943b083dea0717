//! `mc-data process`.

use std::process::ExitCode;

use clap::Args;
use dataset::process::Process;

use super::exit::CliError;
use super::files::FileArgs;

/// Make statements plain text and tests single assertions, and drop statements that are cut off
#[derive(Debug, Args)]
pub struct ProcessArgs {
    #[command(flatten)]
    files: FileArgs,

    /// Leave test code of several assertions in one piece
    #[arg(long)]
    keep_tests: bool,
}

/// Process, and print what came of it.
pub fn run(args: ProcessArgs) -> Result<ExitCode, CliError> {
    let process = Process {
        split_tests: !args.keep_tests,
    };
    let report = process.run(&args.files.input, &args.files.out, args.files.resume)?;
    println!("{}", report.table());
    Ok(ExitCode::SUCCESS)
}
