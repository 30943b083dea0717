//! Options that all commands share which judge: how to judge, and on what.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use evaluator::reward::RewardRule;
use evaluator::{HarnessKind, Interpreter, Level, Profile, Settings};

use super::exit::{self, CliError};
use super::input;
use super::languages::LanguageTable;
use super::names::{LEVELS, by_name, levels, profiles};

/// How to judge.
#[derive(Debug, Args)]
pub struct SettingsArgs {
    /// The comparison profile that decides: `standard` is sound, `lcb` follows LiveCodeBench, `exact` compares bytes, and `paper`
    /// always admits every strategy.
    #[arg(long, value_name = "PROFILE", default_value = "standard", value_parser = profiles())]
    pub profile: Profile,

    /// How programs are run: `own` gives each test a fresh process; `lcb` runs them as LiveCodeBench's evaluator does, to
    /// reproduce its numbers together with `--profile lcb`. It stops at the first failing test, and `mc-eval lcb` turns the
    /// verdicts into its result file.
    #[arg(long, value_name = "HARNESS", default_value = "own", value_parser = by_name(&HarnessKind::ALL, HarnessKind::name))]
    pub harness: HarnessKind,

    /// Further profiles that judge the same outputs in the same run; `mc-eval diff` lists where they disagree.
    #[arg(long, value_name = "PROFILES", value_delimiter = ',', value_parser = profiles())]
    pub also: Vec<Profile>,

    /// The reward in each verdict: `binary` is 1 if every test passed and 0 otherwise; `fraction` is the share of tests passed;
    /// `coarse` is 1, -0.3 for a wrong answer, -0.6 for an error or a limit while running, -1 if there is no valid program.
    #[arg(long, value_name = "FUNCTION", default_value = "binary", value_parser = by_name(RewardRule::ALL, RewardRule::name))]
    pub reward: RewardRule,

    /// Stop at a submission's first failing test. The verdict says how many tests were not run.
    #[arg(long)]
    pub first_failure: bool,

    /// Keep up to this many bytes from the start of each test's standard output and standard error.
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub keep_output: usize,

    /// CPU time per test, in seconds, for problems that do not state a limit.
    #[arg(long, value_name = "SECONDS", default_value_t = Settings::TIME_LIMIT.as_secs_f64(), value_parser = seconds, allow_negative_numbers = true)]
    pub time_limit: f64,

    /// Memory per test, in MiB, for problems that do not state a limit.
    #[arg(long, value_name = "MIB", default_value_t = Settings::MEMORY_LIMIT, allow_negative_numbers = true, value_parser = mebibytes)]
    pub memory_limit: u64,

    /// If test code cannot be isolated from the candidate because it passes live objects, run both in one process. Such a
    /// candidate could cheat; the verdict says `"shielded": false`.
    #[arg(long)]
    pub allow_unshielded: bool,

    /// testlib.h, for checkers that include it and do not bring it, as those of CodeContests+ do.
    #[arg(long, value_name = "FILE")]
    pub testlib: Option<PathBuf>,

    /// Judge equal programs of one problem each on its own. Without this option one of them is, and the verdicts of the others
    /// are copies that name it (`same_as`).
    #[arg(long)]
    pub no_dedup: bool,
}

/// On what.
#[derive(Debug, Args)]
pub struct MachineArgs {
    /// How many submissions to judge in parallel.
    #[arg(long, short = 'j', value_name = "N", default_value_t = cores(), allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_WORKERS)))]
    pub workers: u16,

    /// The Python interpreter, version 3.9 or later.
    #[arg(long, value_name = "PATH")]
    pub python: Option<PathBuf>,

    #[command(flatten)]
    pub languages: LanguageTable,

    /// The required isolation; less is an error. `reduced` does without namespaces, `none` protects nothing.
    #[arg(long, value_name = "LEVEL", default_value = "full", value_parser = levels(LEVELS))]
    isolation: Level,

    /// Let `--isolation none` run programs that may do whatever you may.
    #[arg(long)]
    i_accept_no_isolation: bool,
}

/// More workers than any machine has cores; each is a process.
const MAX_WORKERS: u16 = 4096;

impl SettingsArgs {
    /// What clap cannot check.
    pub fn check(&self) -> Result<(), CliError> {
        if self.first_failure && self.reward.needs_all_tests() {
            let message =
                "--reward fraction needs every test to run, but --first-failure skips some";
            return Err(CliError::new(exit::USAGE, message));
        }
        if self.harness == HarnessKind::LiveCodeBench
            && (self.reward.needs_all_tests() || !self.also.is_empty())
        {
            let message = "--harness lcb stops at the first failing test, but --reward fraction and --also need every test";
            return Err(CliError::new(exit::USAGE, message));
        }
        Ok(())
    }

    /// As the judge has them.
    pub fn settings(&self) -> Result<Settings, CliError> {
        let mut also: Vec<Profile> = Vec::new();
        for profile in &self.also {
            if *profile != self.profile && !also.contains(profile) {
                also.push(*profile);
            }
        }
        let testlib = self.testlib.as_deref().map(input::read).transpose()?;
        Ok(Settings {
            profile: self.profile,
            harness: self.harness,
            also,
            time_limit: Duration::from_secs_f64(self.time_limit),
            memory_limit: self.memory_limit,
            keep_output: self.keep_output,
            first_failure: self.first_failure,
            allow_unshielded: self.allow_unshielded,
            dedup: !self.no_dedup,
            testlib: testlib.map(Into::into),
            reward: Arc::new(self.reward),
            ..Settings::default()
        })
    }
}

impl MachineArgs {
    /// The interpreter that was named, or the one that is found.
    pub fn interpreter(&self) -> Result<Interpreter, CliError> {
        Interpreter::find(self.python.as_deref()).map_err(CliError::from)
    }

    /// The level of isolation, if it is one, or none is accepted.
    pub fn isolation(&self) -> Result<Level, CliError> {
        if self.isolation == Level::None && !self.i_accept_no_isolation {
            let message = "--isolation none lets programs do whatever you may";
            let hint = "`mc-eval doctor` shows what keeps this machine from protecting you; if you trust every \
                        program, add --i-accept-no-isolation";
            return Err(CliError::new(exit::USAGE, message).hint(hint));
        }
        Ok(self.isolation)
    }
}

fn cores() -> u16 {
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    u16::try_from(cores.get()).map_or(MAX_WORKERS, |cores| cores.min(MAX_WORKERS))
}

fn mebibytes(text: &str) -> Result<u64, String> {
    let size = text
        .parse()
        .map_err(|_| "must be a whole number of MiB, without a unit".to_owned())?;
    if !(1..=1 << 20).contains(&size) {
        return Err("must be at least 1 and at most 1048576, a TiB".to_owned());
    }
    Ok(size)
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "must be a number of seconds, without a unit".to_owned())?;
    let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    if time.is_zero() || time > Duration::from_secs(86_400) {
        return Err("must be more than 0 and at most 86400, a day".to_owned());
    }
    Ok(seconds)
}
