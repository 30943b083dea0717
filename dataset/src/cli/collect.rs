//! `mc-data collect`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use dataset::collect::{self, Sources};

use super::exit::{self, CliError};

/// Skipped rows that are shown.
const SHOWN: usize = 5;

/// Read problems of any known format into records
///
/// Sources are files in any format that `mc-eval` reads, and folders of such files.
#[derive(Debug, Args)]
pub struct CollectArgs {
    /// Files and folders
    #[arg(required = true)]
    sources: Vec<PathBuf>,

    /// The file to write
    #[arg(short, long)]
    out: PathBuf,

    /// The name of the source, instead of each file's own
    #[arg(long)]
    name: Option<String>,

    /// The licence of rows that state none
    #[arg(long)]
    license: Option<String>,

    /// Whom to name for rows that name nobody
    #[arg(long)]
    attribution: Option<String>,

    /// Skip and count rows that cannot be read
    #[arg(long)]
    skip_invalid: bool,
}

/// Collect, and print what came of it.
pub fn run(args: CollectArgs) -> Result<ExitCode, CliError> {
    let sources = Sources {
        paths: args.sources,
        name: args.name,
        license: args.license,
        attribution: args.attribution,
        skip_invalid: args.skip_invalid,
    };
    let collected = collect::collect(&[sources], &args.out)?;
    println!("{}", collected.report.table());
    for (source, count) in &collected.by_source {
        println!("{source}: {count}");
    }
    for error in collected.skipped.iter().take(SHOWN) {
        eprintln!("skipped: {error}");
    }
    if collected.skipped.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!(
        "skipped {} rows that cannot be read",
        collected.skipped.len()
    );
    Ok(ExitCode::from(exit::INPUT))
}
