//! How a process ended, and what it left. Whether that is right or wrong is not known here.

use crate::{Limits, Running, Usage};

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Termination {
    /// It exited with this status.
    Exited(i32),
    /// It was killed by a signal that the sandbox did not send.
    Signaled(i32),
    /// It used up [`crate::Limits::cpu`].
    CpuLimit,
    /// It used up [`crate::Limits::wall`].
    WallLimit,
    /// It slept through [`crate::Limits::idle`].
    IdleLimit,
    /// It went over [`crate::Limits::memory`].
    MemoryLimit,
    /// It wrote more than [`crate::Limits::output`].
    OutputLimit,
}

/// Bytes a program wrote.
#[derive(Debug, Default)]
pub struct Bytes(pub(crate) Vec<u8>);

impl std::ops::Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// How one run of a program ended.
#[derive(Debug)]
pub struct Outcome {
    /// How the process ended.
    pub termination: Termination,
    /// What it used.
    pub usage: Usage,
    /// All it wrote to standard output.
    pub stdout: Bytes,
    /// All it wrote to standard error.
    pub stderr: Bytes,
    /// What the harness wrote of what the function returned, for a call that came to its end.
    pub returned: Option<Bytes>,
}

/// What became of a program that was to be started.
pub enum Launch<'w> {
    /// It compiled; tests can be run.
    Ready(Running<'w>),
    /// It does not compile; the compiler's message.
    Rejected(String),
}

/// How a run of test code against a candidate ended; the two ran in boxes of their own.
#[derive(Debug)]
pub struct Examination {
    /// The process that held the candidate.
    pub candidate: Outcome,
    /// The process that ran the test code.
    pub examiner: Outcome,
    /// What the test code came to.
    pub finding: Tested,
}

/// What test code came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tested {
    /// It came to its end, and asked something of the candidate on the way.
    Passed,
    /// It came to its end and asked nothing of the candidate. The run decides nothing.
    Idle,
    /// It raised an exception of its own, an assertion for the most part, of which its standard error tells; or it left
    /// before its end.
    Failed,
    /// The candidate raised an exception that the test code did not expect, or ended early: which.
    CandidateFailed(String),
    /// The two cannot be kept apart, as a live object crosses: which. The run decides nothing.
    Unshieldable(String),
    /// The test code itself does not compile, or imports what is not there: the message. The run decides nothing.
    Broken(String),
}

impl Examination {
    /// From how both ended and what the examiner said in its result file.
    pub(crate) fn new(candidate: Outcome, examiner: Outcome, said: &[u8]) -> Examination {
        // Test code that raised an exception wrote nothing, which is no JSON.
        let said: serde_json::Value = serde_json::from_slice(said).unwrap_or_default();
        let text = |name: &str| {
            said.get(name)
                .and_then(|text| text.as_str())
                .map(str::to_owned)
        };
        let finding = if let Some(reason) = text("unshieldable") {
            Tested::Unshieldable(reason)
        } else if let Some(why) = text("broken") {
            Tested::Broken(why)
        } else if let Some(error) = text("candidate") {
            Tested::CandidateFailed(error)
        } else if said.get("passed").is_some() {
            Tested::Passed
        } else if said.get("idle").is_some() {
            Tested::Idle
        } else {
            Tested::Failed
        };
        Examination {
            candidate,
            examiner,
            finding,
        }
    }

    /// Of a candidate that took its box with it when the memory ran out.
    pub(crate) fn out_of_memory(limits: &Limits) -> Examination {
        Examination {
            candidate: Outcome::out_of_memory(limits),
            examiner: Outcome::idle(),
            finding: Tested::CandidateFailed("MemoryError".to_owned()),
        }
    }

    /// Of test code that does not compile.
    pub(crate) fn broken(message: String) -> Examination {
        Examination {
            candidate: Outcome::idle(),
            examiner: Outcome::idle(),
            finding: Tested::Broken(message),
        }
    }
}

impl Outcome {
    /// Of a process that went with its whole box when the memory ran out.
    pub(crate) fn out_of_memory(limits: &Limits) -> Outcome {
        Outcome {
            termination: Termination::MemoryLimit,
            usage: Usage {
                memory: limits.memory,
                ..Usage::default()
            },
            ..Outcome::idle()
        }
    }

    /// Of a process that had nothing to do.
    fn idle() -> Outcome {
        Outcome {
            termination: Termination::Exited(0),
            usage: Usage::default(),
            stdout: Bytes::default(),
            stderr: Bytes::default(),
            returned: None,
        }
    }
}

/// The host failed. Never the program's fault, and never a score.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// An operation of the host failed.
    #[error("{doing}: {source}")]
    Host {
        /// What was being done, as a fragment: "create the worker's socket".
        doing: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// The machine cannot give the isolation that was asked for.
    #[error("isolation is not available: {0}")]
    Isolation(String),
    /// The interpreter cannot be used.
    #[error("python interpreter: {0}")]
    Interpreter(String),
    /// [`crate::Sandbox::interrupt`] was called.
    #[error("interrupted")]
    Interrupted,
    /// A worker died or broke the protocol.
    #[error("worker: {0}")]
    Worker(String),
}
