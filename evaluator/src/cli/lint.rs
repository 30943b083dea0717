//! `mc-eval lint`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use evaluator::lint::{self, KnownSolutions, LintFinding};
use evaluator::readers::{self, WholeRow};
use evaluator::{Decision, Evaluator, Settings, Submission};

use super::exit::{self, CliError};
use super::input;
use super::output;
use super::settings::MachineArgs;
use super::words::{on_one_line, several};

/// Problems that are examined at a time: enough to keep every core busy.
const AT_A_TIME: usize = 64;

/// Examine problems: run their references several times and their wrong solutions once, and say what is wrong, a line each.
///
/// A solution in a problem's own row is a reference, unless the row says what else is expected of it; so is one of
/// --solutions whose field `expected` permits `accepted`, while any other `expected` makes it a wrong one. Found are tests that
/// contradict one another, that no reference passes or that a reference passes by chance; references that disagree, and
/// statements that accept any of several answers, without a checker; wrong solutions that pass, tests that none of them
/// fails, and time limits below twice what a reference takes. The exit code is 0 if nothing is found, 6 if anything is, and 3
/// if a row cannot be read.
#[derive(Debug, Args)]
#[command(after_long_help = exit::HELP)]
pub struct LintArgs {
    /// Files with problems.
    #[arg(required = true)]
    problems: Vec<PathBuf>,

    /// Files with solutions of which it is known whether they are right.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    solutions: Vec<PathBuf>,

    /// How often each reference is run on each test, at least.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=100))]
    runs: u8,

    /// Right solutions to a problem, and wrong ones, that are run; the others are left alone.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    most: u16,

    /// Print a line of JSON for each finding.
    #[arg(long)]
    json: bool,

    /// testlib.h, for checkers that include it and do not bring it.
    #[arg(long, value_name = "FILE")]
    testlib: Option<PathBuf>,

    /// Run test code that passes live objects in one process with the solution.
    #[arg(long)]
    allow_unshielded: bool,

    #[command(flatten)]
    machine: MachineArgs,
}

/// Examine, and give the exit code.
pub fn run(args: LintArgs) -> Result<ExitCode, CliError> {
    args.machine.languages.choose()?;
    let mut linter = Linter::new(&args)?;
    for path in &args.problems {
        linter.read(path)?;
    }
    linter.examine()?;
    linter.end()
}

struct Linter<'a> {
    args: &'a LintArgs,
    evaluator: Arc<Evaluator>,
    /// Those of `--solutions`, by problem.
    solutions: HashMap<String, Vec<Submission>>,
    open: Vec<KnownSolutions>,
    problems: u64,
    found: u64,
}

impl<'a> Linter<'a> {
    fn new(args: &'a LintArgs) -> Result<Linter<'a>, CliError> {
        let solutions = solutions(&args.solutions)?;
        let testlib = args.testlib.as_deref().map(input::read).transpose()?;
        let settings = Settings {
            testlib: testlib.map(Into::into),
            allow_unshielded: args.allow_unshielded,
            // Each run of a reference counts.
            dedup: false,
            ..Settings::default()
        };
        let evaluator = Evaluator::new(
            args.machine.interpreter()?,
            args.machine.isolation()?,
            usize::from(args.machine.workers),
            settings,
        );
        Ok(Linter {
            args,
            evaluator: evaluator.map_err(CliError::from)?,
            solutions,
            open: Vec::new(),
            problems: 0,
            found: 0,
        })
    }

    fn read(&mut self, path: &Path) -> Result<(), CliError> {
        let unreadable = |error| CliError::new(exit::INPUT, error);
        for row in readers::rows(path).map_err(unreadable)? {
            let row = row.map_err(unreadable)?;
            let Some(known) = self.known(row) else {
                continue;
            };
            self.take(known);
            if self.open.len() == AT_A_TIME {
                self.examine()?;
            }
        }
        Ok(())
    }

    /// A problem may be in several rows, each with a solution.
    fn take(&mut self, known: KnownSolutions) {
        let most = usize::from(self.args.most);
        let same = |open: &&mut KnownSolutions| open.problem == known.problem;
        let Some(open) = self.open.iter_mut().find(same) else {
            self.open.push(known);
            return;
        };
        open.right.extend(known.right);
        open.wrong.extend(known.wrong);
        open.right.truncate(most);
        open.wrong.truncate(most);
    }

    /// The problem of a row with its solutions; none of a row that is a solution alone.
    fn known(&mut self, row: WholeRow) -> Option<KnownSolutions> {
        let problem = row.content.problem?;
        let mut all = self.solutions.remove(&problem.id).unwrap_or_default();
        let named = row.content.submissions.into_iter().zip(1..);
        all.extend(named.map(|(mut submission, number)| {
            if submission.id.is_empty() {
                submission.id = format!("{}#{number}", problem.id);
            }
            submission
        }));
        let (right, wrong): (Vec<_>, Vec<_>) = all.into_iter().partition(is_right);
        let most = usize::from(self.args.most);
        let first = |all: Vec<Submission>| all.into_iter().take(most).collect();
        Some(KnownSolutions {
            problem,
            right: first(right),
            wrong: first(wrong),
        })
    }

    fn examine(&mut self) -> Result<(), CliError> {
        let runs = usize::from(self.args.runs);
        let found = lint::examine(&self.evaluator, &self.open, runs);
        self.problems += self.open.len() as u64;
        self.found += found.len() as u64;
        self.open.clear();
        for finding in &found {
            output::to_stdout(&self.line(finding))?;
        }
        Ok(())
    }

    fn line(&self, finding: &LintFinding) -> String {
        if self.args.json {
            return serde_json::to_string(finding).expect("it has only string keys") + "\n";
        }
        let (id, defect) = (&finding.problem_id, finding.defect.name());
        match finding.evidence.as_object() {
            Some(evidence) if evidence.is_empty() => format!("{}: {defect}\n", on_one_line(id)),
            _ => format!("{}: {defect}: {}\n", on_one_line(id), finding.evidence),
        }
    }

    fn end(self) -> Result<ExitCode, CliError> {
        let problems = several(self.problems, "problem");
        let findings = several(self.found, "finding");
        anstream::eprintln!("{problems}, {findings}");
        Ok(ExitCode::from(match (self.problems, self.found) {
            (0, _) => exit::NOTHING_JUDGED,
            (_, 0) => exit::FINE,
            _ => exit::BELOW,
        }))
    }
}

fn is_right(submission: &Submission) -> bool {
    submission.expected.is_empty() || submission.expected.contains(&Decision::Accepted)
}

/// Solutions by problem; those that do not say what is expected of them say nothing here.
fn solutions(paths: &[PathBuf]) -> Result<HashMap<String, Vec<Submission>>, CliError> {
    let mut by_problem: HashMap<String, Vec<Submission>> = HashMap::new();
    let mut silent = 0;
    let unreadable = |error| CliError::new(exit::INPUT, error);
    for item in readers::submissions(paths).map_err(unreadable)? {
        let submission = item.map_err(unreadable)?.submission;
        if submission.expected.is_empty() {
            silent += 1;
            continue;
        }
        let known = by_problem.entry(submission.problem_id.clone());
        known.or_default().push(submission);
    }
    if silent > 0 {
        let silent = several(silent, "solution");
        anstream::eprintln!(
            "{silent} without \"expected\" are left alone: give each the verdict that is expected of it"
        );
    }
    Ok(by_problem)
}
