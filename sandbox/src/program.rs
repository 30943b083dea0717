//! What the sandbox runs, and what it may touch.

/// What the sandbox runs. Not a submission: it solves no problem.
#[derive(Debug, Clone)]
pub struct Program {
    /// What the runtime's [`crate::Harness`] prepares: for [`crate::Harness::SCRIPT`] the source.
    pub text: Vec<u8>,
    /// What it may touch.
    pub grants: Grants,
}

/// What the names of standard input begin with.
const INPUT_NAMES: [&[u8]; 3] = [b"/dev/stdin", b"/dev/fd", b"/proc/self/fd"];

impl Program {
    /// Whether it may open its standard input by a name, as far as its text tells. To give it one takes a mount and a copy of
    /// the input, which the many programs pay nothing for that read what is open.
    pub(crate) fn names_its_input(&self) -> bool {
        INPUT_NAMES
            .iter()
            .any(|name| self.text.windows(name.len()).any(|text| text == *name))
    }
}

/// What a program may touch. Everything not listed here is denied; the default grants nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Grants {
    /// May start threads (never processes).
    pub threads: bool,
    /// May write files in its working directory, a private temporary file system.
    pub scratch: bool,
}

impl Grants {
    /// What a judged program gets: threads and a scratch directory.
    pub const JUDGED: Grants = Grants {
        threads: true,
        scratch: true,
    };
}
