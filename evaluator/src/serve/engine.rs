//! One pool of workers behind a bounded queue, for any number of clients: what both the co-process and the server have.
//!
//! Unlike a batch, whose verdicts come out in the order of its tasks, an engine answers each job as soon as it is done.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use sandbox::{Interpreter, Interrupt, Isolation, Level, SandboxError};

use super::job::{Answer, Answered, Job, Work};
use super::queue::{Begun, Full, Lane, LaneQueue, Load, Room};
use crate::batch::duplicates::Claim;
use crate::judge::{Settings, Task};
use crate::verdict::Verdict;
use crate::worker::{Worker, Workplace};

/// Workers that judge and run programs. Dropping it ends what still runs.
pub struct Engine {
    place: Arc<Workplace>,
    queue: Arc<LaneQueue>,
    workers: Vec<JoinHandle<()>>,
}

impl Engine {
    /// Check by trying that this machine gives `level`, and start the workers.
    ///
    /// # Errors
    /// [`SandboxError::Isolation`] if it does not: nothing runs with less than was asked for.
    pub fn start(
        interpreter: &Interpreter,
        level: Level,
        workers: usize,
        room: Room,
    ) -> Result<Engine, SandboxError> {
        let place = Arc::new(Workplace::new(interpreter, level, workers)?);
        let queue = Arc::new(LaneQueue::new(room));
        let workers = (0..place.workers()).map(|_| {
            let (place, queue) = (place.clone(), queue.clone());
            thread::spawn(move || work(&place, &queue))
        });
        Ok(Engine {
            workers: workers.collect(),
            place,
            queue,
        })
    }

    /// What protects every run.
    pub fn isolation(&self) -> &Isolation {
        self.place.isolation()
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.place.workers()
    }

    /// How much may be unanswered at once.
    pub fn room(&self) -> Room {
        self.queue.room()
    }

    /// How much there is to do.
    pub fn load(&self) -> Load {
        self.queue.load()
    }

    /// A client's work, judged by `settings`. `tell` is called with each answer, from a worker's thread; it must not block.
    /// `None` says that no more come, though not all is answered: by a bug, of the engine or of `tell` itself.
    pub fn client(
        &self,
        settings: Arc<Settings>,
        tell: impl Fn(Option<Answered>) + Send + Sync + 'static,
    ) -> Client {
        Client {
            queue: self.queue.clone(),
            lane: Arc::new(Lane::new(settings, Box::new(tell))),
        }
    }

    /// Take no more jobs and begin none.
    pub fn close(&self) {
        self.queue.close();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.close();
        for worker in self.workers.drain(..) {
            // One that panicked all the same has nothing left to end.
            let _ = worker.join();
        }
    }
}

/// A client's work. Dropping it ends what runs of it and drops what waits; answers may still come that were on their way.
pub struct Client {
    queue: Arc<LaneQueue>,
    lane: Arc<Lane>,
}

impl Client {
    /// Hand in jobs: all of them; or none, which are then left.
    ///
    /// # Errors
    /// There is no room.
    pub fn submit(&self, jobs: &mut Vec<Job>) -> Result<(), Full> {
        self.queue.push(&self.lane, jobs)
    }

    /// Wait for room, and hand in a job; false if the engine is closed.
    pub fn submit_when_room(&self, job: Job) -> bool {
        self.queue.push_when_room(&self.lane, job)
    }

    /// An answer was passed on. A client whose answers nobody reads gets no more of them.
    pub fn passed_on(&self, answer: &Answer) {
        self.queue.read(&self.lane, answer.footprint());
    }

    /// End what runs of it and drop what waits, before all that share it have dropped it.
    pub fn end(&self) {
        self.queue.abandon(&self.lane);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.end();
    }
}

/// One worker thread. It ends with the engine and no sooner: what goes wrong over one client's job costs that client alone.
fn work(place: &Arc<Workplace>, queue: &LaneQueue) {
    let mut worker = Worker::new(place, &Arc::default(), &Interrupt::default());
    while let Some(begun) = queue.pop() {
        let lane = begun.lane.clone();
        let turn = AssertUnwindSafe(|| take_turn(&mut worker, queue, begun));
        if catch_unwind(turn).is_err() {
            queue.abandon(&lane);
            // It may be this that panics.
            let _ = catch_unwind(AssertUnwindSafe(|| (lane.tell)(None)));
        }
    }
}

fn take_turn(worker: &mut Worker, queue: &LaneQueue, begun: Begun<'_>) {
    let Begun {
        lane,
        job,
        since,
        hold: _hold,
    } = begun;
    worker.turn_to(&lane.settings, &lane.interrupt);
    let mut turn = EngineWorker {
        worker,
        queue,
        lane: &lane,
        waited: since.elapsed(),
    };
    if !lane.is_gone() {
        turn.take(job);
    }
}

/// A worker with a job in its hands.
struct EngineWorker<'a> {
    worker: &'a mut Worker,
    queue: &'a LaneQueue,
    lane: &'a Lane,
    waited: Duration,
}

impl EngineWorker<'_> {
    fn take(&mut self, job: Job) {
        match job.work {
            Work::Run(run) => {
                let start = Instant::now();
                let ran = self.worker.run(&run);
                self.tell(job.row, Answer::Ran(ran), start.elapsed());
            }
            Work::Judge(task) if !self.lane.settings.dedup => {
                self.judge(job.row, &task);
            }
            Work::Judge(task) => self.judge_once(job.row, task),
        }
    }

    /// Judge a task, unless it is known how an equal one was judged, and give all that wait for that the same verdict.
    fn judge_once(&mut self, row: u64, task: Task) {
        let duplicates = &self.lane.duplicates;
        match duplicates.claim((row, task)) {
            Claim::Known(row, verdict) => self.copied(row, verdict),
            Claim::HandedOver => {}
            Claim::Judge((row, task), key) => {
                let verdict = self.judge(row, &task);
                for ((row, task), verdict) in duplicates.settle(key, &verdict) {
                    match verdict {
                        Some(verdict) => self.copied(row, verdict),
                        None => drop(self.judge(row, &task)),
                    }
                }
            }
        }
    }

    fn judge(&mut self, row: u64, task: &Task) -> Verdict {
        let start = Instant::now();
        let verdict = self.worker.judge(task);
        let answer = Answer::Verdict(Box::new(verdict.clone()));
        self.tell(row, answer, start.elapsed());
        verdict
    }

    fn copied(&self, row: u64, verdict: Box<Verdict>) {
        self.tell(row, Answer::Verdict(verdict), Duration::ZERO);
    }

    fn tell(&self, row: u64, answer: Answer, took: Duration) {
        if self.queue.answered(self.lane, row, answer.footprint()) {
            (self.lane.tell)(Some(Answered {
                row,
                answer,
                waited: self.waited,
                took,
            }));
        }
    }
}
