//! The process that programs are forked from, seen from the supervisor: how it is started, asked, bounded and ended.

use std::io;
use std::os::fd::BorrowedFd;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use procfs::ProcError;
use procfs::process::Process;
use sandbox_guard::protocol::{LaunchRequest, ProgramPid, ReapRequest, Words, WorkerSetup};

use crate::cgroup::{Group, Hierarchy};
use crate::channel::{Channel, Interrupt, Reply};
use crate::error::host;
use crate::files;
use crate::image::Image;
use crate::{Level, Limits, SandboxError};

/// How long a worker may take to come up.
const START: Duration = Duration::from_secs(60);
/// How long it may take to answer a request, on a busy machine.
const ANSWER: Duration = Duration::from_secs(30);
/// Address space beyond the memory limit that reservations may take: stacks of threads, maps of libraries and files.
const RESERVED: u64 = 1 << 30;
/// What the boxes of a worker may hold beyond the memory limit of a run: kernel structures, compiled code.
const HELD_BESIDE: u64 = 64 << 20;

/// The process that programs are forked from, seen from the supervisor. Dropping it ends all that descends from it.
#[derive(Debug)]
pub(crate) struct Worker {
    child: Child,
    channel: Channel,
    /// Held from a request to its answer: several boxes of this worker may be waited for at once.
    asking: Mutex<()>,
    cgroup: Option<Mutex<Bounded>>,
    retired: AtomicBool,
    /// Bytes of address space that it occupies.
    address_space: u64,
}

/// A worker's cgroup, and how often the kernel had killed one of its processes when that was last looked up.
#[derive(Debug)]
struct Bounded {
    group: Group,
    kills: u64,
}

impl Worker {
    /// Start it, have it enter its box and warm up.
    pub(crate) fn start(
        image: &Image,
        level: Level,
        hierarchy: Option<&Hierarchy>,
        interrupt: &Interrupt,
    ) -> Result<Worker, SandboxError> {
        let (channel, theirs) = Channel::pair()?;
        let errors = files::memory_file("errors")?;
        let (mut command, _code) = image.command()?;
        let child = command
            .stdin(theirs)
            .stderr(errors.try_clone().map_err(host("share the error file"))?)
            .spawn()
            .map_err(host("start the worker"))?;
        // It holds the child's end of the channel, whose closing tells that the child has ended.
        drop(command);
        let mut worker = Worker {
            child,
            channel,
            asking: Mutex::new(()),
            cgroup: None,
            retired: AtomicBool::new(false),
            address_space: 0,
        };
        let entered = worker.enter(image.setup(level), hierarchy, interrupt);
        entered.map_err(|error| unavailable(error, &errors))?;
        Ok(worker)
    }

    fn enter(
        &mut self,
        setup: WorkerSetup,
        hierarchy: Option<&Hierarchy>,
        interrupt: &Interrupt,
    ) -> Result<(), SandboxError> {
        if let Some(hierarchy) = hierarchy {
            let group = Group::new(hierarchy).map_err(host("make the worker's cgroup"))?;
            let added = group.add(self.child.id());
            added.map_err(host("enter the worker's cgroup"))?;
            self.cgroup = Some(Mutex::new(Bounded { group, kills: 0 }));
        }
        self.channel.send(&setup.encode(), &[])?;
        self.answer(START, interrupt)?;
        let address_space = address_space(self.child.id()).map_err(io::Error::other);
        self.address_space = address_space.map_err(host("read the worker's size"))?;
        Ok(())
    }

    /// Bytes of address space for a program whose threads have stacks of `thread` bytes. Where no cgroup counts memory,
    /// address space is what bounds it on the way to the end of a run: there is room for every thread's stack only where there
    /// is one.
    pub(crate) fn address_space(&self, limits: &Limits, thread: u64) -> u64 {
        let threads = match self.cgroup {
            Some(_) => thread * u64::from(limits.tasks),
            None => 0,
        };
        self.address_space + limits.memory + RESERVED + threads
    }

    /// Fork a program, with its source and the other end of its control socket.
    pub(crate) fn launch(
        &self,
        request: &LaunchRequest,
        descriptors: &[BorrowedFd<'_>; 2],
        interrupt: &Interrupt,
    ) -> Result<ProgramPid, SandboxError> {
        let pid = {
            let _turn = self.turn();
            self.channel.send(&request.encode(), descriptors)?;
            self.answer(ANSWER, interrupt)?
        };
        ProgramPid::decode(&pid)
            .ok_or_else(|| SandboxError::Worker("its answer makes no sense".into()))
    }

    /// Have it wait for a program that was its own only test and has ended: the report on that.
    pub(crate) fn reap(
        &self,
        request: &ReapRequest,
        interrupt: &Interrupt,
    ) -> Result<Reply, SandboxError> {
        let _turn = self.turn();
        self.channel.send(&request.encode(), &[])?;
        self.answer(ANSWER, interrupt).map(Reply::Done)
    }

    /// One asks and is answered, then the next.
    fn turn(&self) -> MutexGuard<'_, ()> {
        self.asking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wait for what was asked of the worker itself.
    fn answer(&self, patience: Duration, interrupt: &Interrupt) -> Result<Vec<u8>, SandboxError> {
        let broken = |what: String| Err(SandboxError::Worker(what));
        match self.channel.receive(interrupt, Instant::now() + patience)? {
            Reply::Done(content) => Ok(content),
            Reply::Rejected(reason) | Reply::Failed(reason) => broken(reason),
            Reply::Gone => broken("it ended".into()),
            Reply::Late => broken("it does not answer".into()),
        }
    }

    /// End a program; nothing of it is left when the next one starts.
    pub(crate) fn end(&self, pid: ProgramPid) -> Result<(), SandboxError> {
        self.channel.send(&pid.encode(), &[])
    }

    /// Launch nothing from it again.
    pub(crate) fn retire(&self) {
        self.retired.store(true, Ordering::Relaxed);
    }

    /// Whether it was retired.
    pub(crate) fn is_retired(&self) -> bool {
        self.retired.load(Ordering::Relaxed)
    }

    /// Bound what all of it holds beyond what it holds when first asked, with `files` bytes of a program's own, and how many tasks it has.
    pub(crate) fn bound(&self, limits: &Limits, files: u64) -> Result<(), SandboxError> {
        let memory = limits.memory + limits.scratch_bytes + files + 2 * limits.output + HELD_BESIDE;
        let Some(mut bounded) = self.bounded() else {
            return Ok(());
        };
        let limited = bounded.group.limit(memory, u64::from(2 * limits.tasks + 8));
        limited.map_err(host("limit the worker's cgroup"))
    }

    /// Whether the kernel has killed one of its processes for want of memory since this was last asked.
    pub(crate) fn was_killed_for_memory(&self) -> Result<bool, SandboxError> {
        let Some(mut bounded) = self.bounded() else {
            return Ok(false);
        };
        let kills = bounded.group.kills();
        let kills = kills.map_err(host("read the worker's cgroup"))?;
        Ok(kills > std::mem::replace(&mut bounded.kills, kills))
    }

    fn bounded(&self) -> Option<MutexGuard<'_, Bounded>> {
        let cgroup = self.cgroup.as_ref()?;
        Some(cgroup.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Its programs end with it, and their pid namespaces with them.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A set-up that failed, with what the worker itself said.
fn unavailable(error: SandboxError, errors: &std::fs::File) -> SandboxError {
    let SandboxError::Worker(reason) = error else {
        return error;
    };
    let said = files::content(errors).unwrap_or_default();
    let said = String::from_utf8_lossy(said.trim_ascii()).into_owned();
    let said = if said.is_empty() {
        said
    } else {
        format!(": {said}")
    };
    SandboxError::Isolation(reason + &said)
}

/// Bytes of address space that a process occupies.
fn address_space(pid: u32) -> Result<u64, ProcError> {
    let process = Process::new(pid.cast_signed())?;
    Ok(process.statm()?.size * procfs::page_size())
}
