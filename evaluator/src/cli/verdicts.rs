//! Verdict files as they are read by the commands that show them.

use std::io::BufRead;
use std::path::Path;

use evaluator::Verdict;

use super::exit::{self, CliError};
use super::input;

/// The verdicts of a file.
pub fn read(path: &Path) -> Result<impl Iterator<Item = Result<Verdict, CliError>>, CliError> {
    let lines = input::open(path)?.lines();
    let name = path.display().to_string();
    Ok(lines.enumerate().map(move |(i, line)| {
        let place = |error: &dyn std::fmt::Display| {
            CliError::new(exit::INPUT, format!("{name}:{}: {error}", i + 1))
        };
        let line = line.map_err(|error| place(&error))?;
        let verdict: Verdict = serde_json::from_str(&line)
            .map_err(|error| place(&format!("not a verdict: {error}")))?;
        match strange_case(&verdict) {
            Some(case) => Err(place(&format!(
                "not a verdict: field \"also\" refers to case {case}, which it does not have"
            ))),
            None => Ok(verdict),
        }
    }))
}

/// A case that a further profile decides and the verdict has not.
fn strange_case(verdict: &Verdict) -> Option<usize> {
    let differing = verdict.also.values().flat_map(|also| &also.differs);
    let mut cases = differing.map(|differs| differs.case);
    cases.find(|case| *case >= verdict.cases.len())
}

/// The error of a file without lines.
pub fn empty(path: &Path) -> CliError {
    CliError::new(
        exit::INPUT,
        format!("{}: contains no verdicts", path.display()),
    )
}
