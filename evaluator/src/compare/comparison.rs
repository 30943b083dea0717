//! What comes of comparing two outputs.

use super::difference::Difference;
use super::strategy::Strategy;

/// What came of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// Accepted, by this strategy.
    Accepted(Strategy),
    /// Rejected by all that were admitted; the first difference.
    Rejected(Difference),
}

/// What one strategy said of two outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// They are the same.
    Same,
    /// They differ.
    Differs,
    /// They differ for the first time on this line of the expected text.
    DiffersAt(usize),
    /// It could not read an output; the chain goes on.
    Erred(String),
    /// It was not admitted, or a stricter one had accepted.
    NotAsked,
}

impl From<bool> for Finding {
    fn from(same: bool) -> Finding {
        if same {
            Finding::Same
        } else {
            Finding::Differs
        }
    }
}
