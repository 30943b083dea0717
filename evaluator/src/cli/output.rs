//! Where verdict lines and other results go.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use evaluator::jsonl::{self, JsonLines, JsonLinesError};
use evaluator::previous_run::PreviousRun;
use evaluator::readers::ReadError;
use evaluator::verdict::VerdictRecord;

use super::exit::{self, CliError};

/// Where verdict lines go.
pub enum Output {
    /// A file that a later run can resume.
    File(JsonLines<VerdictRecord>),
    /// Standard output.
    Standard,
}

/// Whether there is still a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// There is, as far as can be known.
    Listening,
    /// It closed the pipe: no error, but no more work either.
    Gone,
}

impl Output {
    /// Refuse a file that `open` would find in its way, before anything is started.
    pub fn refuse_existing(path: Option<&Path>, resume: bool) -> Result<(), CliError> {
        match path {
            Some(path) if !resume && path.is_file() => {
                Err(refused(JsonLinesError::Exists(path.to_owned())))
            }
            _ => Ok(()),
        }
    }

    /// Open `path`, or standard output where there is none. With `resume`, what an earlier run left comes too.
    pub fn open(
        path: Option<&Path>,
        resume: bool,
    ) -> Result<(Output, Option<PreviousRun>), CliError> {
        match path {
            None => Ok((Output::Standard, None)),
            Some(path) if resume => {
                let (file, previous) = PreviousRun::resume(path).map_err(refused)?;
                Ok((Output::File(file), Some(previous)))
            }
            Some(path) => Ok((
                Output::File(JsonLines::create(path).map_err(refused)?),
                None,
            )),
        }
    }

    /// Write one line, at once.
    pub fn write(&mut self, record: &VerdictRecord) -> Result<Reader, CliError> {
        match self {
            Output::File(file) => file
                .append(record)
                .map(|()| Reader::Listening)
                .map_err(refused),
            Output::Standard => to_stdout(&jsonl::to_line(record)),
        }
    }

    /// Answer an invalid line in its place, for a client that waits for a line to each of its own. In a file, which nobody
    /// waits at, only verdicts stand.
    pub fn answer(&mut self, error: &ReadError) -> Result<Reader, CliError> {
        match self {
            Output::File(_) => Ok(Reader::Listening),
            Output::Standard => {
                let answer = serde_json::json!({
                    "error": error.message, "file": error.file, "line": error.line, "field": error.field,
                });
                to_stdout(&format!("{answer}\n"))
            }
        }
    }

    /// All is written.
    pub fn complete(self) -> Result<(), CliError> {
        match self {
            Output::File(file) => file.complete().map_err(refused),
            Output::Standard => Ok(()),
        }
    }
}

/// Print a whole result on standard output.
pub fn print(text: &str) -> Result<ExitCode, CliError> {
    to_stdout(text)?;
    Ok(ExitCode::from(exit::FINE))
}

/// Write on standard output.
pub fn to_stdout(text: &str) -> Result<Reader, CliError> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    // A client at the other end of a pipe waits for each line.
    heard(written.and_then(|()| stdout.flush()))
}

/// Whether what was written on standard output had a reader.
pub fn heard(written: io::Result<()>) -> Result<Reader, CliError> {
    match written {
        Ok(()) => Ok(Reader::Listening),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::Gone),
        Err(error) => Err(CliError::new(
            exit::INTERNAL,
            format!("failed to write to standard output: {error}"),
        )),
    }
}

/// Whether the user named a file that cannot be had, or the host failed.
fn io_code(error: &io::Error) -> u8 {
    match error.kind() {
        ErrorKind::NotFound
        | ErrorKind::NotADirectory
        | ErrorKind::IsADirectory
        | ErrorKind::PermissionDenied
        | ErrorKind::ReadOnlyFilesystem => exit::INPUT,
        _ => exit::INTERNAL,
    }
}

/// A verdict file's error with its exit code, and what to do about it.
pub fn refused(error: JsonLinesError) -> CliError {
    let code = match &error {
        JsonLinesError::Io(error) => io_code(error),
        _ => exit::INPUT,
    };
    let failure = CliError::new(code, &error);
    match error {
        JsonLinesError::Exists(_) => failure.hint(
            "--resume continues the interrupted run; to start over, delete the file or choose another --out",
        ),
        JsonLinesError::Foreign { .. } => {
            failure.hint("it was left unchanged; delete it or choose another --out")
        }
        JsonLinesError::Io(error) if error.kind() == ErrorKind::NotFound => {
            failure.hint("the folder of --out has to exist")
        }
        _ => failure,
    }
}
