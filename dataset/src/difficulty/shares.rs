//! The most of each level among all that are kept.

use std::collections::BTreeMap;

use evaluator::fingerprint::key;
use serde::{Deserialize, Serialize};

use crate::error::DataError;
use crate::record::Level;

/// The largest shares of levels, from 0 to 1. A level that is not named, and records of no known level, are all kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Shares(pub BTreeMap<Level, f64>);

impl Shares {
    /// Fails for a share that is none.
    pub fn check(&self) -> Result<(), DataError> {
        match self.0.values().find(|share| !(0.0..=1.0).contains(*share)) {
            Some(share) => Err(DataError::Setting(format!(
                "a share of {share} is not between 0 and 1"
            ))),
            None => Ok(()),
        }
    }

    /// Those of `records` that are too many of their level, chosen by the hash of `seed` and their id.
    pub fn too_many(
        &self,
        records: Vec<(Option<Level>, String)>,
        seed: u64,
    ) -> Vec<(Level, String)> {
        let mut levels: BTreeMap<Level, Vec<String>> = BTreeMap::new();
        let mut free = 0;
        for (level, id) in records {
            match level {
                Some(level) if self.0.contains_key(&level) => {
                    levels.entry(level).or_default().push(id);
                }
                _ => free += 1,
            }
        }
        let counts: BTreeMap<Level, usize> = levels
            .iter()
            .map(|(level, ids)| (*level, ids.len()))
            .collect();
        let room = self.room(free, &counts);
        let mut dropped = Vec::new();
        for (level, mut ids) in levels {
            ids.sort_by_key(|id| key(&format!("{seed}\0{id}")));
            dropped.extend(ids.into_iter().skip(room[&level]).map(|id| (level, id)));
        }
        dropped
    }

    /// How many of each level there is room for, as many as can be: fewer of one level make fewer in all, and with that
    /// less room for the others, until nothing changes.
    fn room(&self, free: usize, counts: &BTreeMap<Level, usize>) -> BTreeMap<Level, usize> {
        let mut room = counts.clone();
        loop {
            let all = free + room.values().sum::<usize>();
            // A little more than the product, which may come out just below a whole number.
            let most = |level: &Level| (self.0[level] * all as f64 + 1e-9) as usize;
            let next: BTreeMap<Level, usize> = room
                .iter()
                .map(|(level, count)| (*level, (*count).min(most(level))))
                .collect();
            if next == room {
                return room;
            }
            room = next;
        }
    }
}
