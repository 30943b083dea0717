//! One program in its box: launched once, then begun and finished any number of times, each in a fresh process.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sandbox_guard::clock;
use sandbox_guard::protocol::{ProgramPid, TestReport, TestRequest, Words};

use crate::channel::{Channel, Interrupt, Reply};
use crate::files::Files;
use crate::outcome::{self, Outcome};
use crate::program::Grants;
use crate::worker::Worker;
use crate::{LaunchError, Limits, SandboxError};

/// How often a compilation is looked at.
const LOOK: Duration = Duration::from_millis(100);
/// How long a box may take beyond its wall limit to tell how it went.
const GRACE: Duration = Duration::from_secs(20);

/// Where one program lives. Dropping it ends whatever still runs in it, and nothing of it is left.
#[derive(Debug)]
pub struct Box {
    worker: Arc<Worker>,
    pid: ProgramPid,
    channel: Channel,
    interrupt: Interrupt,
    grants: Grants,
    /// What the run in progress was given.
    running: Option<(Files, Limits)>,
    is_spent: bool,
}

impl Box {
    /// The box of the process `pid`, at the other end of `channel`; it may still be compiling.
    pub(crate) fn new(
        worker: Arc<Worker>,
        pid: ProgramPid,
        channel: Channel,
        interrupt: Interrupt,
        grants: Grants,
    ) -> Box {
        Box {
            worker,
            pid,
            channel,
            interrupt,
            grants,
            running: None,
            is_spent: false,
        }
    }

    /// Wait until it has compiled its program, within `limit` of CPU time.
    pub(crate) fn compiled(self, limit: Duration) -> Result<Box, LaunchError> {
        let deadline = Instant::now() + limit * 10 + GRACE;
        let why = loop {
            let look = deadline.min(Instant::now() + LOOK);
            match self.channel.receive(&self.interrupt, look)? {
                Reply::Done(_) => return Ok(self),
                Reply::Rejected(message) => break message,
                Reply::Failed(reason) => return Err(SandboxError::Worker(reason).into()),
                Reply::Gone => break "the compiler crashed or ran out of memory".to_owned(),
                Reply::Late if look < deadline && self.compile_time() <= limit => {}
                Reply::Late => {
                    break format!("compiling took more than {limit:?} of CPU time");
                }
            }
        };
        Err(LaunchError::Rejected(why))
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
            output: limits.output,
            open_files: u64::from(limits.open_files),
            seed,
        };
        self.channel.send(&request.encode(), &files.descriptors())?;
        self.running = Some((files.begun(), limits.clone()));
        Ok(())
    }

    /// Wait for the run to end.
    ///
    /// # Errors
    /// The host failed; or nothing was begun.
    pub fn finish(&mut self) -> Result<Outcome, SandboxError> {
        let broken = |what: &str| SandboxError::Worker(format!("its program {what}"));
        let (files, limits) = self.running.take().ok_or_else(|| broken("does not run"))?;
        let deadline = Instant::now() + limits.wall + GRACE;
        let failure = match self.channel.receive(&self.interrupt, deadline)? {
            Reply::Done(bytes) => match TestReport::decode(&bytes) {
                Some(report) => return self.outcome(&report, &files, &limits),
                None => broken("reports nonsense"),
            },
            Reply::Rejected(reason) | Reply::Failed(reason) => {
                broken(&format!("failed to {reason}"))
            }
            Reply::Gone => broken("ended"),
            Reply::Late => broken("does not report"),
        };
        self.is_spent = true;
        // A program can fill its cgroup with pages that count in no process's resident size, and the kernel then ends the
        // largest process, which need not be the one that runs the program. That is the program's doing all the same.
        if self.worker.was_killed_for_memory()? {
            self.worker.retire();
            return Ok(outcome::out_of_memory(&limits));
        }
        Err(failure)
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

    /// Whether a run left something behind, a process or a file, so that no other may begin here.
    pub fn is_spent(&self) -> bool {
        self.is_spent
    }

    fn outcome(
        &mut self,
        report: &TestReport,
        files: &Files,
        limits: &Limits,
    ) -> Result<Outcome, SandboxError> {
        self.is_spent = report.spent != 0;
        let killed = report.signal == outcome::SIGKILL && self.worker.was_killed_for_memory()?;
        outcome::read(report, files, limits, killed)
    }
}

impl Drop for Box {
    fn drop(&mut self) {
        if self.worker.end(self.pid).is_err() {
            self.worker.retire();
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
