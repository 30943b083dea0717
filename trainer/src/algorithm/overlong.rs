//! A penalty for responses that come near the length limit, in place of or beside masking them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the penalty begins and what it weighs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Overlong {
    /// How many tokens before the limit the penalty begins; 0 for no penalty.
    pub buffer: usize,
    /// The penalty at the limit.
    pub weight: f64,
}

impl Default for Overlong {
    /// No penalty.
    fn default() -> Overlong {
        Overlong {
            buffer: 0,
            weight: 1.0,
        }
    }
}

/// What is added to the reward of a response of `length` tokens: 0 up to `max_length - buffer`, from there linearly
/// down to `-weight` at `max_length` and beyond. Equation 13 of DAPO (Yu et al. 2025, arXiv 2503.14476).
///
/// ```
/// use trainer::algorithm::overlong::{Overlong, penalty};
/// let overlong = Overlong { buffer: 10, weight: 1.0 };
/// assert_eq!(penalty(95, 100, &overlong), -0.5);
/// ```
pub fn penalty(length: usize, max_length: usize, overlong: &Overlong) -> f64 {
    let free = max_length.saturating_sub(overlong.buffer);
    if overlong.buffer == 0 || length <= free {
        return 0.0;
    }
    let excess = (length - free) as f64 / overlong.buffer as f64;
    -overlong.weight * excess.min(1.0)
}
