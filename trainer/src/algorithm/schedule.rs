//! The learning rate over a run.

use std::f64::consts::PI;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the learning rate falls after the warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decay {
    /// It does not.
    Constant,
    /// In a straight line.
    Linear,
    /// As half a cosine.
    Cosine,
}

/// A learning rate with warm-up and decay.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Schedule {
    /// The highest learning rate.
    pub rate: f64,
    /// Steps over which it rises to that, in a straight line.
    pub warmup: usize,
    /// How it falls.
    pub decay: Decay,
    /// What it falls to at the end of the run, as a fraction of the highest.
    pub floor: f64,
}

impl Default for Schedule {
    /// The paper's: 1e-6, constant.
    fn default() -> Schedule {
        Schedule {
            rate: 1e-6,
            warmup: 0,
            decay: Decay::Constant,
            floor: 0.0,
        }
    }
}

/// The learning rate of `step`, from 0, of a run of `steps`. Both rise and fall count from step 0 and multiply, so
/// that the last step is still above the floor.
pub fn learning_rate(schedule: &Schedule, step: usize, steps: usize) -> f64 {
    let rise = match schedule.warmup {
        0 => 1.0,
        warmup => ((step + 1) as f64 / warmup as f64).min(1.0),
    };
    let progress = (step as f64 / steps.max(1) as f64).min(1.0);
    let fall = match schedule.decay {
        Decay::Constant => 1.0,
        Decay::Linear => 1.0 - progress,
        Decay::Cosine => 0.5 * (1.0 + (PI * progress).cos()),
    };
    schedule.rate * rise * (schedule.floor + (1.0 - schedule.floor) * fall)
}
