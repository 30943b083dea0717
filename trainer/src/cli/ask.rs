//! Commands that ask a model and train nothing: `eval`, `generate`, `probe`.

use std::path::PathBuf;

use clap::Args;
use trainer::config::Config;
use trainer::report;
use trainer::run::metrics::{EvaluationRecord, Lines, Listener, Record};
use trainer::run::setup::{Question, Workshop};
use trainer::run::{RunError, evaluate, generate, probe, remote};

use super::Settings;
use super::exit::Failure;
use std::sync::Arc;

/// Ask the model the held-out problems, judge its answers, print avg@k by platform and difficulty
///
/// `evaluation.samples` is k. With --server nothing of a model need be here: `data.held_out` names the problems, and a message
/// goes to chat/completions, or where `data.chat` is false the prompt to completions. Responses are kept beside --out in a
/// file that ends in .solutions.jsonl.
#[derive(Debug, Args)]
pub(super) struct Eval {
    #[command(flatten)]
    from: From,

    /// The file that the measurement is appended to, as a line of JSON
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Write the model's answers to the held-out problems as a solutions file for `mc-eval judge`
///
/// A line is written as soon as its answer is there, `evaluation.samples` for each problem of `data.held_out`. With --server
/// nothing of a model need be here.
#[derive(Debug, Args)]
pub(super) struct Generate {
    #[command(flatten)]
    from: From,

    /// The solutions file to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Measure diversity and accuracy over temperature, and choose the temperature to train at
///
/// Asks `probe.problems` of `data.problems` at each of `probe.temperatures`, and chooses the lowest whose diversity stays above
/// `probe.convergence` without the accuracy falling. `mc-train grpo` does the same before its first step where
/// `temperature.by` is "diversity".
#[derive(Debug, Args)]
pub(super) struct Probe {
    #[command(flatten)]
    settings: Settings,

    /// The file to write as JSON; the figure is drawn beside it, as SVG
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Whom to ask.
#[derive(Debug, Args)]
struct From {
    #[command(flatten)]
    settings: Settings,

    /// Ask a server that speaks OpenAI's protocol, as vLLM and SGLang do: http://127.0.0.1:8000. The same as
    /// `--set server.url=URL`; `server.model`, `server.key_variable`, `server.parallel` say more
    #[arg(long, value_name = "URL")]
    server: Option<String>,

    /// Keep the responses that an earlier call got from the server, and ask for the rest
    #[arg(long)]
    resume: bool,
}

impl From {
    fn load(&self) -> Result<Config, Failure> {
        let mut config = self.settings.load()?;
        if let Some(url) = &self.server {
            config.server.url = Some(url.clone());
        }
        match self.resume && config.server.url.is_none() {
            true => Err(Failure::usage(
                "--resume goes on with the responses of a server: there is no --server",
            )),
            false => Ok(config),
        }
    }
}

impl Eval {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let config = self.from.load()?;
        // Before any work is done for a file that cannot be written.
        let (mut lines, _) =
            Lines::open(&self.out, usize::MAX).map_err(|e| Failure::file(&self.out, e))?;
        let record = match &config.server.url {
            Some(url) => remote::evaluate(&config, url, &self.out, self.from.resume)?,
            None => own(&config)?,
        };
        let model = record.model.as_deref().unwrap_or_default();
        print!("{}", report::table::text(&[(model, vec![&record])]));
        let heard = lines.hear(&Record::Evaluation(Box::new(record)));
        heard.map_err(|e| Failure::file(&self.out, e))
    }
}

fn own(config: &Config) -> Result<EvaluationRecord, RunError> {
    let (workshop, questions) = open(config)?;
    let record = evaluate::evaluate(&workshop, &questions, &config.evaluation, config.seed, 0)?;
    Ok(EvaluationRecord {
        model: Some(config.model.path.display().to_string()),
        ..record
    })
}

fn open(config: &Config) -> Result<(Workshop, Vec<Arc<Question>>), RunError> {
    let workshop = Workshop::open(config, None)?;
    let questions = workshop.questions(&config.data.held_out, "data.held_out")?;
    Ok((workshop, questions))
}

impl Generate {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let config = self.from.load()?;
        let written = match &config.server.url {
            Some(url) => remote::generate(&config, url, &self.out, self.from.resume)?,
            None => {
                let (workshop, questions) = open(&config)?;
                generate::generate(&workshop, &questions, &config, &self.out)?
            }
        };
        eprintln!("{written} solutions in {}", self.out.display());
        Ok(())
    }
}

impl Probe {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let config = self.settings.load()?;
        let workshop = Workshop::open(&config, None)?;
        let questions = workshop.questions(&config.data.problems, "data.problems")?;
        let probe = probe::probe(&workshop, &questions, &config)?;
        println!("temperature {}: {}", probe.temperature, probe.why());
        report::write_probe(&probe, &self.out).map_err(|e| Failure::file(&self.out, e))
    }
}
