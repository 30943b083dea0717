//! The warm interpreters of one worker thread, each started when it is first needed.

use std::collections::HashMap;
use std::sync::Arc;

use sandbox::{Image, Interpreter, Interrupt, Runtime, Sandbox, SandboxError};

use crate::harness::HARNESS;

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

/// What all runtimes of an evaluator are started from.
#[derive(Debug)]
pub(crate) struct Images {
    plain: Image,
    /// With numpy imported, where the interpreter has it.
    numpy: Option<Image>,
}

impl Images {
    /// Of this interpreter.
    pub(crate) fn new(interpreter: &Interpreter) -> Result<Images, SandboxError> {
        let plain = Image::new(interpreter, &HARNESS)?.importing(&COMMON);
        let numpy = interpreter
            .numpy
            .is_some()
            .then(|| plain.importing(&["numpy"]));
        Ok(Images { plain, numpy })
    }
}

/// Whose program a runtime is for. Each has its own, and with it a cgroup: what one side does to its memory cannot be
/// taken for the doing of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    /// The submission's.
    Candidate,
    /// The problem's.
    TestCode,
}

/// One worker thread's runtimes.
#[derive(Debug)]
pub(crate) struct Runtimes {
    sandbox: Sandbox,
    images: Arc<Images>,
    interrupt: Interrupt,
    /// By side, and by whether numpy is imported.
    warm: HashMap<(Side, bool), Runtime>,
}

impl Runtimes {
    /// None is started yet.
    pub(crate) fn new(sandbox: &Sandbox, images: &Arc<Images>) -> Runtimes {
        Runtimes {
            sandbox: sandbox.clone(),
            images: images.clone(),
            interrupt: Interrupt::default(),
            warm: HashMap::new(),
        }
    }

    /// Have `interrupt` end all waits from now on.
    pub(crate) fn interrupted_by(&mut self, interrupt: &Interrupt) {
        self.interrupt = interrupt.clone();
        for runtime in self.warm.values_mut() {
            runtime.interrupted_by(interrupt);
        }
    }

    /// A runtime for a program with this source, started if it is not there.
    pub(crate) fn of(&mut self, side: Side, source: &str) -> Result<&Runtime, SandboxError> {
        let numpy = self.images.numpy.as_ref();
        let numpy = numpy.filter(|_| source.contains("numpy"));
        let key = (side, numpy.is_some());
        if !self.warm.get(&key).is_some_and(Runtime::is_usable) {
            let mut runtime = self.sandbox.start(numpy.unwrap_or(&self.images.plain))?;
            runtime.interrupted_by(&self.interrupt);
            self.warm.insert(key, runtime);
        }
        Ok(&self.warm[&key])
    }
}
