//! The command line of `mc-train`: one struct of arguments per command, each with one function that runs it.

mod ask;
mod bench;
mod check;
mod config;
mod exit;
mod plan;
mod report;
mod settings;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use fs_err as fs;
use trainer::config::{Config, load};
use trainer::run::{grpo, sft};
use trainer::toy::{self, Remarks};

use exit::CliError;
use settings::ConfigArgs;

/// Trains language models on the evaluator's verdicts
///
/// A run is described by one TOML file (`--config`). `--set` overrides the file, and the file overrides the defaults; paths
/// in the file are relative to it. trainer/presets holds the settings of the paper's figures and tables. To try it without a
/// model or data, start with `mc-train toy`.
#[derive(Debug, Parser)]
#[command(name = "mc-train", version, max_term_width = 100, after_help = exit::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Toy(ToyArgs),
    /// Train on pairs of prompt and response
    ///
    /// Reads `sft.corpus`, JSON lines with `prompt` and `response`. Writes the model to OUT/model in the Hugging Face layout.
    Sft(TrainArgs),
    /// Train on problems, with the evaluator's verdicts as reward
    ///
    /// Reads `data.problems` in any format that `mc-eval` reads. Writes OUT/metrics.jsonl, OUT/samples to read,
    /// OUT/checkpoints, events for TensorBoard, and at the end the model to OUT/model in the Hugging Face layout.
    Grpo(TrainArgs),
    Eval(ask::EvalArgs),
    Generate(ask::GenerateArgs),
    Probe(ask::ProbeArgs),
    Plan(plan::PlanArgs),
    Config(config::ConfigureArgs),
    Check(check::CheckArgs),
    Bench(bench::BenchArgs),
    Report(report::ReportArgs),
}

/// Create the toy task: problems, a corpus, the shape of a tiny model, and settings that use them
///
/// Twelve kinds of one-line programs that a model of 312 thousand parameters learns on two cores in minutes. Then run:
///
///   mc-train sft --config FOLDER/run.toml --out sft
///   mc-train grpo --config FOLDER/run.toml --out run \
///       --set model.path=sft/model --set model.random=false
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct ToyArgs {
    /// The folder to create
    folder: PathBuf,

    /// Random seed
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Put a comment before each program, and make programs with longer comments more often right
    ///
    /// Responses take up to 90 tokens then and the settings allow 96, so a smaller `rollout.max_tokens` costs accuracy
    #[arg(long)]
    remarks: bool,
}

impl ToyArgs {
    fn run(&self) -> Result<(), CliError> {
        let remarks = match self.remarks {
            true => Remarks::With,
            false => Remarks::Without,
        };
        let held = fs::read_dir(&self.folder).is_ok_and(|mut entries| entries.next().is_some());
        if held {
            let problem = "already exists and is not empty; choose another folder";
            return Err(CliError::input(format!(
                "{}: {problem}",
                self.folder.display()
            )));
        }
        toy::write(&self.folder, self.seed, remarks)?;
        eprintln!(
            "toy: settings in {}",
            self.folder.join("run.toml").display()
        );
        Ok(())
    }
}

/// Arguments of `sft` and `grpo`.
#[derive(Debug, Args)]
struct TrainArgs {
    #[command(flatten)]
    settings: ConfigArgs,

    /// Output folder of the run
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,

    /// Resume the interrupted run in --out from its last checkpoint, with the same results as if it had not stopped
    ///
    /// Without --config, the settings saved there are used.
    #[arg(long)]
    resume: bool,
}

impl TrainArgs {
    fn load(&self) -> Result<Config, CliError> {
        let saved = self.out.join("config.toml");
        match &self.settings.config {
            None if self.resume && saved.exists() => Ok(load(Some(&saved), &self.settings.set)?),
            _ => self.settings.load(),
        }
    }
}

/// Parse the command line, run it, and tell how it went.
pub fn main() -> ExitCode {
    tch::set_num_threads(threads());
    let done = match Cli::parse().command {
        Command::Check(args) => return args.run(),
        Command::Bench(args) => args.run(),
        Command::Plan(args) => args.run(),
        Command::Config(args) => {
            args.run();
            Ok(())
        }
        Command::Toy(args) => args.run(),
        Command::Sft(args) => args
            .load()
            .and_then(|config| Ok(sft::train(&config, &args.out, args.resume)?)),
        Command::Grpo(args) => args
            .load()
            .and_then(|config| Ok(grpo::train(config, &args.out, args.resume)?)),
        Command::Eval(args) => args.run(),
        Command::Generate(args) => args.run(),
        Command::Probe(args) => args.run(),
        Command::Report(args) => args.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// On few cores libtorch's own threads contend with those that judge.
fn threads() -> i32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores <= 4 { 1 } else { cores as i32 / 2 }
}
