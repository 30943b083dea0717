//! Errors of the set-up steps: what was being done, and what the system said.

use std::fmt::Display;

/// A step of the set-up failed.
#[derive(Debug)]
pub struct SetupError {
    /// The step, as a fragment: "mount the scratch directory".
    step: String,
    /// What the system said.
    cause: String,
}

impl SetupError {
    /// From the step that failed and the cause.
    pub fn new(step: impl Into<String>, cause: impl Display) -> SetupError {
        SetupError {
            step: step.into(),
            cause: cause.to_string(),
        }
    }
}

impl Display for SetupError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.step, self.cause)
    }
}

impl std::error::Error for SetupError {}

/// Names the step that a result belongs to.
pub trait Step<T> {
    /// On failure, say that it happened in `step`.
    fn step(self, step: impl Into<String>) -> Result<T, SetupError>;
}

impl<T, E: Display> Step<T> for Result<T, E> {
    fn step(self, step: impl Into<String>) -> Result<T, SetupError> {
        self.map_err(|error| SetupError::new(step, error))
    }
}
