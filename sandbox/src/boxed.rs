//! One Program in its box: has it fork Tests, and reads from their reports how they ended.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sandbox_guard::protocol::{self, TestReport, TestRequest, Words, cut};

use crate::process::{self, Interrupt, Reply};
use crate::{Bytes, Limits, Outcome, Program, SandboxError, Termination, Usage};

/// How long a program may take to compile.
const COMPILE: Duration = Duration::from_secs(15);
/// How long a Program may take beyond a test's wall limit to report how it ended.
const GRACE: Duration = Duration::from_secs(20);

/// A Program in its box.
#[derive(Debug)]
pub struct Boxed {
    /// What the Worker knows it by.
    pub pid: protocol::ProgramPid,
    /// Whether a Test left something behind, so that no other may be forked.
    pub spent: bool,
    control: OwnedFd,
    interrupt: Arc<Interrupt>,
}

impl Boxed {
    /// The Program `pid`, at the other end of `control`, once it has compiled its source; else the compiler's message.
    pub fn compiled(
        pid: protocol::ProgramPid,
        control: OwnedFd,
        interrupt: Arc<Interrupt>,
    ) -> Result<Result<Boxed, String>, SandboxError> {
        let reply = process::receive(control.as_fd(), &interrupt, Instant::now() + COMPILE)?;
        Ok(match reply {
            Reply::Ok(_) => Ok(Boxed {
                pid,
                spent: false,
                control,
                interrupt,
            }),
            Reply::Failed(message) => Err(message),
            Reply::Gone => Err("the compiler crashed or ran out of memory".to_owned()),
            Reply::Late => Err(format!("compiling took more than {} s", COMPILE.as_secs())),
        })
    }

    /// Have it fork a Test.
    pub fn begin(
        &self,
        program: &Program,
        limits: &Limits,
        files: &Files,
        seed: u64,
    ) -> Result<(), SandboxError> {
        let run = TestRequest {
            cpu_ns: nanoseconds(limits.cpu),
            wall_ns: nanoseconds(limits.wall),
            idle_ns: nanoseconds(limits.idle),
            threads: if program.grants.threads {
                u64::from(limits.tasks)
            } else {
                0
            },
            output: limits.output,
            open_files: u64::from(limits.open_files),
            seed,
        };
        let descriptors: Vec<_> = files.all().map(AsFd::as_fd).collect();
        process::send(self.control.as_fd(), &run.encode(), &descriptors)
    }

    /// Wait for its Test to end.
    pub fn finish(&mut self, limits: &Limits) -> Result<TestReport, SandboxError> {
        let broken = |what: &str| Err(SandboxError::Worker(format!("its program {what}")));
        match process::receive(
            self.control.as_fd(),
            &self.interrupt,
            Instant::now() + limits.wall + GRACE,
        )? {
            Reply::Ok(bytes) => {
                let report =
                    TestReport::decode(&bytes).map_or_else(|| broken("reports nonsense"), Ok)?;
                self.spent = report.spent != 0;
                Ok(report)
            }
            Reply::Failed(reason) => broken(&format!("failed to {reason}")),
            Reply::Gone => broken("ended"),
            Reply::Late => broken("does not report"),
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// The files of one Test: its standard streams and what else it is given.
pub struct Files {
    stdin: File,
    stdout: File,
    stderr: File,
    /// What becomes descriptor 3, and 4.
    pub extras: Vec<File>,
}

impl Files {
    /// With `stdin` to be read.
    pub fn new(stdin: &[u8], extras: Vec<File>) -> Result<Files, SandboxError> {
        Ok(Files {
            stdin: process::memory_file_of("stdin", stdin)?,
            stdout: process::memory_file("stdout")?,
            stderr: process::memory_file("stderr")?,
            extras,
        })
    }

    fn all(&self) -> impl Iterator<Item = &File> {
        [&self.stdin, &self.stdout, &self.stderr]
            .into_iter()
            .chain(&self.extras)
    }

    /// Keep the standard streams alone.
    pub fn without_extras(mut self) -> Files {
        self.extras.clear();
        self
    }

    /// Keep of the extras only the last, the result.
    pub fn split_result(mut self) -> (Files, File) {
        let result = self.extras.pop().expect("an examiner has a result file");
        (self.without_extras(), result)
    }
}

/// How a Test ended, by its report and what it left in its files; `killed` if the kernel killed it for want of memory.
pub fn outcome(
    report: &TestReport,
    files: &Files,
    limits: &Limits,
    killed: bool,
) -> Result<Outcome, SandboxError> {
    let (stdout, stderr) = (
        process::content(&files.stdout)?,
        process::content(&files.stderr)?,
    );
    let usage = Usage {
        cpu: Duration::from_nanos(report.cpu_ns),
        wall: Duration::from_nanos(report.wall_ns),
        memory: report.peak_memory,
    };
    let longest = stdout.len().max(stderr.len()) as u64;
    Ok(Outcome {
        termination: termination(report, limits, longest, killed),
        usage,
        stdout: Bytes(stdout),
        stderr: Bytes(stderr),
        returned: None,
    })
}

/// The signal that nothing survives, as a report has it.
pub const SIGKILL: u64 = 9;
const SIGXCPU: u64 = 24;
const SIGXFSZ: u64 = 25;
/// The kernel checks CPU timers at clock ticks, and rounds what it reports.
const TICK: Duration = Duration::from_millis(2);

fn termination(report: &TestReport, limits: &Limits, longest: u64, killed: bool) -> Termination {
    let out_of_time = report.cpu_ns + nanoseconds(TICK) >= nanoseconds(limits.cpu);
    match (report.cut, report.signal) {
        (cut::WALL, _) => Termination::WallLimit,
        (cut::IDLE, _) => Termination::IdleLimit,
        _ if report.peak_memory > limits.memory + report.own_memory => Termination::MemoryLimit,
        (_, SIGKILL | SIGXCPU) if out_of_time => Termination::CpuLimit,
        (_, SIGKILL) if killed => Termination::MemoryLimit,
        (_, SIGXFSZ) => Termination::OutputLimit,
        _ if longest >= limits.output => Termination::OutputLimit,
        (_, 0) => Termination::Exited(report.status as i32),
        (_, signal) => Termination::Signaled(signal as i32),
    }
}
