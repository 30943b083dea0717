//! Values that a file may write in more than one way.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many sequences are generated side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "WrittenSlots", into = "WrittenSlots")]
pub enum Slots {
    /// As many as memory holds.
    Auto,
    /// So many.
    Count(usize),
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number of slots or \"auto\"")]
enum WrittenSlots {
    Count(usize),
    Word(SlotsWord),
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SlotsWord {
    Auto,
}

impl From<WrittenSlots> for Slots {
    fn from(written: WrittenSlots) -> Slots {
        match written {
            WrittenSlots::Count(count) => Slots::Count(count),
            WrittenSlots::Word(SlotsWord::Auto) => Slots::Auto,
        }
    }
}

impl From<Slots> for WrittenSlots {
    fn from(slots: Slots) -> WrittenSlots {
        match slots {
            Slots::Count(count) => WrittenSlots::Count(count),
            Slots::Auto => WrittenSlots::Word(SlotsWord::Auto),
        }
    }
}

/// Limits of a response, in tokens: a number, or a list of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "WrittenBudgets", into = "WrittenBudgets")]
pub struct Budgets(pub Vec<usize>);

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number of tokens or a list of such numbers")]
enum WrittenBudgets {
    One(usize),
    Many(Vec<usize>),
}

impl Budgets {
    /// The longest.
    pub fn longest(&self) -> usize {
        self.0.iter().copied().max().unwrap_or(0)
    }
}

impl From<WrittenBudgets> for Budgets {
    fn from(written: WrittenBudgets) -> Budgets {
        Budgets(match written {
            WrittenBudgets::One(one) => vec![one],
            WrittenBudgets::Many(many) => many,
        })
    }
}

impl From<Budgets> for WrittenBudgets {
    fn from(budgets: Budgets) -> WrittenBudgets {
        match budgets.0[..] {
            [one] => WrittenBudgets::One(one),
            _ => WrittenBudgets::Many(budgets.0),
        }
    }
}
