//! What a problem's own checker does where the candidate has no part in it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use blake3::Hash;

/// How many are kept.
const MOST: usize = 1 << 16;

/// A checker that was run without the candidate: on the expected answer in the place of its output, or as an interactor to
/// which nothing is said.
#[derive(Debug, Clone, Copy)]
pub(super) struct Control {
    /// Whether it decides about that answer, or got to where it waits for a first word.
    pub works: bool,
    /// The CPU time that it took.
    pub cpu: Duration,
}

/// Those of all workers, by what the checker was given and what it is made of.
#[derive(Debug, Default)]
pub(super) struct ControlCache {
    known: Mutex<HashMap<Hash, Control>>,
}

impl ControlCache {
    pub(super) fn get(&self, key: Hash) -> Option<Control> {
        self.known().get(&key).copied()
    }

    pub(super) fn keep(&self, key: Hash, control: Control) {
        let mut known = self.known();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, control);
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Hash, Control>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
