//! Resource limits (setrlimit(2)), which every process forked later inherits.

use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};

use crate::errors::SetupError;

/// Limit a resource for good: not even the process itself can raise it again.
///
/// # Errors
/// The supervisor was started under a lower limit. A program that ran into that would not have failed by its own doing.
pub fn limit(resource: Resource, value: u64) -> Result<(), SetupError> {
    set(resource, value, value)
}

/// Limit a resource for as long as the process likes: it may raise the limit as far as the host lets it.
///
/// # Errors
/// As for [`limit`].
pub fn preset(resource: Resource, value: u64) -> Result<(), SetupError> {
    set(resource, value, rlim_t::MAX)
}

/// Set the limit in force, and the one up to which it may be raised, as far as the host's own allows.
fn set(resource: Resource, value: rlim_t, most: rlim_t) -> Result<(), SetupError> {
    let failed = |cause: String| SetupError::new(format!("set {resource:?} to {value}"), cause);
    let (_, hard) = getrlimit(resource).map_err(|errno| failed(errno.to_string()))?;
    if hard < value {
        return Err(failed(format!(
            "this process was started with a hard limit of {hard} (see ulimit)"
        )));
    }
    setrlimit(resource, value, most.min(hard)).map_err(|errno| failed(errno.to_string()))
}
