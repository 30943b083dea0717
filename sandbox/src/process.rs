//! One boxed interpreter, seen from the supervisor: its process, its socket, its cgroup.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sandbox_guard::descriptors;
use sandbox_guard::protocol::{self, LaunchRequest, OK, ProgramPid, Words, WorkerSetup};

use crate::cgroup::{Group, Hierarchy};
use crate::{Interpreter, SandboxError, embedded};

/// How long a worker may take to come up.
const START: Duration = Duration::from_secs(60);
/// How long it may take to answer a request, on a busy machine.
const ANSWER: Duration = Duration::from_secs(30);

/// A warm interpreter in its box. Dropping it ends all its processes.
#[derive(Debug)]
pub struct Process {
    child: Child,
    control: OwnedFd,
    errors: File,
    group: Option<Group>,
    kills: u64,
    interrupt: Arc<Interrupt>,
    /// Bytes of address space that the warm interpreter occupies.
    pub address_space: u64,
}

impl Process {
    /// Start an interpreter, have it enter its box and import `modules`.
    pub fn start(
        interpreter: &Interpreter,
        namespaces: bool,
        hierarchy: Option<&Hierarchy>,
        interrupt: Arc<Interrupt>,
        modules: &[&str],
    ) -> Result<Process, SandboxError> {
        let (control, theirs) = socket_pair()?;
        let errors = memory_file("errors")?;
        let mut image = memory_file("guard")?;
        image
            .write_all(embedded::GUARD)
            .map_err(host("write the guard's image"))?;
        let child = Command::new(&interpreter.executable)
            .args(["-S", "-s", "-X", "utf8", "-c", START_SCRIPT])
            .arg(serde_json::json!(interpreter.path).to_string())
            .args(modules)
            .env_clear()
            .envs(ENVIRONMENT)
            .current_dir("/")
            .stdin(theirs)
            .stdout(image)
            .stderr(errors.try_clone().map_err(host("share the error file"))?)
            .spawn()
            .map_err(host("start the interpreter"))?;
        let mut process = Process {
            child,
            control,
            errors,
            group: None,
            kills: 0,
            interrupt,
            address_space: 0,
        };
        send(process.control.as_fd(), &interpreter.script, &[])?;
        process.enter(namespaces, hierarchy, &interpreter.readable)?;
        Ok(process)
    }

    /// The same process, whose waits end with `interrupt`.
    pub fn interrupted_by(mut self, interrupt: Arc<Interrupt>) -> Process {
        self.interrupt = interrupt;
        self
    }

    fn enter(
        &mut self,
        namespaces: bool,
        hierarchy: Option<&Hierarchy>,
        readable: &[std::path::PathBuf],
    ) -> Result<(), SandboxError> {
        if let Some(hierarchy) = hierarchy {
            let group = Group::new(hierarchy).map_err(host("make the worker's cgroup"))?;
            group
                .add(self.child.id())
                .map_err(host("enter the worker's cgroup"))?;
            self.group = Some(group);
        }
        let setup = WorkerSetup {
            namespaces,
            readable: readable.to_vec(),
        };
        send(self.control.as_fd(), &setup.encode(), &[])?;
        self.answer(START).map_err(|error| self.explain(error))?;
        self.address_space =
            address_space(self.child.id()).map_err(host("read the worker's size"))?;
        Ok(())
    }

    /// Fork a Program; its process id and the socket that leads to it.
    pub fn launch(
        &self,
        launch: LaunchRequest,
        source: &File,
    ) -> Result<(ProgramPid, OwnedFd), SandboxError> {
        let (control, theirs) = socket_pair()?;
        send(
            self.control.as_fd(),
            &launch.encode(),
            &[source.as_fd(), theirs.as_fd()],
        )?;
        let answer = self.answer(ANSWER)?;
        let pid = ProgramPid::decode(&answer)
            .ok_or_else(|| SandboxError::Worker("its answer makes no sense".into()))?;
        Ok((pid, control))
    }

    /// End a Program; nothing of it is left when the next one starts.
    pub fn end(&self, pid: ProgramPid) -> Result<(), SandboxError> {
        send(self.control.as_fd(), &pid.encode(), &[])
    }

    /// Bound what all of it holds beyond what it holds when first asked.
    pub fn bound(&mut self, memory: u64, tasks: u64) -> Result<(), SandboxError> {
        match &mut self.group {
            Some(group) => group
                .limit(memory, tasks)
                .map_err(host("limit the worker's cgroup")),
            None => Ok(()),
        }
    }

    /// Whether the kernel has killed one of its processes for want of memory since this was last asked.
    pub fn ran_out_of_memory(&mut self) -> Result<bool, SandboxError> {
        let Some(group) = &self.group else {
            return Ok(false);
        };
        let kills = group.kills().map_err(host("read the worker's cgroup"))?;
        Ok(kills > std::mem::replace(&mut self.kills, kills))
    }

    fn answer(&self, patience: Duration) -> Result<Vec<u8>, SandboxError> {
        match receive(
            self.control.as_fd(),
            &self.interrupt,
            Instant::now() + patience,
        )? {
            Reply::Ok(content) => Ok(content),
            Reply::Failed(reason) => Err(SandboxError::Isolation(reason)),
            Reply::Gone => Err(SandboxError::Worker("it ended".into())),
            Reply::Late => Err(SandboxError::Worker("it does not answer".into())),
        }
    }

    /// Add what the interpreter itself said, if it ended.
    fn explain(&mut self, error: SandboxError) -> SandboxError {
        let mut said = String::new();
        let read = self
            .errors
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.errors.read_to_string(&mut said));
        match (error, read) {
            (SandboxError::Worker(reason), Ok(_)) if !said.trim().is_empty() => {
                SandboxError::Worker(format!("{reason}: {}", said.trim()))
            }
            (error, _) => error,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Its Programs end with it, and their pid namespaces with them.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Takes the script from the socket: the interpreter keeps several copies of a command line, four bytes a character.
const START_SCRIPT: &str = "import marshal, os; exec(marshal.loads(os.read(0, 1 << 20)))";

/// The environment of every program.
const ENVIRONMENT: [(&str, &str); 8] = [
    ("HOME", "/tmp"),
    ("LANG", "C.UTF-8"),
    ("PATH", "/usr/bin:/bin"),
    // The order of sets of strings, and so the verdict of a program that depends on it, is the same in every run.
    ("PYTHONHASHSEED", "0"),
    ("PYTHONDONTWRITEBYTECODE", "1"),
    // Symbols are looked up once, not in every fork.
    ("LD_BIND_NOW", "1"),
    ("OMP_NUM_THREADS", "1"),
    ("OPENBLAS_NUM_THREADS", "1"),
];

/// Ends every wait for a worker, once and for all.
#[derive(Debug, Default)]
pub struct Interrupt(AtomicBool);

impl Interrupt {
    /// How often a wait looks whether it is to end.
    const LOOK: Duration = Duration::from_millis(100);

    /// End every wait, now and later.
    pub fn pull(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Wait until `socket` can be read; false if `deadline` came first.
    fn wait(&self, socket: BorrowedFd<'_>, deadline: Instant) -> Result<bool, SandboxError> {
        while !self.0.load(Ordering::Relaxed) {
            let look = deadline.min(Instant::now() + Self::LOOK);
            if descriptors::wait_readable(socket, look).map_err(host("wait for a worker"))? {
                return Ok(true);
            }
            if look == deadline {
                return Ok(false);
            }
        }
        Err(SandboxError::Interrupted)
    }
}

/// What came of waiting for a reply.
pub enum Reply {
    /// It was done; what the reply carries.
    Ok(Vec<u8>),
    /// It failed, for this reason.
    Failed(String),
    /// The other end is closed.
    Gone,
    /// Nothing came in time.
    Late,
}

/// Wait for a reply until `deadline`, or until the sandbox is interrupted.
pub fn receive(
    socket: BorrowedFd<'_>,
    interrupt: &Interrupt,
    deadline: Instant,
) -> Result<Reply, SandboxError> {
    if !interrupt.wait(socket, deadline)? {
        return Ok(Reply::Late);
    }
    let bytes = match protocol::receive(socket).map_err(io::Error::from) {
        Ok((bytes, _)) => bytes,
        Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(Reply::Gone),
        Err(error) => return Err(host("hear from a worker")(error)),
    };
    Ok(match bytes.split_first() {
        Some((&OK, content)) => Reply::Ok(content.to_vec()),
        Some((_, text)) => Reply::Failed(String::from_utf8_lossy(text).into_owned()),
        None => Reply::Gone,
    })
}

/// Send a request.
pub fn send(
    socket: BorrowedFd<'_>,
    bytes: &[u8],
    descriptors: &[BorrowedFd<'_>],
) -> Result<(), SandboxError> {
    protocol::send(socket, bytes, descriptors).map_err(|errno| host("ask a worker")(errno.into()))
}

/// An empty file in memory.
pub fn memory_file(name: &str) -> Result<File, SandboxError> {
    descriptors::memory_file(name).map_err(host("make a file in memory"))
}

/// A file in memory with this content, to be read from its start.
pub fn memory_file_of(name: &str, content: &[u8]) -> Result<File, SandboxError> {
    let file = memory_file(name)?;
    file.write_all_at(content, 0)
        .map_err(host("fill a file in memory"))?;
    Ok(file)
}

/// All of a file in memory.
pub fn content(file: &File) -> Result<Vec<u8>, SandboxError> {
    let length = file
        .metadata()
        .map_err(host("read a file in memory"))?
        .len() as usize;
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, 0)
        .map_err(host("read a file in memory"))?;
    Ok(bytes)
}

fn socket_pair() -> Result<(OwnedFd, OwnedFd), SandboxError> {
    descriptors::socket_pair(descriptors::Kind::Packets).map_err(host("make a worker's socket"))
}

/// Bytes of a page on x86-64, and on arm64 as distributions for servers build it.
const PAGE: u64 = 4096;

/// The first number of statm is the size in pages (proc(5)).
fn address_space(pid: u32) -> io::Result<u64> {
    let statm = std::fs::read_to_string(format!("/proc/{pid}/statm"))?;
    let pages = statm.split(' ').next().unwrap_or_default();
    let pages: u64 = pages.parse().map_err(io::Error::other)?;
    Ok(pages * PAGE)
}

/// Name what was being done when the host failed.
pub fn host(doing: &'static str) -> impl Fn(io::Error) -> SandboxError {
    move |source| SandboxError::Host { doing, source }
}
