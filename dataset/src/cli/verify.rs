//! `mc-data verify`.

use std::process::ExitCode;

use clap::Args;
use dataset::verify::{Verifier, Verify};

use super::exit::CliError;
use super::files::{FileArgs, workers};

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

    /// Mutants of a reference that are run to measure how strong the tests are; 0 for none
    #[arg(long, default_value_t = 12)]
    mutants: usize,

    /// Make at most so many tests for a record, of inputs like those of its tests, and keep those that reject wrong programs
    #[arg(long, default_value_t = 0, value_name = "TESTS")]
    generate: usize,

    /// References that must give the same answer to an input that is made
    #[arg(long, default_value_t = 2, value_name = "REFERENCES")]
    agreeing: usize,

    /// Drop records whose tests reject less than this share of wrong programs
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    min_strength: f64,

    /// Keep at most so many tests of a record: the strongest and the largest
    #[arg(long)]
    max_tests: Option<usize>,

    /// Set time limits to this multiple of what the slowest reference takes; 0 to leave them alone
    #[arg(long, default_value_t = 10.0, value_name = "FACTOR")]
    time_factor: f64,

    /// Programs that run at a time; one per core if absent
    #[arg(long)]
    workers: Option<usize>,
}

/// Verify, and print what came of it.
pub fn run(args: VerifyArgs) -> Result<ExitCode, CliError> {
    let verify = Verify {
        runs: args.runs,
        references: args.references,
        mutants: args.mutants,
        generate: args.generate,
        agreeing: args.agreeing,
        min_strength: args.min_strength,
        max_tests: args.max_tests,
        time_factor: args.time_factor,
    };
    let verifier = Verifier::new(verify, workers(args.workers))?;
    let report = verifier.run(&args.files.input, &args.files.out, args.files.resume)?;
    println!("{}", report.table());
    Ok(ExitCode::SUCCESS)
}
