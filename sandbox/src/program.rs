//! What the sandbox runs, and what it may touch.

/// What the sandbox runs. Not a submission: it solves no problem.
#[derive(Debug, Clone)]
pub struct Program {
    /// What the runtime's [`crate::Harness`] prepares: for [`crate::Harness::SCRIPT`] the source.
    pub text: Vec<u8>,
    /// What it may touch.
    pub grants: Grants,
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
