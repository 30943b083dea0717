//! A program that is run and not judged: what it writes and how it ends is the answer.

use sandbox::{Files, LaunchError, Limits, Outcome};

use super::launched::Launched;
use super::runtimes::{Runtimes, Side};
use crate::Prelude;
use crate::harness::Entry;

/// A program to run once.
#[derive(Debug, Clone)]
pub struct PlainRun {
    /// Its source.
    pub source: String,
    /// What it reads.
    pub stdin: Vec<u8>,
    /// What it may use.
    pub limits: Limits,
}

/// How a program ended that was not judged.
#[derive(Debug)]
pub enum Ran {
    /// It ran.
    Ended(Box<Outcome>),
    /// It is no program: the compiler's words.
    Rejected(String),
    /// The host failed, for this reason.
    Failed(String),
}

/// Run it.
pub(crate) fn run_plain(runtimes: &mut Runtimes, run: &PlainRun) -> Result<Outcome, LaunchError> {
    let entry = Entry::Script(Prelude::None);
    let limits = run.limits.clone();
    let mut program = Launched::new(runtimes, Side::Candidate, &run.source, entry, limits)?;
    program.run(Files::new(&run.stdin)?, &run.limits, 1)
}
