//! Where a run stands in its data: epoch after epoch, each in an order of its own.

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::chance::{Purpose, stream};

/// A place in the data. Kept in checkpoints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// Times the data has been gone through.
    pub epoch: u64,
    /// Items of this epoch that are done.
    pub done: usize,
}

/// Which data a run takes its items from, and in which orders. Kept in checkpoints: a place in other data means nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Data {
    /// The run's seed.
    pub seed: u64,
    /// BLAKE3 of all items' tokens.
    pub hash: String,
}

impl Data {
    /// Of these items; the seed is the run's.
    pub fn new<'a>(seed: u64, items: impl Iterator<Item = &'a [i64]>) -> Data {
        let mut hasher = blake3::Hasher::new();
        for item in items {
            hasher.update(&(item.len() as u64).to_le_bytes());
            for token in item {
                hasher.update(&token.to_le_bytes());
            }
        }
        Data {
            seed,
            hash: hasher.finalize().to_hex().to_string(),
        }
    }
}

/// The orders in which a run takes `len` items.
#[derive(Debug)]
pub struct Orders {
    seed: u64,
    len: usize,
    /// The latest order, with its epoch.
    order: Option<(u64, Vec<usize>)>,
}

impl Orders {
    /// Of `len` items; the seed is the run's.
    pub fn new(seed: u64, len: usize) -> Orders {
        Orders {
            seed,
            len,
            order: None,
        }
    }

    /// The next item, and the cursor moves past it.
    ///
    /// # Panics
    /// If there are no items.
    pub fn next(&mut self, cursor: &mut Cursor) -> usize {
        if cursor.done == self.len {
            *cursor = Cursor {
                epoch: cursor.epoch + 1,
                done: 0,
            };
        }
        let item = self.of_epoch(cursor.epoch)[cursor.done];
        cursor.done += 1;
        item
    }

    fn of_epoch(&mut self, epoch: u64) -> &[usize] {
        let (seed, len) = (self.seed, self.len);
        let stale = self.order.as_ref().is_some_and(|(of, _)| *of != epoch);
        if stale {
            self.order = None;
        }
        let (_, order) = self.order.get_or_insert_with(|| {
            let mut order: Vec<usize> = (0..len).collect();
            order.shuffle(&mut stream(seed, Purpose::Order, epoch));
            (epoch, order)
        });
        order
    }
}
