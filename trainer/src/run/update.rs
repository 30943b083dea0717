//! A step's updates: mini-batches one after the other, each cut into micro-batches that add up to it.

use tch::{Kind, Tensor};

use super::RunError;
use super::batch::Weighted;
use crate::algorithm::loss::{Denominators, Inputs, LossConfig, Sums, policy_loss, token_weight};
use crate::config::{Config, UpdateConfig};
use crate::model::{Memory, Packed, Qwen};
use crate::optimizer::AdamW;

/// What the updates of a step do it with.
pub struct Updating<'a> {
    /// The policy.
    pub model: &'a Qwen,
    /// The policy that divergence is measured from, where that is asked for.
    pub reference: Option<&'a Qwen>,
    /// All settings.
    pub config: &'a Config,
    /// The step, from 1.
    pub step: usize,
    /// The temperature that responses were sampled at.
    pub temperature: f64,
    /// The limit of a response, in tokens.
    pub max_tokens: usize,
    /// The learning rate.
    pub learning_rate: f64,
}

/// What the updates of a step gave.
#[derive(Debug, Clone, Copy, Default)]
pub struct Updated {
    /// How many there were.
    pub updates: usize,
    /// Sum of their losses.
    pub loss: f64,
    /// Sum of their gradient norms, before clipping.
    pub gradient_norm: f64,
    /// Sum of the entropies of all tokens.
    pub entropy: f64,
    /// What the losses report.
    pub sums: Sums,
}

/// One forward and backward pass.
struct MicroBatch {
    packed: Packed,
    advantages: Tensor,
    weights: Tensor,
    sampled: Tensor,
    /// Log-probabilities before the step's first update; none where that is the only one.
    old: Option<Tensor>,
    reference: Option<Tensor>,
}

/// Do the updates of a step, one for each `update.prompts` groups.
pub fn update(
    updating: &Updating<'_>,
    optimizer: &mut AdamW,
    groups: &[Vec<Weighted<'_>>],
) -> Result<Updated, RunError> {
    let parts: Vec<_> = groups.chunks(updating.config.update.prompts).collect();
    let single = parts.len() == 1;
    let mini_batches: Vec<Vec<MicroBatch>> = parts
        .into_iter()
        .map(|part| updating.cut(part, single))
        .collect();
    let mut updated = Updated::default();
    for mini_batch in mini_batches
        .iter()
        .filter(|mini_batch| !mini_batch.is_empty())
    {
        updating.step(mini_batch, optimizer, &mut updated)?;
    }
    Ok(updated)
}

impl Updating<'_> {
    /// Cut a mini-batch into micro-batches. Denominators are those of all of it.
    fn cut(&self, groups: &[Vec<Weighted<'_>>], single: bool) -> Vec<MicroBatch> {
        let responses: Vec<Weighted<'_>> = groups.iter().flatten().copied().collect();
        let lengths: Vec<usize> = responses
            .iter()
            .map(|one| one.rollout.tokens.len())
            .collect();
        let denominators = Denominators::of(&lengths, self.max_tokens);
        let most = self.config.update.micro_batch_tokens;
        let size = |one: &Weighted<'_>| one.prompt.len() + one.rollout.tokens.len();
        portions(&responses, size, most)
            .map(|part| self.micro_batch(part, &denominators, single))
            .collect()
    }

    fn micro_batch(
        &self,
        part: &[Weighted<'_>],
        denominators: &Denominators,
        single: bool,
    ) -> MicroBatch {
        let device = self.model.device();
        let sequences: Vec<_> = part
            .iter()
            .map(|one| (one.prompt, &one.rollout.tokens[..]))
            .collect();
        let packed = Packed::new(&sequences, device);
        let per_token = |of: &dyn Fn(&Weighted<'_>) -> f64| {
            let tokens = part
                .iter()
                .flat_map(|one| vec![of(one) as f32; one.rollout.tokens.len()]);
            Tensor::from_slice(&tokens.collect::<Vec<f32>>()).to_device(device)
        };
        let aggregation = self.config.loss.aggregation;
        let sampled: Vec<f32> = part
            .iter()
            .flat_map(|one| one.rollout.log_probs.clone())
            .collect();
        let score = |model: &Qwen| tch::no_grad(|| model.log_probs(&packed, self.temperature).0);
        MicroBatch {
            advantages: per_token(&|one| one.advantage),
            weights: per_token(&|one| {
                token_weight(one.rollout.tokens.len(), aggregation, denominators)
            }),
            sampled: Tensor::from_slice(&sampled).to_device(device),
            old: (!single).then(|| score(self.model)),
            reference: self.reference.map(score),
            packed,
        }
    }

    fn step(
        &self,
        mini_batch: &[MicroBatch],
        optimizer: &mut AdamW,
        updated: &mut Updated,
    ) -> Result<(), RunError> {
        optimizer.zero_gradients();
        let mut loss = 0.0;
        for micro_batch in mini_batch {
            loss += self.accumulate(micro_batch, updated);
        }
        RunError::unless_finite(self.step, "loss", loss)?;
        let norm = optimizer.clip(self.config.optimizer.max_norm);
        RunError::unless_finite(self.step, "gradient norm", norm)?;
        optimizer.step(self.learning_rate);
        updated.updates += 1;
        updated.loss += loss;
        updated.gradient_norm += norm;
        Ok(())
    }

    /// Add one micro-batch's gradient, and give its part of the loss.
    fn accumulate(&self, part: &MicroBatch, updated: &mut Updated) -> f64 {
        let memory = memory(&self.config.update);
        let mut sums = Sums::default();
        let mut loss = |new: &Tensor, _: &Tensor| {
            let loss = part.loss(new, &self.config.loss);
            sums = loss.sums;
            loss.total
        };
        let done = self
            .model
            .accumulate(&part.packed, self.temperature, memory, &mut loss);
        updated.sums.add(&sums);
        updated.entropy += done.entropies.sum(Kind::Double).double_value(&[]);
        done.loss.double_value(&[])
    }
}

/// What the configuration spends on the way back.
pub fn memory(config: &UpdateConfig) -> Memory {
    match config.recompute {
        true => Memory::Recompute,
        false => Memory::Keep,
    }
}

impl MicroBatch {
    fn loss(&self, new: &Tensor, config: &LossConfig) -> crate::algorithm::loss::Loss {
        let unmoved = new.detach();
        let inputs = Inputs {
            new,
            old: self.old.as_ref().unwrap_or(&unmoved),
            reference: self.reference.as_ref(),
            sampled: Some(&self.sampled),
            advantages: &self.advantages,
            weights: &self.weights,
        };
        policy_loss(&inputs, config)
    }
}

/// Cut a list, in its order, into portions of at most `most` in size; what is larger alone is a portion by itself.
pub fn portions<T>(
    list: &[T],
    size: impl Fn(&T) -> usize,
    most: usize,
) -> impl Iterator<Item = &[T]> {
    let mut rest = list;
    std::iter::from_fn(move || {
        let mut taken = 0;
        let over = rest.iter().position(|one| {
            taken += size(one);
            taken > most
        });
        let count = over.unwrap_or(rest.len()).max(1);
        let (portion, after) = rest.split_at_checked(count)?;
        rest = after;
        Some(portion)
    })
}
