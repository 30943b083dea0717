//! The Test: a fork of the Program that runs the untrusted code, once; or the Program itself, which does nothing else then.

use std::os::fd::OwnedFd;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::resource::{Resource, UsageWho, getrusage};
use nix::sys::signal::{SigEvent, SigevNotify, Signal};
use nix::sys::time::{TimeSpec, TimeValLike};
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use nix::time::ClockId;
use seccompiler::BpfProgram;

use crate::cores::Cores;
use crate::errors::{SetupError, Step};
use crate::filter;
use crate::limits::limit;
use crate::protocol::TestRequest;
use crate::reserved::ReservedDescriptors;
use crate::sys::{self, FormerAction};

/// Tasks that count against the same limit besides a Test's own: the Worker, two Programs, two Tests.
const OTHER_TASKS: u64 = 5;

/// A process that is ready to run untrusted code.
pub struct Test {
    /// Seed of its pseudo-random numbers.
    pub seed: i64,
    /// How many descriptors it has; all others are closed when the guard is left.
    pub descriptors: u32,
}

/// What a Test takes over from its Program.
pub struct FromProgram<'p> {
    /// The numbers that its files get.
    pub reserved: &'p mut ReservedDescriptors,
    /// The cores that it may run on.
    pub cores: &'p Cores,
    /// What the interpreter did on SIGINT.
    pub interrupt: &'p FormerAction,
    /// The filter that it may never leave.
    pub filter: &'p BpfProgram,
    /// Whether it is to become another executable.
    pub executes: bool,
    /// Whether it is the Program itself, and so the first process of its pid namespace.
    pub is_first: bool,
}

/// Take the files, the limits and the last filter.
///
/// The control socket stays open through all of it, so that a failure of any step can be told there: by an exit status or
/// on a standard stream the untrusted code could tell of one too.
pub fn enter(
    program: FromProgram<'_>,
    request: TestRequest,
    files: &[OwnedFd],
) -> Result<Test, SetupError> {
    program.reserved.install(files).step("install the files")?;
    program.cores.leave();
    // An interrupt is an exception again: Python's own handler was out of place in pid 1.
    program
        .interrupt
        .restore()
        .step("restore the interrupt handler")?;
    // Python ignores it, and a write past the limit would then be an exception that the program can swallow.
    let ends = match program.is_first {
        true => sys::end_by_breakpoint(Signal::SIGXFSZ),
        false => sys::default_action(Signal::SIGXFSZ).map(drop),
    };
    ends.step("end at the output limit")?;
    let cpu = Duration::from_nanos(request.cpu_ns);
    if !program.executes {
        // It would end with the `execve`; whoever watches the Test looks at its time.
        kill_after_cpu(cpu).step("set the CPU timer")?;
    }
    // The backstop behind that, in whole seconds, of all that this process uses.
    let used = getrusage(UsageWho::RUSAGE_SELF).step("read the time used")?;
    let used = used.user_time() + used.system_time();
    let used = u64::try_from(used.num_seconds()).unwrap_or(0);
    limit(Resource::RLIMIT_CPU, used + cpu.as_secs() + 2)?;
    limit(Resource::RLIMIT_FSIZE, request.output)?;
    limit(Resource::RLIMIT_NOFILE, request.open_files)?;
    limit(Resource::RLIMIT_NPROC, request.threads + OTHER_TASKS)?;
    // The filter last, as it forbids timers.
    filter::install(program.filter).step("install the test's filter")?;
    Ok(Test {
        seed: request.seed as i64,
        descriptors: files.len() as u32,
    })
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
