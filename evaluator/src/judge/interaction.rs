//! A solution and an interactor that talk over two pipes, each in its box.
//!
//! Who is to blame depends on who ended first. So this process holds an end of each pipe until the one that writes there
//! has ended, and keeps the solution's output readable unless the interactor ended without accepting: no side learns by
//! the other's end what was not yet seen here.

use std::io::{self, PipeReader};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use sandbox::{Files, LaunchError, Limits, Outcome, SandboxError, Termination, wide_pipe};

use super::launched::Launched;

/// How the two ended.
pub(super) struct Ended {
    pub solution: Outcome,
    pub interactor: Outcome,
    pub interactor_first: bool,
}

/// What both sides may take by the clock: each waits for the other, so that it is not their CPU time alone.
pub(super) fn limits(limits: &Limits) -> Limits {
    let wall = (limits.cpu * 2 + Duration::from_secs(4)).min(limits.wall);
    Limits {
        wall,
        idle: wall,
        ..limits.clone()
    }
}

/// Let the two talk until both have ended; `accepts` is the interactor's exit status that accepts.
pub(super) fn talk(
    program: &mut Launched<'_>,
    interactor: &mut sandbox::Box,
    interactor_limits: &Limits,
    limits: &Limits,
    seed: u64,
    accepts: i32,
) -> Result<Ended, LaunchError> {
    let (from_solution, to_interactor) = wide_pipe()?;
    let (from_interactor, to_solution) = wide_pipe()?;
    let (kept_reader, kept_to_interactor) = (
        cloned(from_solution.try_clone())?,
        cloned(to_interactor.try_clone())?,
    );
    let kept_to_solution = cloned(to_solution.try_clone())?;
    let kept_from_interactor = cloned(from_interactor.try_clone())?;
    interactor.begin(
        Files::joined(from_solution, to_solution)?,
        interactor_limits,
        0,
    )?;
    program.begin(Files::joined(from_interactor, to_interactor)?, limits, seed)?;
    let solution_ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let other = scope.spawn(|| {
            let outcome = interactor.finish();
            let first = !solution_ended.load(Ordering::SeqCst);
            let accepted =
                matches!(&outcome, Ok(it) if it.termination == Termination::Exited(accepts));
            drop(kept_to_solution);
            // Unless it accepted, a solution that goes on writing learns that nobody reads any more.
            if accepted {
                drain(kept_reader);
            }
            (outcome, first)
        });
        let solution = program.finish();
        solution_ended.store(true, Ordering::SeqCst);
        drop(kept_to_interactor);
        // What the interactor writes to a solution that has ended is nobody's fault, however much it is.
        drain(kept_from_interactor);
        let (interactor, interactor_first) = other
            .join()
            .map_err(|_| SandboxError::Worker("waiting for the interactor panicked".to_owned()))?;
        Ok(Ended {
            solution: solution?,
            interactor: interactor?,
            interactor_first,
        })
    })
}

/// Read until nobody can write any more, so that no writer waits for room.
fn drain(mut reader: PipeReader) {
    // One that cannot be read has nobody waiting at its other end either.
    let _ = io::copy(&mut reader, &mut io::sink());
}

fn cloned<T>(made: io::Result<T>) -> Result<T, SandboxError> {
    made.map_err(|source| SandboxError::Host {
        doing: "share a pipe",
        source,
    })
}
