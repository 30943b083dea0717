//! `mc-eval show`: one verdict for a person.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use evaluator::{CaseResult, Verdict};

use super::exit::{self, CliError};
use super::words::{on_one_line, several};
use super::{output, verdicts};

/// Show one submission's verdict: each test, the first difference, and what the program wrote.
///
/// A verdict file holds the streams only if `judge` was run with --keep-output BYTES; the end of standard error is always kept if a
/// test failed.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A verdict file; `-` is standard input.
    verdicts: PathBuf,
    /// The submission's id.
    id: String,
}

/// Show it.
pub fn run(args: ShowArgs) -> Result<ExitCode, CliError> {
    let mut count = 0;
    for verdict in verdicts::read(&args.verdicts)? {
        let verdict = verdict?;
        if verdict.id == args.id {
            return output::print(&render(&verdict));
        }
        count += 1;
    }
    let file = args.verdicts.display();
    Err(CliError::new(
        exit::INPUT,
        format!(
            "{file}: no submission has the id \"{}\" (of {})",
            args.id,
            several(count, "verdict")
        ),
    ))
}

fn render(verdict: &Verdict) -> String {
    let mut text = format!(
        "{}: {}, {} of {} passed\n",
        on_one_line(&verdict.id),
        verdict.verdict.name(),
        verdict.passed,
        several(verdict.total as u64, "test")
    );
    let mut line = |name: &str, value: &str| {
        let lines: Vec<String> = value.lines().map(on_one_line).collect();
        writeln!(text, "{name:<10}  {}", lines.join("\n            ")).expect("a string takes all");
    };
    line("problem", &verdict.problem_id);
    if let Some(original) = &verdict.same_as {
        line(
            "same as",
            &format!("{original}, which was run in its place"),
        );
    }
    line("profile", verdict.profile.name());
    let reward = verdict
        .reward
        .map_or("none".to_owned(), |reward| reward.to_string());
    line("reward", &reward);
    for (profile, also) in &verdict.also {
        line(
            profile,
            &format!("{}, {} passed", also.verdict.name(), also.passed),
        );
    }
    if verdict.several_answers {
        line(
            "note",
            "the problem accepts several answers; a wrong answer may be right",
        );
    }
    if let Some(message) = &verdict.message {
        line("message", message);
    }
    for (number, case) in verdict.cases.iter().enumerate() {
        text += &render_case(number, case);
    }
    if verdict.not_run > 0 {
        let not_run = several(verdict.not_run as u64, "test");
        writeln!(text, "\n{not_run} not run").expect("a string takes all");
    }
    text
}

fn render_case(number: usize, case: &CaseResult) -> String {
    let by = match (case.strategy, case.clock) {
        (Some(strategy), _) => format!(" by {}", strategy.name()),
        (None, Some(clock)) => format!(" ({clock:?} time)").to_lowercase(),
        (None, None) => String::new(),
    };
    let mut text = format!(
        "\ntest {number}: {}{by}, {:.0} ms CPU, {:.0} ms elapsed, {} MiB\n",
        case.verdict.name(),
        case.cpu_ms,
        case.wall_ms,
        case.memory_kib.div_ceil(1024)
    );
    let ended = case
        .exit
        .map(|status| format!("exited with status {status}"))
        .or(case
            .signal
            .map(|signal| format!("was killed by signal {signal}")));
    let difference = case.diff.as_ref().map(|diff| format!("differs at {diff}"));
    for note in [ended, difference, case.message.clone()]
        .into_iter()
        .flatten()
    {
        text += &indented(&note);
    }
    if case.shielded == Some(false) {
        text += &indented("the test code ran in the same process as the candidate");
    }
    let tail = case.stderr_tail.as_ref();
    let is_within = |tail: &String| {
        let head = case.stderr.as_ref();
        head.is_some_and(|head| head.contains(tail.as_str()))
    };
    for (name, stream) in [
        ("standard output", case.stdout.as_ref()),
        ("standard error", case.stderr.as_ref()),
        (
            "end of standard error",
            tail.filter(|tail| !is_within(tail)),
        ),
    ] {
        if let Some(stream) = stream.filter(|stream| !stream.is_empty()) {
            text += &format!("  {name}:\n{}", indented(&indented(stream)));
        }
    }
    text
}

/// Text that a program wrote, or what is said of it, without what would move a terminal's cursor.
fn indented(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| format!("  {}\n", on_one_line(line)));
    lines.collect()
}
