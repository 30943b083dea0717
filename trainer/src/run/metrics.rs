//! What a run measures, one record a line in `metrics.jsonl`, and who else is told.

use std::collections::BTreeMap;
use std::path::Path;

use evaluator::jsonl::{self, JsonLines, JsonLinesError, LineContent};
use serde::{Deserialize, Serialize};

/// One line of `metrics.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Record {
    /// A step of supervised training.
    Sft(SftRecord),
    /// A step of training.
    Step(Box<StepRecord>),
    /// An evaluation.
    Evaluation(Box<EvaluationRecord>),
}

impl Record {
    /// Steps taken when it was measured.
    pub fn step(&self) -> usize {
        match self {
            Record::Sft(record) => record.step,
            Record::Step(record) => record.step,
            Record::Evaluation(record) => record.step,
        }
    }
}

/// A step of supervised training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SftRecord {
    /// From 1.
    pub step: usize,
    /// Mean negative log-probability of the responses' tokens.
    pub loss: f64,
    /// Norm of the gradient, before it was clipped.
    pub gradient_norm: f64,
    /// The learning rate.
    pub learning_rate: f64,
    /// Seconds it took.
    pub seconds: f64,
}

/// A step of training. Means are over the responses sampled in it, unless said otherwise.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// From 1.
    pub step: usize,
    /// Mean reward of the responses that have one.
    pub reward: f64,
    /// Share of those whose every test passed.
    pub accuracy: f64,
    /// Responses whose judge failed: they have no reward and are left out.
    pub absent_rewards: usize,
    /// Mean length of a response, in tokens.
    pub response_length: f64,
    /// Share of responses that ran into the length limit.
    pub truncated: f64,
    /// Share of responses whose advantage the truncation mask set to 0.
    pub masked: f64,
    /// Mean pairwise 1 - Jaccard similarity of token 4-gram sets within groups.
    pub diversity: f64,
    /// Mean share of distinct token 4-grams within groups.
    pub distinct: f64,
    /// Mean entropy of the tempered distribution over trained tokens, in nats. Without a KL term, tokens of responses whose
    /// advantage is 0 are not trained on.
    pub entropy: f64,
    /// Share of groups whose rewards are all equal, among all sampled.
    pub zero_variance: f64,
    /// Groups that were trained on.
    pub groups: usize,
    /// Sampling temperature.
    pub temperature: f64,
    /// Limit of a response, in tokens.
    pub max_tokens: usize,
    /// Mean loss of the step's updates.
    pub loss: f64,
    /// Share of trained tokens clipped below.
    pub clipped_low: f64,
    /// Share of trained tokens clipped above.
    pub clipped_high: f64,
    /// Mean ratio over trained tokens.
    pub ratio: f64,
    /// Largest ratio.
    pub ratio_max: f64,
    /// Mean of log-probability before the step - now, over trained tokens: an estimate of how far the step has moved the policy.
    #[serde(default)]
    pub approximate_kl: f64,
    /// Mean divergence from the reference policy (k3); 0 without one.
    pub divergence: f64,
    /// Mean of |log-probability by the trainer - by the sampler| over trained tokens.
    pub mismatch: f64,
    /// Mean norm of the updates' gradients, before they were clipped.
    pub gradient_norm: f64,
    /// The learning rate.
    pub learning_rate: f64,
    /// Updates of the weights.
    pub updates: usize,
    /// Generated tokens per second of generation.
    pub tokens_per_second: f64,
    /// Seconds per phase.
    pub seconds: Seconds,
    /// Peak memory, in MiB: that of tensors on the GPU where there is one, else what the process had resident.
    pub memory_mib: f64,
    /// What calls for attention.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// Seconds per phase of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// Generation; judging goes on beside it.
    pub generation: f64,
    /// Waiting for verdicts once all is generated.
    pub reward: f64,
    /// Forward passes and updates.
    pub update: f64,
}

/// An evaluation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EvaluationRecord {
    /// The model, where it is not the run's own: a folder, or its name at a server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Steps of training before it.
    pub step: usize,
    /// Responses to each problem: k of avg@k.
    pub samples: usize,
    /// Share of responses whose every test passed: avg@k.
    pub accuracy: f64,
    /// Share of problems that at least one response solves: pass@k.
    pub solved: f64,
    /// Mean reward.
    pub reward: f64,
    /// Responses that are missing or whose judge failed; they are left out.
    pub absent_rewards: usize,
    /// Mean length of a response, in tokens, over those whose length is known.
    pub response_length: f64,
    /// Share of responses that ran into the length limit.
    pub truncated: f64,
    /// Mean pairwise 1 - Jaccard similarity of token 4-gram sets within groups. A server tells no tokens: none then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diversity: Option<f64>,
    /// Limit of a response, in tokens.
    pub max_tokens: usize,
    /// Sampling temperature.
    pub temperature: f64,
    /// The smallest set of tokens with this probability was sampled from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// So many of the likeliest tokens were sampled from; 0 for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_k: Option<usize>,
    /// Problems that were not asked, for their prompts are too long; they are in no rate.
    #[serde(default)]
    pub skipped: usize,
    /// avg@k by platform and difficulty.
    pub by: BTreeMap<String, BTreeMap<String, Cell>>,
    /// Seconds it took.
    pub seconds: f64,
}

/// avg@k over some problems.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Problems.
    pub problems: usize,
    /// Share of their responses whose every test passed; none where the judge decided none of them.
    pub accuracy: Option<f64>,
    /// Mean length of their responses, in tokens, over those whose length is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_length: Option<f64>,
}

/// Someone who is told of every record.
pub trait MetricsSink {
    /// Take one record.
    fn record(&mut self, record: &Record) -> Result<(), JsonLinesError>;
}

impl jsonl::Record for Record {
    const PLURAL: &'static str = "metrics";
    const START: &'static str = "{\"kind\":\"";
    const CHECKSUM: bool = false;
}

/// `metrics.jsonl`.
#[derive(Debug)]
pub struct Lines(JsonLines<Record>);

impl Lines {
    /// Open for appending. Records after `step` are cut off first: they are of a run that was ended later than its last
    /// checkpoint. Those that are kept are given back.
    pub fn open(path: &Path, step: usize) -> Result<(Lines, Vec<Record>), JsonLinesError> {
        let (lines, mut reader) = JsonLines::resume(path)?;
        let (mut kept, mut end) = (Vec::new(), 0);
        while let Some(line) = reader.read_next()? {
            match line.content {
                LineContent::Record(record) => {
                    if Record::step(&record) > step {
                        break;
                    }
                    kept.push(record);
                }
                LineContent::Torn => break,
                LineContent::Broken(message) => {
                    return Err(JsonLinesError::Broken {
                        path: path.to_path_buf(),
                        line: line.number,
                        message,
                    });
                }
            }
            end = line.end;
        }
        jsonl::cut(path, end)?;
        Ok((Lines(lines), kept))
    }
}

impl MetricsSink for Lines {
    fn record(&mut self, record: &Record) -> Result<(), JsonLinesError> {
        self.0.append(record)
    }
}

/// Read `metrics.jsonl`. A torn last line was being written when the run was killed, and is ignored.
pub fn read(path: &Path) -> Result<Vec<Record>, JsonLinesError> {
    jsonl::read_all(path)
}
