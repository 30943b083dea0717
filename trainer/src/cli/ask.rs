//! Commands that ask a model and train nothing: `eval`, `generate`, `probe`.

use std::path::PathBuf;

use clap::Args;
use trainer::config::Config;
use trainer::memory::Workload;
use trainer::report;
use trainer::run::metrics::{EvaluationRecord, Lines, MetricsSink, Record};
use trainer::run::setup::{PromptSet, RunContext};
use trainer::run::{RunError, evaluate, generate, probe, remote};

use super::exit::CliError;
use super::settings::ConfigArgs;

/// Evaluate the model on the held-out problems and print avg@k by platform and difficulty
///
/// `evaluation.samples` is k. With --server no local model is needed: the problems of `data.held_out` go to chat/completions, or,
/// where `data.chat` is false, to completions. Responses are kept beside --out in a file that ends in .solutions.jsonl.
#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    #[command(flatten)]
    from: SourceArgs,

    /// Append the result to this file, as a line of JSON
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Write the model's answers to the held-out problems to a solutions file for `mc-eval judge`
///
/// Each answer is written as soon as it is complete, `evaluation.samples` of them for each problem of `data.held_out`. With
/// --server no local model is needed.
#[derive(Debug, Args)]
pub(super) struct GenerateArgs {
    #[command(flatten)]
    from: SourceArgs,

    /// Solutions file to write
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Measure diversity and accuracy over temperature, and choose the temperature to train at
///
/// Samples answers to `probe.problems` of `data.problems` at each of `probe.temperatures`, and chooses the lowest temperature
/// whose diversity stays above `probe.convergence` without a loss of accuracy. `mc-train grpo` does the same before its first
/// step if `temperature.by` is "diversity".
#[derive(Debug, Args)]
pub(super) struct ProbeArgs {
    #[command(flatten)]
    settings: ConfigArgs,

    /// Output file (JSON); the figure is written beside it as SVG
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// Where responses come from.
#[derive(Debug, Args)]
struct SourceArgs {
    #[command(flatten)]
    settings: ConfigArgs,

    /// Use a server that speaks the OpenAI protocol, such as vLLM or SGLang: http://127.0.0.1:8000. The same as
    /// `--set server.url=URL`; see also `server.model`, `server.key_variable` and `server.parallel`
    #[arg(long, value_name = "URL")]
    server: Option<String>,

    /// Keep the responses that an earlier call received from the server, and request the rest
    #[arg(long)]
    resume: bool,
}

impl SourceArgs {
    fn load(&self) -> Result<Config, CliError> {
        let mut config = self.settings.load()?;
        if let Some(url) = &self.server {
            config.server.url = Some(url.clone());
        }
        match self.resume && config.server.url.is_none() {
            true => Err(CliError::usage(
                "--resume continues responses from a server, but no --server is given",
            )),
            false => Ok(config),
        }
    }
}

impl EvalArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let config = self.from.load()?;
        // Before any work is done for a file that cannot be written.
        let (mut lines, _) = Lines::open(&self.out, usize::MAX)?;
        let records = match &config.server.url {
            Some(url) => vec![remote::evaluate(&config, url, &self.out, self.from.resume)?],
            None => own(&config)?,
        };
        let rows: Vec<_> = records
            .iter()
            .map(|record| (record.model.as_deref().unwrap_or_default(), vec![record]))
            .collect();
        print!("{}", report::table::text(&rows));
        for record in records {
            lines.record(&Record::Evaluation(Box::new(record)))?;
        }
        Ok(())
    }
}

fn own(config: &Config) -> Result<Vec<EvaluationRecord>, RunError> {
    let (context, prompts) = open(config)?;
    let records = evaluate::evaluate(&context, &prompts, &config.evaluation, config.seed, 0)?;
    let named = |record| EvaluationRecord {
        model: Some(config.model.path.display().to_string()),
        ..record
    };
    Ok(records.into_iter().map(named).collect())
}

fn open(config: &Config) -> Result<(RunContext, PromptSet), RunError> {
    let context = RunContext::open(config, None, Workload::Sampling)?;
    let prompts = context.prompts(&config.data.held_out, "data.held_out")?;
    Ok((context, prompts))
}

impl GenerateArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let config = self.from.load()?;
        let written = match &config.server.url {
            Some(url) => remote::generate(&config, url, &self.out, self.from.resume)?,
            None => {
                let (context, prompts) = open(&config)?;
                generate::generate(&context, &prompts.list, &config, &self.out)?
            }
        };
        eprintln!("{written} solutions in {}", self.out.display());
        Ok(())
    }
}

impl ProbeArgs {
    pub(super) fn run(&self) -> Result<(), CliError> {
        let config = self.settings.load()?;
        let context = RunContext::open(&config, None, Workload::Sampling)?;
        let prompts = context
            .prompts(&config.data.problems, "data.problems")?
            .list;
        let probe = probe::probe(&context, &prompts, &config)?;
        println!("temperature {}: {}", probe.temperature, probe.why());
        Ok(report::write_probe(&probe, &self.out)?)
    }
}
