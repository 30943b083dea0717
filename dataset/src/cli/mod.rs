//! The command line of `mc-data`: one module per command, each with its arguments and one function that runs it.

mod card;
mod collect;
mod difficulty;
mod exit;
mod export;
mod files;
mod filter;
mod llm;
mod process;
mod run;
mod split;
mod stats;
mod verify;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Make verified problems of raw sources
///
/// Each command reads a file of records and writes another, with as many records in the same order. What it drops stays in
/// the file, with the reason and the evidence in `dropped_by`.
#[derive(Debug, Parser)]
#[command(name = "mc-data", version, max_term_width = 100, after_help = exit::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Collect(collect::CollectArgs),
    Process(process::ProcessArgs),
    Filter(filter::FilterArgs),
    Verify(verify::VerifyArgs),
    Difficulty(difficulty::DifficultyArgs),
    Export(export::ExportArgs),
    Split(split::SplitArgs),
    Stats(stats::StatsArgs),
    Card(card::CardArgs),
    Run(run::RunArgs),
}

/// Parse the command line, run it, and report an error if there is one.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Collect(args) => collect::run(args),
        Command::Process(args) => process::run(args),
        Command::Filter(args) => filter::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Difficulty(args) => difficulty::run(args),
        Command::Export(args) => export::run(args),
        Command::Split(args) => split::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Card(args) => card::run(args),
        Command::Run(args) => run::run(args),
    };
    result.unwrap_or_else(|error| error.report())
}
