//! All that the compiler cannot check: raw system calls, forks, and the entry points that Python calls.

use std::ffi::c_void;
use std::ops::Range;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;
use std::ptr::NonNull;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::mman::ProtFlags;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal};
use nix::unistd::{ForkResult, Pid};

/// Which side of a fork this is.
pub enum Forked {
    /// The process that forked.
    Parent(Pid),
    /// The new process.
    Child,
}

/// Enter the Worker's namespaces. 0, or 1 after the reason was sent to the supervisor.
#[unsafe(no_mangle)]
pub extern "C" fn guard_enter() -> i32 {
    crate::worker::enter()
}

/// Serve the supervisor's requests for Programs. Returns in each Program with the descriptor of its source, and in the
/// Worker with -1 when the supervisor has gone.
#[unsafe(no_mangle)]
pub extern "C" fn guard_serve_programs() -> i32 {
    crate::worker::serve()
}

/// The descriptor on which a Program tells whether the source compiles.
#[unsafe(no_mangle)]
pub extern "C" fn guard_control() -> i32 {
    crate::program::control_descriptor()
}

/// Serve the supervisor's requests for Tests. Returns in each Test with its seed, and in the Program with -1 when the
/// supervisor has gone.
#[unsafe(no_mangle)]
pub extern "C" fn guard_serve_tests() -> i64 {
    crate::program::serve()
}

/// Take ownership of a descriptor that was just received.
pub fn own(descriptor: RawFd) -> OwnedFd {
    // SAFETY: the callers pass numbers that the kernel has just handed to this process (SCM_RIGHTS, pidfd_open), so
    // nothing else in it owns them.
    unsafe { OwnedFd::from_raw_fd(descriptor) }
}

/// Standard input of the process that has just started.
pub fn standard_input() -> BorrowedFd<'static> {
    // SAFETY: descriptor 0 is never closed by this library, only replaced.
    unsafe { BorrowedFd::borrow_raw(0) }
}

/// Fork this single-threaded process. Handlers registered with Python's `os.register_at_fork` do not run.
pub fn fork() -> Result<Forked, Errno> {
    // SAFETY: the process has one thread, so no lock of the allocator or of Python is held by a thread that the child lacks.
    match unsafe { nix::unistd::fork() }? {
        ForkResult::Parent { child } => Ok(Forked::Parent(child)),
        ForkResult::Child => Ok(Forked::Child),
    }
}

/// Fork this single-threaded process into new namespaces (`flags` of clone(2)).
pub fn fork_into(flags: libc::c_int) -> Result<Forked, Errno> {
    let flags = flags | libc::SIGCHLD;
    // SAFETY: without CLONE_VM and with a null stack clone(2) is fork(2): the child goes on with a copy of this stack; the
    // process has one thread, as in `fork`.
    let pid = Errno::result(unsafe {
        libc::syscall(libc::SYS_clone, flags as libc::c_long, 0, 0, 0, 0)
    })?;
    Ok(if pid == 0 {
        Forked::Child
    } else {
        Forked::Parent(Pid::from_raw(pid as i32))
    })
}

/// End this process at once, running no handler of Python or libc.
pub fn exit_now(status: i32) -> ! {
    // SAFETY: `_exit` runs no code of this process.
    unsafe { libc::_exit(status) }
}

/// Make `descriptor` available as `number` as well, for the next program image too.
pub fn install(descriptor: BorrowedFd<'_>, number: RawFd) -> Result<(), Errno> {
    // SAFETY: dup2 changes the descriptor table alone; `number` is one of those that the Worker has reserved for this by
    // filling them first, so no owned descriptor has it.
    Errno::result(unsafe { libc::dup2(descriptor.as_raw_fd(), number) }).map(drop)
}

/// A copy of `descriptor` with a number above those that are reserved for a Test.
pub fn lift(descriptor: BorrowedFd<'_>) -> Result<OwnedFd, Errno> {
    nix::fcntl::fcntl(descriptor, nix::fcntl::FcntlArg::F_DUPFD_CLOEXEC(10)).map(own)
}

/// Close every descriptor from `first` on, whoever owns it. Only for a process that will use none of them again.
pub fn close_from(first: u32) -> Result<(), Errno> {
    // SAFETY: the caller is a fresh Test: the owners of these descriptors are state of its parent that it never touches.
    Errno::result(unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, 0) }).map(drop)
}

/// Set the rights of some pages of this process.
pub fn protect(place: &Range<usize>, rights: ProtFlags) -> Result<(), Errno> {
    let start = NonNull::new(place.start as *mut c_void).ok_or(Errno::EINVAL)?;
    // SAFETY: the callers pass a mapping of their own list and rights that include those it has.
    unsafe { nix::sys::mman::mprotect(start, place.len(), rights) }
}

/// Give the unused pages of malloc's heap back to the kernel.
pub fn trim_heap() {
    // SAFETY: it frees memory that nothing uses, under the allocator's own lock.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// A descriptor that becomes readable when the child `pid` ends.
pub fn pidfd(pid: Pid) -> Result<OwnedFd, Errno> {
    // SAFETY: takes two numbers and touches no memory.
    Errno::result(unsafe { libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0) })
        .map(|fd| own(fd as RawFd))
}

/// What a child used, as wait4(2) tells it.
pub struct Spent {
    /// Raw wait status.
    pub status: libc::c_int,
    /// User and system CPU time.
    pub cpu: Duration,
    /// Peak resident memory in bytes.
    pub peak_memory: u64,
}

/// Reap the child `pid`, which has ended.
pub fn reap(pid: Pid) -> Result<Spent, Errno> {
    let mut status = 0;
    // SAFETY: an all-zero rusage is valid, and wait4 writes to two live locals.
    let (result, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(pid.as_raw(), &mut status, 0, &mut usage), usage)
    };
    Errno::result(result)?;
    Ok(Spent {
        status,
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        peak_memory: kib(usage.ru_maxrss),
    })
}

/// Peak resident memory of this process in bytes.
pub fn own_memory() -> u64 {
    nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_SELF)
        .map_or(0, |usage| kib(usage.max_rss()))
}

fn duration(time: libc::timeval) -> Duration {
    Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000)
}

fn kib(count: i64) -> u64 {
    count as u64 * 1024
}

/// Add attributes (MOUNT_ATTR_*) to a mount and all below it, keeping those it has (mount_setattr(2)).
pub fn restrict_mount(path: &Path, attributes: u64) -> Result<(), Errno> {
    let path =
        std::ffi::CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| Errno::EINVAL)?;
    let change = libc::mount_attr {
        attr_set: attributes,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    // SAFETY: `path` is a C string and `change` a live structure of the size that is passed.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            libc::AT_RECURSIVE,
            &change,
            size_of::<libc::mount_attr>(),
        )
    };
    Errno::result(result).map(drop)
}

/// Give up every capability (capset(2), version 3 of its header).
pub fn drop_capabilities() -> Result<(), Errno> {
    let header: [u32; 2] = [0x2008_0522, 0];
    let none: [u32; 6] = [0; 6];
    // SAFETY: header and data have the sizes that version 3 prescribes.
    Errno::result(unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) })
        .map(drop)
}

/// The landlock ABI of this kernel; 0 if it has none (landlock_create_ruleset(2)).
pub fn landlock_abi() -> u32 {
    const VERSION: u32 = 1;
    // SAFETY: with this flag the call takes no structure and returns a number.
    let abi = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<u8>(),
            0usize,
            VERSION,
        )
    };
    u32::try_from(abi).unwrap_or(0)
}

/// Set `signal` to its default action; the action it had.
pub fn default_action(signal: Signal) -> Result<SigAction, Errno> {
    let default = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
    // SAFETY: the default action runs no code of this process.
    unsafe { nix::sys::signal::sigaction(signal, &default) }
}

/// Give `signal` back the action that [`default_action`] returned.
pub fn restore_action(signal: Signal, action: &SigAction) -> Result<(), Errno> {
    // SAFETY: the handler is the interpreter's own, which was in force in this image before.
    unsafe { nix::sys::signal::sigaction(signal, action) }.map(drop)
}
