//! `mc-data difficulty`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use dataset::difficulty::{Difficulty, Sampling, Shares, Weights};
use dataset::record::Level;

use super::exit::CliError;
use super::files::{FileArgs, workers};
use super::llm::LlmArgs;

/// Put problems on one scale of difficulty, and choose by it and by how often a model solves them
#[derive(Debug, Args)]
pub struct DifficultyArgs {
    #[command(flatten)]
    files: FileArgs,

    /// Verdicts of `mc-eval judge` on a model's samples; problems without any are dropped
    #[arg(long, value_name = "FILE", num_args = 1.., group = "samples_of_a_model")]
    verdicts: Vec<PathBuf>,

    /// Verdicts on a reference model's samples of some of the problems: pass rates become what that model would reach
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "samples_of_a_model")]
    reference_verdicts: Vec<PathBuf>,

    /// Ask the model that helps for so many samples of each problem, and judge them
    #[arg(
        long,
        value_name = "COUNT",
        conflicts_with = "verdicts",
        group = "samples_of_a_model"
    )]
    samples: Option<usize>,

    /// The temperature of these samples
    #[arg(long, default_value_t = Sampling::default().temperature, requires = "samples")]
    temperature: f64,

    /// The longest sample, in tokens
    #[arg(long, default_value_t = Sampling::default().max_tokens, requires = "samples")]
    max_tokens: usize,

    /// Ask the model that helps how hard each problem is, in five dimensions
    #[arg(long)]
    rate: bool,

    /// Drop problems of whose samples less than this share is accepted
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.0,
        requires = "samples_of_a_model"
    )]
    min_pass_rate: f64,

    /// Drop problems of whose samples more than this share is accepted
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 1.0,
        requires = "samples_of_a_model"
    )]
    max_pass_rate: f64,

    /// The most of a level among all that are kept, such as easy=0.2; the levels are easy, medium and hard
    #[arg(long, value_name = "LEVEL=SHARE", value_parser = share)]
    share: Vec<(Level, f64)>,

    /// Decides which problems of a level are kept, where there are too many
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Programs that run at a time; one per core if absent
    #[arg(long)]
    workers: Option<usize>,

    #[command(flatten)]
    llm: LlmArgs,
}

/// Choose, and print what came of it.
pub fn run(args: DifficultyArgs) -> Result<ExitCode, CliError> {
    let difficulty = Difficulty {
        verdicts: args.verdicts,
        reference_verdicts: args.reference_verdicts,
        min_pass_rate: args.min_pass_rate,
        max_pass_rate: args.max_pass_rate,
        shares: Shares(args.share.into_iter().collect()),
        seed: args.seed,
        sampling: Sampling {
            samples: args.samples.unwrap_or_default(),
            temperature: args.temperature,
            max_tokens: args.max_tokens,
        },
        rate: args.rate,
        weights: Weights::default(),
    };
    let llm = args.llm.open()?;
    let files = &args.files;
    let report = difficulty.run(
        &files.input,
        &files.out,
        files.resume,
        llm.as_ref(),
        workers(args.workers),
    )?;
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
