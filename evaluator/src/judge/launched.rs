//! A submission's program, launched: one box for as many runs as leave nothing behind in it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sandbox::{
    Files, Grants, LaunchError, Limits, Outcome, OwnFile, Program, Runtime, SandboxError,
};

use super::ending::{is_memory_error, last_line};
use super::runtimes::{Runtimes, Side};
use crate::harness::Entry;
use crate::languages::{Compiled, Invocation, Toolchain};
use crate::{Prelude, SourceFile};

/// A program with its box.
pub(super) struct Launched<'a> {
    runtimes: &'a mut Runtimes,
    side: Side,
    kind: ProgramKind<'a>,
    program: Program,
    limits: Limits,
    /// Whether a box is launched for each run.
    runs_once: bool,
    boxed: sandbox::Box,
    /// How an executable is called.
    called: Option<Called>,
    compiling_again: Duration,
}

/// How a compiled program is called, and what it finds in its working directory.
struct Called {
    compiled: Arc<Compiled>,
    arguments: Vec<String>,
    files: Vec<SourceFile>,
    memory: u64,
}

impl Called {
    fn program(&self) -> Result<Program, SandboxError> {
        let file = |file: &SourceFile| OwnFile {
            path: PathBuf::from(&file.name),
            executable: file.executable,
            content: file.content.to_vec(),
        };
        let scratch: Vec<OwnFile> = self.files.iter().map(file).collect();
        self.compiled.program(&Invocation {
            arguments: &self.arguments,
            memory: self.memory,
            files: &[],
            scratch: &scratch,
        })
    }
}

/// What decides on which runtime a program is launched.
#[derive(Clone)]
enum ProgramKind<'a> {
    /// Python, with this source, entered so.
    Python(&'a str, Entry<'a>),
    /// Another language.
    Native(Arc<Toolchain>),
}

impl ProgramKind<'_> {
    fn runtime<'r>(
        &self,
        runtimes: &'r mut Runtimes,
        side: Side,
    ) -> Result<&'r Runtime, SandboxError> {
        match self {
            ProgramKind::Python(source, entry) => runtimes.of(side, source, *entry),
            ProgramKind::Native(toolchain) => runtimes.native(side, toolchain),
        }
    }
}

impl<'a> Launched<'a> {
    /// Compile the Python `source` in a box whose runs keep to `limits`; `runs_once` if one run is all there will be, as a rule.
    pub(super) fn new(
        runtimes: &'a mut Runtimes,
        side: Side,
        source: &'a str,
        entry: Entry<'a>,
        runs_once: bool,
        limits: Limits,
    ) -> Result<Launched<'a>, LaunchError> {
        let kind = ProgramKind::Python(source, entry);
        let program = program(source, entry);
        Launched::launch(runtimes, side, kind, program, runs_once, limits)
    }

    /// Put a compiled program into a box whose runs keep to `limits`; `memory` is the problem's limit in bytes, without what
    /// its language gets on top.
    pub(super) fn compiled(
        runtimes: &'a mut Runtimes,
        side: Side,
        compiled: &Arc<Compiled>,
        memory: u64,
        limits: Limits,
    ) -> Result<Launched<'a>, LaunchError> {
        let kind = ProgramKind::Native(compiled.toolchain().clone());
        let called = Called {
            compiled: compiled.clone(),
            arguments: Vec::new(),
            files: Vec::new(),
            memory,
        };
        let program = called.program()?;
        let mut launched = Launched::launch(runtimes, side, kind, program, false, limits)?;
        launched.called = Some(called);
        Ok(launched)
    }

    /// Have the next runs called with `arguments`, and `files` in their working directory. What is no executable has none.
    pub(super) fn call_with(
        &mut self,
        arguments: &[String],
        files: &[SourceFile],
    ) -> Result<(), LaunchError> {
        let Some(called) = self.called.as_mut() else {
            return Ok(());
        };
        if called.arguments != arguments || called.files != files {
            called.arguments = arguments.to_vec();
            called.files = files.to_vec();
            self.program = called.program()?;
            let runtime = self.kind.runtime(self.runtimes, self.side)?;
            self.boxed = launch(runtime, &self.program, self.runs_once, &self.limits)?;
        }
        Ok(())
    }

    fn launch(
        runtimes: &'a mut Runtimes,
        side: Side,
        kind: ProgramKind<'a>,
        program: Program,
        runs_once: bool,
        limits: Limits,
    ) -> Result<Launched<'a>, LaunchError> {
        let runtime = kind.runtime(runtimes, side)?;
        let boxed = launch(runtime, &program, runs_once, &limits)?;
        Ok(Launched {
            runtimes,
            side,
            kind,
            program,
            limits,
            runs_once,
            boxed,
            called: None,
            compiling_again: Duration::ZERO,
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
        self.begin(files, limits, seed)?;
        Ok(self.finish()?)
    }

    /// Begin a run, for [`Launched::finish`] to wait for.
    pub(super) fn begin(
        &mut self,
        files: Files,
        limits: &Limits,
        seed: u64,
    ) -> Result<(), LaunchError> {
        if self.boxed.is_spent() {
            let limits = again(&self.limits, limits);
            let runtime = self.kind.runtime(self.runtimes, self.side)?;
            self.boxed = launch(runtime, &self.program, self.runs_once, &limits)?;
            self.compiling_again += self.boxed.compiling();
        }
        Ok(self.boxed.begin(files, limits, seed)?)
    }

    /// CPU time that went into compiling it again, where runs left something behind.
    pub(super) fn compiling_again(&self) -> Duration {
        self.compiling_again
    }

    /// Wait for a run that was begun.
    pub(super) fn finish(&mut self) -> Result<Outcome, SandboxError> {
        self.boxed.finish()
    }

    /// The runtimes of this worker thread, for what else has to be run for it.
    pub(super) fn runtimes(&mut self) -> &mut Runtimes {
        self.runtimes
    }

    /// Whether a run that failed said, as its language's runtime does, that there was no memory left.
    pub(super) fn ran_out_of_memory(&self, outcome: &Outcome) -> bool {
        match &self.kind {
            ProgramKind::Python(..) => is_memory_error(&last_line(&outcome.stderr)),
            ProgramKind::Native(toolchain) => toolchain.ran_out_of_memory(&outcome.stderr),
        }
    }
}

/// A box of `program`; for one run if it `runs_once`.
pub(super) fn launch(
    runtime: &Runtime,
    program: &Program,
    runs_once: bool,
    limits: &Limits,
) -> Result<sandbox::Box, LaunchError> {
    if runs_once {
        runtime.launch_once(program, limits)
    } else {
        runtime.launch(program, limits)
    }
}

/// The limits of a program that is compiled again as part of a test, as an earlier one left something behind in its box:
/// within that test's CPU time.
pub(super) fn again(limits: &Limits, of_test: &Limits) -> Limits {
    Limits {
        compile: limits.compile.min(of_test.cpu),
        ..limits.clone()
    }
}

/// A program as it is judged.
pub(super) fn program(source: &str, entry: Entry<'_>) -> Program {
    Program {
        text: entry.text(source),
        grants: Grants::JUDGED,
    }
}

/// Start what is started in the shortest time, for programs that import nothing, and run one that does nothing.
pub(crate) fn try_out(runtimes: &mut Runtimes) -> Result<(), SandboxError> {
    let entry = Entry::Script(Prelude::None);
    let nothing = program("", entry);
    sandbox::try_out(runtimes.of(Side::Candidate, "", entry)?, &nothing)
}
