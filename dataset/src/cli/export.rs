//! `mc-data export`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use dataset::chosen::Chosen;
use dataset::export;

use super::exit::CliError;

/// Write the records that are left as problems that `mc-eval` and `mc-train` read
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Records, as an earlier command wrote them
    input: PathBuf,

    /// The file of problems to write, or the folder for Hugging Face
    #[arg(short, long)]
    out: PathBuf,

    /// A file for the verified solutions
    #[arg(long)]
    solutions: Option<PathBuf>,

    /// The format of the problems
    #[arg(long, visible_alias = "to", value_enum, default_value_t = Format::Own, conflicts_with = "solutions")]
    format: Format,

    /// Write only what is under one of these licences
    #[arg(long, value_delimiter = ',')]
    license_allow: Vec<String>,
}

/// A format that is written.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// This project's own
    Own,
    /// LiveCodeBench's rows; test code has no place in them
    Lcb,
    /// A folder as Hugging Face lays out a data set, with a card
    Hf,
    /// The Parquet file that verl trains on
    #[cfg(feature = "parquet")]
    Verl,
}

/// Export, and print how much.
pub fn run(args: ExportArgs) -> Result<ExitCode, CliError> {
    let chosen = Chosen {
        input: args.input,
        licenses: args.license_allow,
    };
    let written = match args.format {
        Format::Own => export::own(&chosen, &args.out, args.solutions.as_deref())?,
        Format::Lcb => export::livecodebench(&chosen, &args.out)?,
        Format::Hf => export::hugging_face(&chosen, &args.out)?,
        #[cfg(feature = "parquet")]
        Format::Verl => export::verl(&chosen, &args.out)?,
    };
    println!("{} problems", written.problems);
    if written.no_place > 0 {
        println!("{} left out: the format has no test code", written.no_place);
    }
    if written.unlicensed > 0 {
        println!(
            "{} left out: no licence that is allowed",
            written.unlicensed
        );
    }
    Ok(ExitCode::SUCCESS)
}
