//! A problem on its way through the stages: [`Record`], one line of every file between two stages.
//!
//! Its first fields are those of a problem as `mc-eval` reads it, so that the file of any stage is a file of problems too.
//! The rest says where it comes from, what was changed and found, and why it was dropped, if it was.

mod encode;
mod problem;

use std::collections::BTreeMap;

use evaluator::jsonl;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use problem::stdin_text;

/// A problem with its solutions, its origin, and all that was done to it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    /// Unique in its file.
    pub id: String,
    /// How submissions are run.
    pub kind: Kind,
    /// The text given to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<String>,
    /// The language of the statement, as ISO 639-3 calls it: `eng`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_in: Option<String>,
    /// The function or method that the tests call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fn_name: Option<String>,
    /// Its tests.
    pub tests: Vec<Test>,
    /// The names that a solution need not import.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prelude: Option<String>,
    /// Whether the function is to change its arguments.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_place: bool,
    /// Whether its test code also runs one test after another in one process, as in a problem file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_process: Option<serde_json::Value>,
    /// Seconds of CPU time per test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<f64>,
    /// MiB per test.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_limit: Option<u64>,
    /// Where it was set: `codeforces`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// How hard it is, in its platform's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<String>,
    /// What it declares about comparing outputs, as in a problem file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<serde_json::Value>,
    /// What decides in place of the comparator, as in a problem file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checker: Option<serde_json::Value>,
    /// Programs for it, right and wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub solutions: Vec<Solution>,
    /// Where it comes from.
    #[serde(default)]
    pub origin: Origin,
    /// What was changed of it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// What was found out about it that is no reason to drop it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// How well its tests tell wrong programs from right ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<Strength>,
    /// How hard it is, on one scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// How hard a model finds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated: Option<Rated>,
    /// How often a model solves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<Solved>,
    /// The share of samples that a reference model would have accepted, by what both solve of other problems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibrated: Option<f64>,
    /// Why it is no longer in, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_by: Option<Dropped>,
}

impl jsonl::Record for Record {
    const PLURAL: &'static str = "records";
    const START: &'static str = "{\"id\":\"";
    // A person may edit the file of a stage before the next reads it.
    const CHECKSUM: bool = false;
}

/// How submissions are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Whole programs: text in, text out.
    Stdin,
    /// A function or method, called once a test.
    Call,
    /// Test code that calls the candidate.
    Assert,
}

/// One test: a pair of `input` and `output`, or `code`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Test {
    /// The JSON of what goes in: a text, or the list of positional arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Box<RawValue>>,
    /// The JSON of what should come out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Box<RawValue>>,
    /// Python that passes if it ends without an exception.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The share of wrong programs that it alone rejects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kills: Option<f64>,
    /// What made it, if not the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<String>,
}

impl Test {
    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        let raw = |json: &Option<Box<RawValue>>| json.as_ref().map_or(0, |json| json.get().len());
        raw(&self.input) + raw(&self.output) + self.code.as_ref().map_or(0, String::len)
    }

    /// The same input and output, or the same code.
    pub fn is_same(&self, other: &Test) -> bool {
        self.texts() == other.texts()
    }

    /// Input and output as JSON, or the code and nothing.
    pub fn texts(&self) -> (&str, &str) {
        match (&self.input, &self.output, &self.code) {
            (Some(input), Some(output), _) => (input.get(), output.get()),
            (_, _, code) => (code.as_deref().unwrap_or_default(), ""),
        }
    }
}

/// A program for a problem.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Solution {
    /// The program, whole.
    pub code: String,
    /// What it is held to be.
    pub role: Role,
}

/// What a solution is held to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Right, as its source says.
    Reference,
    /// Right, and every test agrees, each time.
    Verified,
    /// Wrong, as its source says.
    Wrong,
    /// Right, as its source says, but the tests disagree.
    Rejected,
}

impl Role {
    /// Whether it is held to be right.
    pub fn is_right(self) -> bool {
        matches!(self, Role::Reference | Role::Verified)
    }
}

/// Where a record comes from. Only what the source says: nothing is guessed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// The name of the source.
    pub source: String,
    /// The file it was read from, without its folders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its line there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What its source calls it.
    pub id: String,
    /// The problem's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Its licence, in the source's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Whom to name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribution: Option<String>,
    /// The day it was published, `2024-01-06`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Its topics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// What a stage changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The stage.
    pub stage: Stage,
    /// The field of the record.
    pub field: String,
    /// What was done.
    pub what: String,
    /// The hash of the field's JSON before, 16 hexadecimal digits.
    pub before: String,
}

/// What a stage found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Note {
    /// The stage.
    pub stage: Stage,
    /// What, in a word: `image`.
    pub what: String,
    /// What shows it.
    pub evidence: String,
}

/// How well the tests tell wrong programs from right ones.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// Wrong programs that were tried: known wrong ones, and mutants of a right one.
    pub tried: usize,
    /// Those of them that some test rejects.
    pub killed: usize,
}

impl Strength {
    /// The share of wrong programs that are rejected; `None` if none was tried.
    pub fn share(self) -> Option<f64> {
        (self.tried > 0).then(|| self.killed as f64 / self.tried as f64)
    }
}

/// How often a model solves a problem.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solved {
    /// Samples that were judged.
    pub samples: usize,
    /// Those of them that were accepted.
    pub accepted: usize,
}

impl Solved {
    /// The share of samples that are accepted, which is avg@k for k samples; `None` if none was judged.
    pub fn share(self) -> Option<f64> {
        (self.samples > 0).then(|| self.accepted as f64 / self.samples as f64)
    }
}

/// How hard a model finds a problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rated {
    /// From 1 to 5 in each dimension.
    pub dimensions: BTreeMap<String, f64>,
    /// Their weighted mean.
    pub score: f64,
    /// The model.
    pub by: String,
}

/// How hard a problem is, on one scale.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Level {
    /// What a beginner solves.
    Easy,
    /// What takes an idea.
    Medium,
    /// What takes several.
    Hard,
}

impl Level {
    /// Its name in a record.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The level of this name.
    pub fn named(name: &str) -> Option<Level> {
        let mut all = <Level as strum::VariantArray>::VARIANTS.iter().copied();
        all.find(|level| level.name() == name)
    }
}

/// A step of the pipeline.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Stage {
    /// Reads sources.
    Collect,
    /// Makes statements and tests uniform.
    Process,
    /// Drops what is there twice, known to a benchmark or out of bounds.
    Filter,
    /// Runs programs.
    Verify,
    /// Puts problems on one scale, and chooses by it.
    Difficulty,
}

impl Stage {
    /// Its name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The one whose records it reads.
    pub fn before(self) -> Option<Stage> {
        let all = <Stage as strum::VariantArray>::VARIANTS.iter().copied();
        all.filter(|stage| *stage < self).max()
    }
}

/// Why a record was dropped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dropped {
    /// By which stage.
    pub stage: Stage,
    /// Why.
    pub reason: Reason,
    /// What shows it.
    pub evidence: serde_json::Value,
}

impl Dropped {
    /// By `stage`, for `reason`, which `evidence` shows.
    pub fn new(stage: Stage, reason: Reason, evidence: serde_json::Value) -> Dropped {
        Dropped {
            stage,
            reason,
            evidence,
        }
    }
}

/// Why a record was dropped, in a word.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    /// A test holds data that JSON does not have.
    Inexpressible,
    /// The statement is cut off, or lacks what a solver must know.
    IncompleteStatement,
    /// A sample in the statement and a test give different answers to the same input.
    SampleContradictsTest,
    /// Another record says the same.
    ExactDuplicate,
    /// Another record says nearly the same.
    NearDuplicate,
    /// Another record has the same tests.
    SameTests,
    /// It is in a benchmark.
    Contaminated,
    /// It was published before the given date, or nobody says when.
    TooOld,
    /// Its difficulty is not wanted.
    Difficulty,
    /// Its statement is too short or too long.
    Length,
    /// It has too few tests.
    FewTests,
    /// Its tests are too large.
    LargeTests,
    /// Its licence is not allowed.
    License,
    /// Its statement is in a language that is not wanted.
    Language,
    /// It has no solution that is held to be right.
    NoReference,
    /// Two tests give different answers to the same input.
    ContradictingTests,
    /// Every reference fails.
    ReferenceFails,
    /// A reference passes and fails the same test.
    FlakyReference,
    /// Several answers are right, and nothing decides which.
    NeedsChecker,
    /// Its tests let too many wrong programs pass.
    Weak,
    /// The host failed, so nothing was decided.
    JudgeFailed,
    /// There is enough of its difficulty.
    Share,
    /// A model solves it too often, or too rarely.
    PassRate,
}

impl Reason {
    /// Its name in a record.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl Record {
    /// Whether no stage has dropped it.
    pub fn is_live(&self) -> bool {
        self.dropped_by.is_none()
    }

    /// The solutions held to be right.
    pub fn references(&self) -> impl Iterator<Item = &Solution> {
        self.solutions
            .iter()
            .filter(|solution| solution.role.is_right())
    }

    /// Take down that `field`, which held `before`, was changed.
    pub fn changed(
        &mut self,
        stage: Stage,
        field: &str,
        what: impl Into<String>,
        before: &impl Serialize,
    ) {
        let json = serde_json::to_vec(before).expect("a field has only string keys");
        self.changes.push(Change {
            stage,
            field: field.to_owned(),
            what: what.into(),
            before: blake3::hash(&json).to_hex()[..16].to_owned(),
        });
    }

    /// Take down what was found.
    pub fn note(&mut self, stage: Stage, what: &str, evidence: impl Into<String>) {
        self.notes.push(Note {
            stage,
            what: what.to_owned(),
            evidence: evidence.into(),
        });
    }
}
