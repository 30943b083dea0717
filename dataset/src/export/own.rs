//! This project's own problems and solutions, as `mc-eval` and `mc-train` read them.

use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::json;

use crate::chosen::{Chosen, Written};
use crate::error::DataError;
use crate::record::{Record, Role};

/// Write what is chosen to `problems`, and the verified solutions to `solutions` if it is given.
pub fn own(
    chosen: &Chosen,
    problems: &Path,
    solutions: Option<&Path>,
) -> Result<Written, DataError> {
    let mut problem_file = BufWriter::new(fs_err::File::create_new(problems)?);
    let solution_file = solutions.map(fs_err::File::create_new).transpose()?;
    let mut solution_file = solution_file.map(BufWriter::new);
    let written = chosen.each(|record| {
        let line = serde_json::to_string(&record.bare()).expect("a record has only string keys");
        writeln!(problem_file, "{line}")?;
        if let Some(file) = &mut solution_file {
            write_solutions(record, file)?;
        }
        Ok(true)
    })?;
    problem_file.flush()?;
    solution_file.map_or(Ok(()), |mut file| file.flush())?;
    Ok(written)
}

fn write_solutions(record: &Record, file: &mut impl Write) -> std::io::Result<()> {
    let verified = record.solutions.iter();
    let verified = verified.filter(|one| one.role == Role::Verified);
    for (number, solution) in verified.enumerate() {
        let id = format!("{}#{number}", record.id);
        let line = json!({"id": id, "problem_id": record.id, "code": solution.code});
        writeln!(file, "{line}")?;
    }
    Ok(())
}
