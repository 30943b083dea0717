//! Signs that a run is being ruined, most often by too high a learning rate. Each is read off one step's figures and what the
//! run has shown before; none of them ends the run.

use serde::{Deserialize, Serialize};

/// A step's figures that tell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signs {
    /// Mean entropy of the tempered distribution, in nats.
    pub entropy: f64,
    /// Mean ratio of probabilities after to before the step.
    pub ratio: f64,
    /// Estimate of how far the step moved the policy, in nats per token.
    pub approximate_kl: f64,
    /// Share of responses that were accepted.
    pub accuracy: f64,
}

/// The mean ratio strays from 1 by rounding and by what one step may move; past this, updates outrun what they were computed for.
const RATIO_STRAYS: f64 = 0.2;
/// Nats per token that a step may move the policy. Sound runs stay two orders of magnitude below.
const MOVED: f64 = 0.1;
/// What is left of the entropy at the start when sampling has collapsed, and how often it when sampling has become noise.
const COLLAPSED: f64 = 0.1;
const NOISE: f64 = 4.0;
/// The share of its best that the accuracy may fall to.
const FALLEN: f64 = 0.5;
/// The weight of a step in the running accuracy: about the last ten count.
const SMOOTH: f64 = 0.1;
/// Steps before a running figure is trusted.
const WARM: usize = 10;

/// What a run has shown so far. Kept in checkpoints.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Health {
    steps: usize,
    /// The entropy of the first step.
    entropy: f64,
    /// The running accuracy, and the best it has been.
    accuracy: f64,
    best: f64,
}

impl Health {
    /// Take a step's figures, and name the signs of ruin in them.
    pub fn observe(&mut self, signs: &Signs) -> Vec<String> {
        self.remember(signs);
        let entropy = signs.entropy / self.entropy.max(f64::MIN_POSITIVE);
        let checks = [
            (
                (signs.ratio - 1.0).abs() > RATIO_STRAYS,
                format!("the mean ratio is {:.2}", signs.ratio),
            ),
            (
                signs.approximate_kl.abs() > MOVED,
                format!(
                    "a step moved the policy by {:.2} nats a token",
                    signs.approximate_kl
                ),
            ),
            (
                entropy < COLLAPSED,
                format!("the entropy has collapsed to {:.3}", signs.entropy),
            ),
            (
                entropy > NOISE,
                format!("the entropy has risen to {:.2}", signs.entropy),
            ),
            (
                self.steps > WARM && self.accuracy < FALLEN * self.best,
                format!(
                    "the accuracy has fallen from {:.2} to {:.2}",
                    self.best, self.accuracy
                ),
            ),
        ];
        let seen = checks.into_iter().filter(|(seen, _)| *seen);
        seen.map(|(_, sign)| sign).collect()
    }

    fn remember(&mut self, signs: &Signs) {
        self.steps += 1;
        if self.steps == 1 {
            self.entropy = signs.entropy;
            self.accuracy = signs.accuracy;
        }
        self.accuracy += SMOOTH * (signs.accuracy - self.accuracy);
        if self.steps >= WARM {
            self.best = self.best.max(self.accuracy);
        }
    }
}
