//! Judges many submissions side by side: verdicts come out in the order in which the tasks went in.
//!
//! Three kinds of thread: a feeder that draws tasks from the caller's iterator, workers that each hold warm
//! runtimes, and the caller's own, which takes the verdicts. A slow task holds back the verdicts after it, not
//! the work on them; what waits is bounded in bytes, so that any number of tasks runs in constant memory.

pub(crate) mod duplicates;
mod queue;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};
use sandbox::{Interpreter, Interrupt, Isolation, Level, SandboxError};

use duplicates::{Claim, Duplicates, Numbered};
use queue::Queue;

use crate::judge::{Settings, Task};
use crate::verdict::Verdict;
use crate::worker::{Worker, Workplace};

/// Finished verdicts that may wait, in bytes, before no more tasks are drawn.
const WAITING: usize = 64 << 20;

/// Judges submissions. What it has warmed up stays warm from one [`Evaluator::judge_all`] to the next.
pub struct Evaluator {
    place: Arc<Workplace>,
    settings: Arc<Settings>,
}

impl Evaluator {
    /// Check by trying that this machine gives `level`.
    ///
    /// # Errors
    /// [`SandboxError::Isolation`] if it does not: nothing runs with less than was asked for.
    pub fn new(
        interpreter: Interpreter,
        level: Level,
        workers: usize,
        settings: Settings,
    ) -> Result<Arc<Evaluator>, SandboxError> {
        let place = Workplace::new(&interpreter, level, workers)?;
        Ok(Arc::new(Evaluator {
            place: Arc::new(place),
            settings: Arc::new(settings),
        }))
    }

    /// What protects every run.
    pub fn isolation(&self) -> &Isolation {
        self.place.isolation()
    }

    /// Judge all tasks. The iterator is drawn from a thread of its own, so it may block on a channel while, say, a model
    /// is still writing; verdicts come out in its order. Dropping the result ends the run, and returns when no program
    /// of it is left.
    pub fn judge_all<I>(self: &Arc<Self>, tasks: I) -> Verdicts
    where
        I: IntoIterator<Item = Task, IntoIter: Send + 'static>,
    {
        let all = tasks.into_iter();
        let (events_in, events) = unbounded();
        let link = RunLink {
            events: events_in,
            queue: Arc::new(Queue::new(self.place.workers())),
            duplicates: Arc::default(),
            window: Arc::default(),
            interrupt: Interrupt::default(),
        };
        let workers = (0..self.place.workers()).map(|_| {
            let (evaluator, link) = (self.clone(), link.clone());
            thread::spawn(move || evaluator.work(&link))
        });
        let workers = workers.collect();
        let feeding = link.clone();
        thread::spawn(move || feed(all, &feeding));
        Verdicts {
            link,
            events,
            workers,
            waiting: BTreeMap::new(),
            next: 0,
            end: None,
        }
    }

    /// One worker thread: judges tasks until there are none, or the run is over.
    fn work(&self, link: &RunLink) {
        let worker = Worker::new(&self.place, &self.settings, &link.interrupt);
        let mut worker = BatchWorker { worker, link };
        while let Some(task) = link.queue.pop() {
            worker.take(task);
        }
    }
}

/// A worker of a run.
struct BatchWorker<'l> {
    worker: Worker,
    link: &'l RunLink,
}

impl BatchWorker<'_> {
    /// Judge a task, unless it is known how an equal one was judged.
    fn take(&mut self, task: Numbered) {
        if !self.worker.settings().dedup {
            return self.judge_and_tell(task, |_| Vec::new());
        }
        match self.link.duplicates.claim(task) {
            Claim::Judge(task, key) => {
                let duplicates = self.link.duplicates.clone();
                self.judge_and_tell(task, |verdict| duplicates.settle(key, verdict));
            }
            Claim::Known(number, verdict) => self.link.done(number, verdict),
            Claim::HandedOver => {}
        }
    }

    /// Judge a task, and tell of its verdict and those that come with it.
    fn judge_and_tell(
        &mut self,
        (number, task): Numbered,
        waited: impl FnOnce(&Verdict) -> Vec<(Numbered, Option<Box<Verdict>>)>,
    ) {
        let verdict = self.worker.judge(&task);
        self.link.queue.remember(&verdict);
        let waited = waited(&verdict);
        self.link.done(number, Box::new(verdict));
        for ((number, task), verdict) in waited {
            let verdict = verdict.unwrap_or_else(|| Box::new(self.worker.judge(&task)));
            self.link.done(number, verdict);
        }
    }
}

/// Draw tasks and hand them out.
fn feed(all: impl Iterator<Item = Task>, link: &RunLink) {
    let mut number = 0;
    for task in all {
        if !link.window.wait_for_room() || !link.queue.push((number, task)) {
            return;
        }
        number += 1;
    }
    link.queue.complete();
    link.send(Event::End(number));
}

/// What reaches the caller's thread.
enum Event {
    /// A verdict, with its place in the order.
    Done(u64, Box<Verdict>),
    /// There are so many tasks in all.
    End(u64),
    /// Someone called [`Stopper::stop`].
    Stopped,
}

/// What the threads of a run share: the way of tasks to the workers, and that of verdicts to the caller's thread.
#[derive(Clone)]
struct RunLink {
    queue: Arc<Queue>,
    duplicates: Arc<Duplicates>,
    events: Sender<Event>,
    window: Arc<Window>,
    interrupt: Interrupt,
}

impl RunLink {
    fn done(&self, number: u64, verdict: Box<Verdict>) {
        self.window.add(verdict.footprint());
        self.send(Event::Done(number, verdict));
    }

    /// A receiver that is gone has asked for an end; nothing is lost by not reaching it.
    fn send(&self, event: Event) {
        self.events.send(event).unwrap_or_default();
    }
}

/// Bounds what waits for its turn.
#[derive(Default)]
struct Window {
    bytes: Mutex<usize>,
    room: Condvar,
    stop: AtomicBool,
}

impl Window {
    fn add(&self, bytes: usize) {
        *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) += bytes;
    }

    fn remove(&self, bytes: usize) {
        *self.bytes.lock().unwrap_or_else(PoisonError::into_inner) -= bytes;
        self.room.notify_all();
    }

    /// Wait until little enough waits; false if the run is to stop.
    fn wait_for_room(&self) -> bool {
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |bytes: &mut usize| *bytes > WAITING && !self.stopped();
        drop(
            self.room
                .wait_while(bytes, full)
                .unwrap_or_else(PoisonError::into_inner),
        );
        !self.stopped()
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        let _bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        self.stop.store(true, Ordering::Relaxed);
        self.room.notify_all();
    }
}

/// Ends a run from another thread.
#[derive(Clone)]
pub struct Stopper(RunLink);

impl Stopper {
    /// No further verdict comes out; what came out before stays a gapless beginning. Tests in progress are ended.
    pub fn stop(&self) {
        self.0.window.stop();
        self.0.queue.close();
        self.0.interrupt.pull();
        self.0.send(Event::Stopped);
    }
}

/// The verdicts of a run, in order.
pub struct Verdicts {
    link: RunLink,
    events: Receiver<Event>,
    workers: Vec<JoinHandle<()>>,
    waiting: BTreeMap<u64, Box<Verdict>>,
    next: u64,
    end: Option<u64>,
}

impl Verdicts {
    /// A handle that ends this run.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.link.clone())
    }
}

impl Iterator for Verdicts {
    type Item = Verdict;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.link.window.stopped() && self.end != Some(self.next) {
            if let Some(verdict) = self.waiting.remove(&self.next) {
                self.link.window.remove(verdict.footprint());
                self.next += 1;
                return Some(*verdict);
            }
            match self.events.recv().ok()? {
                Event::Done(number, verdict) => drop(self.waiting.insert(number, verdict)),
                Event::End(number) => self.end = Some(number),
                Event::Stopped => return None,
            }
        }
        None
    }
}

impl Drop for Verdicts {
    fn drop(&mut self) {
        self.stopper().stop();
        for worker in self.workers.drain(..) {
            // One that panicked has nothing left to end.
            let _ = worker.join();
        }
    }
}
