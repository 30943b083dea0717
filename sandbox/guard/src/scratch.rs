//! The scratch directory: where a Program starts, and all that its Tests can write to.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

use nix::mount::{MsFlags, mount};
use nix::unistd::chdir;
use rustix::fs::CWD;
use rustix::mount::{MoveMountFlags, OpenTreeFlags, move_mount, open_tree};

use crate::errors::{SetupError, Step};

/// Where it is.
pub const PLACE: &str = "/tmp";

/// Mount a fresh one, seen by this mount namespace alone, and go there. What of the box's `readable` paths lies at this place
/// is still found there.
pub fn enter(bytes: u64, inodes: u64, readable: &[PathBuf]) -> Result<(), SetupError> {
    let within = readable.iter().filter(|path| path.starts_with(PLACE));
    let hidden = within.map(|path| Hidden::behind(path));
    let hidden = hidden.collect::<Result<Vec<_>, _>>()?;
    // Without access times, which reading would change: see `State`.
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC | MsFlags::MS_NOATIME;
    // Bytes alone do not bound it: an empty file takes kernel memory too.
    let options = format!("size={bytes},nr_inodes={inodes},mode=0700");
    let options = Some(options.as_str());
    mount(Some("tmpfs"), PLACE, Some("tmpfs"), flags, options)
        .step("mount the scratch directory")?;
    for one in &hidden {
        one.show().step(format!("show {}", one.path.display()))?;
    }
    chdir(PLACE).step("enter the scratch directory")
}

/// What the box shows below the place of the scratch directory, an interpreter installed in `/tmp` for one, and would find there no
/// more.
struct Hidden<'p> {
    path: &'p Path,
    what: Shown,
}

enum Shown {
    Link(PathBuf),
    Tree { mount: OwnedFd, is_folder: bool },
}

impl<'p> Hidden<'p> {
    fn behind(path: &'p Path) -> Result<Hidden<'p>, SetupError> {
        let what = match fs::read_link(path) {
            Ok(target) => Shown::Link(target),
            Err(_) => Shown::Tree {
                is_folder: path.is_dir(),
                mount: open_tree(CWD, path, tree_flags())
                    .step(format!("find {}", path.display()))?,
            },
        };
        Ok(Hidden { path, what })
    }

    fn show(&self) -> io::Result<()> {
        if let Some(parent) = self.path.parent() {
            fs::create_dir_all(parent)?;
        }
        match &self.what {
            Shown::Link(target) => symlink(target, self.path),
            Shown::Tree { mount, is_folder } => {
                if *is_folder {
                    fs::create_dir(self.path)?;
                } else {
                    fs::write(self.path, "")?;
                }
                let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
                Ok(move_mount(mount, "", CWD, self.path, flags)?)
            }
        }
    }
}

/// A copy of a mount, with all that is mounted below it.
fn tree_flags() -> OpenTreeFlags {
    OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC | OpenTreeFlags::AT_RECURSIVE
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
