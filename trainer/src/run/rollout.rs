//! Rollouts: the policy answers prompts, and each answer is judged as soon as it ends.

use std::sync::Arc;
use std::time::Instant;

use evaluator::{Decision, Verdict};

use super::RunError;
use super::setup::{Prompt, RunContext};
use crate::algorithm::groups::{pass_rate, zero_variance};
use crate::algorithm::{diversity, statistics};
use crate::engine::{Completion, Sampling};

/// One sampled response with its verdict.
#[derive(Debug, Clone)]
pub struct Rollout {
    /// Its tokens, with the stop token if one came.
    pub tokens: Vec<i64>,
    /// The log-probability with which each was drawn.
    pub log_probs: Vec<f32>,
    /// Its text, without stop tokens.
    pub text: String,
    /// Whether it ran into the length limit.
    pub truncated: bool,
    /// What was decided.
    pub verdict: Verdict,
}

impl Rollout {
    /// Whether every test passed; none if the judge failed.
    pub fn accepted(&self) -> Option<bool> {
        accepted(&self.verdict)
    }
}

/// Whether every test passed; none if the judge failed.
pub fn accepted(verdict: &Verdict) -> Option<bool> {
    match verdict.verdict {
        Decision::JudgeFailed => None,
        decision => Some(decision == Decision::Accepted),
    }
}

/// The responses to one prompt.
#[derive(Debug)]
pub struct Group {
    /// What was asked.
    pub prompt: Arc<Prompt>,
    /// The responses, in the order of their numbers.
    pub rollouts: Vec<Rollout>,
}

impl Group {
    /// Mean pairwise 1 - Jaccard similarity of the responses' token 4-gram sets.
    pub fn diversity(&self) -> Option<f64> {
        diversity::pairwise(&self.tokens(), diversity::GRAM)
    }

    /// The share of the responses' token 4-grams that are distinct.
    pub fn distinct(&self) -> Option<f64> {
        diversity::distinct(&self.tokens(), diversity::GRAM)
    }

    /// Whether its verdicts' rewards, absent ones apart, are all equal.
    pub fn zero_variance(&self) -> bool {
        let rewards = self.rollouts.iter().map(|rollout| rollout.verdict.reward);
        zero_variance(&rewards.collect::<Vec<_>>())
    }

    /// The share of the responses that were accepted; none if no judge decided.
    pub fn accuracy(&self) -> Option<f64> {
        let accepted = self
            .rollouts
            .iter()
            .map(|one| one.accepted().map(f64::from));
        pass_rate(&accepted.collect::<Vec<_>>())
    }

    fn tokens(&self) -> Vec<&[i64]> {
        self.rollouts
            .iter()
            .map(|rollout| &rollout.tokens[..])
            .collect()
    }
}

/// What came of asking.
#[derive(Debug, Default)]
pub struct Sampled {
    /// In the order of the prompts.
    pub groups: Vec<Group>,
    /// Seconds of generation.
    pub generation: f64,
    /// Seconds of waiting for verdicts after that.
    pub reward: f64,
}

impl Sampled {
    /// All responses.
    pub fn rollouts(&self) -> impl Iterator<Item = &Rollout> {
        self.groups.iter().flat_map(|group| &group.rollouts)
    }

    /// The mean of what is measured of each response that has it.
    pub fn mean(&self, of: impl Fn(&Rollout) -> Option<f64>) -> f64 {
        let values: Vec<f64> = self.rollouts().filter_map(of).collect();
        statistics::mean(&values).unwrap_or(0.0)
    }

    /// The mean of what is measured of each group that has it; none where no group has.
    pub fn group_mean(&self, of: impl Fn(&Group) -> Option<f64>) -> Option<f64> {
        let values: Vec<f64> = self.groups.iter().filter_map(of).collect();
        statistics::mean(&values)
    }

    /// The standard error of the accuracy, over the groups: responses to one prompt are no independent sample.
    pub fn accuracy_error(&self) -> f64 {
        let values: Vec<f64> = self.groups.iter().filter_map(Group::accuracy).collect();
        statistics::standard_error(&values)
    }

    /// What a lower limit would have left of the same responses, which are drawn token by token. Those that it cuts are judged
    /// again.
    pub fn cut(&self, context: &RunContext, limit: usize) -> Result<Sampled, RunError> {
        let mut batch = context.judge.batch();
        let mut cut = Vec::new();
        for group in &self.groups {
            let mut rollouts = group.rollouts.clone();
            for rollout in rollouts.iter_mut().filter(|one| one.tokens.len() > limit) {
                rollout.tokens.truncate(limit);
                rollout.log_probs.truncate(limit);
                rollout.truncated = true;
                rollout.text = context.text(&rollout.tokens)?;
                let problem = &group.prompt.problem;
                batch.submit(problem, &rollout.text, context.data.program);
            }
            cut.push(Group {
                prompt: group.prompt.clone(),
                rollouts,
            });
        }
        let mut verdicts = batch.finish()?.into_iter();
        let before = self.rollouts();
        let after = cut.iter_mut().flat_map(|group| &mut group.rollouts);
        for (before, after) in before.zip(after) {
            if before.tokens.len() > limit {
                after.verdict = verdicts.next().expect("a verdict for each submission");
            }
        }
        Ok(Sampled {
            groups: cut,
            ..Sampled::default()
        })
    }

    /// Add what came of asking more.
    pub fn extend(&mut self, more: Sampled) {
        self.groups.extend(more.groups);
        self.generation += more.generation;
        self.reward += more.reward;
    }
}

/// Sample `samples` responses to each prompt; judging overlaps generation.
pub fn sample(
    context: &RunContext,
    prompts: &[Arc<Prompt>],
    samples: usize,
    sampling: &Sampling,
) -> Result<Sampled, RunError> {
    let start = Instant::now();
    let tokens: Vec<Vec<i64>> = prompts.iter().map(|prompt| prompt.tokens.clone()).collect();
    let mut batch = context.judge.batch();
    let mut finished: Vec<(usize, Completion, String)> = Vec::new();
    let mut failure = None;
    let mut on_done = |number: usize, completion: Completion| {
        match context.text(&completion.tokens) {
            Ok(text) => {
                let problem = &prompts[completion.prompt].problem;
                batch.submit(problem, &text, context.data.program);
                finished.push((number, completion, text));
            }
            Err(error) => failure = Some(error),
        };
    };
    let model = &context.model;
    context
        .sampler
        .generate(model, &tokens, samples, sampling, &mut on_done)?;
    let generation = start.elapsed().as_secs_f64();
    if let Some(error) = failure {
        return Err(error);
    }
    let verdicts = batch.finish()?;
    let reward = start.elapsed().as_secs_f64() - generation;
    let mut judged: Vec<_> = finished.into_iter().zip(verdicts).collect();
    judged.sort_by_key(|((number, _, _), _)| *number);
    let groups = group(prompts, samples, judged.into_iter().map(rollout));
    Ok(Sampled {
        groups,
        generation,
        reward,
    })
}

fn rollout(((_, completion, text), verdict): ((usize, Completion, String), Verdict)) -> Rollout {
    Rollout {
        tokens: completion.tokens,
        log_probs: completion.log_probs,
        text,
        truncated: completion.truncated,
        verdict,
    }
}

fn group(
    prompts: &[Arc<Prompt>],
    samples: usize,
    mut rollouts: impl Iterator<Item = Rollout>,
) -> Vec<Group> {
    let of = |prompt: &Arc<Prompt>| Group {
        prompt: prompt.clone(),
        rollouts: rollouts.by_ref().take(samples).collect(),
    };
    prompts.iter().map(of).collect()
}
