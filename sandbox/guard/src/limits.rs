//! Resource limits (setrlimit(2)), which every process forked later inherits.

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};

use crate::errors::SetupError;

/// Limit a resource for good: not even the process itself can raise it again. It stays lower where it already is.
pub fn limit(resource: Resource, value: u64) -> Result<(), SetupError> {
    set(resource, |hard| (value.min(hard), value.min(hard)))
}

/// Limit a resource for as long as the process likes: it may raise the limit as far as the host lets it.
pub fn preset(resource: Resource, value: u64) -> Result<(), SetupError> {
    set(resource, |hard| (value.min(hard), hard))
}

/// Set the limit in force, and the one up to which it may be raised, which so far is `hard`.
fn set(
    resource: Resource,
    limits: impl FnOnce(rlim_t) -> (rlim_t, rlim_t),
) -> Result<(), SetupError> {
    let change = || -> Result<(), Errno> {
        let (_, hard) = getrlimit(resource)?;
        let (soft, hard) = limits(hard);
        setrlimit(resource, soft, hard)
    };
    change().map_err(|errno| SetupError::new(format!("set {resource:?}"), errno))
}
