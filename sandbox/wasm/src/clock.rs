//! The only time that a program sees. It starts anew in each run and advances with the fuel that is used up, and by what the
//! program sleeps; no run really sleeps. So what a program makes of the time is the same on every machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;
use wasmtime_wasi::{HostMonotonicClock, HostWallClock};

/// The time of day at which every run begins: 2000-01-01.
const BEGIN: Duration = Duration::from_secs(946_684_800);

/// The clock of one run.
#[derive(Clone)]
pub struct Clock {
    /// Fuel used so far; a unit is a nanosecond.
    used: Arc<AtomicU64>,
    /// What the run was given.
    given: u64,
    /// In the runtime's paused time, which jumps over every sleep.
    begun: Instant,
}

impl Clock {
    /// It begins now, with so much fuel.
    pub fn begin(given: u64) -> Clock {
        Clock {
            used: Arc::default(),
            given,
            begun: Instant::now(),
        }
    }

    /// So much of the fuel is left.
    pub fn advance(&self, left: u64) {
        self.used
            .store(self.given.saturating_sub(left), Ordering::Relaxed);
    }

    fn elapsed(&self) -> Duration {
        Duration::from_nanos(self.used.load(Ordering::Relaxed)) + self.begun.elapsed()
    }
}

impl HostMonotonicClock for Clock {
    fn resolution(&self) -> u64 {
        1
    }

    fn now(&self) -> u64 {
        u64::try_from(self.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

impl HostWallClock for Clock {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(1)
    }

    fn now(&self) -> Duration {
        BEGIN + self.elapsed()
    }
}
