//! What SandboxFusion calls the ways in which a program ends.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sandbox::{Outcome, Termination};
use serde::Serialize;
use utoipa::ToSchema;

use crate::judge::{EndedRun, NoProgram, Ran};
use crate::verdict::{CaseResult, Decision};

/// What a shell says of a process that was killed.
const KILLED: i32 = 137;

/// How a request went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(in crate::serve::http) enum RunStatus {
    /// Every program ended with return code 0.
    Success,
    /// One did not, or ran out of time.
    Failed,
    /// The sandbox is at fault, not the program.
    SandboxError,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(in crate::serve::http) enum CommandStatus {
    /// By itself, or by a signal.
    Finished,
    /// It ran out of time.
    TimeLimitExceeded,
}

/// One program that ran.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::serve::http) struct CommandResult {
    pub status: CommandStatus,
    /// Seconds by the clock.
    pub execution_time: f64,
    /// Absent if it ran out of time; minus the signal's number if one ended it.
    pub return_code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// What is answered to `/run_code`.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(in crate::serve::http) struct RunCodeResponse {
    pub status: RunStatus,
    /// Why the sandbox failed.
    pub message: String,
    pub compile_result: Option<CommandResult>,
    pub run_result: Option<CommandResult>,
    pub executor_pod_name: Option<String>,
    /// Files that were asked for, in base64.
    pub files: BTreeMap<String, String>,
}

impl RunCodeResponse {
    /// Of a program that ran.
    pub fn of_run(result: CommandResult) -> RunCodeResponse {
        let status = match result.return_code {
            Some(0) => RunStatus::Success,
            _ => RunStatus::Failed,
        };
        RunCodeResponse {
            run_result: Some(result),
            ..RunCodeResponse::bare(status, String::new())
        }
    }

    /// Of what is no program.
    pub fn of_no_program(rejection: NoProgram) -> RunCodeResponse {
        let result = CommandResult::rejected(rejection.words, rejection.late);
        let (compile_result, run_result) = match rejection.compiling {
            true => (Some(result), None),
            false => (None, Some(result)),
        };
        RunCodeResponse {
            compile_result,
            run_result,
            ..RunCodeResponse::bare(RunStatus::Failed, String::new())
        }
    }

    /// Of a fault of the sandbox.
    pub fn of_fault(message: impl Into<String>) -> RunCodeResponse {
        RunCodeResponse::bare(RunStatus::SandboxError, message.into())
    }

    fn bare(status: RunStatus, message: String) -> RunCodeResponse {
        RunCodeResponse {
            status,
            message,
            compile_result: None,
            run_result: None,
            executor_pod_name: None,
            files: BTreeMap::new(),
        }
    }
}

impl From<Ran> for RunCodeResponse {
    fn from(ran: Ran) -> RunCodeResponse {
        match ran {
            Ran::Ended(ended) => of_ended(*ended),
            Ran::Rejected(rejection) => RunCodeResponse::of_no_program(rejection),
            Ran::Failed(why) => RunCodeResponse::of_fault(why),
        }
    }
}

fn of_ended(ended: EndedRun) -> RunCodeResponse {
    let compiled = |took: Duration| CommandResult {
        execution_time: took.as_secs_f64(),
        ..CommandResult::finished(0, String::new())
    };
    let files = ended.files.into_iter();
    RunCodeResponse {
        compile_result: ended.compiling.map(compiled),
        files: files
            .map(|(name, content)| (name, BASE64_STANDARD.encode(content)))
            .collect(),
        ..RunCodeResponse::of_run(of_outcome(&ended.outcome))
    }
}

impl CommandResult {
    /// By itself, with these words on standard error.
    fn finished(return_code: i32, stderr: String) -> CommandResult {
        CommandResult {
            status: CommandStatus::Finished,
            execution_time: 0.0,
            return_code: Some(return_code),
            stdout: String::new(),
            stderr,
        }
    }

    /// Of a compiler that rejects a text; or, in a language that has none, of the text, before a line of it ran.
    fn rejected(words: String, late: bool) -> CommandResult {
        let finished = CommandResult::finished(1, words);
        match late {
            false => finished,
            true => CommandResult {
                status: CommandStatus::TimeLimitExceeded,
                return_code: None,
                ..finished
            },
        }
    }
}

fn of_outcome(outcome: &Outcome) -> CommandResult {
    let (status, return_code, note) = match outcome.termination {
        Termination::Exited(code) => (CommandStatus::Finished, Some(code), ""),
        Termination::Signaled(signal) => (CommandStatus::Finished, Some(-signal), ""),
        Termination::MemoryLimit => (
            CommandStatus::Finished,
            Some(KILLED),
            "killed: out of memory\n",
        ),
        Termination::OutputLimit => (
            CommandStatus::Finished,
            Some(KILLED),
            "killed: too much output\n",
        ),
        Termination::CpuLimit | Termination::WallLimit | Termination::IdleLimit => {
            (CommandStatus::TimeLimitExceeded, None, "")
        }
    };
    CommandResult {
        status,
        execution_time: outcome.usage.wall.as_secs_f64(),
        return_code,
        stdout: String::from_utf8_lossy(&outcome.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&outcome.stderr).into_owned() + note,
    }
}

/// Of a test that was judged.
pub(super) fn of_case(case: &CaseResult) -> CommandResult {
    let (status, return_code) = match case.verdict {
        Decision::Accepted | Decision::WrongAnswer => (CommandStatus::Finished, Some(0)),
        Decision::TimeLimit => (CommandStatus::TimeLimitExceeded, None),
        _ => {
            let signal = case.signal.map(|signal| -signal);
            let code = case.exit.or(signal).unwrap_or(KILLED);
            (CommandStatus::Finished, Some(code))
        }
    };
    CommandResult {
        status,
        execution_time: case.wall_ms / 1e3,
        return_code,
        stdout: case.stdout.clone().unwrap_or_default(),
        stderr: case.stderr.clone().unwrap_or_default(),
    }
}
