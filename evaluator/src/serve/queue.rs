//! Jobs on their way to the workers, in a lane for each client. Workers take from the lanes in turn, so that a client of
//! thousands of jobs does not hold up one of a single job.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use sandbox::Interrupt;

use super::job::{Answered, Job};
use crate::batch::duplicates::Duplicates;
use crate::judge::Settings;

/// Answers that one client may leave unread, in bytes, before no more of its jobs are begun.
const UNREAD: usize = 16 << 20;

/// How much may be unanswered at once, over all clients.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Jobs.
    pub jobs: usize,
    /// Bytes of the texts that they came in.
    pub bytes: usize,
}

/// There is no room for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Full {
    /// Not now.
    #[error("the queue is full; try again later")]
    Now,
    /// So much at once never fits.
    #[error("{jobs} submissions at once are more than the {most} that the queue holds")]
    Ever {
        /// What was asked for.
        jobs: usize,
        /// What fits.
        most: usize,
    },
    /// The engine is closed.
    #[error("the server is shutting down")]
    Closed,
}

/// How much there is to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Load {
    /// Jobs that no worker has begun.
    pub waiting: usize,
    /// Jobs in the hands of workers.
    pub running: usize,
    /// Jobs that are not answered, those that wait for an equal one included.
    pub unanswered: usize,
    /// Bytes of the texts that those came in.
    pub bytes: usize,
}

/// Passes an answer on; `None` if no more come, whatever was handed in.
pub(super) type Tell = Box<dyn Fn(Option<Answered>) + Send + Sync>;

/// What all jobs of a client share.
pub(super) struct Lane {
    pub settings: Arc<Settings>,
    pub interrupt: Interrupt,
    pub duplicates: Duplicates,
    pub tell: Tell,
    unread: AtomicUsize,
    /// Nobody waits for its answers any more.
    is_gone: AtomicBool,
    /// The bytes of each job that is not answered, by its row.
    held: Mutex<HashMap<u64, usize>>,
}

impl Lane {
    pub fn new(settings: Arc<Settings>, tell: Tell) -> Lane {
        Lane {
            settings,
            interrupt: Interrupt::default(),
            duplicates: Duplicates::default(),
            tell,
            unread: AtomicUsize::new(0),
            is_gone: AtomicBool::new(false),
            held: Mutex::default(),
        }
    }

    pub fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Relaxed)
    }

    fn is_readable(&self) -> bool {
        self.unread.load(Ordering::Relaxed) <= UNREAD
    }

    fn held(&self) -> MutexGuard<'_, HashMap<u64, usize>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A job in a worker's hands.
pub(super) struct Begun<'q> {
    pub lane: Arc<Lane>,
    pub job: Job,
    pub since: Instant,
    /// Counts it as running.
    pub hold: Hold<'q>,
}

/// A worker is at work while it has this, however that ends.
pub(super) struct Hold<'q>(&'q LaneQueue);

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.0.state().load.running -= 1;
    }
}

/// A bounded queue of lanes.
pub(super) struct LaneQueue {
    state: Mutex<Lanes>,
    changed: Condvar,
    room: Room,
}

/// Jobs that no worker has begun, and since when.
type Backlog = VecDeque<(Job, Instant)>;

#[derive(Default)]
struct Lanes {
    /// Those with jobs that no worker has begun, the next one first.
    lanes: VecDeque<(Arc<Lane>, Backlog)>,
    load: Load,
    is_closed: bool,
}

impl LaneQueue {
    pub fn new(room: Room) -> LaneQueue {
        LaneQueue {
            state: Mutex::default(),
            changed: Condvar::new(),
            room,
        }
    }

    pub fn load(&self) -> Load {
        self.state().load
    }

    pub fn room(&self) -> Room {
        self.room
    }

    /// Put jobs in, all of them; or none, which are then left.
    pub fn push(&self, lane: &Arc<Lane>, jobs: &mut Vec<Job>) -> Result<(), Full> {
        let bytes = jobs.iter().map(|job| job.bytes).sum();
        let mut state = self.state();
        if state.is_closed || lane.is_gone() {
            return Err(Full::Closed);
        }
        if jobs.len() > self.room.jobs || bytes > self.room.bytes {
            return Err(Full::Ever {
                jobs: jobs.len(),
                most: self.room.jobs,
            });
        }
        if !self.fits(&state, jobs.len(), bytes) {
            return Err(Full::Now);
        }
        state.add(lane, std::mem::take(jobs), bytes);
        self.changed.notify_all();
        Ok(())
    }

    /// Wait for room, and put a job in; false if the queue is closed. One that is larger than all the room goes in alone.
    pub fn push_when_room(&self, lane: &Arc<Lane>, job: Job) -> bool {
        let bytes = job.bytes;
        let full = |state: &mut Lanes| {
            !(state.is_closed || lane.is_gone())
                && state.load.unanswered > 0
                && !self.fits(state, 1, bytes)
        };
        let mut state = self.wait_while(full);
        if state.is_closed || lane.is_gone() {
            return false;
        }
        state.add(lane, vec![job], bytes);
        self.changed.notify_all();
        true
    }

    fn fits(&self, state: &Lanes, jobs: usize, bytes: usize) -> bool {
        state.load.unanswered + jobs <= self.room.jobs
            && state.load.bytes + bytes <= self.room.bytes
    }

    /// Wait for a job, and take it out; `None` only if the queue is closed.
    pub fn pop(&self) -> Option<Begun<'_>> {
        let mut next = None;
        let state = self.wait_while(|state| {
            if !state.is_closed {
                next = state.next();
            }
            !state.is_closed && next.is_none()
        });
        drop(state);
        let (lane, job, since) = next?;
        let hold = Hold(self);
        Some(Begun {
            lane,
            job,
            since,
            hold,
        })
    }

    /// A job is about to be answered by `unread` bytes; false if nobody waits for that.
    pub fn answered(&self, lane: &Lane, row: u64, unread: usize) -> bool {
        let mut state = self.state();
        let Some(bytes) = lane.held().remove(&row) else {
            return false;
        };
        lane.unread.fetch_add(unread, Ordering::Relaxed);
        state.load.unanswered -= 1;
        state.load.bytes -= bytes;
        self.changed.notify_all();
        true
    }

    /// So many bytes of a client's answers were passed on.
    pub fn read(&self, lane: &Lane, bytes: usize) {
        let _state = self.state();
        lane.unread.fetch_sub(bytes, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Nobody waits for a lane any more: end what runs of it, and drop the rest.
    pub fn abandon(&self, lane: &Arc<Lane>) {
        lane.interrupt.pull();
        let mut state = self.state();
        lane.is_gone.store(true, Ordering::Relaxed);
        state.lanes.retain(|(other, _)| !Arc::ptr_eq(other, lane));
        state.load.waiting = state.lanes.iter().map(|(_, jobs)| jobs.len()).sum();
        let held = std::mem::take(&mut *lane.held());
        state.load.unanswered -= held.len();
        state.load.bytes -= held.values().sum::<usize>();
        self.changed.notify_all();
    }

    /// Neither take nor give any more.
    pub fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        self.changed.notify_all();
    }

    fn wait_while(&self, wait: impl FnMut(&mut Lanes) -> bool) -> MutexGuard<'_, Lanes> {
        self.changed
            .wait_while(self.state(), wait)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, Lanes> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lanes {
    fn add(&mut self, lane: &Arc<Lane>, jobs: Vec<Job>, bytes: usize) {
        // A lane among them has a job to begin.
        if jobs.is_empty() {
            return;
        }
        let held = jobs.iter().map(|job| (job.row, job.bytes));
        lane.held().extend(held);
        self.load.waiting += jobs.len();
        self.load.unanswered += jobs.len();
        self.load.bytes += bytes;
        let now = Instant::now();
        let jobs = jobs.into_iter().map(|job| (job, now));
        let known = self
            .lanes
            .iter_mut()
            .find(|(other, _)| Arc::ptr_eq(other, lane));
        match known {
            Some((_, waiting)) => waiting.extend(jobs),
            None => self.lanes.push_back((lane.clone(), jobs.collect())),
        }
    }

    /// The first job of the next lane whose answers are read; that lane is then the last.
    fn next(&mut self) -> Option<(Arc<Lane>, Job, Instant)> {
        let place = self.lanes.iter().position(|(lane, _)| lane.is_readable())?;
        let (lane, mut jobs) = self.lanes.remove(place)?;
        let (job, since) = jobs.pop_front()?;
        if !jobs.is_empty() {
            self.lanes.push_back((lane.clone(), jobs));
        }
        self.load.waiting -= 1;
        self.load.running += 1;
        Some((lane, job, since))
    }
}
