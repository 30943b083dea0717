//! The probe: diversity and accuracy over temperatures, before training; figure 3 of the paper is drawn from it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::RunError;
use super::cursor::{Cursor, Orders};
use super::rollout::{Group, sample};
use super::setup::{Prompt, RunContext};
use crate::algorithm::temperature::{Probed, Reason, choose};
use crate::chance::{self, Purpose};
use crate::config::Config;

/// What a probe saw, and what follows from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// How diversity was measured.
    pub diversity: String,
    /// The diversity that training is expected to settle at.
    pub convergence: f64,
    /// One entry per temperature.
    pub probed: Vec<Probed>,
    /// The temperature to train at.
    pub temperature: f64,
    /// Why that one.
    pub reason: Reason,
}

impl Probe {
    /// Why this temperature, in words.
    pub fn why(&self) -> String {
        let convergence = self.convergence;
        match self.reason {
            Reason::AboveConvergence => {
                format!(
                    "the lowest that keeps the accuracy and whose diversity is above {convergence}"
                )
            }
            Reason::NearestBelow => format!(
                "of those that keep the accuracy none has a diversity above {convergence}; this one comes nearest"
            ),
        }
    }
}

/// Ask some problems at each temperature, the same ones at all.
pub fn probe(
    context: &RunContext,
    prompts: &[Arc<Prompt>],
    config: &Config,
) -> Result<Probe, RunError> {
    let count = config.probe.problems.min(prompts.len());
    let (mut orders, mut cursor) = (Orders::new(config.seed, prompts.len()), Cursor::default());
    let asked: Vec<Arc<Prompt>> = (0..count)
        .map(|_| prompts[orders.next(&mut cursor)].clone())
        .collect();
    let mut probed = Vec::new();
    for &temperature in &config.probe.temperatures {
        let seed = chance::seed(config.seed, Purpose::Probe, 0);
        let sampling = context.sampling(temperature, config.rollout.max_tokens, seed);
        let sampled = sample(context, &asked, config.probe.samples, &sampling)?;
        let point = Probed {
            temperature,
            diversity: sampled.group_mean(Group::diversity).unwrap_or(0.0),
            accuracy: sampled.mean(|rollout| rollout.accepted().map(f64::from)),
            accuracy_error: sampled.accuracy_error(),
        };
        eprintln!(
            "probe: temperature {temperature} diversity {:.3} accuracy {:.3} (standard error {:.3})",
            point.diversity, point.accuracy, point.accuracy_error
        );
        probed.push(point);
    }
    let chosen = choose(
        &probed,
        config.probe.convergence,
        config.probe.accuracy_loss,
    );
    let (temperature, reason) = chosen.ok_or(RunError::Nothing("probe.temperatures"))?;
    Ok(Probe {
        diversity: "mean pairwise 1 - Jaccard similarity of token 4-gram sets".to_owned(),
        convergence: config.probe.convergence,
        probed,
        temperature,
        reason,
    })
}
