//! The seccomp filters: what a box may ask of the kernel, less at each step inwards.
//!
//! [`install_worker`] takes an allow-list; everything else answers ENOSYS, so that libc and Python fall back as on an older
//! kernel. It is long, and installed once. Those of [`Filters`] are short and come on top of it: each forbids what only the
//! process before needed, with EPERM. That matters, as the kernel tries a new filter on every call number when it is
//! installed, to remember those that it need not be asked about again.

mod calls;

use std::collections::BTreeMap;
use std::error::Error;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op,
    SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use crate::protocol::WorkerSetup;

/// By call number: the conditions of which one must hold, or none if the number alone decides.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

#[cfg(target_arch = "x86_64")]
const ARCH: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
const ARCH: TargetArch = TargetArch::aarch64;

/// The filters that are built once, in the Worker, and installed by what is forked from it.
#[derive(Default)]
pub struct Filters {
    /// That of every Program.
    pub program: BpfProgram,
    /// That of a Test that may start threads.
    pub threads: BpfProgram,
    /// That of a Test that may not.
    pub one_thread: BpfProgram,
    /// That of a Test that may start processes too.
    pub processes: BpfProgram,
}

impl Filters {
    /// Build them, for a box with or without namespaces; empty ones where it has no guard.
    pub fn build(setup: &WorkerSetup) -> Result<Filters, BackendError> {
        if setup.unguarded {
            return Ok(Filters::default());
        }
        let namespaces = setup.namespaces;
        Ok(Filters {
            program: program(namespaces)?,
            threads: test(Tasks::Threads, namespaces)?,
            one_thread: test(Tasks::One, namespaces)?,
            processes: test(Tasks::Processes, namespaces)?,
        })
    }
}

/// Install a filter, for good, unless it is empty.
pub fn install(filter: &BpfProgram) -> Result<(), seccompiler::Error> {
    match filter.as_slice() {
        [] => Ok(()),
        filter => seccompiler::apply_filter(filter),
    }
}

/// What a Test may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tasks {
    One,
    Threads,
    Processes,
}

/// Take away for good what neither the Worker nor any process forked from it needs, `execve` too unless it `executes`.
pub fn install_worker(executes: bool) -> Result<(), Box<dyn Error>> {
    seccompiler::apply_filter(&pretended()?)?;
    seccompiler::apply_filter(&unsupported()?)?;
    Ok(seccompiler::apply_filter(&worker(executes)?)?)
}

/// Calls that succeed and do nothing.
///
/// The files of the interpreter are the same in all boxes: a lock on one, or its pages dropped from the cache, would be seen
/// from the next box. Within a box the difference cannot be told. A lock is there to keep other processes away, and a box
/// has none; advice may be ignored.
fn pretended() -> Result<BpfProgram, BackendError> {
    let mut rules = plain(&[&[libc::SYS_flock, libc::SYS_fadvise64]]);
    rules.insert(libc::SYS_fcntl, any_of(1, &LOCK_COMMANDS)?);
    build(rules, SeccompAction::Allow, SeccompAction::Errno(0))
}

/// Calls that answer as on a file system without what they are for: programs that copy files go on from there.
fn unsupported() -> Result<BpfProgram, BackendError> {
    let rules = plain(&[calls::EXTENDED_ATTRIBUTES]);
    let answer = SeccompAction::Errno(libc::ENOTSUP as u32);
    build(rules, SeccompAction::Allow, answer)
}

/// Commands of fcntl(2) that take or release a lock.
const LOCK_COMMANDS: [libc::c_int; 4] = [
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
];

/// The allow-list of a Worker. Where `execve` is in it, it is there for good, as it is a Test that calls it: landlock says
/// what can be executed, and whatever that is stays in the cage of the one that called.
fn worker(executes: bool) -> Result<BpfProgram, BackendError> {
    let mut rules = plain(calls::PLAIN);
    if executes {
        rules.append(&mut plain(&[calls::EXECUTE]));
    }
    rules.append(&mut plain(&[
        calls::EXTENDED_ATTRIBUTES,
        calls::UNWATCHED_CHANGE,
        calls::SIGNALS,
        calls::PROGRAM_ONLY,
        calls::WORKER_ONLY,
    ]));
    // One's own limits, not those of another process.
    rules.insert(libc::SYS_prlimit64, vec![equal(0, 0)?]);
    // The question whether there is more than one thread (see `sys::fork`); it unshares nothing.
    rules.insert(libc::SYS_unshare, any_of(0, &[libc::CLONE_THREAD])?);
    rules.insert(libc::SYS_socketpair, any_of(0, &[libc::AF_UNIX])?);
    // Without flags: RWF_NOWAIT tells whether a page of a library is in the cache.
    rules.insert(libc::SYS_preadv2, vec![equal(5, 0)?]);
    rules.insert(libc::SYS_pwritev2, vec![equal(5, 0)?]);
    rules.insert(libc::SYS_fcntl, file_commands()?);
    rules.insert(libc::SYS_ioctl, device_requests()?);
    rules.insert(libc::SYS_madvise, any_of(2, &ADVICE)?);
    build(
        rules,
        SeccompAction::Errno(libc::ENOSYS as u32),
        SeccompAction::Allow,
    )
}

/// Advice on one's own memory, as allocators give it. None that takes pages out of the cache of files (MADV_PAGEOUT,
/// MADV_COLD) or shares equal ones with other processes (MADV_MERGEABLE).
const ADVICE: [libc::c_int; 10] = [
    libc::MADV_NORMAL,
    libc::MADV_RANDOM,
    libc::MADV_SEQUENTIAL,
    libc::MADV_WILLNEED,
    libc::MADV_DONTNEED,
    libc::MADV_FREE,
    libc::MADV_HUGEPAGE,
    libc::MADV_NOHUGEPAGE,
    libc::MADV_DONTDUMP,
    libc::MADV_DODUMP,
];

/// Copies and flags of descriptors, and locks. Nothing by which the kernel sends signals when a file changes (F_SETOWN,
/// F_SETSIG, F_NOTIFY, F_SETLEASE, O_ASYNC): it sends them in its own name, SIGKILL among them, to a process of the program's
/// choice, which pid 1 does not ignore.
fn file_commands() -> Result<Vec<SeccompRule>, BackendError> {
    let mut rules = any_of(
        1,
        &[
            libc::F_DUPFD,
            libc::F_DUPFD_CLOEXEC,
            libc::F_GETFD,
            libc::F_SETFD,
            libc::F_GETFL,
            libc::F_GETLK,
            libc::F_OFD_GETLK,
        ],
    )?;
    rules.append(&mut any_of(1, &LOCK_COMMANDS)?);
    rules.push(SeccompRule::new(vec![
        condition(1, Op::Eq, libc::F_SETFL as u64)?,
        condition(2, Op::MaskedEq(libc::O_ASYNC as u64), 0)?,
    ])?);
    Ok(rules)
}

/// Questions that Python and libc ask of any descriptor, and three flags. No FIOASYNC, FIOSETOWN or SIOCSPGRP: see
/// [`file_commands`].
fn device_requests() -> Result<Vec<SeccompRule>, BackendError> {
    [
        libc::TCGETS,
        libc::TIOCGWINSZ,
        libc::FIONREAD,
        libc::FIOCLEX,
        libc::FIONCLEX,
        libc::FIONBIO,
    ]
    .into_iter()
    .map(|request| equal(1, request))
    .collect()
}

/// The filter that comes on top in a Program: no new namespace, no mount, no change of what it is allowed. Without
/// `namespaces`, and so without mounts of its own, it may not change files that it cannot open either.
fn program(namespaces: bool) -> Result<BpfProgram, BackendError> {
    let mut rules = plain(&[calls::WORKER_ONLY]);
    if !namespaces {
        rules.append(&mut plain(&[calls::UNWATCHED_CHANGE]));
    }
    let new = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let asks_for = |flag: &libc::c_int| rule(0, Op::MaskedEq(*flag as u64), *flag as u64);
    let clone: Result<Vec<_>, _> = new.iter().map(asks_for).collect();
    rules.insert(libc::SYS_clone, clone?);
    forbid(rules)
}

/// The filter that comes on top in a Test: no task but those of `tasks`, no memory shared with others, no change of its own
/// cage. Without `namespaces`, and so in sight of the host's processes, it may signal none.
fn test(tasks: Tasks, namespaces: bool) -> Result<BpfProgram, BackendError> {
    let mut rules = plain(&[calls::PROGRAM_ONLY]);
    if tasks != Tasks::Processes {
        rules.append(&mut plain(&[calls::OLD_FORKS]));
    }
    match namespaces {
        true => rules.append(&mut queued_signals()?),
        false => rules.append(&mut plain(&[calls::SIGNALS])),
    }
    let thread = libc::CLONE_THREAD as u64;
    match tasks {
        Tasks::One => rules.insert(libc::SYS_clone, vec![]),
        Tasks::Threads => rules.insert(libc::SYS_clone, vec![rule(0, Op::MaskedEq(thread), 0)?]),
        Tasks::Processes => None,
    };
    // Pages of shared memory stay when they are unmapped, and count in the size of no process.
    let shared = (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u64;
    rules.insert(libc::SYS_mmap, vec![rule(3, Op::MaskedEq(shared), shared)?]);
    // Threads have names; all else that a process can ask of itself there belongs to its cage.
    rules.insert(
        libc::SYS_prctl,
        vec![SeccompRule::new(vec![
            condition(0, Op::Ne, libc::PR_SET_NAME as u64)?,
            condition(0, Op::Ne, libc::PR_GET_NAME as u64)?,
        ])?],
    );
    forbid(rules)
}

/// Sending a signal that is queued for as often as it is sent, by any of the calls. While it is blocked it counts for the
/// user, whose signals and timers in all boxes together have one limit: the next box would feel it, and the supervisor.
fn queued_signals() -> Result<Rules, BackendError> {
    let mut rules = Rules::new();
    for (call, argument) in [
        (libc::SYS_kill, 1),
        (libc::SYS_tkill, 1),
        (libc::SYS_tgkill, 2),
    ] {
        rules.insert(call, vec![rule(argument, Op::Ge, FIRST_QUEUED)?]);
    }
    Ok(rules)
}

/// The kernel's first real-time signal, signal(7).
const FIRST_QUEUED: u64 = 32;

/// Rules for which the number of the call alone decides.
fn plain(lists: &[calls::Calls]) -> Rules {
    let calls = lists.iter().copied().flatten();
    calls.map(|call| (*call, vec![])).collect()
}

/// Rules of which one holds if the argument is one of `values`.
fn any_of(argument: u8, values: &[libc::c_int]) -> Result<Vec<SeccompRule>, BackendError> {
    let one = |value: &libc::c_int| equal(argument, *value as u64);
    values.iter().map(one).collect()
}

fn equal(argument: u8, value: u64) -> Result<SeccompRule, BackendError> {
    rule(argument, Op::Eq, value)
}

fn rule(argument: u8, operator: Op, value: u64) -> Result<SeccompRule, BackendError> {
    SeccompRule::new(vec![condition(argument, operator, value)?])
}

/// The kernel reads these arguments as 32 bits, or looks at none above: what a caller puts there must not decide.
fn condition(argument: u8, operator: Op, value: u64) -> Result<SeccompCondition, BackendError> {
    SeccompCondition::new(argument, Len::Dword, operator, value)
}

/// A filter that forbids what `rules` list, and has no opinion on anything else.
fn forbid(rules: Rules) -> Result<BpfProgram, BackendError> {
    build(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(libc::EPERM as u32),
    )
}

fn build(
    rules: Rules,
    otherwise: SeccompAction,
    listed: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    SeccompFilter::new(rules, otherwise, listed, ARCH)?.try_into()
}
