//! How well programs are kept apart from the host and from each other.

/// How much isolation is asked for. Less than that is an error, never a silent fallback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Level {
    /// Namespaces, seccomp, landlock and limits; a cgroup where one can be had.
    #[default]
    Full,
    /// seccomp, landlock and limits alone, where user namespaces cannot be had. No scratch directory, no signals.
    Reduced,
    /// Limits alone: what a program may do is what the user may that runs it, and what it starts may outlive it. Root becomes
    /// nobody.
    None,
}

impl Level {
    /// Whether boxes have namespaces of their own.
    pub(crate) fn has_namespaces(self) -> bool {
        self == Level::Full
    }

    /// Whether landlock and filters are in force.
    pub(crate) fn is_guarded(self) -> bool {
        self != Level::None
    }
}
