//! The Worker: enters its box once, then forks a Program for every request of the supervisor.
//!
//! It runs trusted code only, never sees an expected output, and keeps the capabilities of its own user namespace, which
//! each Program gives up.

use std::fs::{self, File};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::OnceLock;

use nix::sched::{CloneFlags, unshare};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::{Gid, Pid, Uid, setgroups, sethostname, setresgid, setresuid, setsid};
use seccompiler::BpfProgram;

use crate::errors::{SetupError, Step};
use crate::protocol::{self, LaunchRequest, OK, Words, WorkerSetup};
use crate::sys::{self, Forked};
use crate::{filter, mappings, program, root};

/// Who a boxed process is, inside and, where the supervisor is root, outside: nobody.
const INSIDE: u32 = 1000;
const NOBODY: u32 = 65534;

/// What the Worker holds, and its Programs after it.
pub struct Worker {
    /// What its box is made of.
    pub setup: WorkerSetup,
    /// The filter of every Program.
    pub program_filter: BpfProgram,
    /// The filter of a Test that may start threads.
    pub threads_filter: BpfProgram,
    /// The filter of a Test that may not.
    pub test_filter: BpfProgram,
    control: OwnedFd,
    mappings: File,
}

static WORKER: OnceLock<Worker> = OnceLock::new();

/// The Worker that this process is, or descends from.
pub fn get() -> Option<&'static Worker> {
    WORKER.get()
}

/// Enter the box: 0, or 1 after the reason was sent to the supervisor.
pub fn enter() -> i32 {
    let Ok(control) = sys::lift(sys::standard_input()) else {
        return 1;
    };
    match prepare(&control) {
        Ok((setup, filters, mappings)) => {
            let [program_filter, threads_filter, test_filter] = filters;
            let worker = Worker {
                setup,
                program_filter,
                threads_filter,
                test_filter,
                control,
                mappings,
            };
            i32::from(WORKER.set(worker).is_err())
        }
        Err(error) => {
            program::tell_failure(control.as_fd(), &error.to_string());
            1
        }
    }
}

fn prepare(control: &OwnedFd) -> Result<(WorkerSetup, [BpfProgram; 3], File), SetupError> {
    let mappings = mappings::list().step("open the list of mappings")?;
    let mappings = sys::lift(mappings.as_fd())
        .step("keep the list of mappings")?
        .into();
    let (bytes, _) = protocol::receive(control.as_fd()).step("receive the setup")?;
    let setup = WorkerSetup::decode(&bytes);
    setsid().step("leave the terminal")?;
    let filters = build_filters(setup.namespaces).step("build the filters")?;
    match (setup.namespaces, Uid::effective().is_root()) {
        (true, true) => enter_as_root(&setup)?,
        (true, false) => enter_as_user(&setup)?,
        (false, true) => {
            let cause = "needs namespaces where it is run by root".into();
            return Err(SetupError {
                step: "enter a box".into(),
                cause,
            });
        }
        (false, false) => {}
    }
    fill_standard_descriptors()?;
    install_filter()?;
    Ok((setup, filters, mappings))
}

/// Take away for good what neither the worker nor any process forked from it needs.
fn install_filter() -> Result<(), SetupError> {
    let allowed = filter::worker().step("build the worker's filter")?;
    seccompiler::apply_filter(&allowed).step("install the worker's filter")
}

fn build_filters(own_pids: bool) -> Result<[BpfProgram; 3], seccompiler::BackendError> {
    Ok([
        filter::program()?,
        filter::test(true, own_pids)?,
        filter::test(false, own_pids)?,
    ])
}

fn namespaces() -> CloneFlags {
    CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS
        | CloneFlags::CLONE_NEWCGROUP
}

/// An ordinary user: the namespaces first, as they bring the right to mount.
fn enter_as_user(setup: &WorkerSetup) -> Result<(), SetupError> {
    let (user, group) = (Uid::effective(), Gid::effective());
    unshare(namespaces()).step("create the namespaces")?;
    fs::write("/proc/self/setgroups", "deny").step("give up changing groups")?;
    fs::write("/proc/self/uid_map", format!("{INSIDE} {user} 1")).step("map the user")?;
    fs::write("/proc/self/gid_map", format!("{INSIDE} {group} 1")).step("map the group")?;
    root::enter(&setup.readable)?;
    sethostname("box").step("set the host name")
}

/// Root: the mounts first, while all of the interpreter can be reached; then the namespaces, as nobody.
fn enter_as_root(setup: &WorkerSetup) -> Result<(), SetupError> {
    let mapper = Mapper::start()?;
    unshare(CloneFlags::CLONE_NEWNS).step("create the mount namespace")?;
    root::enter(&setup.readable)?;
    unshare(namespaces()).step("create the namespaces")?;
    mapper.finish()?;
    setgroups(&[]).step("leave all groups")?;
    let (user, group) = (Uid::from_raw(INSIDE), Gid::from_raw(INSIDE));
    setresgid(group, group, group).step("become nobody's group")?;
    setresuid(user, user, user).step("become nobody")?;
    sethostname("box").step("set the host name")
}

/// A process that stays outside, to write the maps of its parent's new user namespace.
struct Mapper {
    process: Pid,
    go: OwnedFd,
}

impl Mapper {
    fn start() -> Result<Mapper, SetupError> {
        let parent = nix::unistd::getpid();
        let (wait, go) = nix::unistd::pipe().step("make a pipe")?;
        match sys::fork().step("fork the mapper")? {
            Forked::Parent(process) => Ok(Mapper { process, go }),
            Forked::Child => {
                drop(go);
                let told = nix::unistd::read(&wait, &mut [0]).is_ok_and(|count| count == 1);
                let map = format!("{INSIDE} {NOBODY} 1");
                let write = |name: &str| fs::write(format!("/proc/{parent}/{name}"), &map).is_ok();
                sys::exit_now(i32::from(!(told && write("uid_map") && write("gid_map"))));
            }
        }
    }

    fn finish(self) -> Result<(), SetupError> {
        nix::unistd::write(&self.go, b"!").step("wake the mapper")?;
        match waitpid(self.process, None).step("wait for the mapper")? {
            nix::sys::wait::WaitStatus::Exited(_, 0) => Ok(()),
            status => Err(SetupError {
                step: "map the user".into(),
                cause: format!("{status:?}"),
            }),
        }
    }
}

/// Put empty files where a Test's own will be: seekable as those are, and so that no other descriptor takes their place.
fn fill_standard_descriptors() -> Result<(), SetupError> {
    for number in 0..crate::test::DESCRIPTORS {
        let file = memfd_create("standard", MFdFlags::MFD_CLOEXEC).step("make an empty file")?;
        sys::install(file.as_fd(), number).step("fill a standard descriptor")?;
    }
    Ok(())
}

/// Serve requests; returns in a new Program with the descriptor of its source, or -1 when the supervisor has gone.
pub fn serve() -> i32 {
    let Some(worker) = get() else { return -1 };
    if let Err(error) = mappings::join(&worker.mappings).step("join the mappings") {
        program::tell_failure(worker.control.as_fd(), &error.to_string());
        return -1;
    }
    sys::trim_heap();
    program::note_own_memory();
    if protocol::send(worker.control.as_fd(), &[OK], &[]).is_err() {
        return -1;
    }
    loop {
        match serve_one(worker) {
            Ok(Served::Program(source)) => return source,
            Ok(Served::Request) => {}
            Ok(Served::Gone) => return -1,
            Err(error) => {
                program::tell_failure(worker.control.as_fd(), &error.to_string());
                return -1;
            }
        }
    }
}

enum Served {
    Request,
    Program(i32),
    Gone,
}

fn serve_one(worker: &'static Worker) -> Result<Served, SetupError> {
    let control = worker.control.as_fd();
    let (bytes, descriptors) = protocol::receive(control).step("receive a request")?;
    if bytes.is_empty() {
        return Ok(Served::Gone);
    }
    if let Some(request) = protocol::ProgramPid::decode(&bytes) {
        end(Pid::from_raw(request.pid as i32))?;
        return Ok(Served::Request);
    }
    launch(worker, &bytes, descriptors)
}

/// Fork a Program, into namespaces of its own where the Worker has its own.
fn launch(
    worker: &'static Worker,
    request: &[u8],
    descriptors: Vec<OwnedFd>,
) -> Result<Served, SetupError> {
    let broken = |cause: &str| SetupError {
        step: "read a request".into(),
        cause: cause.into(),
    };
    let launch =
        LaunchRequest::decode(request).ok_or_else(|| broken("it has an unknown length"))?;
    let [source, channel] =
        <[OwnedFd; 2]>::try_from(descriptors).map_err(|_| broken("it has not two descriptors"))?;
    let own = CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWIPC;
    let flags = if worker.setup.namespaces {
        own.bits()
    } else {
        0
    };
    match sys::fork_into(flags).step("fork a program")? {
        Forked::Parent(pid) => {
            let pid = pid.as_raw() as u64;
            protocol::send_ok(worker.control.as_fd(), &protocol::ProgramPid { pid })
                .step("answer")?;
            Ok(Served::Request)
        }
        Forked::Child => {
            let descriptor = source.as_raw_fd();
            program::start(worker, launch, source, channel);
            Ok(Served::Program(descriptor))
        }
    }
}

/// End a Program and with it all that is left in its pid namespace.
fn end(pid: Pid) -> Result<(), SetupError> {
    // It may have ended by itself; it is reaped below all the same, so the number cannot be another process's.
    let _ = kill(pid, Signal::SIGKILL);
    waitpid(pid, Some(WaitPidFlag::__WALL))
        .step("wait for a program")
        .map(drop)
}
