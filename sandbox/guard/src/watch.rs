//! Watching a Test to its end: from the Program that forked it, or from the supervisor where the Test is the Program itself.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};

use crate::clock::cpu_time;
use crate::protocol::{TestReport, TestRequest, cut};
use crate::sys::Reaped;

/// A process that uses less than this share of the time is taken to sleep. A program that computes gets more even where
/// many share a core, and one that sleeps cannot buy much time by waking up now and then.
const IDLE_SHARE: u32 = 20;

/// How a Test ended.
pub struct End {
    /// What wait4(2) tells.
    pub reaped: Reaped,
    /// One of [`cut`]: whether it was ended from outside, and why.
    pub cut: u64,
    /// Wall time from its beginning to its end.
    pub wall: Duration,
    /// How much of that it was seen to sleep.
    pub slept: Duration,
}

/// What was seen of a Test until it ended.
pub struct Seen {
    /// One of [`cut`]: whether it was ended from outside, and why.
    pub cut: u64,
    /// For how long it slept.
    pub slept: Duration,
}

impl End {
    /// As the supervisor is told of it. `own_memory` is the interpreter's share, and nothing else may run in a box that is
    /// `spent`.
    pub(crate) fn report(&self, own_memory: u64, spent: bool) -> TestReport {
        let status = self.reaped.status;
        let signal = if libc::WIFSIGNALED(status) {
            libc::WTERMSIG(status)
        } else {
            0
        };
        TestReport {
            status: libc::WEXITSTATUS(status) as u64,
            signal: signal as u64,
            cut: self.cut,
            cpu_ns: self.reaped.cpu.as_nanos() as u64,
            fuel: 0,
            wall_ns: self.wall.as_nanos() as u64,
            slept_ns: self.slept.as_nanos() as u64,
            peak_memory: self.reaped.peak_memory,
            own_memory,
            spent: u64::from(spent),
        }
    }
}

/// What is watched.
#[derive(Debug, Clone, Copy)]
pub struct Watched {
    /// The process, by its number as this process sees it. Until it is reaped that is no other's.
    pub pid: u64,
    /// When it began.
    pub started: Instant,
    /// CPU time that it had used before.
    pub before: Duration,
    /// How many cores it may use at once.
    pub cores: u32,
}

/// Watch a Test until it ends, and bring that about when its time is up; it is left to be reaped.
///
/// `wait` waits until the descriptor of the process can be read, which is when it has ended, and is false if the time came
/// first, or for no reason; its errors end the watch.
///
/// # Errors
/// Those of `wait`; or the process is unknown.
pub fn watch(
    watched: Watched,
    request: &TestRequest,
    mut wait: impl FnMut(BorrowedFd<'_>, Instant) -> io::Result<bool>,
) -> io::Result<Seen> {
    let pid = Pid::from_raw(i32::try_from(watched.pid).map_err(|_| Errno::ESRCH)?);
    let process = rustix::process::Pid::from_raw(pid.as_raw()).ok_or(Errno::ESRCH)?;
    let process = pidfd_open(process, PidfdFlags::empty())?;
    let end = || match pidfd_send_signal(&process, rustix::process::Signal::KILL) {
        // It has ended by itself.
        Err(rustix::io::Errno::SRCH) => Ok(()),
        sent => sent,
    };
    let started = watched.started;
    let deadline = started + Duration::from_nanos(request.wall_ns);
    let mut sleep = Sleep::new(pid, watched, request);
    let mut budget = CpuBudget::new(pid, watched, request);
    let cut = loop {
        let now = Instant::now();
        if now >= deadline {
            end()?;
            break cut::WALL;
        }
        if budget.is_spent(now)? {
            end()?;
            break cut::NONE;
        }
        if sleep.is_too_long(now)? {
            end()?;
            break cut::IDLE;
        }
        if wait(process.as_fd(), deadline.min(sleep.look).min(budget.look))? {
            break cut::NONE;
        }
    };
    let slept = sleep.until(Instant::now());
    Ok(Seen { cut, slept })
}

/// How often a Test is looked at for whether it sleeps, and how often at least before its idle limit.
const LOOK: Duration = Duration::from_millis(500);
const LOOKS: u32 = 10;

/// How long a Test has slept: all in all, and lately.
struct Sleep {
    pid: Pid,
    part: Duration,
    /// Half of its idle limit.
    window: Duration,
    look: Instant,
    looked: Instant,
    /// CPU time at the last look, and at the last one at the end of a half of the idle limit.
    cpu: [Duration; 2],
    /// When this half began, and how many in a row it has slept through.
    half: Instant,
    quiet: u32,
    slept: Duration,
    /// Whether it slept between the last two looks.
    sleeps: bool,
}

impl Sleep {
    fn new(pid: Pid, watched: Watched, request: &TestRequest) -> Sleep {
        let part = Duration::from_nanos(request.idle_ns) / LOOKS;
        let part = part.clamp(Duration::from_millis(1), LOOK);
        Sleep {
            pid,
            part,
            window: Duration::from_nanos(request.idle_ns / 2).max(part),
            look: watched.started + part,
            looked: watched.started,
            cpu: [watched.before; 2],
            half: watched.started,
            quiet: 0,
            slept: Duration::ZERO,
            sleeps: false,
        }
    }

    /// How long it has slept in all until it ended, up to `now`. What came after the last look counts only for one that slept
    /// before: so short a time says nothing by itself.
    fn until(&self, now: Instant) -> Duration {
        let passed = now - self.looked;
        let used = cpu_time(self.pid).unwrap_or_default();
        if self.sleeps && used.saturating_sub(self.cpu[0]) < passed / IDLE_SHARE {
            return self.slept + passed;
        }
        self.slept
    }

    /// Whether it has slept through its idle limit, if it is time to look. Two quiet halves in a row make one, so that it holds
    /// wherever the sleep begins.
    fn is_too_long(&mut self, now: Instant) -> Result<bool, Errno> {
        if now < self.look {
            return Ok(false);
        }
        let used = cpu_time(self.pid)?;
        let [part, half] = self.cpu;
        let passed = now - self.looked;
        self.sleeps = used.saturating_sub(part) < passed / IDLE_SHARE;
        if self.sleeps {
            self.slept += passed;
        }
        self.looked = now;
        self.cpu[0] = used;
        let over = self.half + self.window;
        if now >= over {
            let slept = used.saturating_sub(half) < self.window / IDLE_SHARE;
            self.quiet = if slept { self.quiet + 1 } else { 0 };
            (self.cpu[1], self.half) = (used, now);
        }
        self.look = (now + self.part).min(self.half + self.window);
        Ok(self.quiet == 2)
    }
}

/// The CPU time of a Test, looked at whenever it could be used up. The timer that a Test sets for itself is exact, but ends
/// with an `execve`.
struct CpuBudget {
    pid: Pid,
    /// What the process may have used in all.
    limit: Duration,
    /// How much CPU time it can use in a stretch of time.
    parallel: u32,
    look: Instant,
}

impl CpuBudget {
    fn new(pid: Pid, watched: Watched, request: &TestRequest) -> CpuBudget {
        let limit = Duration::from_nanos(request.cpu_ns);
        let parallel = watched.cores.min(request.threads.max(1) as u32);
        CpuBudget {
            pid,
            limit: watched.before + limit,
            parallel,
            look: watched.started + limit / parallel,
        }
    }

    /// Whether it is used up, if that could be.
    fn is_spent(&mut self, now: Instant) -> Result<bool, Errno> {
        if now < self.look {
            return Ok(false);
        }
        let left = self.limit.saturating_sub(cpu_time(self.pid)?);
        self.look = now + (left / self.parallel).max(Duration::from_millis(1));
        Ok(left.is_zero())
    }
}

/// Wait until the process of `pidfd` ends; false if `until` came first. An error if the supervisor hung up `control`: the
/// namespace then ends with this process.
pub(crate) fn wait_for_end(
    pidfd: BorrowedFd<'_>,
    control: BorrowedFd<'_>,
    until: Instant,
) -> io::Result<bool> {
    // A millisecond more, as poll(2) rounds to whole ones.
    let left = until.saturating_duration_since(Instant::now()) + Duration::from_millis(1);
    let mut ends = [
        PollFd::new(pidfd, PollFlags::POLLIN),
        PollFd::new(control, PollFlags::empty()),
    ];
    match poll(
        &mut ends,
        PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX),
    ) {
        Err(Errno::EINTR) | Ok(0) => Ok(false),
        Err(errno) => Err(errno.into()),
        Ok(_) if ends[0].any() == Some(true) => Ok(true),
        Ok(_) => Err(Errno::EPIPE.into()),
    }
}

/// Kill whatever else lives in this pid namespace. Whether there was anything.
pub(crate) fn kill_the_rest() -> bool {
    let everything = Pid::from_raw(-1);
    if kill(everything, Signal::SIGKILL) == Err(Errno::ESRCH) {
        return false;
    }
    // Tasks of any kind, those too that would not tell of their end.
    while waitpid(everything, Some(WaitPidFlag::__WALL)).is_ok() {}
    true
}
