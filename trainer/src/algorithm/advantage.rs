//! Advantages: the weight of each response, from the rewards of its group. Masks are not its business.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::statistics::{deviation, mean};

/// What the centred rewards are divided by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Normalisation {
    /// The standard deviation within the group: GRPO, and the first factor of equation 2.
    Group,
    /// The standard deviation over the whole batch.
    Batch,
    /// Nothing: Dr. GRPO (Liu et al. 2025, arXiv 2503.20783).
    None,
}

/// Advantages of a batch: `(r - mean of its group) / (std + eps)`.
///
/// `rewards` lies group by group, `group` responses to each prompt. An absent reward has no advantage and counts
/// neither in a mean nor in a standard deviation, which are those of a sample (n - 1), as in TRL (`eps` 1e-4) and verl
/// (1e-6). Where the standard deviation is that of fewer than two rewards, it is 0.
///
/// ```
/// use trainer::algorithm::advantage::{Normalisation, advantages};
/// let rewards = [Some(1.0), Some(0.0), None, Some(0.0)];
/// let a = advantages(&rewards, 4, Normalisation::None, 0.0);
/// assert_eq!(a[2], None);
/// assert!((a[0].unwrap() - 2.0 / 3.0).abs() < 1e-12);
/// ```
///
/// # Panics
/// If `group` is 0 or does not divide the number of rewards.
pub fn advantages(
    rewards: &[Option<f64>],
    group: usize,
    normalisation: Normalisation,
    eps: f64,
) -> Vec<Option<f64>> {
    assert!(group > 0 && rewards.len().is_multiple_of(group));
    let batch = deviation(&present(rewards));
    let groups = rewards.chunks(group);
    groups
        .flat_map(|rewards| {
            let there = present(rewards);
            let mean = mean(&there).unwrap_or(0.0);
            let scale = match normalisation {
                Normalisation::Group => deviation(&there) + eps,
                Normalisation::Batch => batch + eps,
                Normalisation::None => 1.0,
            };
            rewards
                .iter()
                .map(move |reward| reward.map(|reward| over(reward - mean, scale)))
        })
        .collect()
}

/// A group without variance has no signal, whatever `eps` is.
fn over(centred: f64, scale: f64) -> f64 {
    if centred == 0.0 { 0.0 } else { centred / scale }
}

fn present(rewards: &[Option<f64>]) -> Vec<f64> {
    rewards.iter().flatten().copied().collect()
}
