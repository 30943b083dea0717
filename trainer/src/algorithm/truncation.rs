//! The truncation mask: which responses that ran into the length limit are kept out of the update.
//!
//! A masked response has the advantage 0. Its tokens stay in the loss's denominators, as equation 2 has it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which truncated responses are masked.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mask {
    /// None of them.
    Off,
    /// All of them: DeepCoder's overlong filtering, "complete masking" in figure 2.
    All,
    /// Those that meet the conditions: MicroCoder-GRPO.
    Conditional,
}

/// The conditions of equation 2.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Conditions {
    /// What the response must have been judged.
    pub when: When,
    /// The probability with which a response that meets all else is masked; 0.1 to 0.3 in figure 2.
    pub rho: f64,
    /// `m`: how many tokens at the end are compared with those before.
    pub window: usize,
    /// What counts as a repetition; what repeats is never masked.
    pub repeat: Repeat,
}

impl Default for Conditions {
    /// Equation 2 with a probability of 0.2 and the paper's window of 128 tokens.
    fn default() -> Conditions {
        Conditions {
            when: When::Incorrect,
            rho: 0.2,
            window: 128,
            repeat: Repeat::Exact,
        }
    }
}

/// Which verdict admits masking. The paper's equation 2 says incorrect, its section 2.3 says correct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// A test failed.
    Incorrect,
    /// Every test passed.
    Correct,
    /// Whatever it was.
    Any,
}

/// When the end of a response repeats itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repeat {
    /// The last `m` tokens equal the `m` before them: the paper's rule. A loop whose length does not divide `m` passes it by.
    Exact,
    /// Each of the last `m` tokens equals the one a fixed distance, at most `m`, before it.
    AnyPeriod,
}

/// Whether equation 2 sets the advantage of a response to 0.
///
/// `tokens` is the response, `max_length` its limit in tokens, `draw` a number drawn uniformly from [0, 1).
pub fn masked(
    mask: Mask,
    conditions: &Conditions,
    tokens: &[i64],
    max_length: usize,
    accepted: bool,
    draw: f64,
) -> bool {
    let truncated = tokens.len() >= max_length;
    match mask {
        Mask::Off => false,
        Mask::All => truncated,
        Mask::Conditional => {
            truncated
                && admits(conditions.when, accepted)
                && !repeats(tokens, conditions.window, conditions.repeat)
                && draw < conditions.rho
        }
    }
}

fn admits(when: When, accepted: bool) -> bool {
    match when {
        When::Incorrect => !accepted,
        When::Correct => accepted,
        When::Any => true,
    }
}

/// Whether the last `window` tokens repeat what is before them. A response too short to hold a repetition does not.
pub fn repeats(tokens: &[i64], window: usize, rule: Repeat) -> bool {
    let shortest = match rule {
        Repeat::Exact => window,
        Repeat::AnyPeriod => 1,
    };
    window > 0 && (shortest..=window).any(|period| has_period(tokens, window, period))
}

/// Whether each of the last `window` tokens equals the one `period` before it.
fn has_period(tokens: &[i64], window: usize, period: usize) -> bool {
    let end = tokens.len();
    end >= window + period && tokens[end - window..] == tokens[end - window - period..end - period]
}
