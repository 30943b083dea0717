//! The backstop of a run: a thread that ends it when its time by the clock is up.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use wasmtime::Engine;

/// How often it looks. The time by the clock is a backstop, and need not be kept to the millisecond.
const LOOK: Duration = Duration::from_millis(50);
/// What its thread needs of a stack, with room to spare.
const STACK: usize = 64 << 10;

/// Ends runs of one engine, one at a time.
pub struct Watch {
    deadline: Arc<Mutex<Option<Instant>>>,
}

impl Watch {
    /// Start the thread.
    pub fn start(engine: &Engine) -> io::Result<Watch> {
        let deadline = Arc::<Mutex<Option<Instant>>>::default();
        let (watched, engine) = (deadline.clone(), engine.clone());
        thread::Builder::new().stack_size(STACK).spawn(move || {
            loop {
                thread::sleep(LOOK);
                // With the lock held, so that no run gets what was meant for the one before.
                let deadline = lock(&watched);
                if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    engine.increment_epoch();
                }
            }
        })?;
        Ok(Watch { deadline })
    }

    /// End whatever runs when `deadline` has come, or nothing any more.
    pub fn set(&self, deadline: Option<Instant>) {
        *lock(&self.deadline) = deadline;
    }
}

fn lock(deadline: &Mutex<Option<Instant>>) -> MutexGuard<'_, Option<Instant>> {
    deadline.lock().unwrap_or_else(PoisonError::into_inner)
}
