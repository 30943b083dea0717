//! A program that is run and not judged: what it writes, what it leaves behind and how it ends is the answer.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sandbox::{
    Executable, Files, LaunchError, Limits, Outcome, OwnFile, SandboxError, Termination,
};

use super::gate::CpuGate;
use super::launched::Launched;
use super::runtimes::{Runtimes, Side};
use crate::harness::Entry;
use crate::languages::{Compiled, Invocation, Source, TOOK_LONG, Toolchain};
use crate::{Prelude, SourceFile};

/// The most files that a run may leave behind.
const MOST_FILES: u64 = 1024;

/// A program to run once.
#[derive(Debug, Clone)]
pub struct PlainRun {
    /// Its source.
    pub source: String,
    /// Its language. `None` is Python in a warm interpreter, where no files are given or fetched.
    pub toolchain: Option<Arc<Toolchain>>,
    /// What it reads.
    pub stdin: Vec<u8>,
    /// What lies beside its source, and in the folder that it works in.
    pub files: Vec<SourceFile>,
    /// Files that it is to leave there, by their paths.
    pub fetch: Vec<String>,
    /// What it may use, and its compiler.
    pub limits: Limits,
}

/// How a program ended that was not judged.
#[derive(Debug)]
pub enum Ran {
    /// It ran.
    Ended(Box<EndedRun>),
    /// It is no program.
    Rejected(NoProgram),
    /// The host failed, for this reason.
    Failed(String),
}

/// A program that ran.
#[derive(Debug)]
pub struct EndedRun {
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took to compile, where that is a step of its own.
    pub compiling: Option<Duration>,
    /// Of the files that were asked for, those that it left behind.
    pub files: Vec<(String, Vec<u8>)>,
}

/// A text that is no program.
#[derive(Debug)]
pub struct NoProgram {
    /// The compiler's words.
    pub words: String,
    /// Whether compiling is a step of its own in its language.
    pub compiling: bool,
    /// Whether it is only that compiling took too long.
    pub late: bool,
}

/// Run it. An error means that the host failed.
pub(crate) fn run_plain(
    runtimes: &mut Runtimes,
    gate: &CpuGate,
    run: &PlainRun,
) -> Result<Ran, SandboxError> {
    let ran = match &run.toolchain {
        None => gate.shared(|| warm(runtimes, run)),
        Some(toolchain) => compiled(runtimes, gate, run, toolchain),
    };
    match ran {
        Ok(ended) => Ok(Ran::Ended(Box::new(ended))),
        Err(LaunchError::Rejected(words)) => Ok(Ran::Rejected(NoProgram {
            compiling: is_compiled(run),
            late: words.starts_with(TOOK_LONG),
            words,
        })),
        Err(LaunchError::Host(error)) => Err(error),
    }
}

fn is_compiled(run: &PlainRun) -> bool {
    let toolchain = run.toolchain.as_ref();
    toolchain.is_some_and(|toolchain| toolchain.language.is_compiled())
}

/// In a warm interpreter.
fn warm(runtimes: &mut Runtimes, run: &PlainRun) -> Result<EndedRun, LaunchError> {
    let entry = Entry::Script(Prelude::None);
    let limits = run.limits.clone();
    let mut program = Launched::new(runtimes, Side::Candidate, &run.source, entry, true, limits)?;
    Ok(EndedRun {
        outcome: program.run(Files::new(&run.stdin)?, &run.limits, 1)?,
        compiling: None,
        files: Vec::new(),
    })
}

/// As an executable, or as what an executable is given.
fn compiled(
    runtimes: &mut Runtimes,
    gate: &CpuGate,
    run: &PlainRun,
    toolchain: &Arc<Toolchain>,
) -> Result<EndedRun, LaunchError> {
    let source = Source::beside(toolchain, &run.source, &run.files).within(run.limits.compile);
    let start = Instant::now();
    let compiled = runtimes.compiled(gate, &source)?;
    let compiling = is_compiled(run).then(|| start.elapsed());
    let limits = toolchain.limits(Limits {
        // Compiling is over.
        compile: Limits::default().compile,
        ..run.limits.clone()
    });
    gate.shared(|| {
        let mut boxed = launch(runtimes, run, &compiled, &limits)?;
        boxed.begin(Files::new(&run.stdin)?, &limits, 1)?;
        let outcome = boxed.finish()?;
        Ok(EndedRun {
            files: fetched(&mut boxed, run, &outcome)?,
            outcome,
            compiling,
        })
    })
}

fn launch(
    runtimes: &mut Runtimes,
    run: &PlainRun,
    compiled: &Compiled,
    limits: &Limits,
) -> Result<sandbox::Box, LaunchError> {
    let given = run.files.iter().map(|file| OwnFile {
        path: PathBuf::from(&file.name),
        executable: false,
        content: file.content.to_vec(),
    });
    let program = compiled.program(&Invocation {
        arguments: &[],
        memory: run.limits.memory,
        files: &[],
        scratch: &given.collect::<Vec<_>>(),
    })?;
    let runtime = runtimes.native(Side::Candidate, compiled.toolchain())?;
    runtime.launch(&program, limits)
}

/// What was asked for of what the run left.
fn fetched(
    boxed: &mut sandbox::Box,
    run: &PlainRun,
    outcome: &Outcome,
) -> Result<Vec<(String, Vec<u8>)>, SandboxError> {
    // With a program that used up the memory, its box may be gone.
    if run.fetch.is_empty() || outcome.termination == Termination::MemoryLimit {
        return Ok(Vec::new());
    }
    let left = boxed.collect(MOST_FILES, run.limits.scratch_bytes)?.files;
    let names: BTreeSet<&String> = run.fetch.iter().collect();
    let found = names.into_iter().filter_map(|name| {
        let path = plainly(name);
        let file = left.iter().find(|file| file.path == path)?;
        Some((name.clone(), file.content.clone()))
    });
    Ok(found.collect())
}

/// A path without what leads nowhere: `./out.txt` is `out.txt`.
fn plainly(name: &str) -> PathBuf {
    let parts = Path::new(name).components();
    parts.filter(|part| *part != Component::CurDir).collect()
}

/// A file for the folder of a program, if its path lies there.
///
/// # Errors
/// It does not.
pub fn given_file(name: &str, content: Vec<u8>) -> Result<SourceFile, sandbox::BadPath> {
    let path = plainly(name);
    Executable::default().file(&path, false, b"")?;
    Ok(SourceFile::new(path.display().to_string(), content))
}
