//! From what a step did to its record.

use fs_err as fs;

use super::batch::TrainBatch;
use super::metrics::{EvaluationRecord, Seconds, StepRecord};
use super::rollout::{Group, Sampled};
use super::update::Updated;
use crate::algorithm::health::Signs;
use crate::native;

impl StepRecord {
    /// The record of a step, but for what its settings were and what its updates took.
    pub fn of(sampled: &Sampled, batch: &TrainBatch<'_>, updated: &Updated) -> StepRecord {
        let responses = sampled.rollouts().count().max(1) as f64;
        let generated: usize = sampled.rollouts().map(|rollout| rollout.tokens.len()).sum();
        let updates = updated.updates.max(1) as f64;
        let sums = &updated.sums;
        StepRecord {
            reward: sampled.mean(|rollout| rollout.verdict.reward),
            accuracy: sampled.mean(|rollout| rollout.accepted().map(f64::from)),
            absent_rewards: sampled
                .rollouts()
                .filter(|rollout| rollout.verdict.reward.is_none())
                .count(),
            response_length: generated as f64 / responses,
            truncated: sampled.mean(|rollout| Some(f64::from(rollout.truncated))),
            masked: batch.masked as f64 / responses,
            diversity: sampled.group_mean(Group::diversity).unwrap_or(0.0),
            distinct: sampled.group_mean(Group::distinct).unwrap_or(0.0),
            entropy: sums.mean(updated.entropy),
            zero_variance: sampled
                .group_mean(|group| Some(f64::from(group.zero_variance())))
                .unwrap_or(0.0),
            groups: batch.groups.len(),
            loss: updated.loss / updates,
            clipped_low: sums.mean(sums.clipped_low),
            clipped_high: sums.mean(sums.clipped_high),
            ratio: sums.mean(sums.ratio),
            ratio_max: sums.ratio_max,
            approximate_kl: sums.mean(sums.moved),
            divergence: sums.mean(sums.divergence),
            mismatch: sums.mean(sums.mismatch),
            gradient_norm: updated.gradient_norm / updates,
            updates: updated.updates,
            tokens_per_second: generated as f64 / sampled.generation.max(1e-9),
            seconds: Seconds {
                generation: sampled.generation,
                reward: sampled.reward,
                update: 0.0,
            },
            memory_mib: peak_memory(),
            ..StepRecord::default()
        }
    }

    /// What it tells of the run's health.
    pub fn signs(&self) -> Signs {
        Signs {
            entropy: self.entropy,
            ratio: self.ratio,
            approximate_kl: self.approximate_kl,
            accuracy: self.accuracy,
        }
    }

    /// The record as a line for people.
    pub fn line(&self, steps: usize) -> String {
        let warning = self.warning.as_ref().map(|warning| format!(" | {warning}"));
        let absent = match self.absent_rewards {
            0 => String::new(),
            count => format!(" without a verdict {count}"),
        };
        format!(
            "step {}/{steps} reward {:.3} length {:.1} diversity {:.3} entropy {:.3} truncated {:.2} zero-variance {:.2}{absent} | {:.1} s generation, {:.1} s reward, {:.1} s update, {:.0} tokens/s{}",
            self.step,
            self.reward,
            self.response_length,
            self.diversity,
            self.entropy,
            self.truncated,
            self.zero_variance,
            self.seconds.generation,
            self.seconds.reward,
            self.seconds.update,
            self.tokens_per_second,
            warning.unwrap_or_default(),
        )
    }
}

impl EvaluationRecord {
    /// The record as a line for people.
    pub fn line(&self) -> String {
        let absent = match self.absent_rewards {
            0 => String::new(),
            count => format!(", {count} responses without a verdict"),
        };
        format!("avg@{} {:.3}{absent}", self.samples, self.accuracy)
    }
}

/// Peak memory, in MiB: that of tensors on the GPU where there is one, else what this process had resident; 0 where the
/// system does not tell.
fn peak_memory() -> f64 {
    let on_gpu = native::peak_memory(false);
    if on_gpu > 0 {
        return on_gpu as f64 / 1024.0 / 1024.0;
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kib.unwrap_or(0.0) / 1024.0
}
