//! What the sandbox runs: a program, how it is entered and what it is given. Not a submission: it solves no problem.

use serde_json::json;

use crate::Grants;

/// Source text and how it is entered.
#[derive(Debug, Clone)]
pub struct Program {
    /// Python source.
    pub source: String,
    /// How it is entered.
    pub entry: Entry,
    /// What it may touch.
    pub grants: Grants,
}

/// How a program is entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// As a script: `__name__ == "__main__"`, real standard input and output.
    Main,
    /// Its module is run, then this function (`solve`) or method (`Solution.solve`) is called. In
    /// [`crate::Worker::examine`] the test code calls it, and the name may be empty where that names it itself.
    Function(String),
}

/// What one run is given.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    /// Standard input, for [`Entry::Main`].
    Stdin(&'a [u8]),
    /// Positional arguments as the harness reads them, for [`Entry::Function`].
    Arguments(&'a [u8]),
}

/// The part a program plays in its box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It is run, or called once.
    Candidate,
    /// It answers the calls of test code in another box.
    Server,
    /// It is that test code.
    Examiner,
}

/// The line before the source that tells the box how to enter it.
pub(crate) fn header(program: &Program, role: Role) -> String {
    let name = match &program.entry {
        Entry::Main => "",
        Entry::Function(name) => name,
    };
    let entry = match (role, &program.entry) {
        (Role::Candidate, Entry::Main) => "script",
        (Role::Candidate, Entry::Function(_)) => "call",
        (Role::Server, _) => "serve",
        (Role::Examiner, _) => "examine",
    };
    format!("{}\n", json!({ "entry": entry, "name": name }))
}
