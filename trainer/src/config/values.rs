//! Values that a file may write in more than one way.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How many sequences are generated side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slots {
    /// As many as memory holds.
    Auto,
    /// So many.
    Count(usize),
}

impl Serialize for Slots {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Slots::Auto => serializer.serialize_str("auto"),
            Slots::Count(count) => count.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Slots {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Slots, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a number of slots or \"auto\"")]
        enum Written {
            Count(usize),
            Word(Word),
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Word {
            Auto,
        }
        Ok(match Written::deserialize(deserializer)? {
            Written::Count(count) => Slots::Count(count),
            Written::Word(Word::Auto) => Slots::Auto,
        })
    }
}

/// Limits of a response, in tokens: a number, or a list of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budgets(pub Vec<usize>);

impl Budgets {
    /// The longest.
    pub fn longest(&self) -> usize {
        self.0.iter().copied().max().unwrap_or(0)
    }
}

impl Serialize for Budgets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0[..] {
            [one] => one.serialize(serializer),
            _ => self.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Budgets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Budgets, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "a number of tokens or a list of such numbers")]
        enum Written {
            One(usize),
            Many(Vec<usize>),
        }
        Ok(Budgets(match Written::deserialize(deserializer)? {
            Written::One(one) => vec![one],
            Written::Many(many) => many,
        }))
    }
}
