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
    "proxy/analysis/__init__.py",
    "proxy/analysis/adding.py",
    "proxy/analysis/before.py",
    "proxy/analysis/bindings.py",
    "proxy/analysis/certainty.py",
    "proxy/analysis/evidence.py",
    "proxy/analysis/expected.py",
    "proxy/analysis/faults.py",
    "proxy/analysis/guards.py",
    "proxy/analysis/in_place.py",
    "proxy/analysis/lending.py",
    "proxy/analysis/lent_data.py",
    "proxy/analysis/looked_at.py",
    "proxy/analysis/misused.py",
    "proxy/analysis/paths.py",
    "proxy/analysis/reaching.py",
    "proxy/analysis/said.py",
    "proxy/analysis/settled.py",
    "proxy/analysis/simplified.py",
    "proxy/analysis/snapshots.py",
    "proxy/analysis/stated.py",
    "proxy/analysis/unseen.py",
    "proxy/analysis/variables.py",
    "proxy/analysis/written.py",
    "proxy/candidate/__init__.py",
    "proxy/candidate/after.py",
    "proxy/candidate/called_back.py",
    "proxy/candidate/factories.py",
    "proxy/candidate/handed.py",
    "proxy/candidate/held_errors.py",
    "proxy/candidate/keeping.py",
    "proxy/candidate/kinds.py",
    "proxy/candidate/operating.py",
    "proxy/candidate/program.py",
    "proxy/candidate/replacing.py",
    "proxy/candidate/server.py",
    "proxy/candidate/steps.py",
    "proxy/candidate/subclassed.py",
    "proxy/candidate/their_classes.py",
    "proxy/candidate/their_coroutines.py",
    "proxy/candidate/their_errors.py",
    "proxy/candidate/viewed.py",
    "proxy/link/__init__.py",
    "proxy/link/callbacks.py",
    "proxy/link/client.py",
    "proxy/link/contexts.py",
    "proxy/link/ending.py",
    "proxy/link/exchanges.py",
    "proxy/link/giving.py",
    "proxy/link/going_on.py",
    "proxy/link/handing.py",
    "proxy/link/lazy.py",
    "proxy/link/library_state.py",
    "proxy/link/lifetimes.py",
    "proxy/link/mirrored.py",
    "proxy/link/naming.py",
    "proxy/link/outgoing.py",
    "proxy/link/own_nodes.py",
    "proxy/link/raising.py",
    "proxy/link/reading.py",
    "proxy/link/replaced.py",
    "proxy/link/set_back.py",
    "proxy/link/subclasses.py",
    "proxy/link/withheld.py",
    "proxy/stand_ins/__init__.py",
    "proxy/stand_ins/autospec.py",
    "proxy/stand_ins/awaiting.py",
    "proxy/stand_ins/conversions.py",
    "proxy/stand_ins/doubted.py",
    "proxy/stand_ins/guarded.py",
    "proxy/stand_ins/identity.py",
    "proxy/stand_ins/iterating.py",
    "proxy/stand_ins/matching.py",
    "proxy/stand_ins/named.py",
    "proxy/stand_ins/operated.py",
    "proxy/stand_ins/records.py",
    "proxy/stand_ins/unions.py",
    "proxy/test_code/__init__.py",
    "proxy/test_code/dispatching.py",
    "proxy/test_code/dry.py",
    "proxy/test_code/evaluating.py",
    "proxy/test_code/library.py",
    "proxy/test_code/reflection.py",
    "proxy/test_code/registered.py",
    "proxy/test_code/script.py",
    "proxy/test_code/swallowed.py",
    "proxy/wire/__init__.py",
    "proxy/wire/aliases.py",
    "proxy/wire/annotations.py",
    "proxy/wire/arguments.py",
    "proxy/wire/asked.py",
    "proxy/wire/builtin_bases.py",
    "proxy/wire/chains.py",
    "proxy/wire/channel.py",
    "proxy/wire/class_names.py",
    "proxy/wire/containers.py",
    "proxy/wire/copying.py",
    "proxy/wire/coroutines.py",
    "proxy/wire/crossing.py",
    "proxy/wire/derived.py",
    "proxy/wire/described.py",
    "proxy/wire/descriptors.py",
    "proxy/wire/dunders.py",
    "proxy/wire/elements.py",
    "proxy/wire/errors.py",
    "proxy/wire/files.py",
    "proxy/wire/graphs.py",
    "proxy/wire/hearing.py",
    "proxy/wire/in_both.py",
    "proxy/wire/known_errors.py",
    "proxy/wire/laid_out.py",
    "proxy/wire/left_behind.py",
    "proxy/wire/likeness.py",
    "proxy/wire/marks.py",
    "proxy/wire/module.py",
    "proxy/wire/objects.py",
    "proxy/wire/plain.py",
    "proxy/wire/put_on.py",
    "proxy/wire/remote.py",
    "proxy/wire/saying.py",
    "proxy/wire/shaped.py",
    "proxy/wire/signature.py",
    "proxy/wire/standard.py",
    "proxy/wire/streams.py",
    "proxy/wire/surroundings.py",
    "proxy/wire/turns.py",
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
