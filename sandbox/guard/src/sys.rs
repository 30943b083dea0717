//! All that the compiler cannot check.
//!
//! Every function here is safe to call: where soundness rests on a condition, the function checks it, or takes a value that
//! only this file can make. What could not be given such a signature is private.

use std::ffi::{CString, c_void};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::num::NonZero;
use std::ops::Range;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::errno::Errno;
use nix::sched::CloneFlags;
use nix::sys::mman::{MRemapFlags, MapFlags, MmapAdvise, ProtFlags};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal};
use nix::unistd::{ForkResult, Pid};

use crate::threads;

/// How an entry point returns to the interpreter.
pub(crate) enum Return<T> {
    /// Trusted code goes on, and will call again.
    Trusted(T),
    /// Untrusted code comes next. It finds no descriptor but those below `keep`, and no entry point open.
    Untrusted {
        /// What the entry point answers.
        answer: T,
        /// How many descriptors stay.
        keep: u32,
    },
}

/// Defines the functions that the interpreter calls by name, each answered by a function of this crate.
///
/// They are written where the processes are told apart, above everything else, and expand to the attribute that exports a
/// symbol, which only this file may use. Each one is the sole item of a nameless constant: nothing in Rust can call it, so
/// no frame of this library is ever below one.
macro_rules! entry_points {
    ($($(#[doc = $doc:literal])* fn $name:ident() -> $answer:ty = $function:path;)*) => {$(
        const _: () = {
            $(#[doc = $doc])*
            // No other library defines a symbol that starts with `guard_`.
            #[allow(unsafe_code, reason = "a symbol is exported under a name of its own")]
            #[unsafe(no_mangle)]
            extern "C" fn $name() -> $answer {
                // SAFETY: the interpreter is the caller, as nothing in Rust can name this function.
                unsafe { $crate::sys::answer($function) }
            }
        };
    )*};
}
pub(crate) use entry_points;

/// What came of closing the descriptors that the interpreter was started with.
static INHERITED: OnceLock<Result<(), Errno>> = OnceLock::new();
/// Whether untrusted code runs in this process.
static SHUT: AtomicBool = AtomicBool::new(false);

/// Defines `main` of an executable worker with this [`crate::executable::Engine`], which is `executing` or `resident`.
#[macro_export]
macro_rules! worker {
    (executing $engine:ty) => {
        $crate::worker!($engine, serve_executing);
    };
    (resident $engine:ty) => {
        $crate::worker!($engine, serve_resident);
    };
    ($engine:ty, $serve:ident) => {
        #[allow(unsafe_code, reason = "descriptors are closed that were inherited")]
        fn main() {
            // SAFETY: nothing of this executable has run yet, so nothing in it owns a descriptor.
            unsafe { $crate::sys::close_inherited() };
            $crate::executable::$serve::<$engine>()
        }
    };
}

/// Close the descriptors that this executable was started with, the standard streams apart; does nothing but once.
///
/// # Safety
/// At the first call nothing in this process owns a descriptor.
pub unsafe fn close_inherited() {
    // SAFETY: the caller's promise.
    INHERITED.get_or_init(|| unsafe { close_from(3) });
}

/// Have `execve` close every descriptor from `first` on.
pub(crate) fn close_on_exec(first: u32) -> Result<(), Errno> {
    // SAFETY: the call touches no memory and closes nothing yet: whoever owns a descriptor goes on to own it, until there
    // is another program in its place.
    let result = unsafe {
        libc::syscall(
            libc::SYS_close_range,
            first,
            u32::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    };
    Errno::result(result).map(drop)
}

/// Answer a call of the interpreter; -1 once untrusted code has the process.
///
/// # Safety
/// No frame of this library is below the caller: it owns the descriptors that are closed here, and would go on to use them.
pub(crate) unsafe fn answer<T: From<i8>>(function: fn() -> Return<T>) -> T {
    // SAFETY: this is the first call into this library, and there is no frame of it: it owns no descriptor yet. The
    // interpreter has run a line of its own by now, which leaves no file open but the standard streams.
    INHERITED.get_or_init(|| unsafe { close_from(3) });
    if SHUT.load(Ordering::Relaxed) {
        return T::from(-1);
    }
    match function() {
        Return::Trusted(answer) => answer,
        Return::Untrusted { answer, keep } => {
            SHUT.store(true, Ordering::Relaxed);
            // SAFETY: the function has returned and the caller is no frame of this library, so only its statics own
            // descriptors; and nothing looks at those again, as every later call ends above.
            if unsafe { close_from(keep) }.is_err() {
                // It cannot fail: it did not in the Worker (see `inherited_descriptors_closed`), and where the kernel
                // has the call it refuses nothing but bad arguments.
                std::process::abort();
            }
            answer
        }
    }
}

/// Whether the descriptors that the interpreter was started with, the standard streams apart, could be closed. They are
/// the business of whoever started the supervisor.
pub(crate) fn inherited_descriptors_closed() -> Result<(), Errno> {
    INHERITED.get().copied().unwrap_or(Err(Errno::EBADF))
}

/// Close every descriptor from `first` on (close_range(2)).
///
/// # Safety
/// Whatever owns one of these descriptors never uses or closes it again.
unsafe fn close_from(first: u32) -> Result<(), Errno> {
    // SAFETY: the call touches no memory; what becomes of the descriptors' owners is the caller's promise.
    Errno::result(unsafe { libc::syscall(libc::SYS_close_range, first, u32::MAX, 0) }).map(drop)
}

/// Which side of a fork this is.
pub enum Forked {
    /// The process that forked.
    Parent(Pid),
    /// The new process.
    Child,
}

/// Fork this process; EBUSY if it has more than one thread. Handlers registered with Python's `os.register_at_fork` do not
/// run.
pub fn fork() -> Result<Forked, Errno> {
    threads::require_one()?;
    // SAFETY: there is no other thread, which could hold a lock that the child would wait for in vain, or have left
    // something half done in the memory that the child gets a copy of.
    match unsafe { nix::unistd::fork() }? {
        ForkResult::Parent { child } => Ok(Forked::Parent(child)),
        ForkResult::Child => Ok(Forked::Child),
    }
}

/// Fork this process into new namespaces; EBUSY if it has more than one thread.
///
/// This goes past libc, which has no call for it, but keeps libc's record of the thread's number right where the kernel tells
/// where that is. (One that was built without checkpoints does not: the record then stays the parent's.)
pub fn fork_into(namespaces: CloneFlags) -> Result<Forked, Errno> {
    const NAMESPACES: CloneFlags = CloneFlags::CLONE_NEWPID
        .union(CloneFlags::CLONE_NEWNS)
        .union(CloneFlags::CLONE_NEWIPC);
    const RECORD: libc::c_int = libc::CLONE_CHILD_SETTID | libc::CLONE_CHILD_CLEARTID;
    threads::require_one()?;
    let record = thread_number_record();
    let keep = if record.is_null() { 0 } else { RECORD };
    let flags = (namespaces & NAMESPACES).bits() | keep | libc::SIGCHLD;
    // SAFETY: with no flags but those of namespaces, memory and descriptors are copied as by fork(2), and with a null
    // stack the child goes on in its copy of this frame. There is one thread: see `fork`. The kernel writes the child's
    // number where libc had it write this thread's, in the child's memory alone. Architectures differ in whether that place
    // is the fourth argument or the fifth; the other one is ignored without a flag that is not set.
    let pid = Errno::result(unsafe {
        libc::syscall(libc::SYS_clone, flags as libc::c_long, 0, 0, record, record)
    })?;
    Ok(if pid == 0 {
        Forked::Child
    } else {
        Forked::Parent(Pid::from_raw(pid as i32))
    })
}

/// Where libc keeps this thread's number, as it told the kernel (set_tid_address(2)); null if the kernel does not say.
fn thread_number_record() -> *mut libc::pid_t {
    let mut place = std::ptr::null_mut();
    // SAFETY: the kernel writes one pointer to `place`, which lives on this frame.
    unsafe { libc::prctl(libc::PR_GET_TID_ADDRESS, &mut place) };
    place
}

/// A stack for what [`start`] calls.
pub struct SpareStack(Vec<u8>);

impl SpareStack {
    /// More than anything in here needs before it becomes another executable.
    const SIZE: usize = 256 << 10;
}

impl Default for SpareStack {
    /// What is not used of it takes no memory.
    fn default() -> SpareStack {
        SpareStack(vec![0; SpareStack::SIZE])
    }
}

/// Start a process that calls `begin` and exits with what that returns, if it returns; EBUSY if this one has more than one
/// thread.
///
/// The new process shares the memory of this one, which stands still until the other exits or has become another executable:
/// what `begin` writes can be read here afterwards. So nothing is copied, as a fork would have to.
pub fn start(stack: &mut SpareStack, mut begin: impl FnMut() -> u8) -> Result<Pid, Errno> {
    threads::require_one()?;
    let flags = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK;
    let begin = Box::new(|| isize::from(begin()));
    // SAFETY: there is one thread, and the kernel holds it in this call for as long as the other process shares its memory.
    // So to this process `begin` is a call like any other, on a stack of its own, that perhaps never returns; then what it
    // holds is leaked.
    unsafe { nix::sched::clone(begin, &mut stack.0, flags, Some(libc::SIGCHLD)) }
}

/// An executable and what it is called with, as the kernel takes it.
pub struct Command {
    texts: [Vec<CString>; 2],
    /// To each of the texts, and a null pointer after the last.
    pointers: [Vec<*const libc::c_char>; 2],
}

impl Command {
    /// The first of the `arguments` is the path of the executable.
    pub fn new(arguments: Vec<CString>, environment: Vec<CString>) -> Command {
        let texts = [arguments, environment];
        let pointers = texts.each_ref().map(|texts| {
            let pointers = texts.iter().map(|text| text.as_ptr());
            pointers.chain([std::ptr::null()]).collect()
        });
        Command { texts, pointers }
    }

    /// Become this executable; returns only if that cannot be, and why.
    pub fn execute(&self) -> Errno {
        let [arguments, environment] = &self.pointers;
        let Some(path) = self.texts[0].first() else {
            return Errno::ENOENT;
        };
        // SAFETY: the lists end with null, and all else in them points to texts that end with NUL and live in `texts`, which
        // nothing changes: moving a CString leaves its bytes in their place.
        unsafe { libc::execve(path.as_ptr(), arguments.as_ptr(), environment.as_ptr()) };
        Errno::last()
    }
}

/// End this process at once, running no handler of Python or libc.
pub fn exit_now(status: i32) -> ! {
    // SAFETY: it does not return, and runs no code of this process on the way.
    unsafe { libc::_exit(status) }
}

/// The list of this process's mappings (proc_pid_maps(5)), open: it can be read later, where /proc is out of reach.
pub struct MappingList(File);

impl MappingList {
    /// Open the list.
    pub fn open() -> io::Result<MappingList> {
        File::open("/proc/self/maps").map(MappingList)
    }

    /// Read the list as it is now.
    pub fn read(&mut self) -> io::Result<Mappings> {
        let mut text = String::new();
        self.0.rewind()?;
        self.0.read_to_string(&mut text)?;
        Ok(Mappings(text))
    }
}

/// The mappings of this process.
pub struct Mappings(String);

impl Mappings {
    /// Those of files, in the order of their addresses.
    pub fn of_files(&self) -> impl Iterator<Item = Mapping<'_>> {
        self.0.lines().filter_map(Mapping::parse)
    }

    /// The code of each library, with the constants beside it.
    pub fn code(&self) -> Vec<Code> {
        let mut found: Vec<(Code, Mapping<'_>)> = Vec::new();
        for mapping in self.of_files().filter(Mapping::is_constant) {
            match found.last_mut() {
                Some((code, last)) if last.goes_on_in(&mapping) => {
                    code.0.end = mapping.place.end;
                    *last = mapping;
                }
                _ => found.push((Code(mapping.place.clone()), mapping)),
            }
        }
        found.into_iter().map(|(code, _)| code).collect()
    }
}

/// What a huge page holds where pages have 4 KiB; elsewhere the kernel refuses to make one of this size.
const HUGE_PAGE: usize = 2 << 20;
/// "Make huge pages of this now" (madvise(2), Linux 6.1), which libc does not name yet.
const MADV_COLLAPSE: libc::c_int = 25;

/// Neighbouring mappings of one file that are read and executed, and never written to.
pub struct Code(Range<usize>);

impl Code {
    /// Move what of it fills huge pages into such pages. A fork copies one entry for each; of a file it would find every few
    /// pages missing when it first gets there.
    ///
    /// An error where the kernel makes none; then all of it stays where it was.
    pub fn move_to_huge_pages(&self) -> Result<(), Errno> {
        let start = self.0.start.next_multiple_of(HUGE_PAGE);
        let length = (self.0.end / HUGE_PAGE * HUGE_PAGE).saturating_sub(start);
        if length == 0 {
            return Ok(());
        }
        threads::require_one()?;
        let copy = HugePages::new(length)?;
        // SAFETY: the place is one that the kernel listed as readable in this process and that nobody writes to; only
        // libraries are mapped from files here, and none is unloaded. The copy was made for as many bytes, and is elsewhere.
        unsafe { std::ptr::copy_nonoverlapping(start as *const u8, copy.start(), length) };
        copy.collapse()?;
        // SAFETY: the pages are the copy's own, and what is in them is code and constants, as it is where they go: there
        // is no other thread, so what is found at that place is the same before and after.
        unsafe {
            nix::sys::mman::mprotect(
                copy.place(),
                length,
                ProtFlags::PROT_READ | ProtFlags::PROT_EXEC,
            )?;
            let flags = MRemapFlags::MREMAP_MAYMOVE | MRemapFlags::MREMAP_FIXED;
            let target = NonNull::new(start as *mut c_void);
            nix::sys::mman::mremap(copy.place(), length, length, flags, target)?;
        }
        Ok(())
    }
}

/// Memory of this process alone that begins where a huge page can. It is given back when this is dropped, but for what was
/// moved away.
struct HugePages {
    reserved: NonNull<c_void>,
    length: usize,
}

impl HugePages {
    /// So many bytes, a multiple of a huge page.
    fn new(length: usize) -> Result<HugePages, Errno> {
        let size = NonZero::new(length + HUGE_PAGE).ok_or(Errno::EINVAL)?;
        let rights = ProtFlags::PROT_READ | ProtFlags::PROT_WRITE;
        // SAFETY: where it comes to lie is the kernel's choice, so it takes the place of nothing.
        let reserved =
            unsafe { nix::sys::mman::mmap_anonymous(None, size, rights, MapFlags::MAP_PRIVATE) }?;
        let pages = HugePages { reserved, length };
        // SAFETY: the pages are new, and only their size can change.
        unsafe { nix::sys::mman::madvise(pages.place(), length, MmapAdvise::MADV_HUGEPAGE) }?;
        Ok(pages)
    }

    fn start(&self) -> *mut u8 {
        let reserved = self.reserved.as_ptr().cast::<u8>();
        reserved.wrapping_add(reserved.align_offset(HUGE_PAGE))
    }

    fn place(&self) -> NonNull<c_void> {
        NonNull::new(self.start().cast()).unwrap_or(self.reserved)
    }

    /// See to it that all of it is in huge pages.
    fn collapse(&self) -> Result<(), Errno> {
        // SAFETY: the pages are this value's own, and keep what is in them.
        let result = unsafe { libc::madvise(self.start().cast(), self.length, MADV_COLLAPSE) };
        Errno::result(result).map(drop)
    }
}

impl Drop for HugePages {
    fn drop(&mut self) {
        // SAFETY: it was mapped by `new` and nobody else has it. What was moved away has left a hole, in which nothing can
        // be mapped before this, as there is one thread and it maps nothing on the way here.
        let _ = unsafe { nix::sys::mman::munmap(self.reserved, self.length + HUGE_PAGE) };
    }
}

/// A mapping of a file.
pub struct Mapping<'t> {
    place: Range<usize>,
    rights: &'t str,
    file: (&'t str, &'t str),
}

impl<'t> Mapping<'t> {
    fn parse(line: &'t str) -> Option<Mapping<'t>> {
        let mut fields = line.split_ascii_whitespace();
        let (start, end) = fields.next()?.split_once('-')?;
        let address = |text| usize::from_str_radix(text, 16).ok();
        let place = address(start)?..address(end)?;
        let rights = fields.next()?;
        let file = (fields.nth(1)?, fields.next()?);
        (file.1 != "0").then_some(Mapping {
            place,
            rights,
            file,
        })
    }

    /// Whether it is read or executed, and never written to.
    fn is_constant(&self) -> bool {
        self.rights.starts_with("r-") && self.rights.ends_with('p')
    }

    /// Whether `next` follows it at once, in memory and as the same file.
    fn goes_on_in(&self, next: &Mapping<'_>) -> bool {
        self.place.end == next.place.start && self.file == next.file
    }

    /// Its rights as the list has them: `r-xp`.
    pub fn rights(&self) -> &'t str {
        self.rights
    }

    /// The device and inode of its file.
    pub fn file(&self) -> (&'t str, &'t str) {
        self.file
    }

    /// Allow writing, besides what is allowed.
    pub fn make_writable(&self) -> Result<(), Errno> {
        self.widen(ProtFlags::PROT_WRITE)
    }

    /// Allow executing, besides what is allowed.
    pub fn make_executable(&self) -> Result<(), Errno> {
        self.widen(ProtFlags::PROT_EXEC)
    }

    fn widen(&self, more: ProtFlags) -> Result<(), Errno> {
        let mut rights = more;
        for (letter, right) in [
            ('r', ProtFlags::PROT_READ),
            ('w', ProtFlags::PROT_WRITE),
            ('x', ProtFlags::PROT_EXEC),
        ] {
            rights.set(
                right,
                rights.contains(right) || self.rights.contains(letter),
            );
        }
        let start = NonNull::new(self.place.start as *mut c_void).ok_or(Errno::EINVAL)?;
        // SAFETY: the place is one that the kernel listed as a mapping of a file in this process; only libraries are
        // mapped from files here, and none is unloaded. It keeps the rights it had, so whatever could be done with these
        // pages still can be; and being able to write to constants writes to none.
        unsafe { nix::sys::mman::mprotect(start, self.place.len(), rights) }
    }
}

/// Give the unused pages of malloc's heap back to the kernel.
pub fn trim_heap() {
    // SAFETY: glibc's allocator gives back pages in which nothing is allocated, under its own lock.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Have all threads to come share one heap. glibc makes one for each of the first few, 64 MiB of address space each, of which
/// a program has only so much; Python's own lock lets one thread run at a time anyway.
pub fn share_heap() {
    // SAFETY: the option is a number that glibc's allocator reads, under its own lock, before it makes another heap.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// What a child used, as wait4(2) tells it.
pub struct Reaped {
    /// Raw wait status.
    pub status: libc::c_int,
    /// User and system CPU time.
    pub cpu: Duration,
    /// Peak resident memory in bytes.
    pub peak_memory: u64,
}

/// Wait for the child `pid` to end, and reap it.
pub fn reap(pid: Pid) -> Result<Reaped, Errno> {
    let mut status = 0;
    // SAFETY: the structure holds nothing but numbers, for each of which zero is a value; the kernel writes to it and to
    // `status`, both of which live on this frame.
    let (result, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (libc::wait4(pid.as_raw(), &mut status, 0, &mut usage), usage)
    };
    Errno::result(result)?;
    Ok(Reaped {
        status,
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        // Linux counts it in KiB (getrusage(2)).
        peak_memory: usage.ru_maxrss as u64 * 1024,
    })
}

fn duration(time: libc::timeval) -> Duration {
    Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000)
}

/// Add attributes (MOUNT_ATTR_*) to a mount and all below it, keeping those it has (mount_setattr(2)).
pub fn restrict_mount(path: &Path, attributes: u64) -> Result<(), Errno> {
    let path = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| Errno::EINVAL)?;
    let change = libc::mount_attr {
        attr_set: attributes,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    // SAFETY: the kernel reads the path up to its NUL and the structure up to the size that goes with it, writes to
    // neither, and keeps no pointer; both outlive the call.
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

/// The landlock ABI of this kernel; 0 if it has none (landlock_create_ruleset(2)).
pub fn landlock_abi() -> u32 {
    const VERSION: u32 = 1;
    // SAFETY: with this flag the call takes a null pointer for the structure that it would read, and answers a number.
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

/// What a process did on a signal before [`default_action`].
pub struct FormerAction {
    signal: Signal,
    action: SigAction,
}

/// Have `signal` do by default what the kernel does, and no more.
pub fn default_action(signal: Signal) -> Result<FormerAction, Errno> {
    let default = SigAction::new(SigHandler::SigDfl, SaFlags::empty(), SigSet::empty());
    // SAFETY: no handler is installed, so no code runs on the signal that would have to be fit for it.
    let action = unsafe { nix::sys::signal::sigaction(signal, &default) }?;
    Ok(FormerAction { signal, action })
}

/// Have `signal` end this process though it is the first of its pid namespace, by a breakpoint, whose SIGTRAP it gets all the same.
pub fn end_by_breakpoint(signal: Signal) -> Result<(), Errno> {
    let action = SigAction::new(SigHandler::Handler(stop), SaFlags::empty(), SigSet::empty());
    // SAFETY: the handler does nothing but stop at once, which is fit for any moment at which a signal comes.
    unsafe { nix::sys::signal::sigaction(signal, &action) }.map(drop)
}

/// On other processors it goes on, to find that what the signal was for has failed.
extern "C" fn stop(_: libc::c_int) {
    // SAFETY: the instruction reads and writes no memory and no register; nobody traces this process, so that it ends.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!("int3", options(nomem, nostack));
    }
}

impl FormerAction {
    /// Have it done again.
    pub fn restore(&self) -> Result<(), Errno> {
        // SAFETY: the kernel itself gave this action out for this signal in this image, or in one that it was forked
        // from: whoever installed the handler vouched for it, and its code is where it was.
        unsafe { nix::sys::signal::sigaction(self.signal, &self.action) }.map(drop)
    }
}
