//! Supervised training on pairs of prompt and response: what gives a model made from nothing something to improve.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde::Deserialize;
use tch::Kind;

use super::RunError;
use super::checkpoint;
use super::cursor::Data;
use super::cursor::Orders;
use super::evaluate::evaluate;
use super::folder::{Folder, Start};
use super::metrics::{Record, SftRecord};
use super::setup::{Question, Workshop, prompt};
use super::update::{memory, portions};
use crate::algorithm::schedule::learning_rate;
use crate::config::Config;
use crate::model::Packed;
use crate::optimizer::AdamW;

/// A pair as it stands in a corpus.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    prompt: String,
    response: String,
}

/// A pair as tokens.
struct Pair {
    prompt: Vec<i64>,
    response: Vec<i64>,
}

/// Train on `sft.corpus`, write the model to `out/model`, and evaluate it if there are held-out problems.
pub fn train(config: &Config, out: &Path, resume: bool) -> Result<(), RunError> {
    let start = Start::find(out, resume)?;
    let workshop = Workshop::open(config, start.weights())?;
    let held_out = workshop.held_out(config)?;
    let pairs = pairs(&workshop, &config.sft.corpus)?;
    let mut orders = Orders::new(config.seed, pairs.len());
    let mut optimizer = start.optimizer(&workshop.model, &config.sft.optimizer)?;
    let data = Data::new(config.seed, pairs.iter().map(|pair| &pair.response[..]));
    let mut folder = start.begin(config, data)?;
    while folder.progress.step < config.sft.steps {
        let cursor = &mut folder.progress.cursor;
        let batch: Vec<&Pair> = (0..config.sft.batch)
            .map(|_| &pairs[orders.next(cursor)])
            .collect();
        let at = folder.progress.step;
        let record = step(&workshop, &mut optimizer, &batch, config, at)?;
        folder.progress.step += 1;
        tell(&mut folder, record, config.sft.steps)?;
        save(&folder, &workshop, &optimizer, config)?;
    }
    finish(&mut folder, &workshop, &held_out, config)
}

/// Tell of a step; people only of some.
fn tell(folder: &mut Folder, record: SftRecord, steps: usize) -> Result<(), RunError> {
    if record.step.is_multiple_of(20) {
        eprintln!("sft: step {}/{steps} loss {:.4}", record.step, record.loss);
    }
    folder.tell(&Record::Sft(record))
}

/// Write a checkpoint where it is due.
fn save(
    folder: &Folder,
    workshop: &Workshop,
    optimizer: &AdamW,
    config: &Config,
) -> Result<(), RunError> {
    let step = folder.progress.step;
    if step.is_multiple_of(config.sft.checkpoint_every) || step == config.sft.steps {
        let (checkpoints, keep) = (folder.join("checkpoints"), config.output.keep);
        checkpoint::save(&checkpoints, keep, &folder.progress, workshop, optimizer)?;
    }
    Ok(())
}

/// Write the model, and evaluate it where there are held-out problems.
fn finish(
    folder: &mut Folder,
    workshop: &Workshop,
    held_out: &[Arc<Question>],
    config: &Config,
) -> Result<(), RunError> {
    let model = folder.join("model");
    checkpoint::export(workshop, &model).map_err(RunError::file("write", &model))?;
    if held_out.is_empty() {
        return Ok(());
    }
    let steps = config.sft.steps;
    if folder.evaluated(steps) {
        return Ok(());
    }
    let record = evaluate(workshop, held_out, &config.evaluation, config.seed, steps)?;
    eprintln!("sft: held-out {}", record.line());
    folder.tell(&Record::Evaluation(Box::new(record)))
}

fn pairs(workshop: &Workshop, corpus: &[PathBuf]) -> Result<Vec<Pair>, RunError> {
    let mut pairs = Vec::new();
    for file in corpus {
        let text = fs::read_to_string(file).map_err(RunError::file("read", file))?;
        for (number, line) in text.lines().enumerate() {
            let wrong = |problem: String| {
                let error = io::Error::other(format!("line {}: {problem}", number + 1));
                RunError::file("read", file)(error)
            };
            let line = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            let pair = pair(workshop, &line)?;
            if pair.prompt.is_empty() {
                return Err(wrong("the prompt has no tokens".to_owned()));
            }
            pairs.push(pair);
        }
    }
    match pairs.is_empty() {
        true => Err(RunError::Nothing("sft.corpus")),
        false => Ok(pairs),
    }
}

fn pair(workshop: &Workshop, line: &Line) -> Result<Pair, RunError> {
    let tokenizer = &workshop.tokenizer;
    let mut response = tokenizer.encode(&line.response)?;
    response.extend(tokenizer.end());
    let prompt = prompt(tokenizer, &workshop.data, &line.prompt)?;
    Ok(Pair { prompt, response })
}

/// One update: the mean over all tokens of the batch's responses.
fn step(
    workshop: &Workshop,
    optimizer: &mut AdamW,
    batch: &[&Pair],
    config: &Config,
    step: usize,
) -> Result<SftRecord, RunError> {
    let start = Instant::now();
    let tokens: usize = batch.iter().map(|pair| pair.response.len()).sum();
    let memory = memory(&config.update);
    let size = |pair: &&Pair| pair.prompt.len() + pair.response.len();
    optimizer.zero_gradients();
    let mut loss = 0.0;
    for part in portions(batch, size, config.update.micro_batch_tokens) {
        let sequences: Vec<_> = part
            .iter()
            .map(|pair| (&pair.prompt[..], &pair.response[..]))
            .collect();
        let packed = Packed::new(&sequences, workshop.model.device());
        let mut of =
            |log_probs: &tch::Tensor, _: &tch::Tensor| -log_probs.sum(Kind::Float) / tokens as f64;
        let done = workshop.model.accumulate(&packed, 1.0, memory, &mut of);
        loss += done.loss.double_value(&[]);
    }
    let gradient_norm = optimizer.clip(config.sft.optimizer.max_norm);
    RunError::unless_finite(step + 1, "loss", loss)?;
    RunError::unless_finite(step + 1, "gradient norm", gradient_norm)?;
    let learning_rate = learning_rate(&config.sft.optimizer.schedule, step, config.sft.steps);
    optimizer.step(learning_rate);
    Ok(SftRecord {
        step: step + 1,
        loss,
        gradient_norm,
        learning_rate,
        seconds: start.elapsed().as_secs_f64(),
    })
}
