//! The sampling temperature of training: T(D) in equation 1.
//!
//! It changes in stages or not at all: the paper (section 2.4) saw small continuous changes do lasting harm to the
//! diversity of responses.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// From this step on, this temperature.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TemperatureStage {
    /// The first step, from 0.
    pub step: usize,
    /// The temperature.
    pub value: f64,
}

/// The temperature at `step`: that of the last stage begun; before any stage, `initial`.
pub fn staged(initial: f64, stages: &[TemperatureStage], step: usize) -> f64 {
    let begun = stages.iter().filter(|stage| stage.step <= step);
    begun
        .max_by_key(|stage| stage.step)
        .map_or(initial, |stage| stage.value)
}

/// What a probe saw at one temperature.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Probed {
    /// The temperature.
    pub temperature: f64,
    /// Mean diversity of the groups.
    pub diversity: f64,
    /// The share of responses that were accepted.
    pub accuracy: f64,
    /// Its standard error.
    pub accuracy_error: f64,
}

/// Why a temperature was chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The lowest whose diversity is above the convergence value and that keeps the accuracy.
    AboveConvergence,
    /// None of those that keep the accuracy is above it; this one comes nearest.
    NearestBelow,
}

/// Choose the training temperature from a probe: the lowest whose diversity exceeds `convergence`, the value that
/// diversity is expected to settle at, among those that keep the accuracy: at least `1 - loss` times the best, or less by no
/// more than the standard error of the difference, as a small probe tells nothing of a small loss.
///
/// Lower ones would see diversity decline until training fails, higher ones fluctuate (section 2.4). None without a probe.
pub fn choose(probed: &[Probed], convergence: f64, loss: f64) -> Option<(f64, Reason)> {
    let best = probed
        .iter()
        .max_by(|a, b| a.accuracy.total_cmp(&b.accuracy))?;
    let keeps = |p: &&Probed| {
        let noise = p.accuracy_error.hypot(best.accuracy_error);
        p.accuracy + noise >= best.accuracy * (1.0 - loss)
    };
    let keeping = || probed.iter().filter(keeps);
    let lowest = keeping()
        .filter(|p| p.diversity > convergence)
        .min_by(|a, b| a.temperature.total_cmp(&b.temperature));
    let nearest = || keeping().max_by(|a, b| a.diversity.total_cmp(&b.diversity));
    match lowest {
        Some(p) => Some((p.temperature, Reason::AboveConvergence)),
        None => nearest().map(|p| (p.temperature, Reason::NearestBelow)),
    }
}

/// When a decline of diversity is one that training does not recover from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Decline {
    /// The diversity below which a decline is alarming: the expected convergence value.
    pub threshold: f64,
    /// Steps in each of the two stretches that are compared.
    pub window: usize,
    /// How many steps in a row it must hold.
    pub patience: usize,
}

impl Default for Decline {
    /// Below 0.3, over 10 steps, 5 times in a row.
    fn default() -> Decline {
        Decline {
            threshold: 0.3,
            window: 10,
            patience: 5,
        }
    }
}

/// Watches the diversity of a run for a sustained decline. Kept in checkpoints.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DiversityMonitor {
    /// The latest diversities, at most two windows.
    seen: Vec<f64>,
    /// How many steps in a row the decline has held.
    held: usize,
}

impl DiversityMonitor {
    /// Take one step's diversity. True where a decline has been sustained: the mean of the last window is below the
    /// threshold and below that of the window before, `patience` steps in a row. Then the watch begins anew.
    pub fn observe(&mut self, diversity: f64, decline: &Decline) -> bool {
        let window = decline.window.max(1);
        self.seen.push(diversity);
        let surplus = self.seen.len().saturating_sub(2 * window);
        self.seen.drain(..surplus);
        self.held = if self.declines(window, decline.threshold) {
            self.held + 1
        } else {
            0
        };
        let sustained = self.held >= decline.patience.max(1);
        if sustained {
            *self = DiversityMonitor::default();
        }
        sustained
    }

    fn declines(&self, window: usize, threshold: f64) -> bool {
        if self.seen.len() < 2 * window {
            return false;
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let (before, last) = self.seen.split_at(window);
        mean(last) < threshold && mean(last) < mean(before)
    }
}
