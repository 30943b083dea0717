//! From judged groups to what an update learns from: rewards to advantages, and masks.

use rand::RngExt;
use rand::seq::SliceRandom;

use super::rollout::{Group, Rollout, Sampled};
use crate::algorithm::advantage::advantages;
use crate::algorithm::groups::ZeroVariance;
use crate::algorithm::overlong::penalty;
use crate::algorithm::truncation::masked;
use crate::chance::{Purpose, stream};
use crate::config::Config;
use crate::update::Example;

/// A response with its weight.
#[derive(Debug, Clone, Copy)]
pub struct Weighted<'a> {
    /// What it answers.
    pub prompt: &'a [i64],
    /// The response.
    pub rollout: &'a Rollout,
    /// Its advantage; 0 where the truncation mask took it out.
    pub advantage: f64,
}

impl<'a> Weighted<'a> {
    /// The response as an update sees it.
    pub fn example(&self) -> Example<'a> {
        Example {
            prompt: self.prompt,
            response: &self.rollout.tokens,
            advantage: self.advantage,
            sampled: Some(&self.rollout.log_probs),
        }
    }
}

/// What a step learns from.
#[derive(Debug, Default)]
pub struct TrainBatch<'a> {
    /// Responses with a reward, by group.
    pub groups: Vec<Vec<Weighted<'a>>>,
    /// Responses whose advantage the truncation mask set to 0.
    pub masked: usize,
}

/// The training reward of each response of a group: the verdict's, less the overlong penalty. Absent where the judge failed.
pub fn rewards(group: &Group, config: &Config, max_tokens: usize) -> Vec<Option<f64>> {
    let of = |rollout: &Rollout| {
        let penalty = penalty(rollout.tokens.len(), max_tokens, &config.reward.overlong);
        rollout.verdict.reward.map(|reward| reward + penalty)
    };
    group.rollouts.iter().map(of).collect()
}

/// Whether a group stays in the batch. What it was judged decides, and no penalty for length, as in DAPO.
pub fn stays(group: &Group, config: &Config) -> bool {
    config.rollout.zero_variance == ZeroVariance::Keep || !group.zero_variance()
}

/// Weigh a step's responses. `step` counts from 0.
pub fn weigh<'a>(
    sampled: &'a Sampled,
    config: &Config,
    step: usize,
    max_tokens: usize,
) -> TrainBatch<'a> {
    let staying = sampled.groups.iter().filter(|group| stays(group, config));
    let groups: Vec<&Group> = staying.take(config.rollout.prompts).collect();
    let mut all: Vec<Option<f64>> = groups
        .iter()
        .flat_map(|group| rewards(group, config, max_tokens))
        .collect();
    if config.rollout.shuffle_rewards {
        let mut rng = stream(config.seed, Purpose::Shuffle, step as u64);
        all.chunks_mut(config.rollout.samples)
            .for_each(|group| group.shuffle(&mut rng));
    }
    let advantages = advantages(
        &all,
        config.rollout.samples,
        config.advantage.normalisation,
        config.advantage.eps,
    );
    let mut rng = stream(config.seed, Purpose::Truncation, step as u64);
    let mut advantages = advantages.into_iter();
    let mut batch = TrainBatch::default();
    for group in groups {
        let mut weighted = Vec::new();
        for (rollout, advantage) in group.rollouts.iter().zip(&mut advantages) {
            // Drawn for every response, so that one response's fate does not depend on another's.
            let draw = rng.random::<f64>();
            let Some(advantage) = advantage else { continue };
            let out = is_masked(rollout, config, max_tokens, draw);
            batch.masked += usize::from(out);
            weighted.push(Weighted {
                prompt: &group.prompt.tokens,
                rollout,
                advantage: if out { 0.0 } else { advantage },
            });
        }
        batch.groups.push(weighted);
    }
    batch
}

fn is_masked(rollout: &Rollout, config: &Config, max_tokens: usize, draw: f64) -> bool {
    let accepted = rollout.accepted() == Some(true);
    let truncation = &config.truncation;
    // A response that ends with a stop token on the last place it may is not truncated.
    rollout.truncated
        && masked(
            truncation.mask,
            &truncation.conditions,
            &rollout.tokens,
            max_tokens,
            accepted,
            draw,
        )
}
