//! What can go wrong before a program has run: the host fails, or the program does not compile.

use std::io;

/// The host failed. Never the program's fault, and never a score.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// An operation of the host failed.
    #[error("failed to {doing}: {source}")]
    Host {
        /// What was being done, as a fragment: "create the worker's socket".
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The machine cannot give the isolation that was asked for.
    #[error("isolation is not available: {0}")]
    Isolation(String),
    /// The interpreter cannot be used.
    #[error("python interpreter: {0}")]
    Interpreter(String),
    /// [`crate::Interrupt::pull`] was called.
    #[error("interrupted")]
    Interrupted,
    /// A worker died or broke the protocol.
    #[error("worker: {0}")]
    Worker(String),
}

/// Why a program was not launched.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// It does not compile: the compiler's words.
    #[error("{0}")]
    Rejected(String),
    /// The host failed.
    #[error(transparent)]
    Host(#[from] SandboxError),
}

/// Name what was being done when the host failed.
pub(crate) fn host(doing: &'static str) -> impl Fn(io::Error) -> SandboxError {
    move |source| SandboxError::Host { doing, source }
}
