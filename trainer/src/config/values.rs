//! Values that a file may write in more than one way, or leave to the machine.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engine::Graphs;

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

/// How the operators of a decoding step are launched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CudaGraphs {
    /// As a CUDA graph where the machine can: on a GPU, in 16 bits. Else one by one.
    Auto,
    /// One by one.
    Off,
    /// One by one, in the steps that would be captured, on any device.
    Rehearsed,
    /// As a CUDA graph; where that cannot be, it is an error.
    On,
}

impl CudaGraphs {
    /// The way on a machine that can replay CUDA graphs, or cannot.
    pub fn on_machine(self, replays: bool) -> Graphs {
        match self {
            CudaGraphs::Auto if replays => Graphs::On,
            CudaGraphs::Auto | CudaGraphs::Off => Graphs::Off,
            CudaGraphs::Rehearsed => Graphs::Rehearsed,
            CudaGraphs::On => Graphs::On,
        }
    }
}
