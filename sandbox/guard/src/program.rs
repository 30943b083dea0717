//! The Program: pid 1 of its box. Compiles the untrusted source, runs none of it, and forks a Test for every request; or it
//! becomes the Test itself, where there is to be one.
//!
//! Signals from inside its own pid namespace do not reach it, it cannot be traced, and it holds no capability.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::unistd::Pid;
use seccompiler::BpfProgram;

use crate::cage::{self, Kept};
use crate::cores::Cores;
use crate::errors::{SetupError, Step};
use crate::filter::{self, Filters};
use crate::played::{Played, Streams};
use crate::protocol::{
    self, CollectRequest, LaunchRequest, TestReport, TestRequest, Words, WorkerSetup,
};
use crate::reserved::ReservedDescriptors;
use crate::sys::{self, Command, Forked, SpareStack};
use crate::test::{self, FromProgram, Test};
use crate::watch::{self, End, Seen, Watched};
use crate::{collect, scratch};

/// What every Program takes over from the Worker.
pub struct FromWorker {
    /// What the box is made of.
    pub setup: WorkerSetup,
    /// The filters of Programs and Tests, built once.
    pub filters: Filters,
    /// The numbers of a Test's files.
    pub reserved: ReservedDescriptors,
    /// What the warm interpreter holds before any program is in it, in bytes.
    pub own_memory: u64,
    /// How many cores this machine lets it use.
    pub parallel: u32,
    /// Which ones.
    pub cores: Cores,
}

/// A Program in its cage: serves requests for Tests.
pub struct TestServer {
    worker: FromWorker,
    kept: Kept,
    /// Whether it becomes the first Test itself.
    once: bool,
    /// The scratch directory as it was mounted, if there is one.
    scratch: Option<scratch::State>,
    control: OwnedFd,
    source: OwnedFd,
}

impl TestServer {
    /// Make this fresh fork of the Worker a Program; tells the supervisor and ends the process if that fails.
    pub fn start(
        worker: FromWorker,
        request: LaunchRequest,
        source: OwnedFd,
        control: OwnedFd,
    ) -> TestServer {
        let filter = &worker.filters.program;
        match cage::enter(&worker.setup, filter, request, source.as_fd()) {
            Ok(kept) => TestServer {
                scratch: (request.scratch_bytes > 0)
                    .then(scratch::State::now)
                    .flatten(),
                once: request.once != 0,
                worker,
                kept,
                control,
                source,
            },
            Err(error) => end(control.as_fd(), &error),
        }
    }

    /// The source, to be compiled.
    pub fn source(&self) -> BorrowedFd<'_> {
        self.source.as_fd()
    }

    /// The socket that leads to the supervisor.
    pub fn control(&self) -> BorrowedFd<'_> {
        self.control.as_fd()
    }

    /// Serve requests; returns in a new Test, or when the supervisor has gone.
    pub fn serve(&mut self) -> Option<Test> {
        if !self.once {
            self.worker.cores.stay();
        }
        loop {
            let (bytes, files) = self.next_test()?;
            let request = TestRequest::decode(&bytes)?;
            if let Err(error) = self.name_input(&files) {
                end(self.control(), &error);
            }
            if self.once {
                return Some(self.become_test(request, files));
            }
            match sys::fork().step("fork a test") {
                Ok(Forked::Child) => return Some(self.become_test(request, files)),
                Ok(Forked::Parent(pid)) => self.report(pid, request, files)?,
                Err(error) => return self.fail(&error),
            }
        }
    }

    /// Serve requests until the supervisor has gone: each Test becomes what `command` names. `None` if the host failed, which
    /// the supervisor was told.
    pub fn serve_executing(&mut self, command: &Command) -> Option<()> {
        self.worker.cores.stay();
        let mut stack = SpareStack::default();
        while let Some((bytes, files)) = self.next_test() {
            let request = TestRequest::decode(&bytes)?;
            match self.start_test(command, request, &files, &mut stack) {
                Ok(pid) => self.report(pid, request, files)?,
                Err(error) => return self.fail(&error),
            }
        }
        Some(())
    }

    /// Watch the Test `pid`, which has its `files`, and tell the supervisor how it ended.
    fn report(&self, pid: Pid, request: TestRequest, files: Vec<OwnedFd>) -> Option<()> {
        drop(files);
        let report = self.watch(pid, request).ok()?;
        protocol::send_ok(self.control(), &report).ok()
    }

    /// Tell the supervisor that the host failed.
    fn fail<T>(&self, error: &SetupError) -> Option<T> {
        protocol::send_failed(self.control(), &error.to_string()).ok()?;
        None
    }

    /// The next request for a Test, yet to be read, with its files; what it is asked for until then, it does. `None` when the
    /// supervisor has gone.
    fn next_test(&self) -> Option<(Vec<u8>, Vec<OwnedFd>)> {
        loop {
            let (bytes, files) = protocol::receive(self.control()).ok()?;
            match CollectRequest::decode(&bytes) {
                None => return Some((bytes, files)),
                Some(request) => {
                    let report = collect::collect(request, files.first()?);
                    protocol::send_ok(self.control(), &report.ok()?).ok()?;
                }
            }
        }
    }

    /// Take from this process, for good, what no Test may do, but for starting threads: it is to play them by itself. Tells
    /// the supervisor if that fails.
    pub fn shut(&mut self) -> Option<()> {
        let shut = filter::install(&self.worker.filters.threads);
        match shut.step("install the test's filter") {
            Ok(()) => Some(()),
            Err(error) => self.fail(&error),
        }
    }

    /// Serve requests without a fork, until the supervisor has gone: `play` plays each Test in this process. `None` if the
    /// host failed, which the supervisor was told.
    pub fn serve_within(
        &mut self,
        play: impl Fn(&TestRequest, Streams) -> Result<Played, String>,
    ) -> Option<()> {
        while let Some((bytes, files)) = self.next_test() {
            let (request, input) = TestRequest::decode_first(&bytes)?;
            match play(&request, Streams::new(input, files)) {
                Ok(Played {
                    mut report,
                    stdout,
                    stderr,
                }) => {
                    report.spent = u64::from(self.has_left_files());
                    protocol::send_played(self.control(), &report, &stdout, &stderr).ok()?;
                }
                Err(why) => {
                    protocol::send_failed(self.control(), &why).ok()?;
                    return None;
                }
            }
        }
        Some(())
    }

    /// Whether a Test has left something in scratch.
    fn has_left_files(&self) -> bool {
        self.scratch.is_some_and(scratch::State::has_changed)
    }

    /// Give the standard input among `files` its names, where it is to have any.
    fn name_input(&self, files: &[OwnedFd]) -> Result<(), SetupError> {
        match (&self.kept.input, files) {
            (Some(named), [input, ..]) => named.fill(input).step("copy standard input"),
            _ => Ok(()),
        }
    }

    /// Start a process that becomes a Test and then what `command` names.
    fn start_test(
        &mut self,
        command: &Command,
        request: TestRequest,
        files: &[OwnedFd],
        stack: &mut SpareStack,
    ) -> Result<Pid, SetupError> {
        self.name_input(files)?;
        let mut failure = None;
        let started = sys::start(stack, || match self.enter_test(request, files) {
            Ok(test) => execute(command, &test),
            Err(error) => {
                failure = Some(error);
                NOT_EXECUTED
            }
        });
        let pid = started.step("start a test")?;
        failure.map_or(Ok(pid), Err)
    }

    fn become_test(&mut self, request: TestRequest, files: Vec<OwnedFd>) -> Test {
        let test = self.enter_test(request, &files);
        // One call closes them with all the others, when the guard is left.
        std::mem::forget(files);
        test.unwrap_or_else(|error| end(self.control.as_fd(), &error))
    }

    fn enter_test(&mut self, request: TestRequest, files: &[OwnedFd]) -> Result<Test, SetupError> {
        let program = FromProgram {
            filter: test_filter(&self.worker.filters, request),
            reserved: &mut self.worker.reserved,
            cores: &self.worker.cores,
            interrupt: &self.kept.interrupt,
            executes: self.worker.setup.executes,
            is_first: self.once,
        };
        test::enter(program, request, files)
    }

    /// Watch a Test to its end, look what it left, and say how it ended. An error if the supervisor hung up.
    fn watch(&self, pid: Pid, request: TestRequest) -> io::Result<TestReport> {
        let watched = Watched {
            pid: pid.as_raw() as u64,
            started: Instant::now(),
            before: Duration::ZERO,
            cores: self.worker.parallel,
        };
        let wait =
            |process: BorrowedFd<'_>, until| watch::wait_for_end(process, self.control(), until);
        let Seen { cut, slept } = watch::watch(watched, &request, wait)?;
        let reaped = sys::reap(pid)?;
        let wall = watched.started.elapsed();
        let left =
            self.worker.setup.namespaces && (watch::kill_the_rest() || self.has_left_files());
        let end = End {
            reaped,
            cut,
            wall,
            slept,
        };
        Ok(end.report(self.worker.own_memory, left))
    }
}

/// What a shell answers for what it cannot execute.
const NOT_EXECUTED: u8 = 126;

/// Become what `command` names; the exit status if that cannot be.
fn execute(command: &Command, test: &Test) -> u8 {
    // What leads to the supervisor is closed by the `execve`, and by the end of this process if there is none.
    let closed = sys::close_on_exec(test.descriptors);
    let errno = closed.map_or_else(|errno| errno, |()| command.execute());
    eprintln!("the program cannot be executed: {}", errno.desc());
    NOT_EXECUTED
}

fn test_filter(filters: &Filters, request: TestRequest) -> &BpfProgram {
    if request.processes != 0 {
        &filters.processes
    } else if request.threads > 0 {
        &filters.threads
    } else {
        &filters.one_thread
    }
}

/// Tell the supervisor why this process ends, and end it. One that has gone cannot be told, and its end is ours.
fn end(control: BorrowedFd<'_>, error: &SetupError) -> ! {
    let _ = protocol::send_failed(control, &error.to_string());
    sys::exit_now(1)
}
