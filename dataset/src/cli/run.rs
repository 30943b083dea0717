//! `mc-data run`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use dataset::pipeline::{Done, Pipeline};

use super::exit::CliError;
use super::files::workers;

/// Run all stages as a file describes them, and write problems, solutions and a card
///
/// What is done already is not done again: after a kill or a change, run the same command.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The pipeline, a TOML file
    pipeline: PathBuf,

    /// Programs that run at a time; one per core if absent
    #[arg(long)]
    workers: Option<usize>,
}

/// Run, and print a line per stage.
pub fn run(args: RunArgs) -> Result<ExitCode, CliError> {
    let pipeline = Pipeline::read(&args.pipeline)?;
    println!(
        "{:<10} {:>8} {:>8} {:>7} {:>8}  dropped",
        "stage", "read", "kept", "share", "seconds"
    );
    pipeline.run(workers(args.workers), print)?;
    println!("\n{}", pipeline.folder.join("README.md").display());
    Ok(ExitCode::SUCCESS)
}

fn print(done: &Done) {
    let report = &done.report;
    let dropped: Vec<String> = report
        .dropped
        .iter()
        .map(|(reason, count)| format!("{} {count}", reason.name()))
        .collect();
    println!(
        "{:<10} {:>8} {:>8} {:>5.1} % {:>8.1}  {}",
        report.stage.name(),
        report.read,
        report.kept,
        100.0 * report.kept as f64 / report.read.max(1) as f64,
        done.took.as_secs_f64(),
        dropped.join(", "),
    );
}
