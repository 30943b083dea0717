//! The file system of a box: a read-only root that holds what the interpreter needs and nothing else.
//!
//! No /etc, no home, and in place of /proc an empty folder. `/tmp` is one too, over which each Program mounts its scratch.

use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::unistd::{chdir, pivot_root};

use crate::errors::{SetupError, Step};
use crate::{input, sys};

/// Where a Program has its scratch, and starts.
pub const SCRATCH: &str = "/tmp";
/// Device files of a box.
pub const DEVICES: [&str; 3] = ["/dev/null", "/dev/random", "/dev/urandom"];

/// Named semaphores, which Python's locks between processes are, are files there.
const SHARED_MEMORY: [(&str, &str); 1] = [("/dev/shm", SCRATCH)];

const HOST: &str = "/.host";
const NOTHING: Option<&str> = None;

/// Replace this mount namespace's root by one that shows only `readable`, at the same paths.
pub fn enter(readable: &[PathBuf]) -> Result<(), SetupError> {
    mount(
        NOTHING,
        "/",
        NOTHING,
        MsFlags::MS_REC | MsFlags::MS_PRIVATE,
        NOTHING,
    )
    .step("make the mounts private")?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(
        Some("tmpfs"),
        "/tmp",
        Some("tmpfs"),
        flags,
        Some("size=1m,mode=0755"),
    )
    .step("mount the new root")?;
    let host = format!("/tmp{HOST}");
    std::fs::create_dir(&host).step("make a place for the old root")?;
    pivot_root("/tmp", host.as_str()).step("enter the new root")?;
    chdir("/").step("enter the new root")?;
    for path in readable {
        show(path)?;
    }
    for device in DEVICES {
        bind(Path::new(device))?;
    }
    std::fs::create_dir_all(SCRATCH).step("make the scratch directory")?;
    std::fs::create_dir(input::PLACE).step("make a place for /proc")?;
    for (link, target) in input::LINKS.into_iter().chain(SHARED_MEMORY) {
        symlink(target, link).step(format!("link {link}"))?;
    }
    umount2(HOST, MntFlags::MNT_DETACH).step("leave the old root")?;
    std::fs::remove_dir(HOST).step("leave the old root")?;
    sys::restrict_mount(
        Path::new("/"),
        libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID,
    )
    .step("make the root read-only")
}

/// Show one path of the host: a link as a link, anything else as a mount without device files.
fn show(path: &Path) -> Result<(), SetupError> {
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    match std::fs::read_link(on_host(path)) {
        Ok(target) => {
            make_parent(path)?;
            symlink(target, path).step(format!("link {}", path.display()))
        }
        Err(_) => {
            bind(path)?;
            sys::restrict_mount(path, libc::MOUNT_ATTR_NODEV)
                .step(format!("restrict {}", path.display()))
        }
    }
}

fn bind(path: &Path) -> Result<(), SetupError> {
    let source = on_host(path);
    make_parent(path)?;
    let made = if source.is_dir() {
        std::fs::create_dir(path)
    } else {
        std::fs::write(path, "")
    };
    made.step(format!("make a place for {}", path.display()))?;
    let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
    mount(Some(&source), path, NOTHING, flags, NOTHING).step(format!("show {}", path.display()))
}

fn make_parent(path: &Path) -> Result<(), SetupError> {
    let parent = path.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(parent).step(format!("make {}", parent.display()))
}

fn on_host(path: &Path) -> PathBuf {
    Path::new(HOST).join(path.strip_prefix("/").unwrap_or(path))
}

/// Mount a fresh scratch file system, seen by this mount namespace alone, and go there.
pub fn mount_scratch(bytes: u64, inodes: u64) -> Result<(), SetupError> {
    // Without access times, which reading would change: see `Trace`.
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC | MsFlags::MS_NOATIME;
    let options = format!("size={bytes},nr_inodes={inodes},mode=0700");
    mount(
        Some("tmpfs"),
        SCRATCH,
        Some("tmpfs"),
        flags,
        Some(options.as_str()),
    )
    .step("mount the scratch directory")?;
    chdir(SCRATCH).step("enter the scratch directory")
}

/// What shows that a Test left something in the scratch directory, or on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trace {
    mode: u32,
    /// tmpfs counts the entries of a directory in it.
    size: u64,
    read: (i64, i64),
    written: (i64, i64),
    changed: (i64, i64),
}

/// The state of the scratch directory; `None` where it cannot be seen.
pub fn scratch_trace() -> Option<Trace> {
    let seen = std::fs::metadata(SCRATCH).ok()?;
    Some(Trace {
        mode: seen.mode(),
        size: seen.size(),
        read: (seen.atime(), seen.atime_nsec()),
        written: (seen.mtime(), seen.mtime_nsec()),
        changed: (seen.ctime(), seen.ctime_nsec()),
    })
}

/// Whether a Test left something in the scratch directory, or on it: even its times could carry word from test to test.
pub fn scratch_is_used(fresh: Trace) -> bool {
    scratch_trace() != Some(fresh)
}
