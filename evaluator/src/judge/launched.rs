//! A submission's program, launched: one box for as many runs as leave nothing behind in it.

use sandbox::{Files, Grants, LaunchError, Limits, Outcome, Program, SandboxError};

use super::runtimes::{Runtimes, Side};
use crate::Prelude;
use crate::harness::Entry;

/// A program with its box.
pub(super) struct Launched<'a> {
    runtimes: &'a mut Runtimes,
    side: Side,
    source: &'a str,
    program: Program,
    limits: Limits,
    boxed: sandbox::Box,
}

impl<'a> Launched<'a> {
    /// Compile `source` in a box whose runs keep to `limits`.
    pub(super) fn new(
        runtimes: &'a mut Runtimes,
        side: Side,
        source: &'a str,
        entry: Entry<'_>,
        limits: Limits,
    ) -> Result<Launched<'a>, LaunchError> {
        let program = program(source, entry);
        let boxed = runtimes.of(side, source)?.launch(&program, &limits)?;
        Ok(Launched {
            runtimes,
            side,
            source,
            program,
            limits,
            boxed,
        })
    }

    /// Run it once; `seed` is that of its pseudo-random numbers. Where an earlier run left something behind, it is compiled
    /// again first, as part of this run: within its CPU time.
    pub(super) fn run(
        &mut self,
        files: Files,
        limits: &Limits,
        seed: u64,
    ) -> Result<Outcome, LaunchError> {
        if self.boxed.is_spent() {
            let limits = Limits {
                compile: self.limits.compile.min(limits.cpu),
                ..self.limits.clone()
            };
            let runtime = self.runtimes.of(self.side, self.source)?;
            self.boxed = runtime.launch(&self.program, &limits)?;
        }
        self.boxed.begin(files, limits, seed)?;
        Ok(self.boxed.finish()?)
    }
}

/// A program as it is judged.
pub(super) fn program(source: &str, entry: Entry<'_>) -> Program {
    Program {
        text: entry.text(source),
        grants: Grants::JUDGED,
    }
}

/// Start what most submissions need, and run a program that does nothing: the limits under which this process was started may
/// not allow those that programs are given.
pub(crate) fn try_out(runtimes: &mut Runtimes) -> Result<(), SandboxError> {
    let nothing = program("", Entry::Script(Prelude::None));
    let limits = Limits::default();
    let launched = runtimes.of(Side::Candidate, "")?.launch(&nothing, &limits);
    match launched.and_then(|mut boxed| Ok(boxed.run(b"", &limits, 0)?)) {
        Ok(_) => Ok(()),
        Err(LaunchError::Host(SandboxError::Worker(why)) | LaunchError::Rejected(why)) => {
            Err(SandboxError::Isolation(why))
        }
        Err(LaunchError::Host(error)) => Err(error),
    }
}
