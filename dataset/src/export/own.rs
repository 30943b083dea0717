//! This project's own problems and solutions, as `mc-eval` and `mc-train` read them.

use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::json;

use crate::error::DataError;
use crate::record::Role;
use crate::stage::Records;

/// How many problems were written, and how many the format has no place for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Written.
    pub problems: usize,
    /// Left out.
    pub left_out: usize,
}

/// Write the live records of `input` to `problems`, and their verified solutions to `solutions` if it is given.
pub fn own(input: &Path, problems: &Path, solutions: Option<&Path>) -> Result<Written, DataError> {
    let mut problem_file = BufWriter::new(fs_err::File::create_new(problems)?);
    let solution_file = solutions.map(fs_err::File::create_new).transpose()?;
    let mut solution_file = solution_file.map(BufWriter::new);
    let mut written = Written::default();
    for record in Records::open(input)? {
        let record = record?;
        if !record.is_live() {
            continue;
        }
        written.problems += 1;
        let line = serde_json::to_string(&record.bare()).expect("a record has only string keys");
        writeln!(problem_file, "{line}")?;
        let Some(file) = &mut solution_file else {
            continue;
        };
        let verified = record
            .solutions
            .iter()
            .filter(|one| one.role == Role::Verified);
        for (number, solution) in verified.enumerate() {
            let id = format!("{}#{number}", record.id);
            writeln!(
                file,
                "{}",
                json!({"id": id, "problem_id": record.id, "code": solution.code})
            )?;
        }
    }
    problem_file.flush()?;
    solution_file.map_or(Ok(()), |mut file| file.flush())?;
    Ok(written)
}
