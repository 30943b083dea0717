//! What was decided: of one test a [`CaseResult`], of one submission a [`Verdict`].
//!
//! These are records; how they come about is the business of [`crate::judge`], and what they are worth in training
//! that of [`crate::reward`].

use std::collections::BTreeMap;
use std::time::Duration;

use sandbox::Isolation;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Difference, Profile, StandardChecker, Strategy};

/// What was decided, of a test or of a submission.
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
    JsonSchema,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Decision {
    /// Right.
    Accepted,
    /// It ended well and gave a wrong answer.
    WrongAnswer,
    /// It ran out of CPU time, or out of one of the backstops of time.
    TimeLimit,
    /// It used more memory than it may.
    MemoryLimit,
    /// It wrote more than it may.
    OutputLimit,
    /// It ended with an exception, a non-zero status or a signal; even after a right answer.
    RuntimeError,
    /// It is no program: it does not compile, or the response holds none.
    CompileError,
    /// The host failed, so nothing was decided. Not a score.
    JudgeFailed,
}

impl Decision {
    /// All of them, in the order in which they are reported.
    pub const ALL: &[Decision] = <Decision as strum::VariantArray>::VARIANTS;

    /// Its name in a verdict line.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What accepted a case.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(untagged)]
pub enum AcceptedBy {
    /// A strategy of the comparator.
    Strategy(Strategy),
    /// The problem's own test code.
    TestCode(TestCode),
    /// The checker that the problem names.
    Checker(StandardChecker),
    /// The problem's own program.
    Own(OwnProgram),
}

impl AcceptedBy {
    /// Its name in a verdict line.
    pub fn name(self) -> &'static str {
        match self {
            AcceptedBy::Strategy(strategy) => strategy.name(),
            AcceptedBy::TestCode(TestCode::Assertions) => "assertions",
            AcceptedBy::Checker(checker) => checker.name(),
            AcceptedBy::Own(OwnProgram::Checker) => "checker",
            AcceptedBy::Own(OwnProgram::Interactor) => "interactor",
        }
    }
}

/// The name under which test code accepts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum TestCode {
    /// All its assertions held.
    Assertions,
}

/// The name under which a problem's own program accepts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum OwnProgram {
    /// Its checker.
    Checker,
    /// Its interactor.
    Interactor,
}

/// Which limit of time ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// The CPU time of the problem's limit.
    Cpu,
    /// The backstop: time by the clock.
    Wall,
    /// The backstop: time by the clock without any use of the CPU.
    Idle,
}

/// The result of one test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseResult {
    /// The test's name, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What was decided.
    pub verdict: Decision,
    /// The points that a checker gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What accepted it; present exactly if it was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<AcceptedBy>,
    /// Which limit of time it ran out of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// The exit status, if not 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// The signal that ended it, if one did that the judge did not send.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// CPU time of all its threads, in milliseconds.
    pub cpu_ms: f64,
    /// Time by the clock, in milliseconds.
    pub wall_ms: f64,
    /// Peak resident memory, the interpreter's own share included, in KiB.
    pub memory_kib: u64,
    /// Of WebAssembly: the fuel it used, the same on every machine. Its CPU time is that too: a unit is a nanosecond. Without
    /// fuel a clock ended it, and its CPU time is what it took in fact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel: Option<u64>,
    /// How often it was run again, alone, because its CPU time was near the limit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reruns: u32,
    /// For test code: whether it ran in a box apart from the candidate. If not, the candidate could have cheated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shielded: Option<bool>,
    /// The first difference between expected and actual output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<Difference>,
    /// Why it was decided so, where there is no difference to show: a result that is no plain data, an assertion
    /// that failed, the words of a checker, what the host could not do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The end of what it wrote to standard error, unless it was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr_tail: Option<String>,
    /// The head of standard output, with `--keep-output`. A verdict keeps 16 MiB of all its tests, those that come first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// The head of standard error, with `--keep-output`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// What a further profile says of the same outputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AlsoVerdict {
    /// What it decides.
    pub verdict: Decision,
    /// Tests passed under it.
    pub passed: usize,
    /// The cases that it decides otherwise than the main profile; the others stand as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs: Vec<AlsoCase>,
}

/// A case that a further profile decides otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AlsoCase {
    /// Its place in `cases`, from 0.
    pub case: usize,
    /// What the further profile decides.
    pub verdict: Decision,
    /// What accepted it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<AcceptedBy>,
    /// The first difference there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff: Option<Difference>,
}

/// One submission in LiveCodeBench's own form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LcbResult {
    /// Of each test that was run, until the first that fails.
    pub results: Vec<LcbGrade>,
    /// Why it failed: `error_code`, `error_message`, and `error` for an exception; or the `execution time` of all tests.
    pub metadata: BTreeMap<String, serde_json::Value>,
}

/// What LiveCodeBench calls the result of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum LcbGrade {
    /// Passed; or a call gave another value.
    Passed(bool),
    /// -2: another text, or the process died; -3: out of time; -4: an exception, or no program.
    Failed(i8),
}

impl LcbResult {
    /// Passed all of so many tests in this time.
    pub fn passed(tests: usize, time: Duration) -> LcbResult {
        let time = ("execution time".to_owned(), time.as_secs_f64().into());
        LcbResult {
            results: vec![LcbGrade::Passed(true); tests],
            metadata: BTreeMap::from([time]),
        }
    }

    /// Failed with this code and message, by this exception, after `passed` tests.
    pub fn failed(
        passed: usize,
        grade: LcbGrade,
        code: i8,
        message: &str,
        error: Option<&str>,
    ) -> LcbResult {
        let mut results = vec![LcbGrade::Passed(true); passed];
        results.push(grade);
        let mut metadata = BTreeMap::from([
            ("error_code".to_owned(), code.into()),
            ("error_message".to_owned(), message.into()),
        ]);
        metadata.extend(error.map(|error| ("error".to_owned(), error.into())));
        LcbResult { results, metadata }
    }

    /// Of what does not come so far that a test could be run.
    pub fn of_no_program(why: &str) -> LcbResult {
        let message = format!("Error during testing: {why}");
        LcbResult::failed(0, LcbGrade::Failed(-4), -4, &message, None)
    }

    /// Whether it passes.
    pub fn passes(&self) -> bool {
        let passed = |grade: &LcbGrade| *grade == LcbGrade::Passed(true);
        self.results.iter().all(passed)
    }
}

/// The verdict of one submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// The submission's id.
    pub id: String,
    /// The problem's id.
    pub problem_id: String,
    /// `accepted` only if every test is; else what the first failing test was decided; `judge_failed` if any was. Where the
    /// problem groups its tests, what its rules say.
    pub verdict: Decision,
    /// What the submission's author permits: more than one decision where any of them will do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<Decision>,
    /// The points it earned, where the problem or its checker gives any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// The most that can be earned, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_score: Option<f64>,
    /// Tests passed.
    pub passed: usize,
    /// Tests that the problem has.
    pub total: usize,
    /// Tests that were not run: all, if it does not compile; those after the first failure, with `--first-failure`.
    #[serde(default, skip_serializing_if = "is_zero_usize")]
    pub not_run: usize,
    /// The reward, by the function named to the run; `null` if the judge failed.
    pub reward: Option<f64>,
    /// The tests that were run, in the problem's order.
    pub cases: Vec<CaseResult>,
    /// The compiler's message, or why the judge failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The id of the submission with the same program for the same problem that was judged in place of this one; all that was
    /// measured is of that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// The profile that decided.
    pub profile: Profile,
    /// What further profiles say of the same outputs, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub also: BTreeMap<String, AlsoVerdict>,
    /// What LiveCodeBench's evaluator says of it, in its own form, where its harness was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lcb: Option<LcbResult>,
    /// What protected the run.
    #[schemars(schema_with = "isolation_schema")]
    pub isolation: Isolation,
    /// Where the problem comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// How hard the problem is, in its source's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<String>,
    /// Whether the problem's statement accepts any of several answers. One that differs from the expected answer is then a
    /// wrong answer here, though it may be right.
    #[serde(default, skip_serializing_if = "is_false")]
    pub several_answers: bool,
}

/// The verdict of one submission: one line of a verdict file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "Verdict")]
pub struct VerdictRecord {
    /// What was decided.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Hash of all that went in: program, problem and settings. `--resume` reuses a line only if this is the same.
    pub input_hash: String,
    /// Where the submission stands among all, if only a part of them was judged (`--shard`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardPlace>,
}

/// A place in one of several parts, which together are all submissions: part `number` has those in places `number - 1`,
/// `number - 1 + of` and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ShardPlace {
    /// Which part, from 1.
    pub number: u32,
    /// Of how many.
    pub of: u32,
    /// The submission's place among all, from 0.
    pub place: u64,
    /// How many submissions there are in all parts; present in the last line of a part alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
}

impl Verdict {
    /// Its decision and, if it failed, its first failing test, in a few words.
    pub fn reason(&self) -> String {
        let decision = self.verdict.name();
        let mut cases = self.cases.iter().enumerate();
        match cases.find(|(_, case)| case.verdict != Decision::Accepted) {
            None => decision.to_owned(),
            Some((place, case)) => match &case.diff {
                Some(diff) => format!("{decision} ({diff}) in test {place}"),
                None => format!("{decision} in test {place}"),
            },
        }
    }

    /// About how many bytes it holds in memory.
    pub fn footprint(&self) -> usize {
        let texts = |case: &CaseResult| {
            [&case.message, &case.stderr_tail, &case.stdout, &case.stderr]
                .into_iter()
                .flatten()
                .map(String::len)
                .sum::<usize>()
                + case
                    .diff
                    .as_ref()
                    .map_or(0, |d| d.expected.len() + d.actual.len())
        };
        size_of::<Verdict>()
            + self
                .cases
                .iter()
                .map(|case| size_of::<CaseResult>() + texts(case))
                .sum::<usize>()
            + self.message.as_ref().map_or(0, String::len)
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_zero(n: &u32) -> bool {
    *n == 0
}

fn is_zero_usize(n: &usize) -> bool {
    *n == 0
}

/// The schema of [`Isolation`], which the sandbox defines and which knows nothing of schemas.
fn isolation_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "description": "What protected the run.",
        "type": "object",
        "properties": {
            "namespaces": {"type": "array", "items": {"type": "string"}, "description": "Namespaces in force."},
            "seccomp": {"type": "boolean", "description": "Whether the seccomp filters were in force."},
            "landlock": {"type": "integer", "description": "The landlock ABI in force; 0 for none."},
            "cgroup": {"type": ["string", "null"], "description": "v2, v1 or null for none."}
        },
        "required": ["namespaces", "seccomp", "landlock", "cgroup"]
    })
}

/// The JSON Schema of a line of a verdict file.
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(VerdictRecord).to_value();
    schema["properties"]["crc"] = serde_json::json!({
        "type": "string",
        "description": "CRC-32 (IEEE), in hexadecimal, of the line's bytes before `,\"crc\"`. The last field of a line."
    });
    schema
}
