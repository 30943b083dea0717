//! The command line of `mc-eval`: one module per subcommand, each with its arguments and one function that runs it.

mod compare;
mod completions;
mod diff;
mod doctor;
mod exit;
mod input;
mod intake;
mod interrupt;
mod judge;
mod lcb;
mod output;
mod pairs;
mod progress;
mod schema;
mod session;
mod show;
mod table;
mod verdicts;

use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use evaluator::{Level, Profile};

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
    Compare(compare::CompareArgs),
    Show(show::ShowArgs),
    Diff(diff::DiffArgs),
    Lcb(lcb::LcbArgs),
    Doctor(doctor::DoctorArgs),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
}

/// Parse the command line, run it, and report an error if there is one.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Judge(args) => judge::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Show(args) => show::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Lcb(args) => lcb::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args),
    };
    result.unwrap_or_else(|error| error.report())
}

/// A number of things, in words: `1 test`, `2 tests`.
fn several(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

/// Reads the name of one of `all`.
fn by_name<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names = all.iter().map(move |it| name(*it));
    PossibleValuesParser::new(names).map(move |given| {
        let named = all.iter().find(|it| name(**it) == given);
        *named.expect("one of the possible values")
    })
}

fn profiles() -> impl TypedValueParser<Value = Profile> {
    by_name(&Profile::ALL, Profile::name)
}

fn levels() -> impl TypedValueParser<Value = Level> {
    by_name(&[Level::Full, Level::Reduced], |level| match level {
        Level::Full => "full",
        Level::Reduced => "reduced",
    })
}
