//! How to judge.

use std::sync::Arc;
use std::time::Duration;

use sandbox::Limits;

use crate::reward::{RewardFn, RewardRule};
use crate::transcripts::TranscriptFolder;
use crate::{Problem, Profile, Tests};

/// In whose way programs are run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum HarnessKind {
    /// This project's: each test in a fresh process.
    #[default]
    Own,
    /// That of LiveCodeBench's evaluator, for its numbers: all tests in one process, until one fails.
    LiveCodeBench,
}

impl HarnessKind {
    /// Both.
    pub const ALL: [HarnessKind; 2] = [HarnessKind::Own, HarnessKind::LiveCodeBench];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            HarnessKind::Own => "own",
            HarnessKind::LiveCodeBench => "lcb",
        }
    }
}

/// How to judge: all that is not in the problem.
#[derive(Clone)]
pub struct Settings {
    /// The profile that decides.
    pub profile: Profile,
    /// How programs are run.
    pub harness: HarnessKind,
    /// Further profiles that judge the same outputs.
    pub also: Vec<Profile>,
    /// CPU time per test of a problem that states none.
    pub time_limit: Duration,
    /// Time that a submission may lose on tests that run out of it. The tests after that are not run, as the submission is
    /// rejected already; three tests may always run out of time.
    pub budget: Duration,
    /// Memory per test, in MiB, of a problem that states none.
    pub memory_limit: u64,
    /// How many bytes of each case's standard output and standard error are kept.
    pub keep_output: usize,
    /// Stop at the first failing test.
    pub first_failure: bool,
    /// Run test code that cannot be kept apart from the candidate in one process with it.
    pub allow_unshielded: bool,
    /// Judge equal programs for one problem once in a call of [`crate::Evaluator::judge_all`]; the others get the same verdict.
    pub dedup: bool,
    /// testlib.h, for checkers that include it and do not bring it.
    pub testlib: Option<Arc<[u8]>>,
    /// Where what solutions and interactors say to one another is kept.
    pub transcripts: Option<Arc<TranscriptFolder>>,
    /// What a verdict is worth.
    pub reward: Arc<dyn RewardFn>,
}

impl Default for Settings {
    /// The `standard` profile alone, a budget of 60 s, no output kept, all tests, binary reward.
    fn default() -> Settings {
        Settings {
            profile: Profile::Standard,
            harness: HarnessKind::Own,
            also: Vec::new(),
            time_limit: Settings::TIME_LIMIT,
            budget: Duration::from_secs(60),
            memory_limit: Settings::MEMORY_LIMIT,
            keep_output: 0,
            first_failure: false,
            allow_unshielded: false,
            dedup: true,
            testlib: None,
            transcripts: None,
            reward: Arc::new(RewardRule::default()),
        }
    }
}

impl Settings {
    /// CPU time per test, where neither the problem nor the user states any: LiveCodeBench's.
    pub const TIME_LIMIT: Duration = Duration::from_secs(6);
    /// Memory per test in MiB, where neither the problem nor the user states any.
    pub const MEMORY_LIMIT: u64 = 1024;

    /// CPU time per test of `problem`.
    pub fn cpu_limit(&self, problem: &Problem) -> Duration {
        let stated = problem
            .time_limit
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        stated.unwrap_or(self.time_limit)
    }

    /// The limits of a run alone, with exactly the CPU time `cpu`. Nothing runs beside it, so that the clock may be held
    /// close; a program that sleeps holds up all others.
    pub(super) fn limits_alone(&self, problem: &Problem, cpu: Duration) -> Limits {
        Limits {
            wall: cpu * 13 / 10 + Duration::from_secs(1),
            ..self.limits(problem, cpu)
        }
    }

    /// The limits of one test of `problem`, with `cpu` as its CPU time. Wall time is a backstop, far enough off that a
    /// busy machine does not reach it.
    pub(super) fn limits(&self, problem: &Problem, cpu: Duration) -> Limits {
        let defaults = Limits::default();
        Limits {
            cpu,
            wall: cpu * 10 + Duration::from_secs(10),
            memory: problem.memory_limit.unwrap_or(self.memory_limit) << 20,
            output: match problem.output_limit {
                Some(mebibytes) => mebibytes << 20,
                None => defaults.output.max(2 * longest_output(problem)),
            },
            ..defaults
        }
    }
}

/// Bytes of the longest expected output.
fn longest_output(problem: &Problem) -> u64 {
    let Tests::Stdin(cases) = &problem.tests else {
        return 0;
    };
    let lengths = cases.iter().map(|case| case.expected.len() as u64);
    lengths.max().unwrap_or(0)
}
