//! The Worker: enters its box once, then forks a Program for every request of the supervisor.
//!
//! It runs trusted code only, never sees an expected output, and keeps the capabilities of its own user namespace, which
//! each Program gives up.

use std::fs;
use std::num::NonZero;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::resource::{Resource, UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::{Gid, Pid, Uid, setgroups, sethostname, setresgid, setresuid, setsid};
use rustix::io::fcntl_dupfd_cloexec;
use rustix::stdio::stdin;

use crate::cores::Cores;
use crate::errors::{SetupError, Step};
use crate::filter::{self, Filters};
use crate::limits::limit;
use crate::program::{FromWorker, TestServer};
use crate::protocol::{
    self, LaunchRequest, OK, ProgramPid, ReapRequest, TestReport, Words, WorkerSetup,
};
use crate::reserved::{FIRST_FREE, ReservedDescriptors};
use crate::sys::{self, Forked, MappingList};
use crate::watch::End;
use crate::{mappings, root};

/// Who a boxed process is: inside, and, where the supervisor is root, outside, where it is nobody.
const INSIDE: u32 = 1000;
const NOBODY: u32 = 65534;

/// A Worker in its box: serves requests for Programs.
pub struct ProgramServer {
    control: OwnedFd,
    mappings: MappingList,
    inherited: FromWorker,
}

/// Enter the box; `None` after the reason was sent to the supervisor, who is at the other end of standard input.
pub fn enter() -> Option<ProgramServer> {
    let control = fcntl_dupfd_cloexec(stdin(), FIRST_FREE).ok()?;
    match prepare(&control) {
        Ok((mappings, inherited)) => Some(ProgramServer {
            control,
            mappings,
            inherited,
        }),
        Err(error) => {
            tell(&control, &error);
            None
        }
    }
}

fn tell(control: &OwnedFd, error: &SetupError) {
    // One that has gone cannot be told, and its end is ours.
    let _ = protocol::send_failed(control.as_fd(), &error.to_string());
}

fn prepare(control: &OwnedFd) -> Result<(MappingList, FromWorker), SetupError> {
    sys::inherited_descriptors_closed().step("close inherited descriptors")?;
    // First, so that every other descriptor gets a higher number.
    let reserved = ReservedDescriptors::reserve()?;
    // While there is a /proc.
    let mut mappings = MappingList::open().step("open the list of mappings")?;
    mappings::use_huge_pages(&mappings.read().step("list the mappings")?);
    let (bytes, _) = protocol::receive(control.as_fd()).step("receive the setup")?;
    let setup = WorkerSetup::decode(&bytes)
        .ok_or_else(|| SetupError::new("read the setup", "it makes no sense"))?;
    let parallel = std::thread::available_parallelism().map_or(1, NonZero::get) as u32;
    let cores = Cores::of_this_process();
    // A signal to the supervisor's group, Ctrl-C for one, is the supervisor's to answer.
    setsid().step("leave the terminal")?;
    // No program needs any of these, whatever its limits.
    for resource in [
        Resource::RLIMIT_CORE,
        Resource::RLIMIT_MEMLOCK,
        Resource::RLIMIT_MSGQUEUE,
    ] {
        limit(resource, 0)?;
    }
    enter_namespaces(&setup)?;
    let filters = Filters::build(&setup).step("build the filters")?;
    // Both landlock and a filter bring it, where there are any.
    prctl::set_no_new_privs().step("give up new privileges")?;
    if !setup.unguarded {
        // Last, as it takes away for good what neither the Worker nor any process forked from it needs.
        filter::install_worker(setup.executes).step("install the worker's filter")?;
    }
    let inherited = FromWorker {
        setup,
        filters,
        reserved,
        own_memory: 0,
        parallel,
        cores,
    };
    Ok((mappings, inherited))
}

fn enter_namespaces(setup: &WorkerSetup) -> Result<(), SetupError> {
    match (setup.namespaces, Uid::effective().is_root()) {
        (true, true) => enter_as_root(setup),
        (true, false) => enter_as_user(setup),
        (false, false) => Ok(()),
        (false, true) if setup.unguarded => become_user(NOBODY),
        // Landlock does not keep root from changing what it may not read: owners, modes, times.
        (false, true) => Err(SetupError::new(
            "enter a box",
            "needs namespaces where it is run by root",
        )),
    }
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
    // The kernel maps the group of an ordinary user only after this (user_namespaces(7)).
    fs::write("/proc/self/setgroups", "deny").step("give up changing groups")?;
    fs::write("/proc/self/uid_map", format!("{INSIDE} {user} 1")).step("map the user")?;
    fs::write("/proc/self/gid_map", format!("{INSIDE} {group} 1")).step("map the group")?;
    root::enter(setup)?;
    sethostname("box").step("set the host name")
}

/// Root: the mounts first, while all of the interpreter can be reached; then the namespaces, as nobody.
fn enter_as_root(setup: &WorkerSetup) -> Result<(), SetupError> {
    let mapper = Mapper::start()?;
    unshare(CloneFlags::CLONE_NEWNS).step("create the mount namespace")?;
    root::enter(setup)?;
    unshare(namespaces()).step("create the namespaces")?;
    mapper.finish()?;
    become_user(INSIDE)?;
    sethostname("box").step("set the host name")
}

/// Be the user of this number, who is nobody on the host, and in the group of the same number alone.
fn become_user(number: u32) -> Result<(), SetupError> {
    setgroups(&[]).step("leave all groups")?;
    let (user, group) = (Uid::from_raw(number), Gid::from_raw(number));
    // The group first: it takes a right that goes with the user.
    setresgid(group, group, group).step("become nobody's group")?;
    setresuid(user, user, user).step("become nobody")
}

/// A process that stays outside, to write the maps of its parent's new user namespace: only there it may map another user
/// than its own.
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
                // Its own copy would keep the pipe open when the parent is gone.
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
            status => Err(SetupError::new("map the user", format!("{status:?}"))),
        }
    }
}

impl ProgramServer {
    /// Tell the supervisor that this Worker cannot serve, and why.
    pub fn fail(&self, why: &str) {
        tell(&self.control, &SetupError::new("warm up", why));
    }

    /// Serve requests; returns in a new Program, or when the supervisor has gone.
    pub fn serve(self) -> Option<TestServer> {
        let ProgramServer {
            control,
            mappings,
            mut inherited,
        } = self;
        match serve(&control, mappings, &mut inherited) {
            // The Worker's socket ends with this function: no Program can speak for the Worker.
            Ok(launched) => launched.map(|launched| launched.start(inherited)),
            Err(error) => {
                tell(&control, &error);
                None
            }
        }
    }
}

fn serve(
    control: &OwnedFd,
    mut mappings: MappingList,
    inherited: &mut FromWorker,
) -> Result<Option<FreshFork>, SetupError> {
    // Every fork copies what is mapped, so the interpreter is made small now that it is warm.
    mappings::join(&mappings.read().step("join the mappings")?);
    sys::trim_heap();
    sys::share_heap();
    // An executable takes the place of what forked it, and has no interpreter's share.
    inherited.own_memory = match inherited.setup.executes {
        true => 0,
        false => own_memory().step("measure the interpreter")?,
    };
    protocol::send(control.as_fd(), &[OK], &[]).step("report for service")?;
    loop {
        match serve_one(control, inherited)? {
            Served::Request => {}
            Served::Forked(forked) => return Ok(Some(forked)),
            Served::Gone => return Ok(None),
        }
    }
}

/// Peak resident memory of this process in bytes; Linux counts it in KiB (getrusage(2)).
fn own_memory() -> nix::Result<u64> {
    getrusage(UsageWho::RUSAGE_SELF).map(|usage| usage.max_rss() as u64 * 1024)
}

enum Served {
    /// A request was answered, and the next is awaited.
    Request,
    /// This process is a fresh fork.
    Forked(FreshFork),
    /// The supervisor has gone.
    Gone,
}

/// A fresh fork, and what it was forked for.
struct FreshFork {
    request: LaunchRequest,
    source: OwnedFd,
    control: OwnedFd,
}

impl FreshFork {
    fn start(self, inherited: FromWorker) -> TestServer {
        TestServer::start(inherited, self.request, self.source, self.control)
    }
}

fn serve_one(control: &OwnedFd, inherited: &FromWorker) -> Result<Served, SetupError> {
    let (bytes, descriptors) = protocol::receive(control.as_fd()).step("receive a request")?;
    if bytes.is_empty() {
        return Ok(Served::Gone);
    }
    if let Some(request) = ProgramPid::decode(&bytes) {
        end(Pid::from_raw(request.pid as i32))?;
        return Ok(Served::Request);
    }
    if let Some(request) = ReapRequest::decode(&bytes) {
        let report = reap(request, inherited.own_memory)?;
        protocol::send_ok(control.as_fd(), &report).step("report on a test")?;
        return Ok(Served::Request);
    }
    let broken = |cause: &str| SetupError::new("read a request", cause);
    let request =
        LaunchRequest::decode(&bytes).ok_or_else(|| broken("it has an unknown length"))?;
    let [source, channel] =
        <[OwnedFd; 2]>::try_from(descriptors).map_err(|_| broken("it has not two descriptors"))?;
    let namespaces = program_namespaces(inherited.setup.namespaces);
    inherited.cores.stay();
    let forked = sys::fork_into(namespaces);
    inherited.cores.leave();
    match forked.step("fork a program")? {
        Forked::Parent(pid) => {
            let pid = pid.as_raw() as u64;
            protocol::send_ok(control.as_fd(), &ProgramPid { pid }).step("answer")?;
            Ok(Served::Request)
        }
        Forked::Child => Ok(Served::Forked(FreshFork {
            request,
            source,
            control: channel,
        })),
    }
}

/// A Program has namespaces of its own where the Worker has.
fn program_namespaces(namespaces: bool) -> CloneFlags {
    if namespaces {
        CloneFlags::CLONE_NEWPID | CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWIPC
    } else {
        CloneFlags::empty()
    }
}

/// Wait for a Program that was its own only Test.
fn reap(request: ReapRequest, own_memory: u64) -> Result<TestReport, SetupError> {
    let end = End {
        reaped: sys::reap(Pid::from_raw(request.pid as i32)).step("wait for a test")?,
        cut: request.cut,
        wall: Duration::from_nanos(request.wall_ns),
        slept: Duration::from_nanos(request.slept_ns),
    };
    Ok(end.report(own_memory, true))
}

/// End a Program and with it all that is left in its pid namespace.
fn end(pid: Pid) -> Result<(), SetupError> {
    // It may have ended by itself; it is reaped below all the same, so the number cannot be another process's.
    let _ = kill(pid, Signal::SIGKILL);
    waitpid(pid, Some(WaitPidFlag::__WALL))
        .step("wait for a program")
        .map(drop)
}
