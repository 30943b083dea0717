//! The command line of `mc-train`: one struct of arguments per command, each with one function that runs it.

mod ask;
mod bench;
mod check;
mod exit;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use trainer::config::{Config, load};
use trainer::report::{self, Named, Variant};
use trainer::run::{grpo, sft};
use trainer::toy::{self, Remarks};

use exit::Failure;

/// Trains language models on the evaluator's verdicts
///
/// A run is one TOML file of settings (`--config`); `--set` beats the file, and the file beats the defaults. Paths in the file
/// are as seen from where it lies. Settings of the paper's figures and tables are in trainer/presets; from nothing at hand,
/// begin with `mc-train toy`.
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
    /// Reads `sft.corpus`, JSON lines with `prompt` and `response`. Writes the model to OUT/model, in the layout of Hugging Face.
    Sft(TrainArgs),
    /// Train on problems, with the evaluator's verdicts as reward
    ///
    /// Reads `data.problems` in any format that `mc-eval` reads. Writes OUT/metrics.jsonl, OUT/samples to read,
    /// OUT/checkpoints, events for TensorBoard, and at the end the model to OUT/model, in the layout of Hugging Face.
    Grpo(TrainArgs),
    Eval(ask::Eval),
    Generate(ask::Generate),
    Probe(ask::Probe),
    Check(check::Check),
    Bench(bench::Bench),
    Report(ReportArgs),
}

/// Where settings come from.
#[derive(Debug, Args)]
struct Settings {
    /// The settings: a TOML file
    #[arg(long, short, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Set a value, whatever the file says: `--set rollout.samples=16`. May be given often
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl Settings {
    fn load(&self) -> Result<Config, Failure> {
        Ok(load(self.config.as_deref(), &self.set)?)
    }
}

/// Write the toy task: problems, a corpus, the shape of a tiny model, and settings that use them
///
/// Twelve kinds of one-line programs, which a model of 312 thousand parameters learns on two cores in minutes. Then:
///
///   mc-train sft --config FOLDER/run.toml --out sft
///   mc-train grpo --config FOLDER/run.toml --out run \
///       --set model.path=sft/model --set model.random=false
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct ToyArgs {
    /// The folder to make
    folder: PathBuf,

    /// From which all of it follows
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Begin programs with a comment, the longer the likelier right: a task for limits of length
    ///
    /// Responses are up to 90 tokens then, and the settings allow 96. A smaller `rollout.max_tokens` is a budget that bites
    #[arg(long)]
    remarks: bool,
}

impl ToyArgs {
    fn run(&self) -> Result<(), Failure> {
        let remarks = match self.remarks {
            true => Remarks::With,
            false => Remarks::Without,
        };
        let held = fs::read_dir(&self.folder).is_ok_and(|mut entries| entries.next().is_some());
        if held {
            let problem = "is there already and not empty: name another folder";
            return Err(Failure::input(format!(
                "{}: {problem}",
                self.folder.display()
            )));
        }
        toy::write(&self.folder, self.seed, remarks).map_err(|e| Failure::file(&self.folder, e))?;
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
    settings: Settings,

    /// The folder of the run
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,

    /// Go on with the run in --out from its last checkpoint, to the numbers it would have had
    ///
    /// Without --config, with the settings saved there.
    #[arg(long)]
    resume: bool,
}

impl TrainArgs {
    fn load(&self) -> Result<Config, Failure> {
        let saved = self.out.join("config.toml");
        match &self.settings.config {
            None if self.resume && saved.exists() => Ok(load(Some(&saved), &self.settings.set)?),
            _ => self.settings.load(),
        }
    }
}

/// Draw what came of runs: curves over steps, seconds per phase, and the table by platform and difficulty
///
/// Runs of the same NAME, as of several seeds, are drawn as one curve: their mean at each step, and a band from the least
/// to the most.
#[derive(Debug, Args)]
struct ReportArgs {
    /// Folders of runs
    #[arg(required = true, value_name = "[NAME=]FOLDER")]
    runs: Vec<Named>,

    /// The folder to write `index.html` and the figures to
    #[arg(long, short, value_name = "FOLDER", default_value = "report")]
    out: PathBuf,
}

impl ReportArgs {
    fn run(&self) -> Result<(), Failure> {
        let variants = Variant::read(&self.runs).map_err(Failure::input)?;
        report::write(&variants, &self.out).map_err(|e| Failure::file(&self.out, e))?;
        eprintln!("report: {}", self.out.join("index.html").display());
        Ok(())
    }
}

/// Parse the command line, run it, and tell how it went.
pub fn main() -> ExitCode {
    tch::set_num_threads(threads());
    let done = match Cli::parse().command {
        Command::Check(args) => return args.run(),
        Command::Bench(args) => args.run(),
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
        Err(failure) => failure.tell(),
    }
}

/// On few cores libtorch's own threads contend with those that judge.
fn threads() -> i32 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if cores <= 4 { 1 } else { cores as i32 / 2 }
}
