//! `mc-eval judge`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use evaluator::fingerprint::Fingerprints;
use evaluator::report::{Report, RunInfo};
use evaluator::transcripts::TranscriptFolder;
use evaluator::{Decision, Evaluator, Interpreter};

use super::exit::{self, CliError};
use super::intake::{Intake, InvalidLines};
use super::notices::say;
use super::output::{self, Output, Reader};
use super::progress::Progress;
use super::session::Session;
use super::settings::{MachineArgs, SettingsArgs};
use super::shard::{Shard, Sharded};
use super::stdio;
use super::stop_signal::StopSignal;
use super::table;

/// Judge solutions: run each one against its problem's tests and write one verdict per line.
///
/// Verdicts are written to --out, or to standard output without it, in the order of the solutions. The summary goes to
/// standard output, or to standard error if the verdicts are on standard output. Input files are JSON lines or JSON, plain,
/// gzip or zstd, or Parquet; the format (this project's own, LiveCodeBench, APPS, TACO, DeepCoder, HumanEval, EvalPlus, MBPP,
/// LeetCode, code_contests, codeforces, verl, KodCode and others) is recognised by its fields.
///
/// Every test runs in a sandbox of its own, without network or access to the machine's files, and with limits on CPU time,
/// memory, processes and output. Time limits are CPU time. A solution is accepted if it passes every test; each passed test
/// names the strategy that accepted it, and each wrong answer shows the first difference. If the judge itself fails, the
/// verdict is `judge_failed` and the reward is null, never a score.
#[derive(Debug, Args)]
#[command(
    override_usage = "mc-eval judge <SOLUTIONS>... [OPTIONS]\n       mc-eval judge --stdio [OPTIONS]"
)]
#[command(after_long_help = format!("{EXAMPLES}\n\n{}", exit::HELP))]
pub struct JudgeArgs {
    /// Files with solutions; `-` is standard input.
    #[arg(required_unless_present = "stdio")]
    solutions: Vec<PathBuf>,

    /// Files with problems, looked up by `problem_id`. Without this option, the tests in each solution's own line are used, or
    /// else those in a file `problems.jsonl` next to the solutions.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    problems: Vec<PathBuf>,

    /// Match a list of lists of solutions, such as bigcode's generations.json, to the problems in file order. Without this
    /// option, such a list must be for LiveCodeBench, whose evaluator orders problems by id.
    #[arg(long, requires = "problems")]
    by_order: bool,

    /// Write verdicts to this file. A file that already exists is an error, unless --resume is given.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Continue an interrupted run: verdicts in --out are kept if program, problem and settings are unchanged, and everything
    /// else is judged. Submissions that could not be judged are tried again.
    #[arg(long, requires = "out")]
    resume: bool,

    #[command(flatten)]
    settings: SettingsArgs,

    /// Judge only part I of N of the submissions, every Nth one, so that N machines can judge them all; `mc-eval merge` puts
    /// the verdicts of the parts together.
    #[arg(long, value_name = "I/N", requires = "out")]
    shard: Option<Shard>,

    /// Be a co-process: read solutions and problems from standard input, and answer each line with one line on standard output
    /// as soon as it is judged, until the input ends. Each answer names the line that it answers, from 1, as `row`; a line that
    /// cannot be judged is answered with a field `error`.
    #[arg(long, conflicts_with_all = ["solutions", "by_order", "out", "shard", "skip_invalid", "fail_under", "json",
                                              "keep_transcripts"])]
    stdio: bool,

    /// Keep what solutions of interactive problems and their interactors say to one another, with times: a file of JSON lines
    /// for each test, at DIR/PROBLEM/SOLUTION/TEST.jsonl. Of what is judged once for several equal solutions there is one.
    #[arg(long, value_name = "DIR")]
    keep_transcripts: Option<PathBuf>,

    /// Skip invalid input lines instead of stopping. They are counted and the exit code is 3; if verdicts go to standard output,
    /// each gets a line with the field `error`.
    #[arg(long)]
    skip_invalid: bool,

    /// Exit with code 6 if pass@1 over all problems is below this value, from 0 to 1.
    #[arg(long, value_name = "SHARE", value_parser = share, allow_negative_numbers = true)]
    fail_under: Option<f64>,

    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    machine: MachineArgs,
}

const EXAMPLES: &str = "\
Examples:
  mc-eval judge solutions.jsonl --out verdicts.jsonl
  mc-eval judge samples.jsonl.gz --problems HumanEval.jsonl.gz -o verdicts.jsonl
  mc-eval judge solutions.jsonl --out verdicts.jsonl --resume
  mc-eval judge solutions.jsonl --also lcb,paper -o verdicts.jsonl && mc-eval diff verdicts.jsonl
  generate | mc-eval judge - --problems problems.jsonl | jq -c '[.id, .reward]'";

/// Judge.
pub fn run(args: JudgeArgs) -> Result<ExitCode, CliError> {
    check(&args)?;
    args.machine.languages.choose()?;
    if args.stdio {
        return stdio::run(&args.settings, &args.machine, &args.problems);
    }
    let interrupt = StopSignal::listen()?;
    let interpreter = args.machine.interpreter()?;
    let python = describe(&interpreter);
    let mut settings = args.settings.settings()?;
    settings.transcripts = args.keep_transcripts.as_deref().map(folder).transpose()?;
    let fingerprints = Fingerprints::new(
        &settings,
        &format!("{python} {:?}", args.machine.isolation()?),
    );
    let progress = Progress::start(args.out.is_none());
    let faults = InvalidLines::new(args.skip_invalid, progress.clone());
    // Files before the sandbox: a mistyped path should not cost the start of the workers.
    let intake = Intake::open(
        &args.solutions,
        &args.problems,
        args.by_order,
        fingerprints,
        faults.clone(),
    )?;
    Output::refuse_existing(args.out.as_deref(), args.resume)?;
    let workers = usize::from(args.machine.workers);
    let evaluator = Evaluator::new(interpreter, args.machine.isolation()?, workers, settings)
        .map_err(CliError::from)?;
    // The output comes last: a run that cannot begin leaves no file behind.
    let (output, earlier) = Output::open(args.out.as_deref(), args.resume)?;
    progress.count_rows(&args.solutions);
    let mut session = Session::start(output, progress, interrupt.clone());
    let started = Instant::now();
    let intake = intake.timed_by(&evaluator);
    let reader = match args.shard {
        Some(shard) => session.judge(&evaluator, Sharded::new(intake, shard), earlier)?,
        None => session.judge(&evaluator, intake, earlier)?,
    };
    session.progress.end();
    if let Some(code) = cut_short(reader, &interrupt, &session, &args) {
        return Ok(ExitCode::from(code));
    }
    if let Some(failure) = faults.fatal() {
        return Err(failure);
    }
    let run = RunInfo {
        profile: args.settings.profile.name().to_owned(),
        time: started.elapsed(),
        kept: session.kept(),
        invalid: faults.count(),
        isolation: evaluator.isolation().clone(),
        interpreter: python,
    };
    Ok(ExitCode::from(end(session, &run, &args)?))
}

/// The exit code of a run that someone ended: the reader of its output, or a signal.
fn cut_short(
    reader: Reader,
    interrupt: &StopSignal,
    session: &Session,
    args: &JudgeArgs,
) -> Option<u8> {
    // Whoever closed the pipe has seen enough: `| head` is no failure.
    if reader == Reader::Gone {
        return Some(exit::FINE);
    }
    let code = interrupt.code()?;
    tell_interrupted(session, args);
    Some(code)
}

fn folder(path: &Path) -> Result<Arc<TranscriptFolder>, CliError> {
    let folder = TranscriptFolder::create(path).map_err(|error| CliError::new(exit::INPUT, error));
    folder.map(Arc::new)
}

fn describe(interpreter: &Interpreter) -> String {
    let executable = interpreter.executable.display();
    format!("{} {executable}", interpreter.version)
}

/// All is judged: put the verdicts on the disk, print the summary, and give the exit code.
fn end(session: Session, run: &RunInfo, args: &JudgeArgs) -> Result<u8, CliError> {
    let report = session.tally.report(run);
    session.complete()?;
    summarise(&report, args.json, args.out.is_none())?;
    let code = code(&report, args.fail_under);
    if let (exit::BELOW, Some(least)) = (code, args.fail_under) {
        let pass = pass_at_1(&report);
        say(&format!("pass@1 is {pass:.4}, below --fail-under {least}"));
    }
    Ok(code)
}

fn tell_interrupted(session: &Session, args: &JudgeArgs) {
    let written = match session.tally.submissions() {
        1 => "1 verdict was written".to_owned(),
        count => format!("{count} verdicts were written"),
    };
    let next = if args.out.is_some() {
        "; run the same command with --resume to continue"
    } else {
        ""
    };
    say(&format!("interrupted: {written}{next}"));
}

fn pass_at_1(report: &Report) -> f64 {
    report.all.pass.get(&1).copied().unwrap_or(0.0)
}

/// The exit code of a run that came to its end.
fn code(report: &Report, fail_under: Option<f64>) -> u8 {
    let failed = report.verdicts.get(Decision::JudgeFailed.name());
    if report.submissions == 0 && report.invalid == 0 {
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
fn check(args: &JudgeArgs) -> Result<(), CliError> {
    args.settings.check()?;
    let files = args.solutions.iter().chain(&args.problems);
    if files.filter(|file| file.as_os_str() == "-").count() > 1 {
        let message = "standard input (-) is given twice but can only be read once";
        return Err(CliError::new(exit::USAGE, message));
    }
    if args
        .out
        .as_deref()
        .is_some_and(|out| out.as_os_str() == "-")
    {
        let message = "--out takes a file; without --out, verdicts go to standard output";
        return Err(CliError::new(exit::USAGE, message));
    }
    Ok(())
}

/// Print the summary where verdict lines do not go.
fn summarise(report: &Report, json: bool, lines_on_stdout: bool) -> Result<(), CliError> {
    let text = if json {
        serde_json::to_string_pretty(report).expect("a report has only string keys") + "\n"
    } else {
        table::render(report)
    };
    if lines_on_stdout {
        say(text.trim_end_matches('\n'));
        return Ok(());
    }
    output::to_stdout(&text).map(drop)
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err("must be between 0 and 1".to_owned())
    }
}
