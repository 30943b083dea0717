//! Files that are read as they are. Solutions and problems are not: see `intake`.

use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::exit::{self, CliError};

/// Open a file; `-` is standard input.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>, CliError> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = fs_err::File::open(path).map_err(|error| unreadable(&error))?;
    Ok(Box::new(BufReader::new(file)))
}

/// All bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let read = open(path)?.read_to_end(&mut bytes);
    read.map_err(|error| unreadable(&error))?;
    Ok(bytes)
}

/// The error of a file that cannot be opened or read; `error` names it.
pub fn unreadable(error: &io::Error) -> CliError {
    CliError::new(exit::INPUT, error)
}
