//! The Python that the evaluator has inside a box; its sources lie in `harness/`.

use sandbox::Harness;
use serde_json::json;

use crate::Prelude;

macro_rules! sources {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../harness/", $path)))),*]
    };
}

/// What prepares submissions and their test code.
pub(crate) const HARNESS: Harness = Harness {
    module: "mc_harness",
    sources: sources![
        "mc_harness/__init__.py",
        "mc_harness/call.py",
        "mc_harness/decoding.py",
        "mc_harness/encoding.py",
        "mc_harness/lent.py",
        "mc_harness/limits.py",
        "mc_harness/names.py",
        "mc_harness/nodes.py",
        "mc_harness/prelude.py",
        "mc_harness/proxy/__init__.py",
        "mc_harness/proxy/arguments.py",
        "mc_harness/proxy/channel.py",
        "mc_harness/proxy/client.py",
        "mc_harness/proxy/ending.py",
        "mc_harness/proxy/remote.py",
        "mc_harness/proxy/server.py",
        "mc_harness/proxy/test_code.py",
    ],
};

/// How the harness enters a program, and what a candidate need not import.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Entry<'a> {
    /// As a script: `__name__ == "__main__"`, real standard input and output.
    Script(Prelude),
    /// Its module is run, then this function (`solve`) or method (`Solution.solve`) is called once: arguments from
    /// descriptor 3, the result to descriptor 4.
    Call(&'a str, Prelude),
    /// Its module is run, then it answers on descriptor 3 what test code in another box asks.
    Candidate(&'a str, Prelude),
    /// It is that test code: the candidate is at the other end of descriptor 3, and what the tests came to goes to
    /// descriptor 4. `candidate` stands for the function.
    TestCode(&'a str),
}

impl Entry<'_> {
    /// A program as the harness reads it.
    pub(crate) fn text(self, source: &str) -> Vec<u8> {
        let (entry, name, prelude) = match self {
            Entry::Script(prelude) => ("script", "", prelude),
            Entry::Call(name, prelude) => ("call", name, prelude),
            Entry::Candidate(name, prelude) => ("candidate", name, prelude),
            Entry::TestCode(name) => ("test_code", name, Prelude::None),
        };
        let header = json!({ "entry": entry, "name": name, "prelude": prelude.name() });
        format!("{header}\n{source}").into_bytes()
    }
}
