//! Keeps the CPU free for a run that must not be disturbed.
//!
//! CPU time decides a time limit, but on a busy machine the same work takes more CPU time: caches and memory are
//! shared. So a run among others gets a little more than its limit, and one that used the extra is run again alone.

use std::sync::{PoisonError, RwLock};
use std::time::Duration;

/// Lets runs go on side by side, or one alone. It knows only the workers of this process.
#[derive(Debug)]
pub struct CpuGate {
    workers: usize,
    turn: RwLock<()>,
}

impl CpuGate {
    /// For so many workers.
    pub fn new(workers: usize) -> CpuGate {
        CpuGate {
            workers,
            turn: RwLock::new(()),
        }
    }

    /// The CPU time a run gets among others: a tenth more than `limit`, or just that where there are no others.
    pub fn allowance(&self, limit: Duration) -> Duration {
        if self.workers > 1 {
            limit * 11 / 10
        } else {
            limit
        }
    }

    /// Do this while others may run too.
    pub fn shared<T>(&self, run: impl FnOnce() -> T) -> T {
        let _turn = self.turn.read().unwrap_or_else(PoisonError::into_inner);
        run()
    }

    /// Do this while no other runs.
    pub fn alone<T>(&self, run: impl FnOnce() -> T) -> T {
        let _turn = self.turn.write().unwrap_or_else(PoisonError::into_inner);
        run()
    }
}
