//! Tasks on their way to the workers. Those of problems that took long so far go first, so that at the end of a run no worker
//! is left with a long one while the others have nothing to do.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::duplicates::Numbered;
use crate::fingerprint;
use crate::judge::Task;
use crate::verdict::Verdict;

/// Tasks that wait beyond one for each worker. Each may bring tests of its own, so it is not many.
const AHEAD: usize = 16;
/// How often a task may be passed over. Verdicts come out in order, so every other one waits for it.
const PATIENCE: u32 = 64;
/// Problems whose times are remembered.
const PROBLEMS: usize = 1 << 16;

/// A bounded queue.
pub struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
    room: usize,
}

#[derive(Default)]
struct QueueState {
    waiting: Vec<Waiting>,
    times: Times,
    /// No more will come.
    is_complete: bool,
    /// What waits is not wanted any more.
    is_closed: bool,
}

struct Waiting {
    number: u64,
    task: Task,
    passed_over: u32,
}

impl Queue {
    /// For so many workers.
    pub fn new(workers: usize) -> Queue {
        Queue {
            state: Mutex::default(),
            changed: Condvar::new(),
            room: workers + AHEAD,
        }
    }

    /// Wait for room, and put a task in; false if the queue is closed.
    pub fn push(&self, (number, task): Numbered) -> bool {
        let mut state = self.wait_while(|state| state.waiting.len() >= self.room);
        state.waiting.push(Waiting {
            number,
            task,
            passed_over: 0,
        });
        self.changed.notify_all();
        !state.is_closed
    }

    /// No more tasks will come.
    pub fn complete(&self) {
        self.state().is_complete = true;
        self.changed.notify_all();
    }

    /// Neither take nor give any more.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.changed.notify_all();
    }

    /// Wait for a task, and take it out; `None` if there are no more.
    pub fn pop(&self) -> Option<Numbered> {
        let mut state = self.wait_while(|state| state.waiting.is_empty() && !state.is_complete);
        if state.is_closed {
            return None;
        }
        let next = state.next()?;
        self.changed.notify_all();
        Some((next.number, next.task))
    }

    /// A task of this verdict's problem took as long as it says.
    pub fn remember(&self, verdict: &Verdict) {
        let spent = verdict.cases.iter().map(|case| case.cpu_ms).sum();
        self.state().times.add(&verdict.problem_id, spent);
    }

    fn wait_while(
        &self,
        mut cannot: impl FnMut(&QueueState) -> bool,
    ) -> MutexGuard<'_, QueueState> {
        let waiting = |state: &mut QueueState| !state.is_closed && cannot(state);
        self.changed
            .wait_while(self.state(), waiting)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueState {
    /// The task that is likely to take longest; the first of those, or one that was passed over too often.
    fn next(&mut self) -> Option<Waiting> {
        let oldest = self.waiting.first()?;
        let longest = if oldest.passed_over >= PATIENCE {
            0
        } else {
            self.longest()
        };
        for before in &mut self.waiting[..longest] {
            before.passed_over += 1;
        }
        Some(self.waiting.remove(longest))
    }

    fn longest(&self) -> usize {
        let mut longest = (0, f64::NEG_INFINITY);
        for (place, waiting) in self.waiting.iter().enumerate() {
            let time = self.times.expected(&waiting.task.problem.id);
            if time > longest.1 {
                longest = (place, time);
            }
        }
        longest.0
    }
}

/// How long programs took, in milliseconds of CPU time.
#[derive(Default)]
struct Times {
    by_problem: HashMap<u128, Mean>,
    all: Mean,
}

#[derive(Default, Clone, Copy)]
struct Mean {
    sum: f64,
    count: f64,
}

impl Times {
    fn add(&mut self, problem: &str, spent: f64) {
        if self.by_problem.len() >= PROBLEMS {
            self.by_problem.clear();
        }
        let key = fingerprint::key(problem);
        self.by_problem.entry(key).or_default().add(spent);
        self.all.add(spent);
    }

    /// Of a program for this problem; of one that was not seen yet, what is usual.
    fn expected(&self, problem: &str) -> f64 {
        let mean = self.by_problem.get(&fingerprint::key(problem));
        mean.unwrap_or(&self.all).value()
    }
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1.0;
    }

    fn value(self) -> f64 {
        self.sum / self.count.max(1.0)
    }
}
