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

    /// The format of the problems
    #[arg(long, visible_alias = "to", value_enum, default_value_t = Format::Own, conflicts_with = "solutions")]
    format: Format,
}

/// A format that is written.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// This project's own
    Own,
    /// LiveCodeBench's rows; test code has no place in them
    Lcb,
    /// The Parquet file that verl trains on
    #[cfg(feature = "parquet")]
    Verl,
}

/// Export, and print how much.
pub fn run(args: ExportArgs) -> Result<ExitCode, CliError> {
    let written = match args.format {
        Format::Own => export::own(&args.input, &args.out, args.solutions.as_deref())?,
        Format::Lcb => export::livecodebench(&args.input, &args.out)?,
        #[cfg(feature = "parquet")]
        Format::Verl => export::verl(&args.input, &args.out)?,
    };
    println!("{} problems", written.problems);
    if written.left_out > 0 {
        println!("{} left out: the format has no test code", written.left_out);
    }
    Ok(ExitCode::SUCCESS)
}
