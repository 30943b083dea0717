//! Exit codes, and the errors that carry them.

use std::process::ExitCode;

use dataset::DataError;
use dataset::llm::LlmError;
use evaluator::SandboxError;
use evaluator::jsonl::JsonLinesError;

/// The machine, a server or the program itself failed.
const INTERNAL: u8 = 1;
/// The command line is wrong.
const USAGE: u8 = 2;
/// An input is missing, of no known format or broken; also if `--skip-invalid` passed over any.
pub const INPUT: u8 = 3;
/// The machine does not give the isolation asked for.
const ISOLATION: u8 = 5;

/// The exit codes, for the help.
pub const HELP: &str = "\
Exit codes:
  0  success; dropping records is not an error
  1  the machine, the disk or the server of a model failed
  2  wrong usage
  3  bad input, even if --skip-invalid skipped it, or an output that already exists
  5  isolation not available: see `mc-eval doctor`";

/// An error with its exit code.
#[derive(Debug)]
pub struct CliError {
    code: u8,
    message: String,
    hint: Option<&'static str>,
}

impl CliError {
    /// Tell what went wrong, and what to do about it.
    pub fn report(&self) -> ExitCode {
        anstream::eprintln!("\x1b[1;31merror\x1b[0m: {}", self.message);
        if let Some(hint) = self.hint {
            anstream::eprintln!("\x1b[1mhint\x1b[0m: {hint}");
        }
        ExitCode::from(self.code)
    }
}

impl From<DataError> for CliError {
    fn from(error: DataError) -> CliError {
        let (code, hint) = match &error {
            DataError::Source(_) => (INPUT, None),
            DataError::Records(JsonLinesError::Exists(_)) => {
                (INPUT, Some("continue it with --resume, or delete it"))
            }
            DataError::Records(JsonLinesError::Io(_)) => (INTERNAL, None),
            DataError::Records(_) => (INPUT, None),
            DataError::Changed(_) => (INPUT, Some("delete it to begin anew")),
            DataError::Setting(_) => (USAGE, None),
            DataError::Sandbox(SandboxError::Isolation(_)) => (
                ISOLATION,
                Some("`mc-eval doctor` shows what is missing and how to get it"),
            ),
            DataError::Sandbox(_) => (INTERNAL, None),
            DataError::Llm(LlmError::Setting(_)) => (USAGE, None),
            DataError::Llm(LlmError::NotRecorded { .. }) => {
                (INPUT, Some("record it with --llm-mode record and a server"))
            }
            DataError::Llm(LlmError::Recorded { .. }) => (INPUT, None),
            DataError::Llm(LlmError::Server { .. } | LlmError::Io(_)) => (INTERNAL, None),
            #[cfg(feature = "parquet")]
            DataError::Parquet(_) => (INTERNAL, None),
            DataError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => (INPUT, None),
            DataError::Io(_) => (INTERNAL, None),
        };
        CliError {
            code,
            message: error.to_string(),
            hint,
        }
    }
}
