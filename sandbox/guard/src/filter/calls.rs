//! The system calls that a box knows, in groups by what they are for.
//!
//! What is absent is absent on purpose: sockets that lead out, other processes' memory, keys,
//! tracing, BPF, io_uring, message queues, and whatever a kernel adds later.

/// A list of calls by number.
pub type Calls = &'static [i64];

/// All that a Worker keeps for good, and everything forked from it; calls with conditions are in [`super`].
pub const PLAIN: &[Calls] = &[
    TRANSFER,
    LOOK,
    CHANGE,
    DESCRIPTORS,
    WAIT,
    MEMORY,
    SIGNAL_HANDLING,
    THREADS,
    CLOCKS,
    IDENTITY,
    PROCESSES,
    CONNECTED_SOCKETS,
    OLD_FORMS,
];

/// Reading and writing what is open.
const TRANSFER: Calls = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_lseek,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
];

/// Finding and opening files. Which of them there are is the business of the mounts and of landlock. No `statfs`: it tells
/// how much of the host's disk is in use, which changes as the host works.
const LOOK: Calls = &[
    libc::SYS_openat,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
];

/// Extended attributes (xattr(7)), which no file of a box has.
pub const EXTENDED_ATTRIBUTES: Calls = &[
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];

/// Making, changing and removing files: of use in scratch alone. No `mknod`, and none of the calls on owners, which no
/// program needs for files of its own.
const CHANGE: Calls = &[
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_umask,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_fadvise64,
];

/// Those among them that landlock does not watch, or not in every ABI. A box without mounts of its own has to forbid them:
/// they reach any file of the user that runs it.
pub const UNWATCHED_CHANGE: Calls = &[
    libc::SYS_truncate,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
];

/// Copying and closing descriptors, and making pipes.
const DESCRIPTORS: Calls = &[
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
];

/// Waiting for several descriptors: `selectors`, and `asyncio` on top of it.
const WAIT: Calls = &[
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_eventfd2,
];

/// Memory of one's own. Neither `mincore` nor `mlock`: the one tells which pages of a library others have read, the other
/// holds on to memory.
const MEMORY: Calls = &[
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_brk,
    libc::SYS_msync,
    libc::SYS_membarrier,
];

/// Handling signals. Sending them is [`SIGNALS`].
const SIGNAL_HANDLING: Calls = &[
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_restart_syscall,
];

/// Threads and the locks between them, and questions about scheduling; changing it is no one's business here.
const THREADS: Calls = &[
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_getpriority,
    libc::SYS_getcpu,
];

/// Reading clocks, sleeping, and entropy.
const CLOCKS: Calls = &[
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
    libc::SYS_getrandom,
];

/// Questions about oneself. `uname` knows the kernel and the host name of the box; there is no `sysinfo`, as the memory and
/// the load that it tells are the host's.
const IDENTITY: Calls = &[
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_getresuid,
    libc::SYS_getresgid,
    libc::SYS_getgroups,
    libc::SYS_getpgid,
    libc::SYS_getsid,
    libc::SYS_capget,
    libc::SYS_uname,
    libc::SYS_getrusage,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
];

/// Starting, waiting for and ending processes; each step inwards takes some of it away. `prctl` is Python's for the names
/// of threads, and the Program's for its own cage.
const PROCESSES: Calls = &[
    libc::SYS_clone,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_prctl,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// Talking on a pair of sockets, the channel of an examination among them. As there is no `socket`, `connect` or `bind`,
/// none leads out.
const CONNECTED_SOCKETS: Calls = &[
    libc::SYS_sendto,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_shutdown,
    libc::SYS_getsockopt,
    libc::SYS_setsockopt,
    libc::SYS_getsockname,
];

/// Older forms of the calls above, which this architecture still has.
#[cfg(target_arch = "x86_64")]
const OLD_FORMS: Calls = &[
    libc::SYS_open,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_access,
    libc::SYS_readlink,
    libc::SYS_getdents,
    libc::SYS_mkdir,
    libc::SYS_rmdir,
    libc::SYS_unlink,
    libc::SYS_rename,
    libc::SYS_link,
    libc::SYS_symlink,
    libc::SYS_creat,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_time,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_getpgrp,
    libc::SYS_arch_prctl,
    libc::SYS_fork,
    libc::SYS_vfork,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_FORMS: Calls = &[];

/// Starting an executable, in the workers whose programs are executables.
pub const EXECUTE: Calls = &[libc::SYS_execve];

/// Starting a process without `clone`.
#[cfg(target_arch = "x86_64")]
pub const OLD_FORKS: Calls = &[libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
pub const OLD_FORKS: Calls = &[];

/// Signals to processes and threads. In a box with a pid namespace they reach that namespace only, whose first process
/// ignores them.
pub const SIGNALS: Calls = &[libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill];

/// What only the Program needs, to start its Tests and to watch and limit them.
///
/// By `sendmsg` a descriptor can be sent, and while nobody has taken it out of its socket it counts for the user, who has as
/// many in all boxes together as may be open: the next box would feel it, and the supervisor.
pub const PROGRAM_ONLY: Calls = &[
    libc::SYS_sendmsg,
    libc::SYS_seccomp,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_send_signal,
    libc::SYS_sched_setaffinity,
];

/// What only the Worker needs, to make the cage of a Program.
pub const WORKER_ONLY: Calls = &[
    libc::SYS_mount,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_setsid,
    libc::SYS_capset,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
];
