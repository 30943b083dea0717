//! The filters' tables of system calls beside Linux's own table for arm64, on a machine that need not be one.
//!
//! Whether a box works there is for the other tests to say, on such a machine. What this finds is a call that arm64 has and
//! the tables keep to x86-64, and one that they allow on x86-64 by a name that arm64 never had, without its successor.

use std::collections::BTreeSet;
use std::process::Command;

const TABLES: [&str; 2] = [
    include_str!("../guard/src/filter/calls.rs"),
    include_str!("../guard/src/filter.rs"),
];
const ON_X86_64: &str = "#[cfg(target_arch = \"x86_64\")]";

/// What arm64's own headers ask of the generic table, `arch/arm64/include/uapi/asm/unistd.h` of Linux.
const ARM64: [&str; 4] = [
    "__ARCH_WANT_RENAMEAT",
    "__ARCH_WANT_NEW_STAT",
    "__ARCH_WANT_SET_GET_RLIMIT",
    "__ARCH_WANT_SYS_CLONE3",
];

/// Calls of x86-64 alone, and what programs on arm64 call in their place; by the manual pages of each.
const SUCCESSORS: [(&str, &str); 29] = [
    ("access", "faccessat"),
    ("alarm", "setitimer"),
    ("chmod", "fchmodat"),
    ("creat", "openat"),
    ("dup2", "dup3"),
    ("epoll_create", "epoll_create1"),
    ("epoll_wait", "epoll_pwait"),
    ("eventfd", "eventfd2"),
    ("fork", "clone"),
    ("getdents", "getdents64"),
    ("getpgrp", "getpgid"),
    ("link", "linkat"),
    ("lstat", "newfstatat"),
    ("mkdir", "mkdirat"),
    ("open", "openat"),
    ("pause", "ppoll"),
    ("pipe", "pipe2"),
    ("poll", "ppoll"),
    ("readlink", "readlinkat"),
    ("rename", "renameat"),
    ("rmdir", "unlinkat"),
    ("select", "pselect6"),
    ("stat", "newfstatat"),
    ("symlink", "symlinkat"),
    ("time", "clock_gettime"),
    ("unlink", "unlinkat"),
    ("utimes", "utimensat"),
    ("vfork", "clone"),
    // It sets the register of thread-local storage, which arm64 lets a program do by itself.
    ("arch_prctl", "set_tid_address"),
];

/// The calls that are named in the tables: on every architecture, and on x86-64 alone.
fn named() -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut everywhere, mut x86_64) = (BTreeSet::new(), BTreeSet::new());
    for item in TABLES.iter().flat_map(|table| table.split("\n\n")) {
        let whole = item.lines().any(|line| line == ON_X86_64);
        let mut before = "";
        for line in item.lines() {
            let only = whole || before.trim() == ON_X86_64;
            let list = if only { &mut x86_64 } else { &mut everywhere };
            list.extend(calls_in(line));
            before = line;
        }
    }
    (everywhere, x86_64)
}

fn calls_in(line: &str) -> impl Iterator<Item = String> {
    let name = |rest: &str| {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        rest[..end.unwrap_or(rest.len())].to_owned()
    };
    line.split("libc::SYS_").skip(1).map(name)
}

/// The calls that Linux has on arm64, by the headers of this machine, which carry the table that arm64 takes.
fn on_arm64() -> BTreeSet<String> {
    let mut compiler = Command::new("cc");
    compiler.args(["-E", "-dM"]);
    compiler.args(ARM64.map(|wanted| format!("-D{wanted}")));
    compiler.args(["-include", "asm-generic/unistd.h", "-x", "c", "/dev/null"]);
    let output = compiler.output().expect("a C compiler is here");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let text = String::from_utf8(output.stdout).unwrap();
    let names = text
        .lines()
        .filter_map(|line| line.strip_prefix("#define __NR_"));
    let names = names.map(|rest| rest.split(' ').next().unwrap().to_owned());
    names.collect()
}

#[test]
fn what_is_allowed_on_every_architecture_is_there_on_arm64() {
    let (everywhere, x86_64) = named();
    assert!(everywhere.len() > 100 && x86_64.len() > 20);
    let arm64 = on_arm64();
    let missing: Vec<_> = everywhere.difference(&arm64).collect();
    assert!(missing.is_empty(), "arm64 has no {missing:?}");
    let withheld: Vec<_> = x86_64.intersection(&arm64).collect();
    assert!(withheld.is_empty(), "arm64 has {withheld:?} too");
}

#[test]
fn what_only_x86_64_has_is_replaced_on_arm64() {
    let (everywhere, x86_64) = named();
    let old: BTreeSet<String> = SUCCESSORS.map(|(old, _)| old.to_owned()).into();
    assert_eq!(old, x86_64);
    for (old, new) in SUCCESSORS {
        assert!(everywhere.contains(new), "{old} has {new} in its place");
    }
}
