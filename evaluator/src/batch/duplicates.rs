//! Equal programs for one problem, of which one is judged: a model that is sampled often writes the same program often.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::Problem;
use crate::fingerprint;
use crate::judge::Task;
use crate::verdict::{Decision, Verdict};

/// Verdicts that are kept for programs to come, and the bytes that they may hold together.
const MOST: usize = 4096;
const MOST_BYTES: usize = 16 << 20;

/// What a task was drawn as: the number of its place, and itself.
pub type Numbered = (u64, Task);

/// The programs of a run.
#[derive(Default)]
pub struct Duplicates(Mutex<Table>);

#[derive(Default)]
struct Table {
    known: HashMap<u128, Known>,
    /// Those with a verdict and the bytes that it holds, the oldest first.
    judged: VecDeque<(u128, usize)>,
    bytes: usize,
}

struct Known {
    /// Keeps the problem's address from being given to another, and none of its tests in memory.
    _address: Weak<Problem>,
    state: Stage,
}

enum Stage {
    /// In another worker's hands; these are to get the same verdict.
    InProgress(Vec<Numbered>),
    /// Judged so.
    Judged(Box<Verdict>),
}

/// What is to be done with a task.
pub enum Claim {
    /// Judge it, and say so by [`Duplicates::settle`] with this key.
    Judge(Numbered, u128),
    /// This is its verdict.
    Known(u64, Box<Verdict>),
    /// The worker that judges its equal has it now.
    HandedOver,
}

impl Duplicates {
    /// Take a task in hand.
    pub fn claim(&self, (number, task): Numbered) -> Claim {
        let key = key(&task);
        let mut table = self.table();
        let Some(known) = table.known.get_mut(&key) else {
            table.known.insert(key, Known::in_progress(&task));
            return Claim::Judge((number, task), key);
        };
        match &mut known.state {
            Stage::Judged(verdict) => Claim::Known(number, copy(verdict, &task)),
            Stage::InProgress(waiting) => {
                waiting.push((number, task));
                Claim::HandedOver
            }
        }
    }

    /// A claimed task has this verdict. Gives those that waited for it, with theirs, or without one where nothing was decided:
    /// they are to be judged then.
    pub fn settle(&self, key: u128, verdict: &Verdict) -> Vec<(Numbered, Option<Box<Verdict>>)> {
        let mut table = self.table();
        let Some(known) = table.known.get_mut(&key) else {
            return Vec::new();
        };
        let is_decided = verdict.verdict != Decision::JudgeFailed;
        let judged = Stage::Judged(Box::new(verdict.clone()));
        let Stage::InProgress(waiting) = std::mem::replace(&mut known.state, judged) else {
            return Vec::new();
        };
        if is_decided {
            table.keep(key, verdict.footprint());
        } else {
            table.known.remove(&key);
        }
        let settled = |waiting: Numbered| {
            let copy = is_decided.then(|| copy(verdict, &waiting.1));
            (waiting, copy)
        };
        waiting.into_iter().map(settled).collect()
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn in_progress(task: &Task) -> Known {
        Known {
            _address: Arc::downgrade(&task.problem),
            state: Stage::InProgress(Vec::new()),
        }
    }
}

impl Table {
    /// Make room for a verdict.
    fn keep(&mut self, key: u128, bytes: usize) {
        self.judged.push_back((key, bytes));
        self.bytes += bytes;
        while self.judged.len() > MOST || self.bytes > MOST_BYTES {
            let Some((oldest, bytes)) = self.judged.pop_front() else {
                break;
            };
            self.bytes -= bytes;
            self.known.remove(&oldest);
        }
    }
}

/// Of all that tells one program from another. A problem is told by its address: two may have one id.
fn key(task: &Task) -> u128 {
    let program = task.submission.program(&task.problem);
    let all = (
        Arc::as_ptr(&task.problem),
        &task.submission.language,
        task.submission.chose_language,
        program,
        &task.submission.files,
    );
    fingerprint::key(&format!("{all:?}"))
}

/// The verdict on an equal program, as that on this one.
fn copy(verdict: &Verdict, task: &Task) -> Box<Verdict> {
    Box::new(Verdict {
        id: task.submission.id.clone(),
        expected: task.submission.expected.clone(),
        same_as: Some(verdict.id.clone()),
        ..verdict.clone()
    })
}
