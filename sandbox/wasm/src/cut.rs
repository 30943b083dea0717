//! Why a run is ended from outside the program, and how long the program may be waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sandbox_guard::protocol::cut;

/// Whether a run is to end, and why: one of [`cut`]. Its clones are one and the same.
#[derive(Clone, Default)]
pub struct Cut(Arc<AtomicU64>);

impl Cut {
    /// End the run, for the reason that is given first.
    pub fn set(&self, reason: u64) {
        let _ = self
            .0
            .compare_exchange(cut::NONE, reason, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// The reason, or [`cut::NONE`].
    pub fn reason(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether there is a reason.
    pub fn is_set(&self) -> bool {
        self.reason() != cut::NONE
    }
}

/// How long a run may wait for whoever is at the other end of its standard streams.
#[derive(Clone)]
pub struct Patience {
    /// The longest wait.
    pub idle: Duration,
    /// When the run ends anyway.
    pub deadline: Instant,
    /// Told when either is over.
    pub cut: Cut,
}

impl Patience {
    /// Wait with `wait`, which tells whether what it waited for came before the instant that it is given.
    pub fn wait(&self, wait: impl FnOnce(Instant) -> std::io::Result<bool>) {
        let idle = Instant::now() + self.idle;
        if matches!(wait(idle.min(self.deadline)), Ok(false)) {
            self.cut.set(if idle < self.deadline {
                cut::IDLE
            } else {
                cut::WALL
            });
        }
    }
}

/// The program has slept for as long as it may.
#[derive(Debug, thiserror::Error)]
#[error("slept for too long")]
pub struct Slept;
