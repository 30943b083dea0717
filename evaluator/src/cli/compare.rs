//! `mc-eval compare`: compares outputs without running anything.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use evaluator::compare::{Admission, Finding};
use evaluator::report::strategy_name;
use evaluator::verdict::AcceptedBy;
use evaluator::{Comparator, Comparison, Evidence, Profile, Strategy};

use super::exit::{self, CliError};
use super::output;
use super::{input, pairs, profiles};

/// Compare two outputs, or the pairs of a file, as `judge` compares them.
///
/// Two files: says which strategy accepts, or the first difference. Exit code 0 if accepted, 10 if not, 3 if a file cannot be read.
/// Pairs: for each line {"id","expected","actual"} a line {"id","accepted","strategy"}, in the same order; a line may also
/// hold the problem's "statement" and "compare", and "kind": "value" if both texts are Python or JSON values, as results of calls are.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The expected output; - for standard input.
    #[arg(
        value_name = "EXPECTED",
        required_unless_present = "pairs",
        conflicts_with = "pairs"
    )]
    expected: Option<PathBuf>,
    /// The actual output; - for standard input.
    #[arg(
        value_name = "ACTUAL",
        required_unless_present = "pairs",
        conflicts_with = "pairs"
    )]
    actual: Option<PathBuf>,
    /// JSON lines with pairs to compare; - for standard input.
    #[arg(long, value_name = "FILE.jsonl")]
    pairs: Option<PathBuf>,
    /// Which strategies are admitted: standard is sound, lcb is LiveCodeBench's rule, exact compares bytes, paper overlooks most.
    #[arg(long, default_value = "standard", value_parser = profiles())]
    profile: Profile,
    /// Show for each strategy whether it is admitted, why, and what it said.
    #[arg(long, conflicts_with = "pairs")]
    explain: bool,
}

/// Compare, and tell in the exit code what came of it.
///
/// # Errors
/// A file that cannot be read, or a line of pairs that is broken.
pub fn run(args: CompareArgs) -> Result<ExitCode, CliError> {
    let code = match (&args.expected, &args.actual, &args.pairs) {
        (_, _, Some(file)) => pairs::compare(file, args.profile).map(|()| exit::FINE)?,
        (Some(expected), Some(actual), None) => {
            compare_files(&input::read(expected)?, &input::read(actual)?, &args)?
        }
        _ => {
            return Err(CliError::new(
                exit::USAGE,
                "two files or --pairs are needed",
            ));
        }
    };
    Ok(ExitCode::from(code))
}

/// Say what came of two outputs; the exit code.
fn compare_files(expected: &[u8], actual: &[u8], args: &CompareArgs) -> Result<u8, CliError> {
    let comparator = Comparator::new(args.profile, Evidence::default());
    let mut text = String::new();
    if args.explain {
        text += &explain(&comparator.explain_text(expected, actual));
    }
    let code = match comparator.compare_text(expected, actual) {
        Comparison::Accepted(strategy) => {
            text += &format!("accepted by {}\n", name(strategy));
            exit::FINE
        }
        Comparison::Rejected(difference) => {
            text += &format!("differs at {difference}\n");
            exit::DIFFERS
        }
    };
    output::to_stdout(&text)?;
    Ok(code)
}

/// The strategy's name in records.
fn name(strategy: Strategy) -> String {
    strategy_name(AcceptedBy::Strategy(strategy))
}

/// One line a strategy.
fn explain(rows: &[(Admission, Finding)]) -> String {
    let row = |(admission, finding): &(Admission, Finding)| {
        let admitted = if admission.admitted {
            "admitted"
        } else {
            "refused"
        };
        let said = match finding {
            Finding::Same => "same".to_owned(),
            Finding::Differs => "differs".to_owned(),
            Finding::DiffersAt(line) => format!("differs at expected line {line}"),
            Finding::Erred(why) => format!("cannot tell: {why}"),
            Finding::NotAsked if admission.admitted => {
                "not asked, a stricter one accepted".to_owned()
            }
            Finding::NotAsked => "not asked".to_owned(),
        };
        format!(
            "{:<10}  {admitted:<8}  {said}  ({})\n",
            name(admission.strategy),
            admission.reason
        )
    };
    rows.iter().map(row).collect()
}
