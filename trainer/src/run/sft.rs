//! Supervised training on pairs of prompt and response: what gives a model made from nothing something to improve.

use fs_err as fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Deserialize;
use tch::{Kind, Tensor};

use super::RunError;
use super::checkpoint;
use super::cursor::Data;
use super::cursor::Orders;
use super::evaluate::evaluate;
use super::folder::{Folder, Start};
use super::metrics::{Record, SftRecord};
use super::setup::{PromptSet, RunContext, encode};
use super::update::activations;
use crate::algorithm::schedule::learning_rate;
use crate::config::{Config, UpdateConfig};
use crate::memory::Workload;
use crate::model::{Packed, Qwen};
use crate::optimizer::AdamW;
use crate::update::{self, portions};

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
    let context = RunContext::open(config, start.weights(), Workload::Sft)?;
    let held_out = context.held_out(config)?;
    let pairs = pairs(&context, &config.sft.corpus)?;
    let mut orders = Orders::new(config.seed, pairs.len());
    let mut optimizer = start.optimizer(&context.model, &config.sft.optimizer)?;
    let data = Data::new(config.seed, pairs.iter().map(|pair| &pair.response[..]));
    let mut folder = start.begin(config, data)?;
    while folder.progress.step < config.sft.steps {
        let cursor = &mut folder.progress.cursor;
        let batch: Vec<&Pair> = (0..config.sft.batch)
            .map(|_| &pairs[orders.next(cursor)])
            .collect();
        let at = folder.progress.step;
        let record = step(&context, &mut optimizer, &batch, config, at)?;
        folder.progress.step += 1;
        log(&mut folder, record, config.sft.steps)?;
        save(&folder, &context, &optimizer, config)?;
    }
    finish(&mut folder, &context, &held_out, config)
}

/// Tell of a step; people only of some.
fn log(folder: &mut Folder, record: SftRecord, steps: usize) -> Result<(), RunError> {
    if record.step.is_multiple_of(20) {
        eprintln!("sft: step {}/{steps} loss {:.4}", record.step, record.loss);
    }
    folder.log(&Record::Sft(record))
}

/// Write a checkpoint where it is due.
fn save(
    folder: &Folder,
    context: &RunContext,
    optimizer: &AdamW,
    config: &Config,
) -> Result<(), RunError> {
    let step = folder.progress.step;
    if step.is_multiple_of(config.sft.checkpoint_every) || step == config.sft.steps {
        let (checkpoints, keep) = (folder.join("checkpoints"), config.output.keep);
        checkpoint::save(&checkpoints, keep, &folder.progress, context, optimizer)?;
    }
    Ok(())
}

/// Write the model, and evaluate it where there are held-out problems.
fn finish(
    folder: &mut Folder,
    context: &RunContext,
    held_out: &PromptSet,
    config: &Config,
) -> Result<(), RunError> {
    let model = folder.join("model");
    checkpoint::export_final(context, config, &model)?;
    if held_out.list.is_empty() {
        return Ok(());
    }
    let steps = config.sft.steps;
    if folder.evaluated(steps) {
        return Ok(());
    }
    for record in evaluate(context, held_out, &config.evaluation, config.seed, steps)? {
        eprintln!("sft: held-out {}", record.line());
        folder.log(&Record::Evaluation(Box::new(record)))?;
    }
    Ok(())
}

fn pairs(context: &RunContext, corpus: &[PathBuf]) -> Result<Vec<Pair>, RunError> {
    let mut pairs = Vec::new();
    for file in corpus {
        let text = fs::read_to_string(file).map_err(RunError::Read)?;
        for (number, line) in text.lines().enumerate() {
            let wrong = |problem: String| {
                RunError::unusable(file, format!("line {}: {problem}", number + 1))
            };
            let line = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            let pair = pair(context, &line)?;
            if pair.prompt.is_empty() {
                return Err(wrong("the prompt is empty".to_owned()));
            }
            pairs.push(pair);
        }
    }
    match pairs.is_empty() {
        true => Err(RunError::Nothing("sft.corpus")),
        false => Ok(pairs),
    }
}

fn pair(context: &RunContext, line: &Line) -> Result<Pair, RunError> {
    let tokenizer = &context.tokenizer;
    let mut response = tokenizer.encode(&line.response)?;
    response.extend(tokenizer.end());
    let prompt = encode(tokenizer, &context.data, &line.prompt)?;
    Ok(Pair { prompt, response })
}

/// One update: the mean over all tokens of the batch's responses.
fn step(
    context: &RunContext,
    optimizer: &mut AdamW,
    batch: &[&Pair],
    config: &Config,
    step: usize,
) -> Result<SftRecord, RunError> {
    let start = Instant::now();
    let settings = &config.sft.optimizer;
    let learning_rate = learning_rate(&settings.schedule, step, config.sft.steps);
    let most = context.placement.plan.cut.micro_batch_tokens;
    let accumulate = || accumulate(&context.model, batch, &config.update, most);
    let stepped = update::step(optimizer, learning_rate, settings.max_norm, accumulate)
        .map_err(RunError::not_finite(step + 1))?;
    Ok(SftRecord {
        step: step + 1,
        loss: stepped.loss,
        gradient_norm: stepped.gradient_norm,
        learning_rate,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// Add the gradient of the batch's mean negative log-probability, and give that mean.
fn accumulate(model: &Qwen, batch: &[&Pair], config: &UpdateConfig, most: usize) -> f64 {
    let tokens: usize = batch.iter().map(|pair| pair.response.len()).sum();
    let size = |pair: &&Pair| pair.prompt.len() + pair.response.len();
    let mut loss = |new: &Tensor, _: &Tensor| -new.sum(Kind::Float) / tokens as f64;
    let parts = portions(batch, size, most);
    let add = |part: &[&Pair]| {
        let sequences: Vec<_> = part
            .iter()
            .map(|pair| (&pair.prompt[..], &pair.response[..]))
            .collect();
        let packed = Packed::new(&sequences, model.device());
        update::value(&model.accumulate(&packed, 1.0, activations(config), &mut loss))
    };
    parts.map(add).sum()
}
