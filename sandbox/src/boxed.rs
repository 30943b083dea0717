//! One program in its box: launched, then begun and finished any number of times, each in a fresh process; or launched for one
//! run, which takes the place of the program itself.

use std::io::ErrorKind;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use sandbox_guard::clock;
use sandbox_guard::protocol::{
    CollectReport, CollectRequest, ProgramPid, ReapRequest, TestReport, TestRequest, Words, Written,
};
use sandbox_guard::watch::{self, Seen, Watched};

use crate::channel::{Channel, Interrupt, Reply};
use crate::error::host;
use crate::executable::{self, OwnFile};
use crate::files::{self, Files, WrittenFiles};
use crate::outcome::{self, Outcome};
use crate::program::Grants;
use crate::worker::Worker;
use crate::{LaunchError, Limits, SandboxError};

/// How often a compilation is looked at.
const LOOK: Duration = Duration::from_millis(100);
/// How long a box may take beyond its wall limit to tell how it went.
const GRACE: Duration = Duration::from_secs(20);

/// How many runs a box is launched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// One, which takes the place of the process that compiled the program.
    One,
    /// Any number, each in a fork of that process.
    Many,
}

/// A run in progress.
#[derive(Debug)]
struct Running {
    request: TestRequest,
    /// What it writes to, unless an engine plays it.
    written: Option<WrittenFiles>,
    limits: Limits,
    started: Instant,
}

/// Where one program lives. Dropping it ends whatever still runs in it, and nothing of it is left.
#[derive(Debug)]
pub struct Box {
    worker: Arc<Worker>,
    pid: ProgramPid,
    channel: Channel,
    interrupt: Interrupt,
    grants: Grants,
    /// Whether an engine plays its program within the box's own process.
    in_engine: bool,
    /// Whether its runs find files that they may change. What became of those is not looked at.
    gives_files: bool,
    runs: Runs,
    running: Option<Running>,
    is_spent: bool,
    /// Whether its process is no more.
    is_reaped: bool,
    compiling: Duration,
}

impl Box {
    /// The box of the process `pid`, at the other end of `channel`; it may still be compiling. Where its program is played
    /// `in_engine`, that counts fuel for time.
    pub(crate) fn new(
        worker: Arc<Worker>,
        pid: ProgramPid,
        channel: Channel,
        interrupt: Interrupt,
        grants: Grants,
        in_engine: bool,
    ) -> Box {
        Box {
            worker,
            pid,
            channel,
            interrupt,
            grants,
            in_engine,
            gives_files: false,
            runs: Runs::Many,
            running: None,
            is_spent: false,
            is_reaped: false,
            compiling: Duration::ZERO,
        }
    }

    /// The same, whose runs find files that they may change if it `gives_files`.
    pub(crate) fn giving(mut self, gives_files: bool) -> Box {
        self.gives_files = gives_files;
        self
    }

    /// The same, launched for so many `runs`.
    pub(crate) fn for_runs(mut self, runs: Runs) -> Box {
        self.runs = runs;
        self
    }

    /// Wait until it has compiled its program, within `limit` of CPU time.
    pub(crate) fn compiled(mut self, limit: Duration) -> Result<Box, LaunchError> {
        let deadline = Instant::now() + limit * 10 + GRACE;
        let why = loop {
            let look = deadline.min(Instant::now() + LOOK);
            match self.channel.receive(&self.interrupt, look)? {
                Reply::Done(_) => {
                    self.compiling = self.compile_time();
                    return Ok(self);
                }
                Reply::Rejected(message) => break message,
                Reply::Failed(reason) => return Err(SandboxError::Worker(reason).into()),
                Reply::Gone => {
                    self.ended_by_itself()?;
                    break "the compiler crashed or ran out of memory".to_owned();
                }
                Reply::Late if look < deadline && self.compile_time() <= limit => {}
                Reply::Late => {
                    break format!("compiling took more than {limit:?} of CPU time");
                }
            }
        };
        Err(LaunchError::Rejected(why))
    }

    /// CPU time that it took to compile its program.
    pub fn compiling(&self) -> Duration {
        self.compiling
    }

    /// CPU time that it has used for compiling so far. One that has gone tells of that on the channel.
    fn compile_time(&self) -> Duration {
        clock::cpu_time_of(self.pid.pid).unwrap_or_default()
    }

    /// Begin a run: a fresh process, whose pseudo-random numbers start from `seed`. Several boxes may run at once;
    /// [`Box::finish`] is due before this one begins again.
    ///
    /// # Errors
    /// The host failed.
    pub fn begin(&mut self, files: Files, limits: &Limits, seed: u64) -> Result<(), SandboxError> {
        let request = TestRequest {
            cpu_ns: nanoseconds(limits.cpu),
            wall_ns: nanoseconds(limits.wall),
            idle_ns: nanoseconds(limits.idle),
            threads: if self.grants.threads {
                u64::from(limits.tasks)
            } else {
                0
            },
            processes: u64::from(self.grants.processes),
            output: limits.output,
            open_files: u64::from(limits.open_files),
            memory: limits.memory,
            seed,
        };
        let written = if self.in_engine {
            let (input, descriptors) = files.for_engine();
            let descriptors: Vec<_> = descriptors.iter().map(AsFd::as_fd).collect();
            self.ask(&[request.encode(), input].concat(), &descriptors)?;
            None
        } else {
            let files = files.open()?;
            self.ask(&request.encode(), &files.descriptors())?;
            Some(files.begun())
        };
        self.running = Some(Running {
            request,
            written,
            limits: limits.clone(),
            started: Instant::now(),
        });
        Ok(())
    }

    /// Send it a request. That it has gone since it compiled, and why, its end tells.
    fn ask(&self, request: &[u8], descriptors: &[BorrowedFd<'_>]) -> Result<(), SandboxError> {
        match self.channel.send(request, descriptors) {
            Err(SandboxError::Host { source, .. }) if source.kind() == ErrorKind::BrokenPipe => {
                Ok(())
            }
            sent => sent,
        }
    }

    /// Wait for the run to end.
    ///
    /// # Errors
    /// The host failed; or nothing was begun.
    pub fn finish(&mut self) -> Result<Outcome, SandboxError> {
        let running = self.running.take().ok_or_else(|| broken("does not run"))?;
        let reply = match self.runs {
            Runs::One => self.watch(&running),
            Runs::Many => self.reply(&running.limits),
        };
        let has_gone = matches!(reply, Ok(Reply::Gone));
        let failure = match reply {
            Ok(Reply::Done(bytes)) => match told(&bytes, running.written.as_ref())? {
                Some(told) => return self.outcome(told, &running.limits),
                None => broken("reports nonsense"),
            },
            Ok(Reply::Rejected(reason) | Reply::Failed(reason)) => {
                broken(&format!("failed to {reason}"))
            }
            Ok(Reply::Gone) => broken("ended"),
            Ok(Reply::Late) => broken("does not report"),
            Err(SandboxError::Interrupted) => return Err(SandboxError::Interrupted),
            Err(error) => error,
        };
        self.is_spent = true;
        // A program can fill its cgroup with pages that count in no process's resident size, and the kernel then ends the
        // largest process, which need not be the one that runs the program. That is the program's doing all the same.
        if self.worker.was_killed_for_memory()? {
            self.worker.retire();
            return Ok(outcome::out_of_memory(&running.limits));
        }
        // Nobody but the program was in that process: whatever ended it was in its power.
        if self.in_engine && has_gone {
            self.ended_by_itself()?;
            return Ok(outcome::crashed());
        }
        Err(failure)
    }

    /// That its process has ended by itself or for want of memory, not with a worker that the host has ended.
    ///
    /// # Errors
    /// The worker has ended, and not for what the program holds.
    fn ended_by_itself(&mut self) -> Result<(), SandboxError> {
        self.is_reaped = self.worker.end(self.pid).is_ok();
        if self.is_reaped || self.worker.was_killed_for_memory()? {
            return Ok(());
        }
        Err(broken("ended with its worker"))
    }

    /// Watch a run that is its box's own process to its end, and have the worker say how it ended.
    fn watch(&mut self, running: &Running) -> Result<Reply, SandboxError> {
        let interrupt = &self.interrupt;
        let watched = Watched {
            pid: self.pid.pid,
            started: running.started,
            before: self.compiling,
            cores: cores(),
        };
        let seen = watch::watch(watched, &running.request, |process, until| {
            interrupt.wait_readable(process, until)
        });
        let Seen { cut, slept } = match seen {
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                return Err(SandboxError::Interrupted);
            }
            seen => seen.map_err(host("watch a program"))?,
        };
        let wall_ns = nanoseconds(running.started.elapsed());
        self.is_spent = true;
        // Until the untrusted code began it held the channel, and nothing but what kept it from beginning comes from there.
        match self.channel.receive(&self.interrupt, Instant::now())? {
            Reply::Gone | Reply::Late => {}
            told => return Ok(told),
        }
        let pid = self.pid.pid;
        self.is_reaped = true;
        let request = ReapRequest {
            pid,
            cut,
            wall_ns,
            slept_ns: nanoseconds(slept),
        };
        self.worker.reap(&request, &self.interrupt)
    }

    /// Begin a run with `stdin` alone, and wait for its end.
    ///
    /// # Errors
    /// The host failed.
    pub fn run(
        &mut self,
        stdin: &[u8],
        limits: &Limits,
        seed: u64,
    ) -> Result<Outcome, SandboxError> {
        self.begin(Files::new(stdin)?, limits, seed)?;
        self.finish()
    }

    /// Take from the scratch directory what the last run left there: its regular files by their paths, as far as they are no
    /// more than `files` and have no more than `bytes` in all. What lies in a folder whose name begins with a dot is left out.
    ///
    /// # Errors
    /// The host failed; or a run is under way.
    pub fn collect(&mut self, files: u64, bytes: u64) -> Result<Collected, SandboxError> {
        if self.running.is_some() {
            return Err(broken("still runs"));
        }
        let archive = files::memory_file("archive")?;
        let request = CollectRequest { files, bytes };
        self.channel.send(&request.encode(), &[archive.as_fd()])?;
        let reply = self
            .channel
            .receive(&self.interrupt, Instant::now() + GRACE)?;
        let Reply::Done(report) = reply else {
            return Err(broken("does not tell what a run left"));
        };
        let report = CollectReport::decode(&report).ok_or_else(|| broken("reports nonsense"))?;
        Ok(Collected {
            files: executable::files(&files::content(&archive)?)?,
            complete: report.complete != 0,
        })
    }

    /// Whether a run left something behind, a process or a file, so that no other may begin here.
    pub fn is_spent(&self) -> bool {
        self.is_spent
    }

    /// What the box says of a run, with what was written where an engine played it.
    fn reply(&self, limits: &Limits) -> Result<Reply, SandboxError> {
        let deadline = Instant::now() + limits.wall + GRACE;
        let reply = self.channel.receive(&self.interrupt, deadline)?;
        match &reply {
            Reply::Done(start) if self.in_engine => match played_length(start, limits) {
                Some(length) if length > start.len() => {
                    let (channel, interrupt) = (&self.channel, &self.interrupt);
                    channel.receive_rest(start, length, interrupt, deadline)
                }
                _ => Ok(reply),
            },
            _ => Ok(reply),
        }
    }

    fn outcome(
        &mut self,
        Told {
            mut report,
            written,
        }: Told,
        limits: &Limits,
    ) -> Result<Outcome, SandboxError> {
        self.is_spent = report.spent != 0 || self.gives_files;
        let killed = report.signal == outcome::SIGKILL && self.worker.was_killed_for_memory()?;
        if self.runs == Runs::One {
            report = outcome::as_of_a_fork(report);
            report.cpu_ns = report.cpu_ns.saturating_sub(nanoseconds(self.compiling));
        }
        let outcome = outcome::read(&report, written, limits, killed);
        Ok(match self.in_engine {
            true => outcome::by_fuel(outcome, report.fuel, limits),
            false => outcome,
        })
    }
}

impl Drop for Box {
    fn drop(&mut self) {
        if !self.is_reaped && self.worker.end(self.pid).is_err() {
            self.worker.retire();
        }
    }
}

fn broken(what: &str) -> SandboxError {
    SandboxError::Worker(format!("its program {what}"))
}

/// How many cores a program may use at once. Asked once: it takes reading files of this process's cgroup.
fn cores() -> u32 {
    static CORES: LazyLock<u32> =
        LazyLock::new(|| thread::available_parallelism().map_or(1, |cores| cores.get() as u32));
    *CORES
}

/// What a run left in its scratch directory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Collected {
    /// The files, by path. Both their names and what is in them are the run's own choice.
    pub files: Vec<OwnFile>,
    /// Whether that is all: false where there was more than was asked for, or what could not be read.
    pub complete: bool,
}

/// What is known of a run that ended.
struct Told {
    report: TestReport,
    /// To standard output and standard error.
    written: [Vec<u8>; 2],
}

/// What `reply` tells, with what is in the files that were `written`, if it was not an engine that played the run; `None` if it
/// makes no sense.
fn told(reply: &[u8], written: Option<&WrittenFiles>) -> Result<Option<Told>, SandboxError> {
    let Some(files) = written else {
        return Ok(played(reply));
    };
    let Some(report) = TestReport::decode(reply) else {
        return Ok(None);
    };
    let written = files.content()?;
    Ok(Some(Told { report, written }))
}

/// How long all that an engine says of a run is, by its `start`; `None` if that makes no sense.
fn played_length(start: &[u8], limits: &Limits) -> Option<usize> {
    let (_, rest) = TestReport::decode_first(start)?;
    let (written, output) = Written::decode_first(rest)?;
    let is_allowed = |length: u64| length <= limits.output;
    (is_allowed(written.stdout) && is_allowed(written.stderr))
        .then(|| start.len() - output.len() + written.stdout as usize + written.stderr as usize)
}

/// What an engine tells; `None` if it makes no sense.
fn played(reply: &[u8]) -> Option<Told> {
    let (report, rest) = TestReport::decode_first(reply)?;
    let (written, output) = Written::decode_first(rest)?;
    let (stdout, stderr) = output.split_at_checked(usize::try_from(written.stdout).ok()?)?;
    let is_whole = stderr.len() as u64 == written.stderr;
    is_whole.then(|| Told {
        report,
        written: [stdout.to_vec(), stderr.to_vec()],
    })
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
