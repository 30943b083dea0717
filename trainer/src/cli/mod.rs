//! The command line of `mc-train`: one struct of arguments per command, each with one function that runs it.

mod bench;
mod check;
mod exit;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use trainer::config::{Config, load};
use trainer::run::metrics::{Listener, Record};
use trainer::run::setup::Workshop;
use trainer::run::{evaluate, generate, grpo, probe, sft};
use trainer::{report, toy};

use exit::Failure;

/// Trains language models on the evaluator's verdicts.
#[derive(Debug, Parser)]
#[command(name = "mc-train", version, max_term_width = 100, after_long_help = exit::HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Toy(ToyArgs),
    /// Train on pairs of prompt and response
    Sft(TrainArgs),
    /// Train on problems, with the evaluator's verdicts as reward
    Grpo(TrainArgs),
    /// Judge the model's answers to the held-out problems; print avg@k by platform and difficulty
    Eval(OutArgs),
    /// Write the model's answers as a solutions file for `mc-eval judge`
    Generate(OutArgs),
    /// Write diversity and accuracy over temperature
    Probe(OutArgs),
    Check(check::Check),
    Bench(bench::Bench),
    Report(ReportArgs),
}

/// Where settings come from.
#[derive(Debug, Args)]
struct Settings {
    /// The configuration: a TOML file.
    #[arg(long, short, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Set a value, whatever the file says: `--set rollout.samples=16`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl Settings {
    fn load(&self) -> Result<Config, Failure> {
        Ok(load(self.config.as_deref(), &self.set)?)
    }
}

/// Write the toy task: problems, a corpus, the shape of a tiny model, and a configuration that uses them.
#[derive(Debug, Args)]
struct ToyArgs {
    /// The folder to make.
    folder: PathBuf,

    /// From which all of it follows.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Train: `sft` on pairs of prompt and response, `grpo` on problems with the evaluator's verdicts as reward.
#[derive(Debug, Args)]
struct TrainArgs {
    #[command(flatten)]
    settings: Settings,

    /// The folder of the run.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,

    /// Go on with the run in --out from its last checkpoint, to the numbers it would have had. Without --config, with the
    /// configuration saved there.
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

/// Ask the model: `eval` judges its answers on the held-out problems and prints avg@k by platform and difficulty;
/// `generate` writes them as a solutions file for `mc-eval judge`; `probe` writes diversity and accuracy over temperature.
#[derive(Debug, Args)]
struct OutArgs {
    #[command(flatten)]
    settings: Settings,

    /// The file to write.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Draw what came of runs: curves over steps, seconds per phase, and the table by platform and difficulty.
#[derive(Debug, Args)]
struct ReportArgs {
    /// Folders of runs.
    #[arg(required = true)]
    runs: Vec<PathBuf>,

    /// The folder to write `index.html` and the figures to.
    #[arg(long, short, value_name = "FOLDER", default_value = "report")]
    out: PathBuf,
}

/// Parse the command line, run it, and tell how it went.
pub fn main() -> ExitCode {
    tch::set_num_threads(threads());
    let done = match Cli::parse().command {
        Command::Check(args) => return args.run(),
        Command::Bench(args) => args.run(),
        Command::Toy(args) => {
            toy::write(&args.folder, args.seed).map_err(|e| Failure::file(&args.folder, e))
        }
        Command::Sft(args) => args
            .load()
            .and_then(|config| Ok(sft::train(&config, &args.out, args.resume)?)),
        Command::Grpo(args) => args
            .load()
            .and_then(|config| Ok(grpo::train(config, &args.out, args.resume)?)),
        Command::Eval(args) => eval(&args),
        Command::Generate(args) => write_solutions(&args),
        Command::Probe(args) => write_probe(&args),
        Command::Report(args) => {
            report::write(&args.runs, &args.out).map_err(|e| Failure::file(&args.out, e))
        }
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

fn eval(args: &OutArgs) -> Result<(), Failure> {
    let config = args.settings.load()?;
    let workshop = Workshop::open(&config, None)?;
    let questions = workshop.questions(&config.data.held_out, "data.held_out")?;
    let record = evaluate::evaluate(&workshop, &questions, &config.evaluation, config.seed, 0)?;
    print!("{}", report::table::text(&[("this", &record)]));
    let mut lines = trainer::run::metrics::Lines::open(&args.out, 0)
        .map_err(|e| Failure::file(&args.out, e))?;
    let heard = lines.hear(&Record::Evaluation(Box::new(record)));
    heard.map_err(|e| Failure::file(&args.out, e))
}

fn write_solutions(args: &OutArgs) -> Result<(), Failure> {
    let config = args.settings.load()?;
    let workshop = Workshop::open(&config, None)?;
    let questions = workshop.questions(&config.data.held_out, "data.held_out")?;
    let written = generate::generate(&workshop, &questions, &config, &args.out)?;
    eprintln!("{written} solutions in {}", args.out.display());
    Ok(())
}

fn write_probe(args: &OutArgs) -> Result<(), Failure> {
    let config = args.settings.load()?;
    let workshop = Workshop::open(&config, None)?;
    let questions = workshop.questions(&config.data.problems, "data.problems")?;
    let probe = probe::probe(&workshop, &questions, &config)?;
    println!("temperature {} ({:?})", probe.temperature, probe.reason);
    report::write_probe(&probe, &args.out).map_err(|e| Failure::file(&args.out, e))
}
