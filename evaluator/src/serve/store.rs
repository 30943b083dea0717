//! Problems that a client names instead of sending them: those of files, and those that were registered.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::footprint;
use crate::fingerprint::hash_problem;
use crate::problem::Problem;
use crate::readers::Problems;

/// Problems by name. Registered ones are forgotten when there are too many, the longest unused first.
pub struct ProblemStore {
    /// Of files, by their ids.
    files: Problems,
    /// Whether registered problems are found by their ids too: where all come from one client.
    by_id: bool,
    most_bytes: usize,
    registered: Mutex<Registered>,
}

#[derive(Default)]
struct Registered {
    by_hash: HashMap<String, Kept>,
    /// Of the problems of one id, their hashes.
    by_id: HashMap<String, Vec<String>>,
    /// Hashes by when they were last used.
    uses: BTreeMap<u64, String>,
    next_use: u64,
    bytes: usize,
}

struct Kept {
    problem: Arc<Problem>,
    bytes: usize,
    used: u64,
}

impl ProblemStore {
    /// With the problems of files; registered ones may hold `most_bytes` together. With `by_id`, they are found by their ids
    /// as well as by their hashes.
    pub fn new(files: Problems, by_id: bool, most_bytes: usize) -> ProblemStore {
        ProblemStore {
            files,
            by_id,
            most_bytes,
            registered: Mutex::default(),
        }
    }

    /// Keep a problem, and give the hash of its content, by which it is found.
    pub fn register(&self, problem: &Arc<Problem>) -> String {
        let hash = hash_problem(problem).to_hex()[..32].to_owned();
        let mut registered = self.registered();
        if registered.by_hash(&hash).is_none() {
            registered.add(&hash, problem);
            registered.shrink(self.most_bytes);
        }
        hash
    }

    /// The registered problem of this hash.
    pub fn by_hash(&self, hash: &str) -> Option<Arc<Problem>> {
        self.registered().by_hash(hash)
    }

    /// The problem of this id.
    ///
    /// # Errors
    /// There is none, or several were registered: a fragment that says so.
    pub fn by_id(&self, id: &str) -> Result<Arc<Problem>, String> {
        if let Some(problem) = self.files.get(id) {
            return Ok(problem.clone());
        }
        let mut registered = self.registered();
        let hashes = registered.by_id.get(id).filter(|_| self.by_id);
        match hashes.map(Vec::as_slice) {
            Some([hash]) => {
                let hash = hash.clone();
                let found = registered.by_hash(&hash);
                found.ok_or_else(|| format!("\"{id}\" is not known"))
            }
            Some([_, ..]) => Err(format!(
                "\"{id}\" is the id of several registered problems: name one by its hash, as \"problem\""
            )),
            _ => Err(format!("\"{id}\" is not known")),
        }
    }

    /// The bytes that registered problems hold.
    pub fn bytes(&self) -> usize {
        self.registered().bytes
    }

    fn registered(&self) -> MutexGuard<'_, Registered> {
        self.registered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Registered {
    fn by_hash(&mut self, hash: &str) -> Option<Arc<Problem>> {
        let kept = self.by_hash.get_mut(hash)?;
        self.uses.remove(&kept.used);
        kept.used = self.next_use;
        self.uses.insert(self.next_use, hash.to_owned());
        self.next_use += 1;
        Some(kept.problem.clone())
    }

    fn add(&mut self, hash: &str, problem: &Arc<Problem>) {
        let kept = Kept {
            problem: problem.clone(),
            bytes: footprint::of_problem(problem),
            used: self.next_use,
        };
        self.bytes += kept.bytes;
        self.uses.insert(self.next_use, hash.to_owned());
        self.next_use += 1;
        let namesakes = self.by_id.entry(problem.id.clone()).or_default();
        namesakes.push(hash.to_owned());
        self.by_hash.insert(hash.to_owned(), kept);
    }

    /// Forget until it holds at most so many bytes, or one problem.
    fn shrink(&mut self, most_bytes: usize) {
        while self.bytes > most_bytes && self.by_hash.len() > 1 {
            let Some((_, hash)) = self.uses.pop_first() else {
                return;
            };
            self.forget(&hash);
        }
    }

    fn forget(&mut self, hash: &str) {
        let Some(kept) = self.by_hash.remove(hash) else {
            return;
        };
        self.bytes -= kept.bytes;
        if let Some(namesakes) = self.by_id.get_mut(&kept.problem.id) {
            namesakes.retain(|other| other != hash);
            if namesakes.is_empty() {
                self.by_id.remove(&kept.problem.id);
            }
        }
    }
}
