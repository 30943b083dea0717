//! Submission ids: those given must be unique, those missing are made.

use std::collections::{HashMap, HashSet};

use crate::fingerprint;

/// The ids of all submissions so far, by their keys: what is held per submission stays small.
#[derive(Default)]
pub(super) struct Ids {
    seen: HashSet<u128>,
    next: HashMap<String, u64>,
}

impl Ids {
    /// Claim the id that a row gives; `false` if an earlier row has it.
    pub fn claim(&mut self, id: &str) -> bool {
        self.seen.insert(fingerprint::key(id))
    }

    /// Make an id of the problem and a running number: `HumanEval/3#0`.
    pub fn make(&mut self, problem_id: &str) -> String {
        loop {
            let next = self.next.entry(problem_id.to_owned()).or_default();
            let id = format!("{problem_id}#{next}");
            *next += 1;
            if self.claim(&id) {
                return id;
            }
        }
    }
}
