//! How long a response may be, over a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// From this step on, responses may be this long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LengthStage {
    /// The first step, from 0.
    pub step: usize,
    /// The limit of a response, in tokens.
    pub tokens: usize,
}

/// The limit at `step`: that of the last stage begun; before any stage, `initial`. Section 7.2 of the paper extends
/// the context in this way.
pub fn max_length(initial: usize, stages: &[LengthStage], step: usize) -> usize {
    let begun = stages.iter().filter(|stage| stage.step <= step);
    begun
        .max_by_key(|stage| stage.step)
        .map_or(initial, |stage| stage.tokens)
}
