//! `mc-eval diff`.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use evaluator::verdict::{AcceptedBy, AlsoCase};
use evaluator::{Decision, Difference, Verdict};

use super::exit::{self, CliError};
use super::output::{self, Reader};
use super::verdicts::{empty, read};
use super::words::{on_one_line, several};

/// List where comparison profiles, or two verdict files, disagree, and why.
///
/// With one file: one line for each test on which a profile of `judge --also` disagrees with the main profile, and a count at the
/// end. With two files: one line for each submission with a different verdict, matched by id, with the first file's verdict first.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// A verdict file.
    verdicts: PathBuf,
    /// A second verdict file, on the same submissions.
    other: Option<PathBuf>,
}

/// List the disagreements.
pub fn run(args: DiffArgs) -> Result<ExitCode, CliError> {
    match &args.other {
        None => profiles(&args.verdicts)?,
        Some(other) => files(&args.verdicts, other)?,
    }
    Ok(ExitCode::from(exit::FINE))
}

/// Where the profiles of one file disagree.
fn profiles(path: &Path) -> Result<(), CliError> {
    let mut submissions = 0_u64;
    let mut judged_also = false;
    let mut counts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for verdict in read(path)? {
        let verdict = verdict?;
        submissions += 1;
        judged_also |= !verdict.also.is_empty();
        for (profile, also) in &verdict.also {
            let count = counts.entry(profile.clone()).or_default();
            count.0 += u64::from(also.verdict != verdict.verdict);
            count.1 += also.differs.len() as u64;
        }
        if output::to_stdout(&disagreements(&verdict))? == Reader::Gone {
            return Ok(());
        }
    }
    if submissions == 0 {
        return Err(empty(path));
    }
    if !judged_also {
        let message = format!("{} was judged under only one profile", path.display());
        return Err(CliError::new(exit::INPUT, message).hint("judge with --also lcb,paper"));
    }
    let counts = counts.iter().map(|(profile, (verdicts, tests))| {
        format!(
            "{profile}: different verdicts for {verdicts} of {}, {}\n",
            several(submissions, "submission"),
            several(*tests, "test")
        )
    });
    output::to_stdout(&counts.collect::<String>()).map(drop)
}

/// A line for each disagreement in one verdict.
fn disagreements(verdict: &Verdict) -> String {
    let mut text = String::new();
    for (profile, also) in &verdict.also {
        for differs in &also.differs {
            let case = &verdict.cases[differs.case];
            let main = because(case.verdict, case.strategy, case.diff.as_ref());
            let AlsoCase {
                verdict: decision,
                strategy,
                diff,
                case,
            } = differs;
            let other = because(*decision, *strategy, diff.as_ref());
            let by = verdict.profile.name();
            writeln!(
                text,
                "{} test {case}: {by}: {main}; {profile}: {other}",
                verdict.id
            )
            .expect("a string takes all");
        }
    }
    text
}

/// A decision and why it was made.
fn because(decision: Decision, strategy: Option<AcceptedBy>, diff: Option<&Difference>) -> String {
    let name = decision.name();
    match (strategy, diff) {
        (Some(strategy), _) => format!("{name} by {}", strategy.name()),
        (None, Some(diff)) => format!("{name} ({diff})"),
        (None, None) => name.to_owned(),
    }
}

/// Where two files disagree.
fn files(path: &Path, other: &Path) -> Result<(), CliError> {
    let mut first = HashMap::new();
    for verdict in read(path)? {
        let verdict = verdict?;
        first.insert(verdict.id.clone(), (verdict.verdict, verdict.reason()));
    }
    if first.is_empty() {
        return Err(empty(path));
    }
    let (mut both, mut differ, mut alone) = (0_u64, 0_u64, 0_u64);
    for verdict in read(other)? {
        let verdict = verdict?;
        let Some((decision, why)) = first.remove(&verdict.id) else {
            alone += 1;
            continue;
        };
        both += 1;
        if decision == verdict.verdict {
            continue;
        }
        differ += 1;
        let line = format!(
            "{}: {why}; {}\n",
            on_one_line(&verdict.id),
            verdict.reason()
        );
        if output::to_stdout(&line)? == Reader::Gone {
            return Ok(());
        }
    }
    if both + alone == 0 {
        return Err(empty(other));
    }
    let missing = first.len();
    let counts = format!(
        "different verdicts for {differ} of {}; {missing} only in {}, {alone} only in {}\n",
        several(both, "submission"),
        path.display(),
        other.display()
    );
    output::to_stdout(&counts).map(drop)
}
