//! The scratch directory: where a Program starts, and all that its Tests can write to.

use std::fs;
use std::os::unix::fs::MetadataExt;

use nix::mount::{MsFlags, mount};
use nix::unistd::chdir;

use crate::errors::{SetupError, Step};

/// Where it is.
pub const PLACE: &str = "/tmp";

/// Mount a fresh one, seen by this mount namespace alone, and go there.
pub fn enter(bytes: u64, inodes: u64) -> Result<(), SetupError> {
    // Without access times, which reading would change: see `State`.
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC | MsFlags::MS_NOATIME;
    // Bytes alone do not bound it: an empty file takes kernel memory too.
    let options = format!("size={bytes},nr_inodes={inodes},mode=0700");
    let options = Some(options.as_str());
    mount(Some("tmpfs"), PLACE, Some("tmpfs"), flags, options)
        .step("mount the scratch directory")?;
    chdir(PLACE).step("enter the scratch directory")
}

/// What of the directory a Test can change: what is in it, and what the directory itself carries. Even its times could carry
/// word from test to test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    mode: u32,
    /// tmpfs counts the entries of a directory in it.
    size: u64,
    read: (i64, i64),
    written: (i64, i64),
    changed: (i64, i64),
}

impl State {
    /// As it is now; `None` where it cannot be seen.
    pub fn now() -> Option<State> {
        let seen = fs::metadata(PLACE).ok()?;
        Some(State {
            mode: seen.mode(),
            size: seen.size(),
            read: (seen.atime(), seen.atime_nsec()),
            written: (seen.mtime(), seen.mtime_nsec()),
            changed: (seen.ctime(), seen.ctime_nsec()),
        })
    }

    /// Whether a Test has left something since.
    pub fn has_changed(self) -> bool {
        State::now() != Some(self)
    }
}
