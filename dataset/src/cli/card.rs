//! `mc-data card`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use dataset::DataError;
use dataset::card::card;
use dataset::chosen::Chosen;
use dataset::stage::reports;

use super::exit::CliError;

/// Write a dataset card: what the problems that are left are, and how they came about
#[derive(Debug, Args)]
pub struct CardArgs {
    /// Records, as an earlier command wrote them
    input: PathBuf,

    /// The card to write, in Markdown
    #[arg(short, long)]
    out: PathBuf,

    /// The file of problems that the card names
    #[arg(long, default_value = "problems.jsonl")]
    problems: String,

    /// Describe only what is under one of these licences
    #[arg(long, value_delimiter = ',')]
    license_allow: Vec<String>,
}

/// Write it.
pub fn run(args: CardArgs) -> Result<ExitCode, CliError> {
    let chosen = Chosen {
        input: args.input,
        licenses: args.license_allow,
    };
    let page = card(&chosen, &reports(&chosen.input)?, &args.problems)?;
    fs_err::write(&args.out, page).map_err(DataError::from)?;
    Ok(ExitCode::SUCCESS)
}
