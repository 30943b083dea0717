//! Measurements on work that a file gives: the model's numbers, the speed of generation and that of an update, with neither
//! tokenizer nor evaluator. What they are held against is made elsewhere: `trainer/gpu/` does it for a GPU.
//!
//! Model, slots, sampling, update and optimizer are those of the configuration, as in a run.

use fs_err as fs;
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tch::{Device, Kind, Tensor};

use crate::algorithm::loss::{Aggregation, Correction, Denominators, LossConfig};
use crate::config::{Budgets, Config};
use crate::engine::{Completion, Engine, GenerationStats, Sampling};
use crate::memory::Workload;
use crate::model::{Packed, Qwen};
use crate::native;
use crate::run::RunError;
use crate::run::policy::{Placement, optimizer};
use crate::run::update::activations;
use crate::update::{self, Example, MicroBatch, portions};

/// The work, as token ids.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// What is answered.
    pub prompts: Vec<Vec<i64>>,
    /// How many responses are sampled to each prompt.
    #[serde(default = "one")]
    pub samples: usize,
    /// What is scored and trained on: a response to each prompt, or none at all.
    #[serde(default)]
    pub responses: Vec<Vec<i64>>,
    /// Tokens that end a sampled response.
    #[serde(default)]
    pub stop: Vec<i64>,
}

fn one() -> usize {
    1
}

impl Work {
    /// Reads a file: JSON, checked against the model's vocabulary.
    fn read(path: &Path, model: &Qwen) -> Result<Work, RunError> {
        let wrong = |problem: String| RunError::unusable(path, problem);
        let text = fs::read_to_string(path).map_err(RunError::Read)?;
        let work: Work = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        if work.prompts.is_empty() || work.prompts.iter().any(Vec::is_empty) {
            return Err(wrong(
                "field `prompts`: must hold at least one prompt, none of them empty".to_owned(),
            ));
        }
        if !work.responses.is_empty() && work.responses.len() != work.prompts.len() {
            return Err(wrong(
                "field `responses`: must be empty or as long as `prompts`".to_owned(),
            ));
        }
        let known = 0..model.config().vocab_size;
        let mut tokens = work.prompts.iter().chain(&work.responses).flatten();
        match tokens.find(|token| !known.contains(token)) {
            Some(token) => Err(wrong(format!(
                "token {token} is not in the model's vocabulary"
            ))),
            None => Ok(work),
        }
    }

    fn pairs(&self) -> Vec<(&[i64], &[i64])> {
        let prompts = self.prompts.iter().map(Vec::as_slice);
        prompts
            .zip(self.responses.iter().map(Vec::as_slice))
            .collect()
    }

    fn sampling(&self, config: &Config) -> Sampling {
        Sampling {
            temperature: config.temperature.value,
            max_tokens: config.rollout.max_tokens,
            stop: self.stop.clone(),
            seed: config.seed,
            ..Sampling::default()
        }
    }
}

/// Prompts of the round before a measured one.
const WARM_UP: usize = 16;

/// Where to sample: here training's limit of a response is the only one.
fn sampling(config: &Config) -> Result<Placement, RunError> {
    let mut config = config.clone();
    config.evaluation.max_tokens = Budgets(vec![config.rollout.max_tokens]);
    Placement::find(&config, Workload::Sampling)
}

/// The numbers of a model, as a safetensors file.
///
/// `log_probs` and `entropies` of all response tokens; `gradient.NAME` of their mean negative log-probability;
/// `sampled.tokens`, `sampled.lengths` and `sampled.log_probs` of one sampled response to each prompt.
///
/// # Errors
/// Work or a model that cannot be read, a file that cannot be written.
pub fn score(config: &Config, work: &Path, out: &Path) -> Result<(), RunError> {
    let placement = sampling(config)?;
    let model = placement.policy(&config.model, config.seed)?;
    let work = Work::read(work, &model)?;
    let mut all = differentiate(&model, &work, config);
    all.extend(sampled(
        &model,
        &work,
        config,
        placement.engine(&config.rollout),
    ));
    Tensor::write_safetensors(&all, out).map_err(|error| RunError::unusable(out, error))
}

fn differentiate(model: &Qwen, work: &Work, config: &Config) -> Vec<(String, Tensor)> {
    let pairs = work.pairs();
    let tokens: usize = work.responses.iter().map(Vec::len).sum();
    let (mut log_probs, mut entropies) = (Vec::new(), Vec::new());
    for part in portions(&pairs, size, config.update.micro_batch_tokens) {
        let packed = Packed::new(part, model.device());
        let mut loss = |new: &Tensor, _: &Tensor| -new.sum(Kind::Float) / tokens as f64;
        let done = model.accumulate(
            &packed,
            config.temperature.value,
            activations(&config.update),
            &mut loss,
        );
        log_probs.push(done.log_probs);
        entropies.push(done.entropies);
    }
    let gradients = model
        .parameters()
        .into_iter()
        .map(|(name, tensor)| (format!("gradient.{name}"), tensor.grad()))
        .filter(|(_, gradient)| gradient.defined())
        // A file takes rows in their order.
        .map(|(name, gradient)| (name, gradient.contiguous()));
    let joined = |parts: &[Tensor]| Tensor::cat(parts, 0);
    gradients
        .chain([
            ("log_probs".to_owned(), joined(&log_probs)),
            ("entropies".to_owned(), joined(&entropies)),
        ])
        .collect()
}

fn sampled(model: &Qwen, work: &Work, config: &Config, engine: Engine) -> Vec<(String, Tensor)> {
    let mut done: Vec<(usize, Completion)> = Vec::new();
    let mut keep = |number: usize, completion: Completion| done.push((number, completion));
    engine.generate(model, &work.prompts, 1, &work.sampling(config), &mut keep);
    done.sort_by_key(|(number, _)| *number);
    let tokens = done.iter().flat_map(|(_, one)| one.tokens.clone());
    let log_probs = done.iter().flat_map(|(_, one)| one.log_probs.clone());
    let lengths = done.iter().map(|(_, one)| one.tokens.len() as i64);
    let named = |name: &str, tensor: Tensor| (format!("sampled.{name}"), tensor);
    vec![
        named("tokens", Tensor::from_slice(&tokens.collect::<Vec<_>>())),
        named(
            "log_probs",
            Tensor::from_slice(&log_probs.collect::<Vec<_>>()),
        ),
        named("lengths", Tensor::from_slice(&lengths.collect::<Vec<_>>())),
    ]
}

/// How a generation went.
#[derive(Debug, Clone, Serialize)]
pub struct Generated {
    /// Seconds from the first prefill to the last token.
    pub seconds: f64,
    /// Tokens drawn.
    pub tokens: usize,
    /// Decoding steps, each of one token for every busy slot.
    pub steps: usize,
    /// Responses that ran into the length limit.
    pub truncated: usize,
    /// `[prompt, response]` tokens of each response, prompt by prompt.
    pub lengths: Vec<(usize, usize)>,
    /// A hash of each response's tokens and of the bits of their log-probabilities.
    pub hashes: Vec<String>,
    /// The most bytes that tensors held on the GPU; 0 on a CPU.
    pub peak_bytes: u64,
}

/// Sample the responses to all prompts, after a short round that is not measured.
///
/// # Errors
/// Work or a model that cannot be read.
pub fn generate(config: &Config, work: &Path) -> Result<Generated, RunError> {
    let placement = sampling(config)?;
    let model = placement.policy(&config.model, config.seed)?;
    let work = Work::read(work, &model)?;
    let engine = placement.engine(&config.rollout);
    let sampling = work.sampling(config);
    let first = Sampling {
        max_tokens: sampling.max_tokens.min(8),
        ..sampling.clone()
    };
    let few = &work.prompts[..work.prompts.len().min(WARM_UP)];
    engine.generate(&model, few, 1, &first, &mut |_, _| ());
    native::peak_memory(true);

    let mut ended = vec![(0, 0); work.prompts.len() * work.samples];
    let mut hashes = vec![String::new(); ended.len()];
    let mut truncated = 0;
    let mut note = |number: usize, one: Completion| {
        ended[number] = (work.prompts[one.prompt].len(), one.tokens.len());
        hashes[number] = hash(&one);
        truncated += usize::from(one.truncated);
    };
    let start = Instant::now();
    let GenerationStats { steps, tokens, .. } =
        engine.generate(&model, &work.prompts, work.samples, &sampling, &mut note);
    Ok(Generated {
        seconds: start.elapsed().as_secs_f64(),
        tokens,
        steps,
        truncated,
        lengths: ended,
        hashes,
        peak_bytes: native::peak_memory(false),
    })
}

fn hash(one: &Completion) -> String {
    let mut hasher = blake3::Hasher::new();
    for (token, log_prob) in one.tokens.iter().zip(&one.log_probs) {
        hasher.update(&token.to_le_bytes());
        hasher.update(&log_prob.to_le_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// How updates went.
#[derive(Debug, Clone, Serialize)]
pub struct Updates {
    /// Seconds of each: forward and backward of every micro-batch, clipping, the optimizer's step.
    pub seconds: Vec<f64>,
    /// The loss of each.
    pub losses: Vec<f64>,
    /// The gradient's norm of each, before clipping.
    pub gradient_norms: Vec<f64>,
    /// Forward and backward passes in each.
    pub micro_batches: usize,
    /// The most bytes that tensors held on the GPU; 0 on a CPU.
    pub peak_bytes: u64,
}

/// How many updates are made: the first is slower, for memory and kernels are then found.
const UPDATES: usize = 3;

/// Update on all responses, a few times: the configured loss with advantage 1 for even responses and -1 for odd ones, averaged
/// over tokens.
///
/// # Errors
/// Work or a model that cannot be read.
pub fn update(config: &Config, work: &Path) -> Result<Updates, RunError> {
    let placement = Placement::find(config, Workload::Sft)?;
    let model = placement.policy(&config.model, config.seed)?;
    let work = Work::read(work, &model)?;
    let mut optimizer = optimizer(&model, &config.optimizer);
    let mut updates = Updates {
        seconds: Vec::new(),
        losses: Vec::new(),
        gradient_norms: Vec::new(),
        micro_batches: 0,
        peak_bytes: 0,
    };
    native::peak_memory(true);
    for _ in 0..UPDATES {
        let start = Instant::now();
        let (rate, max_norm) = (config.optimizer.schedule.rate, config.optimizer.max_norm);
        let accumulate = || {
            let parts = micro_batches(&work, config, model.device());
            updates.micro_batches = parts.len();
            parts.iter().map(|part| add(part, &model, config)).sum()
        };
        let stepped = update::step(&mut optimizer, rate, max_norm, accumulate)
            .map_err(RunError::not_finite(1))?;
        if let Device::Cuda(gpu) = model.device() {
            tch::Cuda::synchronize(gpu as i64);
        }
        updates.seconds.push(start.elapsed().as_secs_f64());
        updates.losses.push(stepped.loss);
        updates.gradient_norms.push(stepped.gradient_norm);
    }
    updates.peak_bytes = native::peak_memory(false);
    Ok(updates)
}

fn micro_batches(work: &Work, config: &Config, device: Device) -> Vec<MicroBatch> {
    let signs = [1.0, -1.0].into_iter().cycle();
    let example = |((prompt, response), advantage)| Example {
        prompt,
        response,
        advantage,
        sampled: None,
    };
    let examples: Vec<Example<'_>> = work.pairs().into_iter().zip(signs).map(example).collect();
    let lengths: Vec<usize> = work.responses.iter().map(Vec::len).collect();
    let denominators = Denominators::of(&lengths, config.rollout.max_tokens);
    let most = config.update.micro_batch_tokens;
    update::cut(&examples, &denominators, most, &plain(config), device)
}

/// The configured loss, with its mean over tokens and nothing that needs another policy.
fn plain(config: &Config) -> LossConfig {
    LossConfig {
        aggregation: Aggregation::TokenMean,
        kl_beta: 0.0,
        correction: Correction::Off,
        ..config.loss
    }
}

fn add(part: &MicroBatch, model: &Qwen, config: &Config) -> f64 {
    let kept = activations(&config.update);
    let (update, _) = part.accumulate(model, config.temperature.value, kept, &plain(config));
    update::value(&update)
}

fn size(pair: &(&[i64], &[i64])) -> usize {
    pair.0.len() + pair.1.len()
}
