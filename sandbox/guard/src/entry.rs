//! What the interpreter calls, and which of the three processes it then is.
//!
//! Each call that forks returns in the child: the parent stays inside, serving.

use std::os::fd::AsRawFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::program::TestServer;
use crate::sys::{Return, entry_points};
use crate::worker::{self, ProgramServer};

entry_points! {
    /// Enter the Worker's box: 0, or 1 after the reason was sent to the supervisor.
    fn guard_enter() -> i32 = enter;

    /// Serve the supervisor's requests for Programs. Returns in each Program with the descriptor of its source, and in the
    /// Worker with -1 when the supervisor has gone.
    fn guard_serve_programs() -> i32 = serve_programs;

    /// The descriptor on which a Program tells whether the source compiles.
    fn guard_control() -> i32 = control;

    /// Serve the supervisor's requests for Tests. Returns in each Test with its seed, and in the Program with -1 when the
    /// supervisor has gone.
    fn guard_serve_tests() -> i64 = serve_tests;
}

/// The Worker that this process is, until it serves.
static WORKER: Mutex<Option<ProgramServer>> = Mutex::new(None);
/// The Program that this process is, or was forked from. A Test leaves it alone: to free it would be to copy its pages.
static PROGRAM: Mutex<Option<TestServer>> = Mutex::new(None);

/// Untrusted code may call from several threads, and gets nothing by it; nothing in here panics with a lock held.
fn lock<T>(server: &Mutex<T>) -> MutexGuard<'_, T> {
    server.lock().unwrap_or_else(PoisonError::into_inner)
}

fn enter() -> Return<i32> {
    *lock(&WORKER) = worker::enter();
    Return::Trusted(i32::from(lock(&WORKER).is_none()))
}

fn serve_programs() -> Return<i32> {
    let worker = lock(&WORKER).take();
    let Some(program) = worker.and_then(ProgramServer::serve) else {
        return Return::Trusted(-1);
    };
    let source = program.source().as_raw_fd();
    *lock(&PROGRAM) = Some(program);
    Return::Trusted(source)
}

fn control() -> Return<i32> {
    let program = lock(&PROGRAM);
    Return::Trusted(
        program
            .as_ref()
            .map_or(-1, |program| program.control().as_raw_fd()),
    )
}

fn serve_tests() -> Return<i64> {
    match lock(&PROGRAM).as_mut().and_then(TestServer::serve) {
        Some(test) => Return::Untrusted {
            answer: test.seed,
            keep: test.descriptors,
        },
        None => Return::Trusted(-1),
    }
}
