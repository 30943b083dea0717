//! A step's updates: the batch is cut into mini-batches, one update each, in order.

use tch::Tensor;

use super::RunError;
use super::batch::Weighted;
use crate::algorithm::loss::{Denominators, LossConfig, Sums};
use crate::config::{Config, UpdateConfig};
use crate::model::{Activations, Qwen};
use crate::optimizer::AdamW;
use crate::update::{self, Example, MicroBatch};

/// What the updates of a step need.
pub struct Updating<'a> {
    /// The policy.
    pub model: &'a Qwen,
    /// The policy that the KL term is measured from, where the loss has one.
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
    /// Tokens of a micro-batch.
    pub micro_batch_tokens: usize,
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

/// Make the updates of a step, one for each `update.prompts` groups.
pub fn update(
    updating: &Updating<'_>,
    optimizer: &mut AdamW,
    groups: &[Vec<Weighted<'_>>],
) -> Result<Updated, RunError> {
    let mini_batches: Vec<Vec<MicroBatch>> = groups
        .chunks(updating.config.update.prompts)
        .enumerate()
        .map(|(number, part)| updating.mini_batch(part, number == 0))
        .collect();
    let mut updated = Updated::default();
    for mini_batch in mini_batches.iter().filter(|one| !one.is_empty()) {
        updating.step(mini_batch, optimizer, &mut updated)?;
    }
    Ok(updated)
}

impl Updating<'_> {
    /// Cut a mini-batch into micro-batches and score them under the policies of before. Nothing has moved when the `first`
    /// is updated on: its old log-probabilities are the new ones.
    fn mini_batch(&self, groups: &[Vec<Weighted<'_>>], first: bool) -> Vec<MicroBatch> {
        let all: Vec<Example<'_>> = groups.iter().flatten().map(Weighted::example).collect();
        let lengths: Vec<usize> = all.iter().map(|one| one.response.len()).collect();
        let denominators = Denominators::of(&lengths, self.max_tokens);
        let (config, device) = (self.config, self.model.device());
        let most = self.micro_batch_tokens;
        let learned = learned_from(&all, &config.loss);
        let mut parts = update::cut(&learned, &denominators, most, &config.loss, device);
        for part in &mut parts {
            part.old = (!first).then(|| self.score(self.model, part));
            part.reference = self.reference.map(|reference| self.score(reference, part));
        }
        parts
    }

    fn score(&self, model: &Qwen, part: &MicroBatch) -> Tensor {
        tch::no_grad(|| model.log_probs(&part.packed, self.temperature).0)
    }

    fn step(
        &self,
        mini_batch: &[MicroBatch],
        optimizer: &mut AdamW,
        updated: &mut Updated,
    ) -> Result<(), RunError> {
        let max_norm = self.config.optimizer.max_norm;
        let accumulate = || mini_batch.iter().map(|part| self.add(part, updated)).sum();
        let stepped = update::step(optimizer, self.learning_rate, max_norm, accumulate)
            .map_err(RunError::not_finite(self.step))?;
        updated.updates += 1;
        updated.loss += stepped.loss;
        updated.gradient_norm += stepped.gradient_norm;
        Ok(())
    }

    /// Add one micro-batch's gradient, and give its part of the loss.
    fn add(&self, part: &MicroBatch, updated: &mut Updated) -> f64 {
        let kept = activations(&self.config.update);
        let (update, sums) = part.accumulate(self.model, self.temperature, kept, &self.config.loss);
        updated.sums.add(&sums);
        updated.entropy += update::entropy(&update);
        update::value(&update)
    }
}

/// The responses that move the policy: without a KL term, those with an advantage. The others count in the denominators, and
/// cost nothing. One is kept in any case, for its gradient of zero: the optimizer's averages go on in every update.
fn learned_from<'a>(all: &[Example<'a>], config: &LossConfig) -> Vec<Example<'a>> {
    let moves = |one: &&Example<'a>| config.kl_beta != 0.0 || one.advantage != 0.0;
    let learned: Vec<Example<'a>> = all.iter().filter(moves).copied().collect();
    match learned.is_empty() {
        true => all
            .iter()
            .min_by_key(|one| one.size())
            .copied()
            .into_iter()
            .collect(),
        false => learned,
    }
}

/// What the configuration keeps of the forward pass.
pub fn activations(config: &UpdateConfig) -> Activations {
    match config.activation_checkpointing {
        true => Activations::Checkpoint,
        false => Activations::Keep,
    }
}
