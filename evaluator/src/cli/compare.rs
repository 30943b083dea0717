//! `mc-eval compare`: compares outputs without running anything.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use evaluator::compare::{Admission, Finding};
use evaluator::{Comparator, Comparison, Declared, Evidence, FloatTolerance, Profile};

use super::exit::{self, CliError};
use super::names::profiles;
use super::output;
use super::{input, pairs};

/// Compare two outputs, or many pairs of them, the way `judge` does.
///
/// With two files, this prints the strategy that accepts the actual output, or the first difference. The exit code is 0 if the
/// output is accepted, 10 if it is not, and 3 if a file cannot be read.
///
/// With --pairs, each line {"id","expected","actual"} is answered by a line {"id","accepted","strategy"}. A line may also give the
/// problem's "statement" and "compare", and "kind": "value" if both texts are Python or JSON values, such as the results of
/// calls; an actual text that is none is rejected. Other fields are left alone, unless they look like a slip of one of these.
#[derive(Debug, Args)]
#[command(
    override_usage = "mc-eval compare <EXPECTED> <ACTUAL> [OPTIONS]\n       mc-eval compare --pairs <FILE.jsonl> [OPTIONS]"
)]
pub struct CompareArgs {
    /// The expected output; `-` is standard input.
    #[arg(
        value_name = "EXPECTED",
        required_unless_present = "pairs",
        conflicts_with = "pairs"
    )]
    expected: Option<PathBuf>,
    /// The actual output; `-` is standard input.
    #[arg(
        value_name = "ACTUAL",
        required_unless_present = "pairs",
        conflicts_with = "pairs"
    )]
    actual: Option<PathBuf>,
    /// A file of pairs, one JSON object per line; `-` is standard input.
    #[arg(long, value_name = "FILE.jsonl")]
    pairs: Option<PathBuf>,
    /// Which strategies are admitted: `standard` is sound, `lcb` follows LiveCodeBench, `exact` compares bytes, and `paper` always
    /// admits every strategy.
    #[arg(long, default_value = "standard", value_parser = profiles())]
    profile: Profile,
    /// Show for each strategy whether it is admitted, why, and what it found.
    #[arg(long, conflicts_with = "pairs")]
    explain: bool,
    #[command(flatten)]
    problem: ProblemArgs,
}

/// What the problem says about comparing outputs.
#[derive(Debug, Args)]
struct ProblemArgs {
    /// A file with the problem's statement, which may admit more strategies.
    #[arg(long, value_name = "FILE", conflicts_with = "pairs")]
    statement: Option<PathBuf>,
    /// The absolute tolerance for real numbers.
    #[arg(long, value_name = "TOLERANCE", conflicts_with = "pairs", value_parser = tolerance)]
    float_abs: Option<f64>,
    /// The relative tolerance for real numbers, as a fraction of the expected one.
    #[arg(long, value_name = "TOLERANCE", conflicts_with = "pairs", value_parser = tolerance)]
    float_rel: Option<f64>,
    /// Accept lines or items in any order.
    #[arg(long, conflicts_with = "pairs")]
    any_order: bool,
    /// Ignore letter case.
    #[arg(long, conflicts_with = "pairs")]
    ignore_case: bool,
}

impl ProblemArgs {
    fn declared(&self) -> Declared {
        let is_float = self.float_abs.is_some() || self.float_rel.is_some();
        Declared {
            float: is_float.then(|| FloatTolerance {
                abs: self.float_abs.unwrap_or(0.0),
                rel: self.float_rel.unwrap_or(0.0),
            }),
            any_order: self.any_order,
            ignore_case: self.ignore_case,
            in_list_of_one: false,
        }
    }
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(tolerance) if tolerance >= 0.0 && f64::is_finite(tolerance) => Ok(tolerance),
        _ => Err("must be a non-negative number".to_owned()),
    }
}

/// Compare; the exit code says what came of it.
///
/// # Errors
/// A file that cannot be read, or a line of pairs that is broken.
pub fn run(args: CompareArgs) -> Result<ExitCode, CliError> {
    let code = match (&args.expected, &args.actual, &args.pairs) {
        (_, _, Some(file)) => pairs::compare(file, args.profile).map(|()| exit::FINE)?,
        (Some(expected), Some(actual), None)
            if expected == actual && expected == Path::new("-") =>
        {
            let why = "standard input can be only one of the two outputs";
            return Err(CliError::new(exit::USAGE, why));
        }
        (Some(expected), Some(actual), None) => {
            compare_files(&input::read(expected)?, &input::read(actual)?, &args)?
        }
        _ => {
            return Err(CliError::new(exit::USAGE, "give two files, or --pairs"));
        }
    };
    Ok(ExitCode::from(code))
}

/// Say what came of two outputs; the exit code.
fn compare_files(expected: &[u8], actual: &[u8], args: &CompareArgs) -> Result<u8, CliError> {
    let statement = args
        .problem
        .statement
        .as_deref()
        .map(input::read)
        .transpose()?;
    let statement = statement.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let evidence = Evidence {
        declared: args.problem.declared(),
        statement: statement.as_deref(),
    };
    let comparator = Comparator::new(args.profile, evidence);
    let mut text = String::new();
    if args.explain {
        text += &explain(&comparator.explain_text(expected, actual));
    }
    let code = match comparator.compare_text(expected, actual) {
        Comparison::Accepted(strategy) => {
            text += &format!("accepted by {}\n", strategy.name());
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
                "not asked: a stricter strategy accepted".to_owned()
            }
            Finding::NotAsked => "not asked".to_owned(),
        };
        format!(
            "{:<10}  {admitted:<8}  {said}  ({})\n",
            admission.strategy.name(),
            admission.reason
        )
    };
    rows.iter().map(row).collect()
}
