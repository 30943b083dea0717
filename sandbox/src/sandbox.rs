//! The sandbox: what all its workers share, and what protects them.

use std::ops::DerefMut;
use std::sync::{Arc, Mutex, PoisonError};

use crate::cgroup::Hierarchy;
use crate::process::{Interrupt, Process};
use crate::{Interpreter, Isolation, Level, SandboxError, Worker};

/// Makes workers that are all alike.
#[derive(Debug, Clone)]
pub struct Sandbox {
    shared: Arc<Shared>,
    interrupt: Arc<Interrupt>,
}

#[derive(Debug)]
struct Shared {
    interpreter: Interpreter,
    level: Level,
    hierarchy: Option<Hierarchy>,
    isolation: Isolation,
    /// The interpreter of the trial, for the first worker that needs one.
    spare: Mutex<Option<Process>>,
}

/// Modules that most programs import, loaded once.
const COMMON: [&str; 12] = [
    "collections",
    "math",
    "heapq",
    "bisect",
    "itertools",
    "functools",
    "operator",
    "string",
    "re",
    "typing",
    "copy",
    "random",
];

/// What a warm interpreter has loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Warmth {
    /// What most programs import.
    Plain,
    /// numpy besides.
    Numpy,
}

impl Sandbox {
    /// Check by trying that this machine gives `level`.
    ///
    /// # Errors
    /// [`SandboxError::Isolation`] if it does not: nothing runs with less than was asked for.
    pub fn new(interpreter: Interpreter, level: Level) -> Result<Sandbox, SandboxError> {
        let hierarchy = Hierarchy::find().ok();
        let isolation = Isolation::of(level, hierarchy.as_ref());
        if isolation.landlock == 0 {
            return Err(SandboxError::Isolation(
                "this kernel has no landlock".into(),
            ));
        }
        let shared = Arc::new(Shared {
            interpreter,
            level,
            hierarchy,
            isolation,
            spare: Mutex::default(),
        });
        let sandbox = Sandbox {
            shared,
            interrupt: Arc::default(),
        };
        let trial = sandbox.start(Warmth::Plain).map_err(|error| match error {
            SandboxError::Worker(reason) => SandboxError::Isolation(reason),
            error => error,
        })?;
        *sandbox.spare() = Some(trial);
        Ok(sandbox)
    }

    /// The same sandbox, to be interrupted on its own.
    pub fn separate(&self) -> Sandbox {
        Sandbox {
            shared: self.shared.clone(),
            interrupt: Arc::default(),
        }
    }

    /// End every run, of all its workers; each returns [`SandboxError::Interrupted`], now and later.
    pub fn interrupt(&self) {
        self.interrupt.pull();
    }

    /// What protects every run of this sandbox.
    pub fn isolation(&self) -> &Isolation {
        &self.shared.isolation
    }

    /// A worker, for one thread of the caller. Its interpreters start when they are first needed.
    pub fn worker(&self) -> Worker {
        Worker::of(self.clone())
    }

    /// Whether its interpreter can import numpy.
    pub(crate) fn has_numpy(&self) -> bool {
        self.shared.interpreter.numpy.is_some()
    }

    /// What ends every wait of it.
    pub(crate) fn interrupter(&self) -> Arc<Interrupt> {
        self.interrupt.clone()
    }

    /// Start an interpreter in its box.
    pub(crate) fn start(&self, warmth: Warmth) -> Result<Process, SandboxError> {
        let mut modules = COMMON.to_vec();
        match warmth {
            Warmth::Plain => {
                if let Some(spare) = self.spare().take() {
                    return Ok(spare.interrupted_by(self.interrupter()));
                }
            }
            Warmth::Numpy => modules.push("numpy"),
        }
        let shared = &self.shared;
        Process::start(
            &shared.interpreter,
            shared.level == Level::Full,
            shared.hierarchy.as_ref(),
            self.interrupter(),
            &modules,
        )
    }

    fn spare(&self) -> impl DerefMut<Target = Option<Process>> {
        self.shared
            .spare
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
