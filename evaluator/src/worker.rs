//! What a thread judges with: warm runtimes, one set for each worker, and what all workers of an evaluator share.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sandbox::{Interpreter, Interrupt, Isolation, Level, Sandbox, SandboxError};

use crate::judge::{
    ComparatorCache, CpuGate, Images, JudgeContext, PlainRun, Ran, Runtimes, Settings, Task,
    failed, judge, run_plain, try_out,
};
use crate::verdict::Verdict;

/// What is said where nothing else can be.
pub(crate) const PANICKED: &str = "the judge panicked: this is a bug in mc-eval";

/// What the workers of an evaluator share.
pub(crate) struct Workplace {
    sandbox: Sandbox,
    images: Arc<Images>,
    workers: usize,
    gate: CpuGate,
    /// Runtimes that no worker is using.
    idle: Mutex<Vec<Runtimes>>,
}

impl Workplace {
    /// Check by trying that this machine gives `level`.
    pub(crate) fn new(
        interpreter: &Interpreter,
        level: Level,
        workers: usize,
    ) -> Result<Workplace, SandboxError> {
        let sandbox = Sandbox::new(level)?;
        let images = Arc::new(Images::new(interpreter)?);
        let mut trial = Runtimes::new(&sandbox, &images);
        try_out(&mut trial)?;
        Ok(Workplace {
            sandbox,
            images,
            workers: workers.max(1),
            gate: CpuGate::new(workers),
            idle: Mutex::new(vec![trial]),
        })
    }

    /// How many workers it is for.
    pub(crate) fn workers(&self) -> usize {
        self.workers
    }

    /// What protects every run.
    pub(crate) fn isolation(&self) -> &Isolation {
        self.sandbox.isolation()
    }

    /// Warm runtimes, if there are any that no worker is using.
    fn take_runtimes(&self) -> Runtimes {
        let idle = self.idle().pop();
        idle.unwrap_or_else(|| self.fresh_runtimes())
    }

    fn fresh_runtimes(&self) -> Runtimes {
        Runtimes::new(&self.sandbox, &self.images)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Runtimes>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One thread's share: it judges a task at a time.
pub(crate) struct Worker {
    place: Arc<Workplace>,
    runtimes: Runtimes,
    /// The comparators of the last problem, under the last settings.
    comparators: ComparatorCache,
    settings: Arc<Settings>,
    interrupt: Interrupt,
}

impl Worker {
    /// Judges by `settings`, until `interrupt` is pulled.
    pub(crate) fn new(
        place: &Arc<Workplace>,
        settings: &Arc<Settings>,
        interrupt: &Interrupt,
    ) -> Worker {
        let mut runtimes = place.take_runtimes();
        runtimes.interrupted_by(interrupt);
        Worker {
            place: place.clone(),
            runtimes,
            comparators: ComparatorCache::default(),
            settings: settings.clone(),
            interrupt: interrupt.clone(),
        }
    }

    /// How it judges.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Judge by other settings from now on, until another interrupt is pulled.
    pub(crate) fn turn_to(&mut self, settings: &Arc<Settings>, interrupt: &Interrupt) {
        if !Arc::ptr_eq(&self.settings, settings) {
            self.settings = settings.clone();
            self.comparators = ComparatorCache::default();
        }
        self.interrupt = interrupt.clone();
        self.runtimes.interrupted_by(interrupt);
    }

    /// Judge, and after a failure of the host once more with fresh runtimes.
    pub(crate) fn judge(&mut self, task: &Task) -> Verdict {
        match self.twice(|worker| worker.judge_once(task)) {
            Ok(verdict) => verdict,
            Err(why) => failed(&self.settings, self.place.isolation(), task, why),
        }
    }

    /// Run a program without judging it.
    pub(crate) fn run(&mut self, run: &PlainRun) -> Ran {
        match self.twice(|worker| worker.run_once(run)) {
            Ok(ran) => ran,
            Err(why) => Ran::Failed(why),
        }
    }

    fn run_once(&mut self, run: &PlainRun) -> Result<Ran, SandboxError> {
        run_plain(&mut self.runtimes, &self.place.gate, run)
    }

    fn judge_once(&mut self, task: &Task) -> Result<Verdict, SandboxError> {
        let mut context = JudgeContext {
            runtimes: &mut self.runtimes,
            comparators: &mut self.comparators,
            gate: &self.place.gate,
            settings: &self.settings,
            isolation: self.place.isolation(),
        };
        judge(&mut context, task)
    }

    /// Do this, and after a failure of the host once more with fresh runtimes; why it failed, if it did both times.
    fn twice<T>(
        &mut self,
        mut attempt: impl FnMut(&mut Worker) -> Result<T, SandboxError>,
    ) -> Result<T, String> {
        let mut why = String::new();
        for _ in 0..2 {
            match catch_unwind(AssertUnwindSafe(|| attempt(self))) {
                Ok(Ok(done)) => return Ok(done),
                // Nobody waits for it any more, and nothing is wrong with the runtimes.
                Ok(Err(error @ SandboxError::Interrupted)) => return Err(error.to_string()),
                Ok(Err(error)) => why = error.to_string(),
                Err(_) => why = PANICKED.to_owned(),
            }
            self.runtimes = self.place.fresh_runtimes();
            self.runtimes.interrupted_by(&self.interrupt);
        }
        Err(why)
    }
}

impl Drop for Worker {
    /// The next one finds the runtimes warm.
    fn drop(&mut self) {
        let runtimes = std::mem::replace(&mut self.runtimes, self.place.fresh_runtimes());
        self.place.idle().push(runtimes);
    }
}
