//! Which groups enter an update, and which problems are asked next.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is done with a group whose rewards are all equal: its advantages are all 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ZeroVariance {
    /// It stays; its tokens count in the denominators.
    Keep,
    /// It is left out; the batch is smaller.
    Drop,
    /// It is left out, and further prompts are sampled until the batch is full: DAPO's dynamic sampling.
    Refill,
}

/// Whether a group's rewards, absent ones apart, are all equal.
pub fn zero_variance(rewards: &[Option<f64>]) -> bool {
    let mut present = rewards.iter().flatten();
    let first = present.next();
    present.all(|reward| Some(reward) == first)
}

/// Which problems are asked, by the pass rate they last had.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Curriculum {
    /// Problems below this pass rate are passed over.
    pub lowest: f64,
    /// Problems above this pass rate are passed over.
    pub highest: f64,
}

impl Default for Curriculum {
    /// Every problem.
    fn default() -> Curriculum {
        Curriculum {
            lowest: 0.0,
            highest: 1.0,
        }
    }
}

/// The pass rate each problem last had, by its id. Problems never asked are not in it.
pub type PassRates = BTreeMap<String, f64>;

impl Curriculum {
    /// Whether the problem is to be asked. One never asked is.
    pub fn admits(&self, problem: &str, rates: &PassRates) -> bool {
        rates
            .get(problem)
            .is_none_or(|rate| (self.lowest..=self.highest).contains(rate))
    }
}

/// The share of positive rewards in a group; none if all are absent.
pub fn pass_rate(rewards: &[Option<f64>]) -> Option<f64> {
    let passed: Vec<f64> = rewards
        .iter()
        .flatten()
        .map(|&reward| f64::from(reward > 0.0))
        .collect();
    super::statistics::mean(&passed)
}
