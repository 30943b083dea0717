//! Exit codes, and the errors that carry them.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

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
  0  fine
  1  the run failed: the machine, the disk, a server, a loss that is no number. What was
     written before is whole: --resume goes on from there. `check`: a figure is off
  2  usage
  3  bad input: the configuration, a model, problems, a file that is not to be written over
  5  isolation not available: see `mc-eval doctor`";

/// An error with its exit code.
#[derive(Debug)]
pub struct Failure {
    code: u8,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// The file system failed at `path`.
    pub fn file(path: &Path, error: io::Error) -> Failure {
        Failure {
            code: INTERNAL,
            message: format!("{}: {error}", path.display()),
            hint: None,
        }
    }

    /// An input is missing or wrong; the error names it.
    pub fn input(error: impl Display) -> Failure {
        Failure {
            code: INPUT,
            message: error.to_string(),
            hint: None,
        }
    }

    /// The command line is wrong.
    pub fn usage(message: &str) -> Failure {
        Failure {
            code: USAGE,
            message: message.to_owned(),
            hint: None,
        }
    }

    /// Tell what went wrong, and what to do about it.
    pub fn tell(&self) -> ExitCode {
        eprintln!("error: {}", self.message);
        if let Some(hint) = &self.hint {
            eprintln!("hint: {hint}");
        }
        ExitCode::from(self.code)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Failure {
        Failure {
            code: INPUT,
            message: error.to_string(),
            hint: error.hint,
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        let (code, hint) = match &error {
            RunError::Config(error) => return error.clone().into(),
            RunError::Model(_)
            | RunError::Tokenizer(_)
            | RunError::Problems(_)
            | RunError::Nothing(_)
            | RunError::Unasked { .. }
            | RunError::Folder { .. } => (INPUT, None),
            RunError::Sandbox(SandboxError::Isolation(_)) => {
                (ISOLATION, Some("see `mc-eval doctor`"))
            }
            RunError::NotFinite { .. } | RunError::Ruined { .. } => (
                INTERNAL,
                Some(
                    "the last checkpoint, if there is one, is good: lower the learning rate and --resume",
                ),
            ),
            RunError::File {
                action: "write", ..
            } => (
                INTERNAL,
                Some("checkpoints written before are whole: --resume goes on from the last"),
            ),
            RunError::Missing { .. } => (
                INTERNAL,
                Some("what came is kept: the same command with --resume asks for the rest"),
            ),
            RunError::Server(ServerError::NoKey(_) | ServerError::WhichModel { .. }) => {
                (INPUT, None)
            }
            RunError::JudgeFailed { .. } => (
                INTERNAL,
                Some(
                    "checkpoints written before are good: --resume goes on once the judge can judge",
                ),
            ),
            RunError::Sandbox(_)
            | RunError::Server(_)
            | RunError::File { .. }
            | RunError::Unjudged { .. } => (INTERNAL, None),
        };
        Failure {
            code,
            message: error.to_string(),
            hint: hint.map(str::to_owned),
        }
    }
}
