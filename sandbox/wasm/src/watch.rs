//! The backstops of a run: a thread that ends it when its time by the clock is up, or the CPU time that it may take in fact,
//! whatever fuel that is.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use sandbox_guard::clock::own_cpu_time;
use sandbox_guard::protocol::cut;
use wasmtime::Engine;

use crate::cut::{Cut, Patience};

/// How often it looks. Backstops need not be kept to the millisecond. To look costs the run nothing, and does not touch its fuel.
const LOOK: Duration = Duration::from_millis(50);
/// What its thread needs of a stack, with room to spare.
const STACK: usize = 64 << 10;

/// How many times its fuel's worth a run may take in fact, and how much longer. Programs that search large arrays, join sets or
/// draw roots were measured at up to 2.7 nanoseconds a unit; those that go through scattered lists take more, but are beyond
/// the limit in any language when they reach this.
const TIMES: u32 = 4;
const BESIDES: Duration = Duration::from_secs(1);

/// Ends runs of one engine, one at a time.
pub struct Watch(Arc<Mutex<Option<Backstops>>>);

/// How far a run may go.
struct Backstops {
    deadline: Instant,
    /// What CPU time this process, in which nothing else goes on, may have used by then.
    cpu: Duration,
    cut: Cut,
}

impl Backstops {
    /// Why it is to end now, if it is.
    fn reason(&self) -> Option<u64> {
        if own_cpu_time() > self.cpu {
            return Some(cut::CPU);
        }
        (Instant::now() >= self.deadline).then_some(cut::WALL)
    }
}

impl Watch {
    /// Start the thread.
    pub fn start(engine: &Engine) -> io::Result<Watch> {
        let watch = Watch(Arc::default());
        let (watched, engine) = (watch.0.clone(), engine.clone());
        thread::Builder::new().stack_size(STACK).spawn(move || {
            loop {
                thread::sleep(LOOK);
                // With the lock held, so that no run gets what was meant for the one before.
                if let Some(backstops) = &*lock(&watched)
                    && let Some(reason) = backstops.reason()
                {
                    backstops.cut.set(reason);
                    engine.increment_epoch();
                }
            }
        })?;
        Ok(watch)
    }

    /// A run begins that may use fuel for as long as `limit`.
    pub fn begin(&self, limit: Duration, patience: &Patience) {
        let most = limit.saturating_mul(TIMES).saturating_add(BESIDES);
        *lock(&self.0) = Some(Backstops {
            deadline: patience.deadline,
            cpu: own_cpu_time().saturating_add(most),
            cut: patience.cut.clone(),
        });
    }

    /// It has ended.
    pub fn end(&self) {
        *lock(&self.0) = None;
    }
}

fn lock(backstops: &Mutex<Option<Backstops>>) -> MutexGuard<'_, Option<Backstops>> {
    backstops.lock().unwrap_or_else(PoisonError::into_inner)
}
