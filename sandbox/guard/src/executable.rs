//! Workers that are executables of their own, rather than a library in an interpreter.
//!
//! Such an executable defines an [`Engine`] and hands it to [`crate::worker!`], which writes its `main`. From there on the
//! same three processes are at work as in an interpreter: the Worker warms the engine up in its box, each Program is a fork
//! of it that prepares one source, and each Test is a fork of that Program and plays it once.

use std::fs::File;

use nix::sys::signal::Signal;

use crate::program::TestServer;
use crate::protocol::{self, MESSAGE_MAX, OK, REJECTED};
use crate::sys;
use crate::worker;

/// What an executable worker adds to the guard.
pub trait Engine: Sized {
    /// A source that is ready to be played.
    type Prepared;

    /// Get ready for programs of any kind, in the Worker: what is done here no Program has to do. The process must have one
    /// thread when this returns, as it is forked.
    ///
    /// # Errors
    /// The engine cannot work on this machine, and why.
    fn warm_up() -> Result<Self, String>;

    /// Prepare a source, in the Program. It is untrusted: it may be read and compiled, but nothing of it may run. The
    /// process must have one thread when this returns.
    ///
    /// # Errors
    /// The source is rejected, with the words for whoever wrote it.
    fn prepare(self, source: File) -> Result<Self::Prepared, String>;

    /// Play it, in the Test: the status that the process exits with. The files of the Test are the descriptors 0, 1 and 2,
    /// and perhaps 3 and 4; the guard holds no other that leads anywhere. `seed` is for pseudo-random numbers.
    fn play(prepared: Self::Prepared, seed: u64) -> i32;
}

/// Be a Worker with this engine, or a process forked from it, to the end.
pub fn serve<E: Engine>() -> ! {
    let status = if run::<E>().is_some() { 0 } else { 1 };
    sys::exit_now(status)
}

/// `None` if this process could not do its part, which the supervisor was told.
fn run<E: Engine>() -> Option<()> {
    let worker = worker::enter()?;
    // Rust's own handlers: what a signal does to pid 1 must be nothing, and to a program what it does to any.
    for signal in [Signal::SIGPIPE, Signal::SIGSEGV, Signal::SIGBUS] {
        sys::default_action(signal).ok()?;
    }
    let engine = match E::warm_up() {
        Ok(engine) => engine,
        Err(why) => {
            worker.fail(&why);
            return None;
        }
    };
    let Some(mut program) = worker.serve() else {
        return Some(());
    };
    let prepared = prepare(engine, &program)?;
    let Some(test) = program.serve() else {
        return Some(());
    };
    // In the Test: what leads to the supervisor goes, and what the guard still has is closed by an `execve`.
    drop(program);
    sys::close_on_exec(test.descriptors).ok()?;
    sys::exit_now(E::play(prepared, test.seed as u64))
}

/// Prepare the source of `program`, and tell the supervisor how that went.
fn prepare<E: Engine>(engine: E, program: &TestServer) -> Option<E::Prepared> {
    let source = program.source().try_clone_to_owned().ok()?;
    let prepared = engine.prepare(File::from(source));
    let reply = match &prepared {
        Ok(_) => vec![OK],
        Err(why) => {
            let mut reply = vec![REJECTED];
            reply.extend(why.bytes().take(MESSAGE_MAX - 1));
            reply
        }
    };
    protocol::send(program.control(), &reply, &[]).ok()?;
    prepared.ok()
}
