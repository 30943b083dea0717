//! Problems with their tests, and submissions to them.

use std::borrow::Cow;

use crate::languages::PYTHON;
use crate::verdict::Decision;
use crate::{Checker, Grading, SourceFile, Value};

/// One input with its expected output.
#[derive(Debug, Clone, PartialEq)]
pub struct TestCase<I, O> {
    /// What the candidate is given.
    pub input: I,
    /// What a right candidate gives back.
    pub expected: O,
}

/// The tests of a problem, and with them the way its submissions are run.
#[derive(Debug, Clone, PartialEq)]
pub enum Tests {
    /// A whole program: standard input, expected standard output.
    Stdin(Vec<TestCase<String, String>>),
    /// A function or method, called once per case: positional arguments, expected result.
    Call {
        /// The function (`solve`) or method (`Solution.solve`).
        function: String,
        /// The calls.
        cases: Vec<TestCase<Vec<Value>, Value>>,
    },
    /// Test code that calls the candidate: Python source, passed if it ends without an exception. Names that it does not
    /// define stand for the candidate's.
    Assert {
        /// What the name `candidate` stands for in the test code.
        function: Option<String>,
        /// The test code, one source a test.
        cases: Vec<String>,
        /// Whether they also have to pass one after another in one process, and what runs once there.
        one_process: Option<OneProcess>,
    },
}

/// That test code runs one source after another in one process too, as its format's own harness has it: what a program keeps
/// of a test is then there in the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneProcess {
    /// What the sources begin with, which runs once there.
    pub setup: String,
    /// How many of them follow one another in one process: all, where they are there once.
    pub length: usize,
}

impl Tests {
    /// Test code, each test of which is `setup` and one of `codes`, that also runs one after another in one process.
    pub fn in_one_process(function: Option<String>, setup: String, codes: Vec<String>) -> Tests {
        let code = |code: &String| format!("{setup}{code}");
        Tests::Assert {
            function,
            cases: codes.iter().map(code).collect(),
            one_process: Some(OneProcess {
                setup,
                length: codes.len(),
            }),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Tests::Stdin(cases) => cases.len(),
            Tests::Call { cases, .. } => cases.len(),
            Tests::Assert { cases, .. } => cases.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The function or method that a submission must define, where one is named.
    pub fn function(&self) -> Option<&str> {
        match self {
            Tests::Stdin(_) => None,
            Tests::Call { function, .. } => Some(function),
            Tests::Assert { function, .. } => function.as_deref(),
        }
    }
}

/// Absolute and relative tolerance: `|a - b| <= abs + rel * |b|`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloatTolerance {
    /// Absolute part.
    pub abs: f64,
    /// Relative part, of the expected number.
    pub rel: f64,
}

/// What a problem itself declares about comparing outputs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Declared {
    /// Reals may differ by this much.
    pub float: Option<FloatTolerance>,
    /// Lines or items may come in any order.
    pub any_order: bool,
    /// Letter case does not matter.
    pub ignore_case: bool,
    /// The row gives each expected value in a list of one, which may be part of the value.
    pub in_list_of_one: bool,
}

/// Names that a submission may use without importing them, because its format's own harness puts an import preamble before
/// every program. They never stand in for a builtin, nor for what the submission has to define.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Prelude {
    /// None: a name that is not imported is a `NameError`.
    #[default]
    None,
    /// LeetCode's: the names that its editor imports, `ListNode` and `TreeNode`.
    LeetCode,
    /// LiveCodeBench's.
    LiveCodeBench,
    /// That of APPS and TACO.
    Apps,
    /// DeepCoder's, which is APPS's and more.
    DeepCoder,
}

impl Prelude {
    /// Those that a problem can ask for by name.
    pub fn named() -> impl Iterator<Item = Prelude> {
        let all = <Prelude as strum::VariantArray>::VARIANTS.iter().copied();
        all.filter(|prelude| *prelude != Prelude::None)
    }

    /// Its name in a problem.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What a test has besides its input and its expected output.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TestDetails {
    /// Its name: `secret/003-large`.
    pub name: String,
    /// What the checker is called with for it, in place of the checker's own flags.
    pub checker_flags: Vec<String>,
    /// What the program is called with.
    pub arguments: Vec<String>,
    /// Files beside the program.
    pub files: Vec<SourceFile>,
}

/// A problem: its statement, its tests and what it declares.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Unique in its file.
    pub id: String,
    /// The text given to the model.
    pub statement: Option<String>,
    /// The code that a completion continues, for problems that are given as the head of a program.
    pub prompt: Option<String>,
    /// At least one.
    pub tests: Tests,
    /// What a submission need not import.
    pub prelude: Prelude,
    /// Whether it is to change its arguments. Of a call that then gives nothing, the first argument is the answer.
    pub in_place: bool,
    /// Seconds of CPU time per test.
    pub time_limit: Option<f64>,
    /// Memory per test in MiB.
    pub memory_limit: Option<u64>,
    /// Where it comes from: `atcoder`, `leetcode`.
    pub platform: Option<String>,
    /// `easy`, `medium`, `hard`, or the platform's own word.
    pub difficulty: Option<String>,
    /// What it declares about comparing outputs.
    pub compare: Declared,
    /// What decides in place of the comparator, of outputs of [`Tests::Stdin`].
    pub checker: Option<Checker>,
    /// Of each test, in their order; empty where there are none.
    pub details: Vec<TestDetails>,
    /// Which tests are run after which, and what they come to. Without it all are, and all must pass.
    pub grading: Option<Grading>,
    /// Output per test in MiB.
    pub output_limit: Option<u64>,
}

impl Problem {
    /// A problem of which no more is known than its tests.
    pub fn new(id: impl Into<String>, tests: Tests) -> Problem {
        Problem {
            id: id.into(),
            statement: None,
            prompt: None,
            tests,
            prelude: Prelude::None,
            in_place: false,
            time_limit: None,
            memory_limit: None,
            platform: None,
            difficulty: None,
            compare: Declared::default(),
            checker: None,
            details: Vec::new(),
            grading: None,
            output_limit: None,
        }
    }
}

/// A candidate solution to one problem, as a user gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct Submission {
    /// Unique in its file; made of problem and running number where the file gives none.
    pub id: String,
    /// The problem it solves.
    pub problem_id: String,
    /// The program, or `None` where a response holds no block of the wanted language.
    pub code: Option<String>,
    /// Its language, by the name it has in [`crate::languages`]; Python where nothing says otherwise.
    pub language: String,
    /// Whether that is what the label of a fenced block says, and so the candidate's own choice.
    pub chose_language: bool,
    /// Whether `code` is only the continuation of [`Problem::prompt`].
    pub completes_prompt: bool,
    /// All its files where it came as files; `code` is then the text of the main one, which is the first.
    pub files: Vec<SourceFile>,
    /// The decisions that its author permits; empty where nothing is said.
    pub expected: Vec<Decision>,
    /// The least and the most that it is to score, by its author.
    pub expected_score: Option<(f64, f64)>,
}

impl Submission {
    /// A whole Python program for a problem, or a response that holds none.
    pub fn new(
        id: impl Into<String>,
        problem_id: impl Into<String>,
        code: Option<String>,
    ) -> Submission {
        Submission {
            id: id.into(),
            problem_id: problem_id.into(),
            code,
            language: PYTHON.to_owned(),
            chose_language: false,
            completes_prompt: false,
            files: Vec::new(),
            expected: Vec::new(),
            expected_score: None,
        }
    }

    /// The whole program: `code`, behind the problem's prompt where it only completes that. `None` where there is no code.
    pub fn program(&self, problem: &Problem) -> Option<Cow<'_, str>> {
        let code = self.code.as_deref()?;
        match &problem.prompt {
            Some(prompt) if self.completes_prompt => Some(Cow::Owned(format!("{prompt}{code}"))),
            _ => Some(Cow::Borrowed(code)),
        }
    }
}
