//! `mc-data difficulty`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use dataset::difficulty::{Difficulty, Shares};
use dataset::record::Level;

use super::exit::CliError;
use super::files::FileArgs;

/// Put problems on one scale of difficulty, and choose by it and by how often a model solves them
#[derive(Debug, Args)]
pub struct DifficultyArgs {
    #[command(flatten)]
    files: FileArgs,

    /// Verdicts of `mc-eval judge` on a model's samples; problems without any are dropped
    #[arg(long, value_name = "FILE", num_args = 1..)]
    verdicts: Vec<PathBuf>,

    /// Drop problems of whose samples less than this share is accepted
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.0,
        requires = "verdicts"
    )]
    min_pass_rate: f64,

    /// Drop problems of whose samples more than this share is accepted
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 1.0,
        requires = "verdicts"
    )]
    max_pass_rate: f64,

    /// The most of a level among all that are kept, such as easy=0.2; the levels are easy, medium and hard
    #[arg(long, value_name = "LEVEL=SHARE", value_parser = share)]
    share: Vec<(Level, f64)>,

    /// Decides which problems of a level are kept, where there are too many
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Choose, and print what came of it.
pub fn run(args: DifficultyArgs) -> Result<ExitCode, CliError> {
    let difficulty = Difficulty {
        verdicts: args.verdicts,
        min_pass_rate: args.min_pass_rate,
        max_pass_rate: args.max_pass_rate,
        shares: Shares(args.share.into_iter().collect()),
        seed: args.seed,
    };
    let report = difficulty.run(&args.files.input, &args.files.out, args.files.resume)?;
    println!("{}", report.table());
    Ok(ExitCode::SUCCESS)
}

fn share(text: &str) -> Result<(Level, f64), String> {
    let (name, share) = text.split_once('=').ok_or("no LEVEL=SHARE")?;
    let level = Level::named(name).ok_or_else(|| format!("no level is called \"{name}\""))?;
    let share: f64 = share.parse().map_err(|_| "not a number".to_owned())?;
    match (0.0..=1.0).contains(&share) {
        true => Ok((level, share)),
        false => Err("must be between 0 and 1".to_owned()),
    }
}
