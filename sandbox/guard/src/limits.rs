//! Resource limits (setrlimit(2)), which every process forked later inherits.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

use crate::errors::SetupError;

/// Limit a resource for good: not even the process itself can raise it again. It stays lower where it already is.
pub fn limit(resource: Resource, value: u64) -> Result<(), SetupError> {
    getrlimit(resource)
        .map(|(_, hard)| value.min(hard))
        .and_then(|value| setrlimit(resource, value, value))
        .map_err(|errno| SetupError::new(format!("set {resource:?}"), errno))
}
