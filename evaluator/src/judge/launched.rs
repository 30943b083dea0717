//! A submission's program, launched: one box for as many runs as leave nothing behind in it.

use sandbox::{Files, Grants, LaunchError, Limits, Outcome, Program, SandboxError};

use super::runtimes::{Runtimes, Side};
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

    /// Run it once; `seed` is that of its pseudo-random numbers.
    pub(super) fn run(
        &mut self,
        files: Files,
        limits: &Limits,
        seed: u64,
    ) -> Result<Outcome, SandboxError> {
        if self.boxed.is_spent() {
            self.boxed = self.launch_again()?;
        }
        self.boxed.begin(files, limits, seed)?;
        self.boxed.finish()
    }

    fn launch_again(&mut self) -> Result<sandbox::Box, SandboxError> {
        let runtime = self.runtimes.of(self.side, self.source)?;
        let launched = runtime.launch(&self.program, &self.limits);
        launched.map_err(|error| match error {
            LaunchError::Host(error) => error,
            LaunchError::Rejected(why) => {
                SandboxError::Worker(format!("the program compiled once, but not again: {why}"))
            }
        })
    }
}

/// A program as it is judged.
pub(super) fn program(source: &str, entry: Entry<'_>) -> Program {
    Program {
        text: entry.text(source),
        grants: Grants::JUDGED,
    }
}
