//! What the sandbox runs, and what it may touch.

use memchr::memmem;

/// What the sandbox runs. Not a submission: it solves no problem.
#[derive(Debug, Clone)]
pub struct Program {
    /// What the runtime prepares: for [`crate::Harness::SCRIPT`] the source, for executables and modules what
    /// [`crate::Executable`] writes.
    pub text: Vec<u8>,
    /// What it may touch.
    pub grants: Grants,
}

/// What the names of standard input begin with.
const INPUT_NAMES: [&[u8]; 3] = [b"/dev/stdin", b"/dev/fd", b"/proc/self/fd"];

/// What stands in a program that may send itself a signal, set a limit at which it is sent one, or ask for the number of its
/// process.
const SIGNAL_NAMES: [&[u8]; 9] = [
    b"signal",
    b"kill",
    b"abort",
    b"resource",
    b"faulthandler",
    b"ctypes",
    b"getpid",
    b"getpgrp",
    b"getsid",
];

impl Program {
    /// Whether it may notice that it is pid 1, as far as its text tells: signals that it does not handle do nothing to it then,
    /// where they would end another process. Nothing depends on it but that: what ends it from outside does so in any case.
    pub(crate) fn names_signals(&self) -> bool {
        self.names_any(&SIGNAL_NAMES)
    }

    /// Whether it may open its standard input by a name, as far as its text tells. To give it one takes a mount and a copy of
    /// the input, which the many programs pay nothing for that read what is open.
    pub(crate) fn names_its_input(&self) -> bool {
        self.names_any(&INPUT_NAMES)
    }

    fn names_any(&self, names: &[&[u8]]) -> bool {
        names
            .iter()
            .any(|name| memmem::find(&self.text, name).is_some())
    }
}

/// What a program may touch. Everything not listed here is denied; the default grants nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Grants {
    /// May start threads.
    pub threads: bool,
    /// May write files in its working directory, a private temporary file system.
    pub scratch: bool,
    /// May start processes, where its image lets it execute something. A compiler needs that; none that is judged gets it.
    pub processes: bool,
    /// May reserve any amount of address space, as runtimes do that collect garbage: what it can write to is limited
    /// instead, and what it holds.
    pub reservations: bool,
}

impl Grants {
    /// What a judged program gets: threads and a scratch directory.
    pub const JUDGED: Grants = Grants {
        threads: true,
        scratch: true,
        processes: false,
        reservations: false,
    };

    /// What a compiler gets.
    pub const COMPILER: Grants = Grants {
        processes: true,
        reservations: true,
        ..Grants::JUDGED
    };
}
