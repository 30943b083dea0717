//! The Python that the evaluator has inside a box; its sources lie in `harness/`.

use sandbox::Harness;
use serde::Serialize;
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
        "mc_harness/lcb.py",
        "mc_harness/lent.py",
        "mc_harness/limits.py",
        "mc_harness/names.py",
        "mc_harness/nodes.py",
        "mc_harness/prelude.py",
        "mc_harness/proxy/__init__.py",
        "mc_harness/proxy/arguments.py",
        "mc_harness/proxy/asked.py",
        "mc_harness/proxy/channel.py",
        "mc_harness/proxy/client.py",
        "mc_harness/proxy/crossing.py",
        "mc_harness/proxy/derived.py",
        "mc_harness/proxy/dry.py",
        "mc_harness/proxy/ending.py",
        "mc_harness/proxy/errors.py",
        "mc_harness/proxy/evidence.py",
        "mc_harness/proxy/faults.py",
        "mc_harness/proxy/identity.py",
        "mc_harness/proxy/in_place.py",
        "mc_harness/proxy/iterating.py",
        "mc_harness/proxy/lending.py",
        "mc_harness/proxy/library.py",
        "mc_harness/proxy/outgoing.py",
        "mc_harness/proxy/plain.py",
        "mc_harness/proxy/reflection.py",
        "mc_harness/proxy/remote.py",
        "mc_harness/proxy/server.py",
        "mc_harness/proxy/signature.py",
        "mc_harness/proxy/streams.py",
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
    Call(&'a str, Prelude, &'a CallOptions),
    /// Its module is run, then it answers on descriptor 3 what test code in another box asks.
    Candidate(&'a str, Prelude),
    /// It is that test code: the candidate is at the other end of descriptor 3, and what the tests came to goes to
    /// descriptor 4. `candidate` stands for the function.
    TestCode(&'a str, &'a Options),
    /// All tests run in one process, as LiveCodeBench's evaluator has it: of the function of that name, or, without one, of
    /// the whole program. They come on descriptor 3, and the answers go there.
    LiveCodeBench(Option<&'a str>),
}

/// What the function of a problem is called with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct CallOptions {
    /// Where it gives nothing back, its first argument is the answer.
    pub in_place: bool,
    /// The kinds of node, `ListNode` and `TreeNode`, that the problem speaks of.
    pub nodes: Vec<&'static str>,
}

/// What test code is run with.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Options {
    /// Chains of names, calls and attributes (`Stack().top`) that lead to objects of the candidate's, not to plain data.
    pub objects: Vec<String>,
    /// The candidate is to change its arguments.
    pub in_place: bool,
    /// There is no candidate: what does the test code do by itself?
    pub dry: bool,
}

impl Entry<'_> {
    /// A program as the harness reads it.
    pub(crate) fn text(self, source: &str) -> Vec<u8> {
        let (entry, name, prelude) = match self {
            Entry::Script(prelude) => ("script", "", prelude),
            Entry::Call(name, prelude, _) => ("call", name, prelude),
            Entry::Candidate(name, prelude) => ("candidate", name, prelude),
            Entry::TestCode(name, _) => ("test_code", name, Prelude::None),
            Entry::LiveCodeBench(name) => ("lcb", name.unwrap_or_default(), Prelude::None),
        };
        let mut header = json!({ "entry": entry, "name": name, "prelude": prelude.name() });
        match self {
            Entry::Call(_, _, options) => header["options"] = json!(options),
            Entry::TestCode(_, options) => header["options"] = json!(options),
            Entry::Script(_) | Entry::Candidate(..) | Entry::LiveCodeBench(_) => {}
        }
        format!("{header}\n{source}").into_bytes()
    }
}
