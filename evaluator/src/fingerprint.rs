//! Hashes of what a verdict depends on, so that a resumed run never reuses one for changed input.

use std::fmt::{self, Write};

pub use blake3::Hash;
use blake3::Hasher;

use crate::judge::Settings;
use crate::languages::{Languages, PYTHON, toolchain};
use crate::problem::Tests;
use crate::{Problem, Submission};

/// One more wherever an input gets another verdict than it got before.
const RULES: &str = "2";

/// Hashes submissions with their problems under one run's settings.
pub struct Fingerprints {
    settings: Hash,
}

impl Fingerprints {
    /// For a run with `settings`, on `machine`: whatever else verdicts depend on, such as the interpreter's version.
    pub fn new(settings: &Settings, machine: &str) -> Fingerprints {
        let mut hasher = Hasher::new();
        field(&mut hasher, env!("CARGO_PKG_VERSION"));
        field(&mut hasher, RULES);
        field(&mut hasher, machine);
        field(&mut hasher, &describe(settings));
        let settings = hasher.finalize();
        Fingerprints { settings }
    }

    /// The hash of one submission to one problem, whose own hash is `problem_hash`: 32 hexadecimal digits.
    pub fn of(&self, submission: &Submission, problem: &Problem, problem_hash: &Hash) -> String {
        let mut hasher = Hasher::new();
        hasher.update(self.settings.as_bytes());
        hasher.update(problem_hash.as_bytes());
        field(&mut hasher, &submission.id);
        field(&mut hasher, &language(submission));
        field(&mut hasher, &format!("{:?}", submission.program(problem)));
        let files = (&submission.files, &submission.expected);
        write!(Digest(&mut hasher), "{files:?}").expect("a hasher takes all");
        hasher.finalize().to_hex()[..32].to_owned()
    }
}

/// A language as this machine has it. A Python's version is part of what the run says of the machine.
fn language(submission: &Submission) -> String {
    let name = &submission.language;
    let language = Languages::get().named(name).filter(|_| name != PYTHON);
    match language.map(toolchain) {
        Some(Ok(toolchain)) => format!("{:?} {}", toolchain.language, toolchain.version),
        _ => name.clone(),
    }
}

/// All settings that show in a verdict.
fn describe(settings: &Settings) -> String {
    let Settings {
        profile,
        harness,
        also,
        time_limit,
        budget,
        memory_limit,
        keep_output,
        first_failure,
        allow_unshielded,
        dedup,
        testlib,
        // They show elsewhere.
        transcripts: _,
        reward,
    } = settings;
    let reward = reward.name();
    let testlib = testlib.as_ref().map(|it| blake3::hash(it));
    format!(
        "{profile:?} {harness:?} {also:?} {time_limit:?} {budget:?} {memory_limit} {keep_output} {first_failure} {allow_unshielded} {dedup} {testlib:?} {reward}"
    )
}

/// The hash of all that a problem says.
///
/// The long texts of `stdin` tests go in as they are; all else in its debug form, which shows every bit of it.
pub fn hash_problem(problem: &Problem) -> Hash {
    let mut hasher = Hasher::new();
    let mut digest = Digest(&mut hasher);
    let Problem {
        id,
        statement,
        prompt,
        tests,
        prelude,
        in_place,
        time_limit,
        memory_limit,
        platform,
        difficulty,
        compare,
        checker,
        details,
        grading,
        output_limit,
    } = problem;
    match tests {
        Tests::Stdin(cases) => {
            for case in cases {
                field(digest.0, &case.input);
                field(digest.0, &case.expected);
            }
        }
        other => write!(digest, "{other:?}").expect("a hasher takes all"),
    }
    let texts = (id, statement, prompt, platform, difficulty);
    let limits = (time_limit, memory_limit, output_limit);
    let names = (prelude, in_place);
    let rest = (texts, names, limits, compare, checker, details, grading);
    write!(digest, "{rest:?}").expect("a hasher takes all");
    hasher.finalize()
}

/// 128 bits for an id: what is held of each where there may be millions, and nobody can choose two ids with one key.
pub fn key(id: &str) -> u128 {
    let bytes = blake3::hash(id.as_bytes());
    u128::from_le_bytes(*bytes.as_bytes().first_chunk().expect("a hash has 32 bytes"))
}

/// One text, with its length, so that two texts cannot run together.
fn field(hasher: &mut Hasher, text: &str) {
    hasher.update(&text.len().to_le_bytes());
    hasher.update(text.as_bytes());
}

/// Takes formatted text into a hasher.
struct Digest<'a>(&'a mut Hasher);

impl fmt::Write for Digest<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}
