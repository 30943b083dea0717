//! What a problem's own code does where the candidate has no part in it: found out once, and known to all workers.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use blake3::Hash;

/// How many are kept.
const MOST: usize = 1 << 16;

/// A checker that was run without the candidate: on the expected answer in the place of its output, or as an interactor to
/// which nothing is said.
#[derive(Debug, Clone)]
pub(super) struct Control {
    /// How it fails, if it neither decides about that answer, or gets to where it waits for a first word, nor does something
    /// else where something else is said.
    pub failure: Option<String>,
    /// It does not decide about that answer either, but reads it, and fails on purpose.
    pub refuses: bool,
    /// The CPU time that it took.
    pub cpu: Duration,
    /// The points that it gave.
    pub points: Option<f64>,
}

/// What is known, by a hash of all that it depends on.
#[derive(Debug)]
pub(super) struct Findings<T> {
    known: Mutex<HashMap<Hash, T>>,
}

impl<T> Default for Findings<T> {
    fn default() -> Findings<T> {
        Findings {
            known: Mutex::default(),
        }
    }
}

impl<T: Clone> Findings<T> {
    pub(super) fn get(&self, key: Hash) -> Option<T> {
        self.known().get(&key).cloned()
    }

    pub(super) fn keep(&self, key: Hash, value: T) {
        let mut known = self.known();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, value);
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Hash, T>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
