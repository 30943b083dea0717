//! Exit codes, and the errors that carry them.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

use evaluator::jsonl::JsonLinesError;
use sandbox::SandboxError;
use trainer::config::ConfigError;
use trainer::run::RunError;
use trainer::server::ServerError;

/// The machine, the file system, a server or the run itself failed.
const INTERNAL: u8 = 1;
/// The command line is wrong.
const USAGE: u8 = 2;
/// An input, the configuration among them, is missing or wrong.
const INPUT: u8 = 3;
/// The machine does not give the isolation asked for.
const ISOLATION: u8 = 5;

/// The exit codes, for the help.
pub const HELP: &str = "\
Exit codes:
  0  success
  1  the run failed: the machine, the disk, a server, or a loss that is not a number. What was
     written before is complete: --resume continues from there. `check`: a figure is off
  2  wrong usage
  3  bad input: the configuration, a model, problems, or an output that already exists
  5  isolation not available: see `mc-eval doctor`";

/// An error with its exit code.
#[derive(Debug)]
pub struct CliError {
    code: u8,
    message: String,
    hint: Option<String>,
}

impl CliError {
    /// An input is missing or wrong; the error names it.
    pub fn input(error: impl Display) -> CliError {
        CliError {
            code: INPUT,
            message: error.to_string(),
            hint: None,
        }
    }

    /// The command line is wrong.
    pub fn usage(message: &str) -> CliError {
        CliError {
            code: USAGE,
            message: message.to_owned(),
            hint: None,
        }
    }

    /// Tell what went wrong, and what to do about it.
    pub fn report(&self) -> ExitCode {
        eprintln!("error: {}", self.message);
        if let Some(hint) = &self.hint {
            eprintln!("hint: {hint}");
        }
        ExitCode::from(self.code)
    }
}

impl From<JsonLinesError> for CliError {
    fn from(error: JsonLinesError) -> CliError {
        RunError::from(error).into()
    }
}

/// The file system failed; the error names the file.
impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError {
            code: INTERNAL,
            message: error.to_string(),
            hint: None,
        }
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> CliError {
        CliError {
            code: INPUT,
            message: error.to_string(),
            hint: error.hint,
        }
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> CliError {
        let (code, hint) = match &error {
            RunError::Config(error) => return error.clone().into(),
            RunError::Model(_)
            | RunError::Tokenizer(_)
            | RunError::Problems(_)
            | RunError::Nothing(_)
            | RunError::Unasked { .. }
            | RunError::Read(_)
            | RunError::Unusable { .. } => (INPUT, None),
            RunError::Sandbox(SandboxError::Isolation(_)) => {
                (ISOLATION, Some("see `mc-eval doctor`"))
            }
            RunError::NotFinite { .. } | RunError::Ruined { .. } => (
                INTERNAL,
                Some(
                    "the last checkpoint, if any, is good: lower the learning rate and use --resume",
                ),
            ),
            RunError::Lines(JsonLinesError::Exists(_)) => (
                INPUT,
                Some("continue it with --resume, or choose another file"),
            ),
            RunError::Write(_) | RunError::Lines(JsonLinesError::Io(_)) => (
                INTERNAL,
                Some("earlier checkpoints are complete: --resume continues from the last one"),
            ),
            RunError::Missing { .. } => (
                INTERNAL,
                Some(
                    "the responses received so far are kept: the same command with --resume requests the rest",
                ),
            ),
            RunError::Server(ServerError::NoKey(_) | ServerError::WhichModel { .. }) => {
                (INPUT, None)
            }
            RunError::JudgeFailed { .. } => (
                INTERNAL,
                Some("earlier checkpoints are good: fix the judge and use --resume"),
            ),
            RunError::Lines(_) => (INPUT, None),
            RunError::Sandbox(_) | RunError::Server(_) | RunError::Unjudged { .. } => {
                (INTERNAL, None)
            }
        };
        CliError {
            code,
            message: error.to_string(),
            hint: hint.map(str::to_owned),
        }
    }
}
