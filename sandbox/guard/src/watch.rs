//! Watching a Test to its end, from the Program that forked it.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;
use rustix::process::{PidfdFlags, pidfd_open};

use crate::clock::cpu_time;
use crate::protocol::{TestRequest, cut};
use crate::sys::{self, Reaped};

/// A process that uses less than this share of the time is taken to sleep. A program that computes gets more even where
/// many share a core, and one that sleeps cannot buy much time by waking up now and then.
const IDLE_SHARE: u32 = 20;

/// How a Test ended.
pub struct End {
    /// What wait4(2) tells.
    pub reaped: Reaped,
    /// One of [`cut`]: whether it was ended from here, and why.
    pub cut: u64,
    /// Wall time from its fork to its end.
    pub wall: Duration,
}

/// Watch the Test `pid` to its end, and bring that about when its time is up; it may use as many `cores` at once. An error if
/// the supervisor hung up `control`.
pub fn watch(
    pid: Pid,
    request: TestRequest,
    cores: u32,
    control: BorrowedFd<'_>,
) -> Result<End, Errno> {
    let started = Instant::now();
    let cut = wait_or_cut(pid, request, cores, control, started)?;
    let reaped = sys::reap(pid)?;
    Ok(End {
        reaped,
        cut,
        wall: started.elapsed(),
    })
}

/// Wait until the Test ends; end it when its CPU time or its wall time is up, or when it slept too long.
fn wait_or_cut(
    pid: Pid,
    request: TestRequest,
    cores: u32,
    control: BorrowedFd<'_>,
    started: Instant,
) -> Result<u64, Errno> {
    // The number cannot be another process's yet: only `reap` frees it.
    let pidfd = rustix::process::Pid::from_raw(pid.as_raw()).ok_or(Errno::ESRCH)?;
    let pidfd = pidfd_open(pidfd, PidfdFlags::empty())
        .map_err(|error| Errno::from_raw(error.raw_os_error()))?;
    let deadline = started + Duration::from_nanos(request.wall_ns);
    // Two quiet halves in a row make an idle limit, so that it holds wherever the sleep begins.
    let window = Duration::from_nanos(request.idle_ns / 2).max(Duration::from_millis(1));
    let (mut look, mut cpu, mut quiet) = (started + window, Duration::ZERO, 0);
    let mut budget = CpuBudget::new(pid, request, cores, started);
    loop {
        let now = Instant::now();
        if now >= deadline {
            kill(pid, Signal::SIGKILL)?;
            return Ok(cut::WALL);
        }
        if budget.is_spent(now)? {
            kill(pid, Signal::SIGKILL)?;
            return Ok(cut::NONE);
        }
        if now >= look {
            let used = cpu_time(pid)?;
            let slept = used.saturating_sub(cpu) < window / IDLE_SHARE;
            quiet = if slept { quiet + 1 } else { 0 };
            (cpu, look) = (used, now + window);
            if quiet == 2 {
                kill(pid, Signal::SIGKILL)?;
                return Ok(cut::IDLE);
            }
        }
        if wait_for_end(pidfd.as_fd(), control, deadline.min(look).min(budget.look))? {
            return Ok(cut::NONE);
        }
    }
}

/// The CPU time of a Test, looked at whenever it could be used up. The timer that a Test sets for itself is exact, but ends
/// with an `execve`.
struct CpuBudget {
    pid: Pid,
    limit: Duration,
    /// How much CPU time it can use in a stretch of time.
    parallel: u32,
    look: Instant,
}

impl CpuBudget {
    fn new(pid: Pid, request: TestRequest, cores: u32, started: Instant) -> CpuBudget {
        let limit = Duration::from_nanos(request.cpu_ns);
        let parallel = cores.min(request.threads.max(1) as u32);
        CpuBudget {
            pid,
            limit,
            parallel,
            look: started + limit / parallel,
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

/// Wait until the Test ends; false if `until` came first. An error if the supervisor hung up: the namespace then ends
/// with this process.
fn wait_for_end(
    pidfd: BorrowedFd<'_>,
    control: BorrowedFd<'_>,
    until: Instant,
) -> Result<bool, Errno> {
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
        Err(errno) => Err(errno),
        Ok(_) if ends[0].any() == Some(true) => Ok(true),
        Ok(_) => Err(Errno::EPIPE),
    }
}

/// Kill whatever else lives in this pid namespace. Whether there was anything.
pub fn kill_the_rest() -> bool {
    let everything = Pid::from_raw(-1);
    if kill(everything, Signal::SIGKILL) == Err(Errno::ESRCH) {
        return false;
    }
    // Tasks of any kind, those too that would not tell of their end.
    while waitpid(everything, Some(WaitPidFlag::__WALL)).is_ok() {}
    true
}
