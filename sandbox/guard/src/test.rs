//! The Test: a fork of the Program that runs the untrusted code, once.

use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::resource::Resource;
use nix::sys::signal::{SigEvent, SigevNotify, Signal};
use nix::sys::time::TimeSpec;
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use nix::time::ClockId;
use seccompiler::BpfProgram;

use crate::errors::{SetupError, Step};
use crate::program::{Program, limit};
use crate::protocol::TestRequest;
use crate::sys;

/// How many descriptors a Test has at most: its standard streams and two more.
pub const DESCRIPTORS: i32 = 5;

/// Tasks that count against the same limit besides a Test's own: the Worker, two Programs, two Tests.
const OTHER_TASKS: u64 = 5;

/// Take the descriptors, the limits and the last filter. What the Test may not have is gone afterwards: the control
/// socket, the source, and every descriptor but its own.
///
/// They go last, so that a failure of any step can still be told on the control socket: by an exit status or on a
/// standard stream the untrusted code could tell of one too.
pub fn enter(
    program: &Program,
    filter: &BpfProgram,
    run: TestRequest,
    descriptors: Vec<OwnedFd>,
) -> Result<(), SetupError> {
    take(&descriptors)?;
    sys::restore_action(Signal::SIGINT, &program.interrupt)
        .step("restore the interrupt handler")?;
    sys::default_action(Signal::SIGXFSZ).step("end at the output limit")?;
    let cpu = Duration::from_nanos(run.cpu_ns);
    limit(Resource::RLIMIT_CPU, cpu.as_secs() + 2)?;
    limit(Resource::RLIMIT_FSIZE, run.output)?;
    limit(Resource::RLIMIT_NOFILE, run.open_files)?;
    limit(Resource::RLIMIT_NPROC, run.threads + OTHER_TASKS)?;
    kill_after_cpu(cpu).step("set the CPU timer")?;
    seccompiler::apply_filter(filter).step("install the test's filter")?;
    let count = descriptors.len() as u32;
    // Their numbers are closed with all the others; dropping them then would close a stranger.
    std::mem::forget(descriptors);
    sys::close_from(count).step("close the other descriptors")
}

/// Have the kernel kill this process once it has used `cpu` of CPU time, all threads together.
fn kill_after_cpu(cpu: Duration) -> Result<(), Errno> {
    let killing = SigEvent::new(SigevNotify::SigevSignal {
        signal: Signal::SIGKILL,
        si_value: 0,
    });
    let mut timer = Timer::new(ClockId::CLOCK_PROCESS_CPUTIME_ID, killing)?;
    let when = Expiration::OneShot(TimeSpec::from_duration(cpu));
    timer.set(when, TimerSetTimeFlags::empty())?;
    // Dropping it would delete it.
    std::mem::forget(timer);
    Ok(())
}

/// Make the received descriptors 0, 1, 2 and so on.
fn take(descriptors: &[OwnedFd]) -> Result<(), SetupError> {
    for (number, descriptor) in (0..DESCRIPTORS).zip(descriptors) {
        sys::install(descriptor.as_fd(), number).step("install a descriptor")?;
    }
    Ok(())
}
