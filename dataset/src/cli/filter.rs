//! `mc-data filter`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use dataset::Bounds;
use dataset::filter::Filter;

use super::exit::CliError;
use super::files::FileArgs;

/// Drop duplicates, what benchmarks hold, and what is out of bounds
#[derive(Debug, Args)]
pub struct FilterArgs {
    #[command(flatten)]
    files: FileArgs,

    /// A benchmark none of whose problems may be in the result, in any format that `mc-eval` reads
    #[arg(long = "benchmark")]
    benchmarks: Vec<PathBuf>,

    /// Keep only what was published on this day or later, such as 2024-01-31
    #[arg(long, value_name = "DATE")]
    after: Option<String>,

    /// Keep only these difficulties
    #[arg(long, value_delimiter = ',')]
    difficulties: Vec<String>,

    /// Keep only these licences
    #[arg(long, value_delimiter = ',')]
    license_allow: Vec<String>,

    /// Keep only statements in these languages, such as eng, and those of which `process` could not tell
    #[arg(long, value_delimiter = ',')]
    languages: Vec<String>,

    /// The fewest characters of a statement
    #[arg(long, default_value_t = 0)]
    min_length: usize,

    /// The most characters of a statement
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    max_length: usize,

    /// The fewest tests
    #[arg(long, default_value_t = 1)]
    min_tests: usize,

    /// The most bytes of all tests of a record
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    max_test_bytes: usize,
}

/// Filter, and print what came of it.
pub fn run(args: FilterArgs) -> Result<ExitCode, CliError> {
    let filter = Filter {
        benchmarks: args.benchmarks,
        bounds: Bounds {
            after: args.after,
            difficulties: args.difficulties,
            licenses: args.license_allow,
            languages: args.languages,
            min_length: args.min_length,
            max_length: args.max_length,
            min_tests: args.min_tests,
            max_test_bytes: args.max_test_bytes,
        },
    };
    let report = filter.run(&args.files.input, &args.files.out, args.files.resume)?;
    println!("{}", report.table());
    Ok(ExitCode::SUCCESS)
}
