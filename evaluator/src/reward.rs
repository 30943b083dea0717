//! Rewards: what a verdict is worth as training signal.
//!
//! A reward can be absent. Where the judge failed nothing was decided, and no number may stand for that.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Decision, Verdict};

/// Turns a verdict into training signal.
///
/// ```
/// use std::sync::Arc;
/// use evaluator::{Decision, RewardFn, Settings, Verdict};
///
/// /// A wrong answer from a program that ran is worth a little.
/// struct Lenient;
///
/// impl RewardFn for Lenient {
///     fn name(&self) -> &str {
///         "lenient"
///     }
///
///     fn reward(&self, verdict: &Verdict) -> Option<f64> {
///         match verdict.verdict {
///             Decision::JudgeFailed => None,
///             Decision::Accepted => Some(1.0),
///             Decision::WrongAnswer => Some(0.1),
///             _ => Some(0.0),
///         }
///     }
/// }
///
/// let settings = Settings { reward: Arc::new(Lenient), ..Settings::default() };
/// assert_eq!(settings.reward.name(), "lenient");
/// ```
pub trait RewardFn: Send + Sync {
    /// Its name: two functions of one name give the same rewards.
    fn name(&self) -> &str;

    /// The reward; `None` if the judge failed.
    fn reward(&self, verdict: &Verdict) -> Option<f64>;
}

/// The reward functions that options and configurations name.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum RewardRule {
    /// 1 if every test passed with all points that there are, else 0.
    #[default]
    Binary,
    /// The fraction of the problem's tests that passed; a test that was not run did not pass.
    Fraction,
    /// The points that were earned, as a fraction of the most that can be where that is known; of a submission without
    /// points, as `fraction`.
    Score,
    /// Coarse unit-test feedback: 1 if every test passed with all points that there are, -0.3 for a wrong answer or for fewer points, -0.6 for an error while running
    /// (limits among them), -1 for no program. The coarse-grained feedback of RLTF (Liu et al. 2023, arXiv 2307.04349;
    /// `get_reward_from_error_type` in its code), with the values of CodeRL (Le et al. 2022, arXiv 2207.01780).
    Coarse,
}

impl RewardRule {
    /// All of them.
    pub const ALL: &[RewardRule] = <RewardRule as strum::VariantArray>::VARIANTS;

    /// Its name in options and configurations.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Whether it depends on every test, so that stopping at the first failure would change it.
    pub fn needs_all_tests(self) -> bool {
        matches!(self, RewardRule::Fraction | RewardRule::Score)
    }
}

impl RewardFn for RewardRule {
    fn name(&self) -> &str {
        (*self).name()
    }

    fn reward(&self, verdict: &Verdict) -> Option<f64> {
        if verdict.verdict == Decision::JudgeFailed {
            return None;
        }
        Some(match (self, verdict.verdict) {
            (RewardRule::Score, _) => match (verdict.score, verdict.max_score) {
                (Some(score), Some(most)) if most > 0.0 => score / most,
                (Some(score), _) => score,
                (None, _) => verdict.passed as f64 / verdict.total as f64,
            },
            (RewardRule::Fraction, _) => verdict.passed as f64 / verdict.total as f64,
            (_, Decision::Accepted) if has_all_points(verdict) => 1.0,
            (RewardRule::Binary, _) => 0.0,
            (RewardRule::Coarse, Decision::Accepted | Decision::WrongAnswer) => -0.3,
            (RewardRule::Coarse, Decision::CompileError) => -1.0,
            (RewardRule::Coarse, _) => -0.6,
        })
    }
}

/// Whether no points are missing of the most that can be earned, as far as that is known.
fn has_all_points(verdict: &Verdict) -> bool {
    // What sums of fractions lose.
    const SLACK: f64 = 1e-9;
    match (verdict.score, verdict.max_score) {
        (Some(score), Some(most)) => score >= most - SLACK * most.abs(),
        _ => true,
    }
}
