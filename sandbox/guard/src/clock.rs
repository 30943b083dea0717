//! What a process has used so far, while it still runs.

use std::time::Duration;

use nix::errno::Errno;
use nix::time::ClockId;
use nix::unistd::Pid;

/// CPU time that the process `pid` has used so far, all threads together. Its reaped children do not count.
pub fn cpu_time(pid: Pid) -> Result<Duration, Errno> {
    let time = ClockId::pid_cpu_clock_id(pid)?.now()?;
    Ok(time.into())
}

/// CPU time that this thread has used so far; nothing where the kernel does not tell.
pub fn thread_cpu_time() -> Duration {
    let time = ClockId::CLOCK_THREAD_CPUTIME_ID.now();
    time.map(Duration::from).unwrap_or_default()
}

/// CPU time that this process has used so far, all threads together; nothing where the kernel does not tell.
pub fn own_cpu_time() -> Duration {
    let time = ClockId::CLOCK_PROCESS_CPUTIME_ID.now();
    time.map(Duration::from).unwrap_or_default()
}

/// The same, of a process by its number as this process sees it; `None` if it has gone.
pub fn cpu_time_of(pid: u64) -> Option<Duration> {
    cpu_time(Pid::from_raw(i32::try_from(pid).ok()?)).ok()
}
