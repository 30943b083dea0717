//! The sandbox: what this machine gives, and the runtimes that are started within it.

use std::sync::Arc;

use crate::cgroup::Hierarchy;
use crate::image::Image;
use crate::runtime::Runtime;
use crate::{Isolation, Level, SandboxError};

/// Starts runtimes that are all protected alike.
#[derive(Debug, Clone)]
pub struct Sandbox {
    level: Level,
    hierarchy: Arc<Option<Hierarchy>>,
    isolation: Isolation,
}

impl Sandbox {
    /// See what this machine gives. Whether that is all of `level` shows when the first runtime starts.
    ///
    /// # Errors
    /// [`SandboxError::Isolation`] if the kernel lacks what every level needs.
    pub fn new(level: Level) -> Result<Sandbox, SandboxError> {
        let hierarchy = Hierarchy::find().ok();
        let isolation = Isolation::of(level, hierarchy.as_ref());
        if level.is_guarded() && isolation.landlock == 0 {
            let why = "this kernel has no landlock";
            return Err(SandboxError::Isolation(why.into()));
        }
        Ok(Sandbox {
            level,
            hierarchy: Arc::new(hierarchy),
            isolation,
        })
    }

    /// What protects every run of this sandbox.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Start a warm interpreter, or an executable worker, in its box.
    ///
    /// # Errors
    /// [`SandboxError::Isolation`] if the box cannot be made as asked: nothing runs with less. Programs that bring their own
    /// files need [`Level::Full`], as they are laid out in mounts that no other program sees.
    pub fn start(&self, image: &Image) -> Result<Runtime, SandboxError> {
        if image.has_own_files() && !self.level.has_namespaces() {
            let why = "only Python and WebAssembly run without namespaces";
            return Err(SandboxError::Isolation(why.into()));
        }
        Runtime::start(image, self.level, self.hierarchy.as_ref().as_ref())
    }
}
