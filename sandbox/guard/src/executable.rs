//! Workers that are executables of their own, rather than a library in an interpreter.
//!
//! Such an executable defines an [`Engine`] and hands it to [`crate::worker!`], which writes its `main`. The Worker warms the
//! engine up in its box, and each Program is a fork of it that prepares one source. From there on it depends on the engine:
//! if what it prepares is a call of an executable, the same three processes are at work as in an interpreter, and each Test is
//! started by its Program to become that executable. A [`Resident`] one keeps the untrusted code from its own memory by itself,
//! and plays the Tests in the Program.

use std::fs::File;
use std::io::{self, Seek};
use std::os::unix::fs::FileExt;

use nix::sys::signal::Signal;

use crate::bundle::Call;
use crate::played::{Played, Streams};
use crate::program::TestServer;
use crate::protocol::{self, MESSAGE_MAX, OK, REJECTED, TestRequest};
use crate::sys::{self, Command};
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

    /// Prepare a source, in the Program. It is untrusted: it may be read and compiled, but nothing of it may run.
    ///
    /// # Errors
    /// The source is rejected, with the words for whoever wrote it.
    fn prepare(self, source: Source) -> Result<Self::Prepared, String>;
}

/// The file with a Program's source, as the supervisor sent it with the request for this Program: there is no other way to
/// one. What is in it marked as compiled, the supervisor took from the file of a Program of this very executable, before
/// anything untrusted ran in that.
pub struct Source(File);

impl Source {
    /// All that is in it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; self.0.metadata()?.len() as usize];
        self.0.read_exact_at(&mut bytes, 0)?;
        Ok(bytes)
    }

    /// Leave what the source was compiled to, in its place: the supervisor takes it for later Programs.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn leave(self, compiled: &[u8]) -> io::Result<()> {
        self.0.set_len(0)?;
        self.0.write_all_at(compiled, 0)
    }

    /// The file itself, at its start.
    ///
    /// # Errors
    /// The file cannot be rewound.
    pub fn into_file(mut self) -> io::Result<File> {
        self.0.rewind()?;
        Ok(self.0)
    }
}

/// An engine that isolates what it plays: nothing of a Test is left for the next, and none of it can reach what belongs to
/// the process.
pub trait Resident: Engine {
    /// Play it, in the Program, on the streams of the Test.
    ///
    /// # Errors
    /// The host failed, and how.
    fn play(
        prepared: &Self::Prepared,
        request: &TestRequest,
        streams: Streams,
    ) -> Result<Played, String>;
}

/// Be a Worker with this engine, or a process forked from it, to the end. The Program must have one thread when it has
/// prepared its source.
pub fn serve_executing<E: Engine<Prepared = Call>>() -> ! {
    end(run_executing::<E>())
}

/// Be a Worker with this engine, or a process forked from it, to the end.
pub fn serve_resident<E: Resident>() -> ! {
    end(run_resident::<E>())
}

fn end(done: Option<()>) -> ! {
    sys::exit_now(if done.is_some() { 0 } else { 1 })
}

/// Warm up in the box, and serve; the engine and a Program, in each Program. `None` if this process could not do its part,
/// which the supervisor was told.
fn warm<E: Engine>(signals: &[Signal]) -> Option<Option<(E, TestServer)>> {
    let worker = worker::enter()?;
    // Rust's own handlers: what a signal does to pid 1 must be nothing, and to a program what it does to any.
    for signal in signals {
        sys::default_action(*signal).ok()?;
    }
    match E::warm_up() {
        Ok(engine) => Some(worker.serve().map(|program| (engine, program))),
        Err(why) => {
            worker.fail(&why);
            None
        }
    }
}

fn run_resident<E: Resident>() -> Option<()> {
    // A Test that writes to a channel whose other end is closed is told so; the signal would end the Program.
    let Some((engine, mut program)) = warm::<E>(&[Signal::SIGSEGV, Signal::SIGBUS])? else {
        return Some(());
    };
    program.shut()?;
    let prepared = prepare(engine, &program)?;
    program.serve_within(|request, streams| E::play(&prepared, request, streams))
}

fn run_executing<E: Engine<Prepared = Call>>() -> Option<()> {
    let signals = [Signal::SIGPIPE, Signal::SIGSEGV, Signal::SIGBUS];
    let Some((engine, mut program)) = warm::<E>(&signals)? else {
        return Some(());
    };
    let call = prepare(engine, &program)?;
    program.serve_executing(&Command::new(call.arguments, call.environment))
}

/// Prepare the source of `program`, and tell the supervisor how that went.
fn prepare<E: Engine>(engine: E, program: &TestServer) -> Option<E::Prepared> {
    let source = program.source().try_clone_to_owned().ok()?;
    let prepared = engine.prepare(Source(File::from(source)));
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
