//! The command line of `mc-eval`: one module per subcommand, each with its arguments and one function that runs it.

mod compare;
mod completions;
mod convert;
mod diff;
mod doctor;
mod exit;
mod input;
mod intake;
mod judge;
mod languages;
mod lcb;
mod lint;
mod man;
mod merge;
mod names;
mod notices;
mod output;
mod pairs;
mod progress;
mod report;
mod schema;
#[cfg(feature = "serve")]
mod serve;
mod session;
mod settings;
mod shard;
mod show;
mod stdio;
mod stop_signal;
mod table;
mod verdicts;
mod verify;
mod view;
mod words;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Judge programs written by language models: run each one in a sandbox and compare its output with a chain of strategies.
#[derive(Debug, Parser)]
#[command(name = "mc-eval", version, max_term_width = 100, after_long_help = exit::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Judge(judge::JudgeArgs),
    Verify(verify::VerifyArgs),
    #[cfg(feature = "serve")]
    Serve(serve::ServeArgs),
    Convert(convert::ConvertArgs),
    Lint(lint::LintArgs),
    Compare(compare::CompareArgs),
    Merge(merge::MergeArgs),
    Show(show::ShowArgs),
    Diff(diff::DiffArgs),
    Report(report::ReportArgs),
    View(view::ViewArgs),
    Lcb(lcb::LcbArgs),
    Doctor(doctor::DoctorArgs),
    Languages(languages::LanguagesArgs),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// Parse the command line, run it, and report an error if there is one.
pub fn main() -> ExitCode {
    stop_signal::fail_at_full_files();
    let result = match Cli::parse().command {
        Command::Judge(args) => judge::run(args),
        Command::Verify(args) => verify::run(args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Lint(args) => lint::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Merge(args) => merge::run(&args),
        Command::Show(args) => show::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Report(args) => report::run(&args),
        Command::View(args) => view::run(&args),
        Command::Lcb(args) => lcb::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Languages(args) => languages::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args, Cli::command()),
        Command::Man(args) => man::run(&args, Cli::command()),
    };
    match (result, stop_signal::code()) {
        (Err(_), Some(code)) => ExitCode::from(code),
        (result, _) => result.unwrap_or_else(|error| error.report()),
    }
}
