//! `mc-eval judge`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use evaluator::fingerprint::Fingerprints;
use evaluator::report::{Report, Run};
use evaluator::reward::{Binary, Coarse, Fraction, RewardFn};
use evaluator::{Decision, Evaluator, Profile, Settings};
use sandbox::{Interpreter, Level};

use super::exit::{self, Failure};
use super::intake::{Faults, Intake};
use super::interrupt::Interrupt;
use super::output::{self, Output, Reader};
use super::progress::Progress;
use super::session::Session;
use super::{profile_parser, table};

/// Judge solutions: run each against its problem's tests, and write a verdict a line.
///
/// Verdict lines go to --out, or else to standard output, in the order of the solutions; the summary goes to standard
/// output with --out, or else to standard error. Files are JSON lines or JSON, plain, .gz or .zst, in this program's own
/// form or as LiveCodeBench, APPS, TACO, DeepCoder, HumanEval, EvalPlus, MBPP or LeetCode tables; their fields tell which.
///
/// Every test is run in a box of its own, without network, without the machine's files, with limits on CPU time, memory,
/// tasks and output. CPU time decides a time limit. A solution is accepted if every test is; each test's verdict
/// names the strategy that accepted it or shows the first difference. Where the judge itself fails the verdict is
/// `judge_failed` and the reward null: never a score.
#[derive(Debug, Args)]
#[command(override_usage = "mc-eval judge <SOLUTIONS>... [OPTIONS]")]
#[command(after_long_help = format!("{EXAMPLES}\n\n{}", exit::HELP))]
pub struct JudgeArgs {
    /// Files of solutions; `-` is standard input.
    #[arg(required = true)]
    solutions: Vec<PathBuf>,

    /// Files of problems, looked up by `problem_id`. Without them: the tests in each solution's line, else the file
    /// `problems.jsonl` beside the solutions.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    problems: Vec<PathBuf>,

    /// Write verdict lines to this file. One that holds verdicts is only touched with --resume.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Go on with a run that was ended or killed: verdicts in --out are kept where program, problem and settings are the
    /// same, and all others are judged. Failures of the judge are judged again.
    #[arg(long, requires = "out")]
    resume: bool,

    /// The comparison profile that decides: `standard` is sound, `lcb` is LiveCodeBench's rule, `exact` compares bytes, `paper`
    /// admits every strategy always.
    #[arg(long, value_name = "PROFILE", default_value = "standard", value_parser = profile_parser())]
    profile: Profile,

    /// Further profiles that judge the same outputs in the same run; `mc-eval diff` tells where they disagree.
    #[arg(long, value_name = "PROFILES", value_delimiter = ',', value_parser = profile_parser())]
    also: Vec<Profile>,

    /// The reward in each verdict: `binary` is 1 if every test passed, else 0; `fraction` of the tests that passed; `coarse` is 1,
    /// -0.3 for a wrong answer, -0.6 for an error while running, -1 for no program.
    #[arg(long, value_enum, value_name = "FUNCTION", default_value_t = Reward::Binary)]
    reward: Reward,

    /// Stop at a submission's first failing test. The verdict tells how many tests were not run.
    #[arg(long)]
    first_failure: bool,

    /// Keep so many bytes of the head of each test's standard output and standard error.
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    keep_output: usize,

    /// CPU time per test, in seconds, for problems that state none.
    #[arg(long, value_name = "SECONDS", default_value = "6", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Duration,

    /// Memory per test, in MiB, for problems that state none.
    #[arg(long, value_name = "MIB", default_value_t = 1024, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..1 << 24))]
    memory_limit: u64,

    /// Pass over invalid lines; they are counted, and the exit code is 3.
    #[arg(long)]
    skip_invalid: bool,

    /// Where test code cannot be kept apart from the candidate (it passes live objects), run both in one process. The
    /// verdict says so; such a candidate could cheat.
    #[arg(long)]
    allow_unshielded: bool,

    /// Fail (exit code 6) if pass@1 over all problems is below this share, from 0 to 1.
    #[arg(long, value_name = "SHARE", value_parser = share, allow_negative_numbers = true)]
    fail_under: Option<f64>,

    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,

    /// Submissions judged side by side.
    #[arg(long, short = 'j', value_name = "N", default_value_t = cores(), allow_negative_numbers = true,
          value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_WORKERS)))]
    workers: u16,

    /// The Python interpreter, 3.9 or later.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,

    /// The isolation asked for; less is an error. `reduced` does without namespaces.
    #[arg(long, value_enum, default_value_t = Isolation::Full)]
    isolation: Isolation,
}

/// More workers than any machine has cores; each is a process.
const MAX_WORKERS: u16 = 4096;

const EXAMPLES: &str = "\
Examples:
  mc-eval judge solutions.jsonl --out verdicts.jsonl
  mc-eval judge samples.jsonl.gz --problems HumanEval.jsonl.gz -o verdicts.jsonl
  mc-eval judge solutions.jsonl --out verdicts.jsonl --resume
  mc-eval judge solutions.jsonl --also lcb,paper -o verdicts.jsonl && mc-eval diff verdicts.jsonl
  generate | mc-eval judge - --problems problems.jsonl | jq -c '[.id, .reward]'";

/// A reward function by name.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Reward {
    Binary,
    Fraction,
    Coarse,
}

/// A level of isolation by name.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Isolation {
    /// Namespaces, seccomp, landlock and limits.
    Full,
    /// seccomp, landlock and limits alone.
    Reduced,
}

impl From<Isolation> for Level {
    fn from(isolation: Isolation) -> Level {
        match isolation {
            Isolation::Full => Level::Full,
            Isolation::Reduced => Level::Reduced,
        }
    }
}

/// Judge.
pub fn run(args: JudgeArgs) -> miette::Result<ExitCode> {
    check(&args)?;
    let interrupt = Interrupt::listen()?;
    let interpreter = Interpreter::find(args.python.as_deref()).map_err(Failure::from)?;
    let python = format!(
        "{} {}",
        interpreter.version,
        interpreter.executable.display()
    );
    let settings = settings(&args);
    let fingerprints = Fingerprints::new(&settings, &format!("{python} {:?}", args.isolation));
    let progress = Progress::start(args.out.is_none());
    let faults = Faults::new(args.skip_invalid, progress.clone());
    let intake = Intake::open(
        &args.solutions,
        &args.problems,
        fingerprints,
        faults.clone(),
    )?;
    let (level, workers) = (args.isolation.into(), usize::from(args.workers));
    let evaluator = Evaluator::new(interpreter, level, workers, settings).map_err(Failure::from)?;
    let (output, earlier) = Output::open(args.out.as_deref(), args.resume)?;
    let mut session = Session::start(output, progress, interrupt.clone());
    let started = Instant::now();
    let reader = session.judge(&evaluator, intake, earlier)?;
    session.progress.end();
    if reader == Reader::Gone {
        return Ok(ExitCode::from(exit::FINE));
    }
    if let Some(code) = interrupt.code() {
        tell_interrupted(&session, &args);
        return Ok(ExitCode::from(code));
    }
    if let Some(failure) = faults.fatal() {
        return Err(failure.into());
    }
    let run = Run {
        profile: args.profile.name().to_owned(),
        time: started.elapsed(),
        kept: session.kept(),
        invalid: faults.count(),
        isolation: evaluator.isolation().clone(),
        interpreter: python,
    };
    Ok(ExitCode::from(end(session, &run, &args)?))
}

/// All is judged: put the verdicts on the disk, print the summary, and give the exit code.
fn end(session: Session, run: &Run, args: &JudgeArgs) -> Result<u8, Failure> {
    let report = session.tally.report(run);
    session.complete()?;
    summarise(&report, args.json, args.out.is_none())?;
    let code = code(&report, args.fail_under);
    if let (exit::BELOW, Some(least)) = (code, args.fail_under) {
        let pass = pass_at_1(&report);
        anstream::eprintln!("pass@1 is {pass:.4}, below --fail-under {least}");
    }
    Ok(code)
}

fn tell_interrupted(session: &Session, args: &JudgeArgs) {
    let written = session.tally.submissions();
    let next = if args.out.is_some() {
        "; the same command with --resume goes on"
    } else {
        ""
    };
    anstream::eprintln!("interrupted: {written} verdicts are written{next}");
}

fn pass_at_1(report: &Report) -> f64 {
    report.all.pass.get(&1).copied().unwrap_or(0.0)
}

/// The exit code of a run that came to its end.
fn code(report: &Report, fail_under: Option<f64>) -> u8 {
    let failed = report.verdicts.get(Decision::JudgeFailed.name());
    if report.submissions == 0 {
        exit::NOTHING_JUDGED
    } else if failed.is_some() {
        exit::INTERNAL
    } else if report.invalid > 0 {
        exit::INPUT
    } else if fail_under.is_some_and(|least| pass_at_1(report) < least) {
        exit::BELOW
    } else {
        exit::FINE
    }
}

/// What clap cannot check.
fn check(args: &JudgeArgs) -> Result<(), Failure> {
    if args.first_failure && matches!(args.reward, Reward::Fraction) {
        let message = "--reward fraction needs all tests, and --first-failure leaves some out";
        return Err(Failure::new(exit::USAGE, message));
    }
    let files = args.solutions.iter().chain(&args.problems);
    if files.filter(|file| file.as_os_str() == "-").count() > 1 {
        let message = "standard input (-) is named twice, but can be read only once";
        return Err(Failure::new(exit::USAGE, message));
    }
    if args
        .out
        .as_deref()
        .is_some_and(|out| out.as_os_str() == "-")
    {
        let message = "--out takes a file; without it, verdicts go to standard output";
        return Err(Failure::new(exit::USAGE, message));
    }
    Ok(())
}

fn settings(args: &JudgeArgs) -> Settings {
    let reward: Arc<dyn RewardFn> = match args.reward {
        Reward::Binary => Arc::new(Binary),
        Reward::Fraction => Arc::new(Fraction),
        Reward::Coarse => Arc::new(Coarse),
    };
    let mut also: Vec<Profile> = Vec::new();
    for profile in &args.also {
        if *profile != args.profile && !also.contains(profile) {
            also.push(*profile);
        }
    }
    Settings {
        profile: args.profile,
        also,
        time_limit: args.time_limit,
        memory_limit: args.memory_limit,
        keep_output: args.keep_output,
        first_failure: args.first_failure,
        allow_unshielded: args.allow_unshielded,
        reward,
    }
}

/// Print the summary where verdict lines do not go.
fn summarise(report: &Report, json: bool, lines_on_stdout: bool) -> Result<(), Failure> {
    let text = if json {
        serde_json::to_string_pretty(report).expect("a report has only string keys") + "\n"
    } else {
        table::render(report)
    };
    if lines_on_stdout {
        anstream::eprint!("{text}");
        return Ok(());
    }
    output::to_stdout(&text).map(drop)
}

fn cores() -> u16 {
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    u16::try_from(cores.get()).map_or(MAX_WORKERS, |cores| cores.min(MAX_WORKERS))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "no number".to_owned())?;
    let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    if time.is_zero() || time > Duration::from_secs(86_400) {
        return Err("not between 0 and a day".to_owned());
    }
    Ok(time)
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "no number".to_owned())?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err("not between 0 and 1".to_owned())
    }
}
