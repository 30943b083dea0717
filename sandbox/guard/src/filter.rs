//! The seccomp filters: what a box may ask of the kernel, less at each step inwards.
//!
//! [`worker`] is an allow-list; everything else answers ENOSYS, so that libc and Python fall back as on an older kernel.
//! It is long, and installed once. [`program`] and [`test`] are short and come on top of it: each takes away what only
//! the process before needed.

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op,
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};
use std::collections::BTreeMap;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

#[cfg(target_arch = "x86_64")]
const ARCH: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
const ARCH: TargetArch = TargetArch::aarch64;

/// Calls on files, of which the mounts and landlock say what they reach.
const FILES: &[i64] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_lseek,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_fstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_openat,
    libc::SYS_readlinkat,
    libc::SYS_getdents64,
    libc::SYS_getcwd,
    libc::SYS_chdir,
    libc::SYS_fchdir,
    libc::SYS_mkdirat,
    libc::SYS_unlinkat,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_linkat,
    libc::SYS_symlinkat,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_utimensat,
    libc::SYS_umask,
    libc::SYS_truncate,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_fcntl,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_pipe2,
    libc::SYS_ppoll,
    libc::SYS_pselect6,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_eventfd2,
    libc::SYS_sendfile,
    libc::SYS_copy_file_range,
    libc::SYS_fadvise64,
];

/// Older forms of calls on files, which this architecture still has.
#[cfg(target_arch = "x86_64")]
const OLD_FORMS: &[i64] = &[
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
    libc::SYS_chmod,
    libc::SYS_dup2,
    libc::SYS_pipe,
    libc::SYS_poll,
    libc::SYS_select,
    libc::SYS_epoll_create,
    libc::SYS_epoll_wait,
    libc::SYS_eventfd,
    libc::SYS_utimes,
    libc::SYS_time,
    libc::SYS_alarm,
    libc::SYS_pause,
    libc::SYS_getpgrp,
    libc::SYS_arch_prctl,
    libc::SYS_fork,
    libc::SYS_vfork,
];
#[cfg(not(target_arch = "x86_64"))]
const OLD_FORMS: &[i64] = &[];

/// Memory, signals, threads, clocks and questions about oneself. `kill` reaches the own pid namespace only, whose pid 1
/// ignores it. The sockets among them connect nothing to the outside: `socket` itself is absent.
const SELF: &[i64] = &[
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_brk,
    libc::SYS_madvise,
    libc::SYS_msync,
    libc::SYS_membarrier,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sigaltstack,
    libc::SYS_setitimer,
    libc::SYS_getitimer,
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_rseq,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_getpriority,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_times,
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
    libc::SYS_sysinfo,
    libc::SYS_getrusage,
    libc::SYS_getrlimit,
    libc::SYS_setrlimit,
    libc::SYS_getrandom,
    libc::SYS_getcpu,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_restart_syscall,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_clone,
    libc::SYS_prctl,
    libc::SYS_sendto,
    libc::SYS_recvfrom,
    libc::SYS_sendmsg,
    libc::SYS_recvmsg,
    libc::SYS_shutdown,
    libc::SYS_getsockopt,
    libc::SYS_setsockopt,
    libc::SYS_getsockname,
];

/// Signals to processes.
const SIGNALS: &[i64] = &[libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill];

/// What only the Program needs, to start and watch its Tests.
const PROGRAM_ONLY: &[i64] = &[
    libc::SYS_seccomp,
    libc::SYS_timer_create,
    libc::SYS_timer_settime,
    libc::SYS_pidfd_open,
];

/// What only the Worker needs, to make the box of a Program.
const WORKER_ONLY: &[i64] = &[
    libc::SYS_mount,
    libc::SYS_capset,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
];

/// The filters that are built once, in the Worker, and installed by what is forked from it.
pub struct Filters {
    /// That of every Program.
    pub program: BpfProgram,
    /// That of a Test that may start threads.
    pub threads: BpfProgram,
    /// That of a Test that may not.
    pub one_thread: BpfProgram,
}

impl Filters {
    /// Build them. Without a pid namespace (`own_pids` false) a Test may signal no process.
    pub fn build(own_pids: bool) -> Result<Filters, BackendError> {
        Ok(Filters {
            program: program()?,
            threads: test(true, own_pids)?,
            one_thread: test(false, own_pids)?,
        })
    }
}

/// The filter of a Worker.
pub fn worker() -> Result<BpfProgram, BackendError> {
    let mut rules = Rules::new();
    let plain = [FILES, OLD_FORMS, SELF, PROGRAM_ONLY, WORKER_ONLY];
    rules.extend(plain.into_iter().flatten().map(|call| (*call, vec![])));
    rules.extend(SIGNALS.iter().map(|call| (*call, vec![])));
    rules.insert(libc::SYS_prlimit64, vec![only(0, 0)?]);
    // The question whether there is more than one thread (see `sys::fork`); it unshares nothing.
    rules.insert(libc::SYS_unshare, vec![only(0, libc::CLONE_THREAD as u64)?]);
    rules.insert(libc::SYS_socketpair, vec![only(0, libc::AF_UNIX as u64)?]);
    let questions = [
        libc::TCGETS,
        libc::TIOCGWINSZ,
        libc::FIONREAD,
        libc::FIOCLEX,
        libc::FIONCLEX,
        libc::FIONBIO,
    ];
    let questions: Result<Vec<_>, _> = questions.iter().map(|request| only(1, *request)).collect();
    rules.insert(libc::SYS_ioctl, questions?);
    build(
        rules,
        SeccompAction::Errno(libc::ENOSYS as u32),
        SeccompAction::Allow,
    )
}

/// The filter that comes on top in a Program: no new namespace, no mount, no change of what it is allowed.
fn program() -> Result<BpfProgram, BackendError> {
    let mut rules = Rules::new();
    rules.extend(WORKER_ONLY.iter().map(|call| (*call, vec![])));
    let namespaces = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let clone: Result<Vec<_>, _> = namespaces
        .iter()
        .map(|flag| rule(0, Op::MaskedEq(*flag as u64), *flag as u64))
        .collect();
    rules.insert(libc::SYS_clone, clone?);
    build(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EPERM as u32),
    )
}

/// The filter that comes on top in a Test: no process, no new thread unless `threads`, no memory
/// shared with others, no change of its own cage.
/// Without a pid namespace (`own_pids` false) it may signal no process either.
fn test(threads: bool, own_pids: bool) -> Result<BpfProgram, BackendError> {
    let mut rules = Rules::new();
    rules.extend(PROGRAM_ONLY.iter().map(|call| (*call, vec![])));
    #[cfg(target_arch = "x86_64")]
    rules.extend([(libc::SYS_fork, vec![]), (libc::SYS_vfork, vec![])]);
    let thread = libc::CLONE_THREAD as u64;
    let clone = if threads {
        vec![rule(0, Op::MaskedEq(thread), 0)?]
    } else {
        vec![]
    };
    rules.insert(libc::SYS_clone, clone);
    // Pages of shared memory stay when they are unmapped, and count in the size of no process.
    let shared = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u64;
    rules.insert(libc::SYS_mmap, vec![rule(3, Op::MaskedEq(shared), shared)?]);
    let names = [libc::PR_SET_NAME as u64, libc::PR_GET_NAME as u64];
    rules.insert(
        libc::SYS_prctl,
        vec![SeccompRule::new(vec![
            SeccompCondition::new(0, Len::Dword, Op::Ne, names[0])?,
            SeccompCondition::new(0, Len::Dword, Op::Ne, names[1])?,
        ])?],
    );
    if !own_pids {
        rules.extend(SIGNALS.iter().map(|call| (*call, vec![])));
    }
    build(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EPERM as u32),
    )
}

fn only(argument: u8, value: u64) -> Result<SeccompRule, BackendError> {
    rule(argument, Op::Eq, value)
}

fn rule(argument: u8, operator: Op, value: u64) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(
        argument,
        Len::Dword,
        operator,
        value,
    )?])
}

fn build(
    rules: Rules,
    otherwise: SeccompAction,
    listed: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    SeccompFilter::new(rules, otherwise, listed, ARCH)?.try_into()
}
