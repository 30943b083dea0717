//! `mc-data stats`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use dataset::DataError;
use dataset::stats::Stats;

use super::exit::CliError;

/// Count the records that are left: by source, licence, platform, difficulty, level, year, kind and number of tests
#[derive(Debug, Args)]
pub struct StatsArgs {
    /// Records, as an earlier command wrote them
    input: PathBuf,

    /// A folder for a chart of each table, as SVG
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,
}

/// Count, and print the tables.
pub fn run(args: StatsArgs) -> Result<ExitCode, CliError> {
    let stats = Stats::of(&args.input)?;
    println!("{} problems with {} tests", stats.problems, stats.tests);
    print!("{}", stats.tables());
    if let Some(folder) = &args.svg {
        fs_err::create_dir_all(folder).map_err(DataError::from)?;
        for (what, chart) in stats.charts() {
            let path = folder.join(format!("{what}.svg"));
            fs_err::write(path, chart).map_err(DataError::from)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
