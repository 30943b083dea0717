//! The Program: pid 1 of its box. Compiles the untrusted source, runs none of it, and forks a Test for every request.
//!
//! Signals from inside its own pid namespace do not reach it, it cannot be traced, and it holds no capability.

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigAction, Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::time::ClockId;
use nix::unistd::Pid;

use crate::errors::{SetupError, Step};
use crate::protocol::{self, LaunchRequest, TestReport, TestRequest, Words, cut};
use crate::root::{self, Trace};
use crate::sys::{self, Forked};
use crate::test;
use crate::worker::Worker;

/// What a Program holds.
pub struct Program {
    /// The interpreter's own handler of SIGINT, which a Test gets back.
    pub interrupt: SigAction,
    worker: &'static Worker,
    /// The scratch directory as it was mounted, if there is one.
    scratch: Option<Trace>,
    control: OwnedFd,
    _source: OwnedFd,
}

static PROGRAM: OnceLock<Program> = OnceLock::new();
static OWN_MEMORY: AtomicU64 = AtomicU64::new(0);

/// Remember what the warm interpreter holds before any program is in it.
pub fn note_own_memory() {
    OWN_MEMORY.store(sys::own_memory(), Ordering::Relaxed);
}

/// Make this fresh fork of the Worker a Program; tells the supervisor and ends if that fails.
pub fn start(worker: &'static Worker, launch: LaunchRequest, source: OwnedFd, control: OwnedFd) {
    let failed = match cage(worker, launch) {
        Ok(interrupt) => {
            let program = Program {
                interrupt,
                worker,
                scratch: (launch.scratch_bytes > 0)
                    .then(root::scratch_trace)
                    .flatten(),
                control,
                _source: source,
            };
            PROGRAM.set(program).err().map(|program| {
                (
                    program.control,
                    "a second program in one process".to_owned(),
                )
            })
        }
        Err(error) => Some((control, error.to_string())),
    };
    if let Some((control, reason)) = failed {
        tell_failure(control.as_fd(), &reason);
        sys::exit_now(1);
    }
}

/// Tell the supervisor why this process ends. One that has gone cannot be told, and its end is ours.
pub fn tell_failure(control: BorrowedFd<'_>, reason: &str) {
    let _ = protocol::send_failed(control, reason);
}

/// The cage, from the outside in. Each step is inherited by every Test.
fn cage(worker: &Worker, launch: LaunchRequest) -> Result<SigAction, SetupError> {
    prctl::set_pdeathsig(Signal::SIGKILL).step("end with the worker")?;
    prctl::set_dumpable(false).step("forbid tracing")?;
    // Python handles SIGINT; pid 1 is safe only from signals that it does not handle.
    let interrupt = sys::default_action(Signal::SIGINT).step("ignore interrupts")?;
    if worker.setup.namespaces && launch.scratch_bytes > 0 {
        root::mount_scratch(launch.scratch_bytes, launch.scratch_inodes)?;
    }
    limit(Resource::RLIMIT_AS, launch.address_space)?;
    limit(Resource::RLIMIT_STACK, launch.stack)?;
    for resource in [
        Resource::RLIMIT_CORE,
        Resource::RLIMIT_MEMLOCK,
        Resource::RLIMIT_MSGQUEUE,
    ] {
        limit(resource, 0)?;
    }
    sys::drop_capabilities().step("give up all capabilities")?;
    restrict_files(worker, launch.scratch_bytes > 0).step("enter the landlock domain")?;
    seccompiler::apply_filter(&worker.program_filter).step("install the program's filter")?;
    Ok(interrupt)
}

/// Set a limit for good, or as low as it already is.
pub fn limit(resource: Resource, value: u64) -> Result<(), SetupError> {
    let hard = nix::sys::resource::getrlimit(resource).map_or(value, |(_, hard)| hard);
    let value = value.min(hard);
    setrlimit(resource, value, value).step(format!("set {resource:?}"))
}

/// Allow reading what the interpreter needs and writing in the scratch directory; deny every other file, all TCP, and
/// abstract sockets and signals that leave the box.
fn restrict_files(worker: &Worker, scratch: bool) -> Result<(), Box<dyn std::error::Error>> {
    let mut ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(ABI::V5))?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?
        .create()?;
    for path in readable(worker) {
        let kind = if path.is_dir() {
            AccessFs::ReadFile | AccessFs::ReadDir
        } else {
            AccessFs::ReadFile.into()
        };
        ruleset = ruleset.add_rule(PathBeneath::new(PathFd::new(path)?, kind))?;
    }
    ruleset = ruleset.add_rule(PathBeneath::new(
        PathFd::new("/dev/null")?,
        AccessFs::WriteFile,
    ))?;
    if worker.setup.namespaces && scratch {
        ruleset = ruleset.add_rule(PathBeneath::new(
            PathFd::new(root::SCRATCH)?,
            scratch_access(),
        ))?;
    }
    ruleset.restrict_self()?;
    Ok(())
}

/// What may be read: all of a root that was made for this, or else what the interpreter needs.
fn readable(worker: &Worker) -> Vec<&Path> {
    if worker.setup.namespaces {
        return vec![Path::new("/")];
    }
    let devices = root::DEVICES.iter().map(Path::new);
    worker
        .setup
        .readable
        .iter()
        .map(PathBuf::as_path)
        .chain(devices)
        .collect()
}

fn scratch_access() -> BitFlags<AccessFs> {
    AccessFs::from_all(ABI::V5)
        & !(AccessFs::Execute
            | AccessFs::MakeChar
            | AccessFs::MakeBlock
            | AccessFs::MakeSock
            | AccessFs::IoctlDev)
}

/// The number of the descriptor that leads to the supervisor.
pub fn control_descriptor() -> i32 {
    PROGRAM
        .get()
        .map_or(-1, |program| program.control.as_raw_fd())
}

/// Serve requests; returns in a new Test with its seed, or -1 when the supervisor has gone.
pub fn serve() -> i64 {
    let Some(program) = PROGRAM.get() else {
        return -1;
    };
    let control = program.control.as_fd();
    loop {
        let Ok((bytes, descriptors)) = protocol::receive(control) else {
            return -1;
        };
        let Some(run) = TestRequest::decode(&bytes) else {
            return -1;
        };
        match sys::fork() {
            Ok(Forked::Child) => {
                let filter = test_filter(program, run);
                if let Err(error) = test::enter(program, filter, run, descriptors) {
                    tell_failure(control, &error.to_string());
                    sys::exit_now(1);
                }
                return run.seed as i64;
            }
            Ok(Forked::Parent(pid)) => {
                drop(descriptors);
                let Ok(report) = watch(program, pid, run) else {
                    return -1;
                };
                if protocol::send_ok(control, &report).is_err() {
                    return -1;
                }
            }
            Err(errno) => {
                tell_failure(control, &format!("fork a test: {errno}"));
                return -1;
            }
        }
    }
}

fn test_filter(program: &Program, run: TestRequest) -> &'static seccompiler::BpfProgram {
    if run.threads > 0 {
        &program.worker.threads_filter
    } else {
        &program.worker.test_filter
    }
}

/// Watch a Test to its end, clear away what it left, and tell how it ended.
fn watch(program: &Program, pid: Pid, run: TestRequest) -> Result<TestReport, Errno> {
    let started = Instant::now();
    let pidfd = sys::pidfd(pid)?;
    let cut = wait_or_cut(program, pid, pidfd.as_fd(), run, started)?;
    let spent = sys::reap(pid)?;
    let wall = started.elapsed();
    let left = program.worker.setup.namespaces
        && (kill_the_rest() || program.scratch.is_some_and(root::scratch_is_used));
    Ok(TestReport {
        status: libc::WEXITSTATUS(spent.status) as u64,
        signal: if libc::WIFSIGNALED(spent.status) {
            libc::WTERMSIG(spent.status) as u64
        } else {
            0
        },
        cut,
        cpu_ns: spent.cpu.as_nanos() as u64,
        wall_ns: wall.as_nanos() as u64,
        peak_memory: spent.peak_memory,
        own_memory: OWN_MEMORY.load(Ordering::Relaxed),
        spent: u64::from(left),
    })
}

/// Wait until the Test ends; end it when its wall time is up, when it slept too long, or when the supervisor has gone.
fn wait_or_cut(
    program: &Program,
    pid: Pid,
    pidfd: BorrowedFd<'_>,
    run: TestRequest,
    started: Instant,
) -> Result<u64, Errno> {
    let deadline = started + Duration::from_nanos(run.wall_ns);
    // Two quiet halves in a row make an idle limit, so that it holds wherever the sleep begins.
    let window = Duration::from_nanos(run.idle_ns / 2).max(Duration::from_millis(1));
    let (mut look, mut cpu, mut quiet) = (started + window, Duration::ZERO, 0);
    loop {
        let now = Instant::now();
        if now >= deadline {
            kill(pid, Signal::SIGKILL)?;
            return Ok(cut::WALL);
        }
        if now >= look {
            let used = cpu_time(pid)?;
            let slept = used.saturating_sub(cpu) < window / 100;
            quiet = if slept { quiet + 1 } else { 0 };
            (cpu, look) = (used, now + window);
            if quiet == 2 {
                kill(pid, Signal::SIGKILL)?;
                return Ok(cut::IDLE);
            }
        }
        if wait_for_end(program, pidfd, deadline.min(look))? {
            return Ok(cut::NONE);
        }
    }
}

/// Wait until the Test ends; false if `until` came first. An error if the supervisor hung up: the namespace then ends
/// with this process.
fn wait_for_end(program: &Program, pidfd: BorrowedFd<'_>, until: Instant) -> Result<bool, Errno> {
    // A millisecond more, as poll(2) rounds to whole ones.
    let left = until.saturating_duration_since(Instant::now()) + Duration::from_millis(1);
    let mut ends = [
        PollFd::new(pidfd, PollFlags::POLLIN),
        PollFd::new(program.control.as_fd(), PollFlags::empty()),
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

/// CPU time that the process `pid` has used so far, all threads together.
fn cpu_time(pid: Pid) -> Result<Duration, Errno> {
    let time = ClockId::pid_cpu_clock_id(pid)?.now()?;
    Ok(time.into())
}

/// Kill whatever else lives in this pid namespace. Whether there was anything.
fn kill_the_rest() -> bool {
    let everything = Pid::from_raw(-1);
    if kill(everything, Signal::SIGKILL) == Err(Errno::ESRCH) {
        return false;
    }
    while waitpid(everything, Some(WaitPidFlag::__WALL)).is_ok() {}
    true
}
