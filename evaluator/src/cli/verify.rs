//! `mc-eval verify`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};
use evaluator::readers::{self, Package};
use evaluator::time_limit::with_time_limit;
use evaluator::{Decision, Evaluator, Settings, Submission, Task, Verdict};
use serde::Serialize;

use super::exit::{self, CliError};
use super::input;
use super::notices::say;
use super::settings::MachineArgs;
use super::words::several;

/// Verify problem packages: judge the solutions they hold, and list those of which not what their author expects is decided.
///
/// A package is a folder or a zip in the format of Kattis, DOMjudge or BAPCtools. The exit code is 0 if every decision is
/// one that is permitted, and 6 if not. Without a stated time limit, that is found by running the accepted solutions.
#[derive(Debug, Args)]
#[command(after_long_help = exit::HELP)]
pub struct VerifyArgs {
    /// Packages: folders or zips.
    #[arg(required = true)]
    packages: Vec<PathBuf>,

    /// List every solution, also those of which what is expected is decided.
    #[arg(long)]
    all: bool,

    /// Print a line of JSON for each solution in place of the table.
    #[arg(long)]
    json: bool,

    /// testlib.h, for checkers and interactors that include it and do not bring it.
    #[arg(long, value_name = "FILE")]
    testlib: Option<PathBuf>,

    #[command(flatten)]
    machine: MachineArgs,
}

/// A rule under the header, and nothing else.
const RULED: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// One solution: what was expected of it, and what was decided.
#[derive(Serialize)]
struct Verified {
    package: String,
    id: String,
    language: String,
    meets: bool,
    expected: Vec<Decision>,
    verdict: Decision,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// The slowest test, in seconds of CPU time, and the limit.
    seconds: f64,
    time_limit: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Verify.
pub fn run(args: VerifyArgs) -> Result<ExitCode, CliError> {
    args.machine.languages.choose()?;
    let interpreter = args.machine.interpreter()?;
    let workers = usize::from(args.machine.workers);
    let testlib = args.testlib.as_deref().map(input::read).transpose()?;
    let settings = Settings {
        testlib: testlib.map(Into::into),
        ..Settings::default()
    };
    let evaluator = Evaluator::new(interpreter, args.machine.isolation()?, workers, settings)
        .map_err(CliError::from)?;
    let mut rows = Vec::new();
    for path in &args.packages {
        let package = readers::package(path).map_err(|error| CliError::new(exit::INPUT, error))?;
        if package.has_samples_alone {
            let path = path.display();
            say(&format!(
                "warning: {path}: has no tests in data/secret: its solutions are judged by the samples"
            ));
        }
        rows.extend(
            verify(&evaluator, &package)
                .map_err(|why| CliError::new(exit::INPUT, format!("{}: {why}", path.display())))?,
        );
    }
    tell(&rows, &args);
    Ok(ExitCode::from(code(&rows)))
}

fn verify(evaluator: &Arc<Evaluator>, package: &Package) -> Result<Vec<Verified>, String> {
    let problem = with_time_limit(evaluator, package)?;
    let tasks: Vec<Task> = package
        .submissions
        .iter()
        .map(|submission| Task {
            submission: submission.clone(),
            problem: problem.clone(),
        })
        .collect();
    let verdicts = evaluator.judge_all(tasks);
    let time_limit = problem.time_limit.unwrap_or_default();
    let rows = package.submissions.iter().zip(verdicts);
    Ok(rows
        .map(|(submission, verdict)| row(submission, verdict, time_limit))
        .collect())
}

fn row(submission: &Submission, verdict: Verdict, time_limit: f64) -> Verified {
    let slowest = verdict
        .cases
        .iter()
        .map(|case| case.cpu_ms / 1e3)
        .fold(0.0, f64::max);
    Verified {
        meets: meets(submission, &verdict),
        why: why(&verdict),
        package: verdict.problem_id,
        id: verdict.id,
        language: submission.language.clone(),
        expected: verdict.expected,
        verdict: verdict.verdict,
        score: verdict.score,
        seconds: slowest,
        time_limit,
    }
}

/// Whether the verdict is one that the author permits. Where nothing is said, anything but a failure of the judge is.
fn meets(submission: &Submission, verdict: &Verdict) -> bool {
    let permitted = match submission.expected.as_slice() {
        [] => verdict.verdict != Decision::JudgeFailed,
        expected => expected.contains(&verdict.verdict),
    };
    let scores = submission.expected_score.is_none_or(|(least, most)| {
        let score = verdict.score.unwrap_or_default();
        least <= score && score <= most
    });
    permitted && scores
}

/// The first failing test, with its reason, in one line.
fn why(verdict: &Verdict) -> Option<String> {
    let first_line = |text: &String| text.lines().next().unwrap_or_default().to_owned();
    let failing = verdict
        .cases
        .iter()
        .find(|case| case.verdict != Decision::Accepted);
    let reason = failing
        .and_then(|case| case.message.as_ref())
        .or(verdict.message.as_ref())
        .map(first_line);
    let name = failing.and_then(|case| case.name.clone());
    match (name, reason) {
        (Some(name), Some(reason)) => Some(format!("{name}: {reason}")),
        (name, reason) => name.or(reason),
    }
}

fn tell(rows: &[Verified], args: &VerifyArgs) {
    if args.json {
        for row in rows.iter() {
            anstream::println!("{}", serde_json::to_string(row).expect("plain data"));
        }
        return;
    }
    let listed: Vec<&Verified> = rows.iter().filter(|row| args.all || !row.meets).collect();
    if !listed.is_empty() {
        anstream::println!("{}\n", table(&listed));
    }
    let missed = rows.iter().filter(|row| !row.meets).count();
    let packages = several(args.packages.len() as u64, "package");
    let solutions = several(rows.len() as u64, "solution");
    anstream::println!("{packages}, {solutions}, {missed} not as expected");
}

fn table(rows: &[&Verified]) -> Table {
    let mut table = Table::new();
    table.load_style(RULED);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header([
        "package", "solution", "expected", "verdict", "score", "seconds", "why",
    ]);
    for row in rows {
        let expected: Vec<&str> = row.expected.iter().map(|it| it.name()).collect();
        table.add_row([
            row.package.clone(),
            row.id.clone(),
            expected.join(", "),
            row.verdict.name().to_owned(),
            row.score
                .map_or_else(String::new, |score| format!("{score}")),
            format!("{:.2} of {}", row.seconds, row.time_limit),
            row.why.clone().unwrap_or_default(),
        ]);
    }
    table
}

fn code(rows: &[Verified]) -> u8 {
    if rows.is_empty() {
        exit::NOTHING_JUDGED
    } else if rows.iter().all(|row| row.meets) {
        exit::FINE
    } else if rows.iter().any(|row| row.verdict == Decision::JudgeFailed) {
        exit::INTERNAL
    } else {
        exit::BELOW
    }
}
