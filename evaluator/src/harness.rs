//! The Python that the evaluator has inside a box; its sources lie in `harness/`.

use sandbox::{Harness, Source};
use serde::Serialize;
use serde_json::json;

use crate::Prelude;

macro_rules! sources {
    ($($path:literal),* $(,)?) => {
        &[$((
            concat!("mc_harness/", $path),
            include_str!(concat!("../harness/mc_harness/", $path)),
        )),*]
    };
}

/// All of it.
const SOURCES: &[Source] = sources![
    "__init__.py",
    "call.py",
    "decoding.py",
    "encoding.py",
    "entries/__init__.py",
    "entries/calls.py",
    "entries/candidate.py",
    "entries/lcb.py",
    "entries/scripts.py",
    "entries/test_code.py",
    "lcb.py",
    "lent.py",
    "limits.py",
    "lookups.py",
    "names.py",
    "nodes.py",
    "prelude.py",
    "proxy/__init__.py",
    "proxy/adding.py",
    "proxy/after.py",
    "proxy/aliases.py",
    "proxy/annotations.py",
    "proxy/arguments.py",
    "proxy/asked.py",
    "proxy/autospec.py",
    "proxy/awaiting.py",
    "proxy/bindings.py",
    "proxy/builtin_bases.py",
    "proxy/called_back.py",
    "proxy/callbacks.py",
    "proxy/certainty.py",
    "proxy/chains.py",
    "proxy/channel.py",
    "proxy/client.py",
    "proxy/containers.py",
    "proxy/contexts.py",
    "proxy/conversions.py",
    "proxy/coroutines.py",
    "proxy/crossing.py",
    "proxy/derived.py",
    "proxy/described.py",
    "proxy/descriptors.py",
    "proxy/dispatching.py",
    "proxy/doubted.py",
    "proxy/dry.py",
    "proxy/dunders.py",
    "proxy/ending.py",
    "proxy/errors.py",
    "proxy/evaluating.py",
    "proxy/evidence.py",
    "proxy/exchanges.py",
    "proxy/expected.py",
    "proxy/factories.py",
    "proxy/faults.py",
    "proxy/files.py",
    "proxy/giving.py",
    "proxy/going_on.py",
    "proxy/graphs.py",
    "proxy/guarded.py",
    "proxy/handed.py",
    "proxy/handing.py",
    "proxy/hearing.py",
    "proxy/held_errors.py",
    "proxy/identity.py",
    "proxy/in_both.py",
    "proxy/in_place.py",
    "proxy/iterating.py",
    "proxy/keeping.py",
    "proxy/known_errors.py",
    "proxy/lazy.py",
    "proxy/left_behind.py",
    "proxy/lending.py",
    "proxy/lent_data.py",
    "proxy/library.py",
    "proxy/lifetimes.py",
    "proxy/looked_at.py",
    "proxy/likeness.py",
    "proxy/marks.py",
    "proxy/matching.py",
    "proxy/mirrored.py",
    "proxy/misused.py",
    "proxy/module.py",
    "proxy/named.py",
    "proxy/naming.py",
    "proxy/objects.py",
    "proxy/operated.py",
    "proxy/operating.py",
    "proxy/outgoing.py",
    "proxy/own_nodes.py",
    "proxy/plain.py",
    "proxy/put_on.py",
    "proxy/raising.py",
    "proxy/reaching.py",
    "proxy/reading.py",
    "proxy/reflection.py",
    "proxy/registered.py",
    "proxy/remote.py",
    "proxy/replaced.py",
    "proxy/said.py",
    "proxy/saying.py",
    "proxy/server.py",
    "proxy/set_back.py",
    "proxy/settled.py",
    "proxy/shaped.py",
    "proxy/signature.py",
    "proxy/snapshots.py",
    "proxy/standard.py",
    "proxy/steps.py",
    "proxy/streams.py",
    "proxy/subclassed.py",
    "proxy/subclasses.py",
    "proxy/surroundings.py",
    "proxy/swallowed.py",
    "proxy/test_code.py",
    "proxy/their_classes.py",
    "proxy/their_coroutines.py",
    "proxy/their_errors.py",
    "proxy/turns.py",
    "proxy/unions.py",
    "proxy/variables.py",
    "proxy/viewed.py",
    "proxy/withheld.py",
    "proxy/written.py",
];

/// The harnesses. A warm interpreter holds one: each of its forks pays for what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum HarnessModule {
    /// For scripts.
    Scripts,
    /// For functions that are called once.
    Calls,
    /// For programs that test code in another box asks.
    Candidate,
    /// For that test code.
    TestCode,
    /// For LiveCodeBench's way.
    LiveCodeBench,
}

impl HarnessModule {
    pub(crate) const fn harness(self) -> Harness {
        let module = match self {
            HarnessModule::Scripts => "mc_harness.entries.scripts",
            HarnessModule::Calls => "mc_harness.entries.calls",
            HarnessModule::Candidate => "mc_harness.entries.candidate",
            HarnessModule::TestCode => "mc_harness.entries.test_code",
            HarnessModule::LiveCodeBench => "mc_harness.entries.lcb",
        };
        Harness {
            module,
            sources: SOURCES,
        }
    }
}

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
    /// It is to give nothing back: that argument is the answer whatever it gives.
    pub is_void: bool,
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
    /// The candidate has passed where not all that it did to what both hold was shown. Does it where all is?
    pub shown: bool,
    /// There is no candidate: what does the test code do by itself?
    pub dry: Option<Dry>,
    /// What the harness signs its conclusion with. Test code may write to any file that a candidate names to it, that of the
    /// conclusion among them.
    pub key: String,
}

/// What stands for the candidate in a dry run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Dry {
    /// Whatever test code asks of it is so.
    Agreeing,
    /// Nothing is.
    Denying,
}

impl Entry<'_> {
    /// The harness that it is a part of.
    pub(crate) fn module(self) -> HarnessModule {
        match self {
            Entry::Script(_) => HarnessModule::Scripts,
            Entry::Call(..) => HarnessModule::Calls,
            Entry::Candidate(..) => HarnessModule::Candidate,
            Entry::TestCode(..) => HarnessModule::TestCode,
            Entry::LiveCodeBench(_) => HarnessModule::LiveCodeBench,
        }
    }

    /// What its program may use without importing it.
    pub(crate) fn prelude(self) -> Prelude {
        match self {
            Entry::Script(prelude) | Entry::Call(_, prelude, _) | Entry::Candidate(_, prelude) => {
                prelude
            }
            Entry::TestCode(..) | Entry::LiveCodeBench(_) => Prelude::None,
        }
    }

    /// A program as the harness reads it.
    pub(crate) fn text(self, source: &str) -> Vec<u8> {
        let (entry, name) = match self {
            Entry::Script(_) => ("script", ""),
            Entry::Call(name, ..) => ("call", name),
            Entry::Candidate(name, _) => ("candidate", name),
            Entry::TestCode(name, _) => ("test_code", name),
            Entry::LiveCodeBench(name) => ("lcb", name.unwrap_or_default()),
        };
        let mut header = json!({ "entry": entry, "name": name, "prelude": self.prelude().name() });
        match self {
            Entry::Call(_, _, options) => header["options"] = json!(options),
            Entry::TestCode(_, options) => header["options"] = json!(options),
            Entry::Script(_) | Entry::Candidate(..) | Entry::LiveCodeBench(_) => {}
        }
        format!("{header}\n{source}").into_bytes()
    }
}
