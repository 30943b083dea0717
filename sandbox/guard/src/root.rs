//! The file system of a box: a read-only root that holds what the interpreter needs and nothing else.
//!
//! No /etc, no home, and in place of /proc an empty folder. So is `/tmp`, over which each Program mounts its scratch.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::unistd::{chdir, pivot_root};

use crate::errors::{SetupError, Step};
use crate::protocol::WorkerSetup;
use crate::{input, own_files, scratch, sys};

/// Device files of a box: they hold nothing, and take nothing in.
pub const DEVICES: [&str; 3] = ["/dev/null", "/dev/random", "/dev/urandom"];

/// Named semaphores are files there (sem_overview(7)), and Python's locks between processes are named semaphores.
const SHARED_MEMORY: (&str, &str) = ("/dev/shm", scratch::PLACE);

/// Where the new root is made, on the host.
const NEW_ROOT: &str = "/tmp";
/// Where the old root is, seen from the new one, until it is let go of.
const HOST: &str = "/.host";
const NOTHING: Option<&str> = None;

/// Replace this mount namespace's root by one that shows only what `setup` makes readable, at the same paths, and its links.
pub fn enter(setup: &WorkerSetup) -> Result<(), SetupError> {
    // Mounts are shared with the namespace they were copied from; without this the host would get all that follow.
    let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
    mount(NOTHING, "/", NOTHING, private, NOTHING).step("make the mounts private")?;
    // It has to be a mount of its own for pivot_root(2), which unlike chroot(2) leaves no way back.
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    let options = Some("size=1m,mode=0755");
    mount(Some("tmpfs"), NEW_ROOT, Some("tmpfs"), flags, options).step("mount the new root")?;
    let host = format!("{NEW_ROOT}{HOST}");
    fs::create_dir(&host).step("make a place for the old root")?;
    pivot_root(NEW_ROOT, host.as_str()).step("enter the new root")?;
    chdir("/").step("enter the new root")?;
    fill(setup)?;
    // Detached, as the interpreter has files of the old root open.
    umount2(HOST, MntFlags::MNT_DETACH).step("leave the old root")?;
    fs::remove_dir(HOST).step("leave the old root")?;
    // Last of all, and with everything that is mounted below.
    let read_only = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID;
    sys::restrict_mount(Path::new("/"), read_only).step("make the root read-only")
}

/// Make what a box has to show.
fn fill(setup: &WorkerSetup) -> Result<(), SetupError> {
    for path in &setup.readable {
        show(path)?;
    }
    for device in DEVICES {
        bind(Path::new(device))?;
    }
    fs::create_dir_all(scratch::PLACE).step("make the scratch directory")?;
    fs::create_dir(own_files::PLACE).step("make a place for a program's files")?;
    fs::create_dir(input::PLACE).step("make a place for /proc")?;
    for (link, target) in input::LINKS.into_iter().chain([SHARED_MEMORY]) {
        symlink(target, link).step(format!("link {link}"))?;
    }
    make_links(setup)
}

/// Make the links of `setup`, wherever there is none of that name.
fn make_links(setup: &WorkerSetup) -> Result<(), SetupError> {
    for (link, target) in &setup.links {
        make_parent(link)?;
        symlink(target, link).step(format!("link {}", link.display()))?;
    }
    Ok(())
}

/// Show one path of the host: a link as a link, anything else as a mount without device files.
fn show(path: &Path) -> Result<(), SetupError> {
    // Part of another path that is shown already.
    if path.symlink_metadata().is_ok() {
        return Ok(());
    }
    match fs::read_link(on_host(path)) {
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

/// Mount a path of the host, and what is mounted below it, at the same path here.
fn bind(path: &Path) -> Result<(), SetupError> {
    let source = on_host(path);
    make_parent(path)?;
    let made = if source.is_dir() {
        fs::create_dir(path)
    } else {
        fs::write(path, "")
    };
    made.step(format!("make a place for {}", path.display()))?;
    let flags = MsFlags::MS_BIND | MsFlags::MS_REC;
    mount(Some(&source), path, NOTHING, flags, NOTHING).step(format!("show {}", path.display()))
}

fn make_parent(path: &Path) -> Result<(), SetupError> {
    let parent = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(parent).step(format!("make {}", parent.display()))
}

fn on_host(path: &Path) -> PathBuf {
    Path::new(HOST).join(path.strip_prefix("/").unwrap_or(path))
}
