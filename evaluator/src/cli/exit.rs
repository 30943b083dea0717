//! Exit codes, and the errors that carry them.

use std::fmt;
use std::process::ExitCode;

use evaluator::SandboxError;

use super::notices::say;

/// All was done that was asked for. Wrong answers are no error.
pub const FINE: u8 = 0;
/// The host or the program itself failed; also if any submission could not be judged.
pub const INTERNAL: u8 = 1;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// An input is missing, of no known format or broken; also if `--skip-invalid` passed over any.
pub const INPUT: u8 = 3;
/// There was nothing to judge.
pub const NOTHING_JUDGED: u8 = 4;
/// The machine does not give the isolation asked for.
pub const ISOLATION: u8 = 5;
/// pass@1 is below `--fail-under`; or `verify` found a solution of which not what is expected was decided.
pub const BELOW: u8 = 6;
/// `compare` found that the two outputs differ: no error, but no success either.
pub const DIFFERS: u8 = 10;
/// Ended by signal number n: 128 + n; 130 for Ctrl-C.
pub const SIGNAL: u8 = 128;

/// The exit codes, for the help.
pub const HELP: &str = "\
Exit codes:
  0    success; wrong answers are not an error
  1    internal error, or some submissions could not be judged
  2    invalid command line
  3    invalid input, such as a file without rows; even if --skip-invalid skipped it
  4    there was nothing to judge in the rows that were chosen
  5    the requested isolation is not available: see `mc-eval doctor`
  6    pass@1 is below --fail-under; verify: not what is expected was decided
  10   compare: the outputs differ
  130  interrupted by Ctrl-C (143 by SIGTERM); all written verdicts are valid, and --resume continues";

/// An error with its exit code, and what the user can do about it.
#[derive(Debug)]
pub struct CliError {
    code: u8,
    message: String,
    hint: Option<String>,
}

impl CliError {
    /// An error that ends the program with `code`.
    pub fn new(code: u8, message: impl fmt::Display) -> CliError {
        CliError {
            code,
            message: message.to_string(),
            hint: None,
        }
    }

    /// The same, with what the user can do.
    pub fn hint(self, hint: impl Into<String>) -> CliError {
        CliError {
            hint: Some(hint.into()),
            ..self
        }
    }

    /// Tell it on standard error, and give the exit code.
    pub fn report(&self) -> ExitCode {
        say(&format!("\x1b[1;31merror\x1b[0m: {}", self.message));
        if let Some(hint) = &self.hint {
            say(&format!("\x1b[1mhint\x1b[0m: {hint}"));
        }
        ExitCode::from(self.code)
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl From<SandboxError> for CliError {
    fn from(error: SandboxError) -> CliError {
        match &error {
            SandboxError::Isolation(_) => CliError::new(ISOLATION, error)
                .hint("`mc-eval doctor` shows what is missing and how to get it"),
            SandboxError::Interpreter(_) => {
                CliError::new(USAGE, error).hint("choose one with --python PATH")
            }
            _ => CliError::new(INTERNAL, error),
        }
    }
}
