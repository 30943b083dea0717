//! Verdict files as they are read by the commands that show them.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use evaluator::verdict::VerdictRecord;
use evaluator::{Verdict, jsonl, readers};

use super::exit::{self, CliError};

const EDITED: &str =
    "a line is read as `judge` wrote it; one that was changed, or was not all written, is damaged";

/// The verdicts of a file.
pub fn read(path: &Path) -> Result<impl Iterator<Item = Result<Verdict, CliError>>, CliError> {
    Ok(records(path)?.map(|record| Ok(record?.verdict)))
}

/// The verdicts of a file, each with what else its line says.
pub fn records(
    path: &Path,
) -> Result<impl Iterator<Item = Result<VerdictRecord, CliError>>, CliError> {
    let name = path.display().to_string();
    let reader = readers::reader(path)
        .map_err(|error| CliError::new(exit::INPUT, format!("{name}: {error}")))?;
    Ok(records_of(name, reader))
}

/// The verdicts in what is called `name`.
pub fn records_of(
    name: String,
    reader: impl Read,
) -> impl Iterator<Item = Result<VerdictRecord, CliError>> {
    let lines = BufReader::new(reader).split(b'\n');
    lines.enumerate().map(move |(i, line)| {
        let place = |error: &dyn std::fmt::Display| {
            CliError::new(exit::INPUT, format!("{name}:{}: {error}", i + 1))
        };
        let mut line = line.map_err(|error| place(&error))?;
        line.push(b'\n');
        let record = jsonl::decode::<VerdictRecord>(&line)
            .map_err(|error| place(&format!("not a verdict: {error}")).hint(EDITED))?;
        match strange_case(&record.verdict) {
            Some(case) => Err(place(&format!(
                "not a verdict: field \"also\" refers to case {case}, which it does not have"
            ))),
            None => Ok(record),
        }
    })
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
