//! Standard input by its names: `/dev/stdin`, `/dev/fd/0`, `/proc/self/fd/0`.
//!
//! A Test's input is a file in memory that has no place in any file system, and only a real /proc could give it one. A real
//! /proc shows too much. So the box has one of its own that holds a copy, in a file that only the Program can change. It
//! starts at the beginning whenever it is opened, as the name of a file that was redirected to standard input does.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::PathBuf;

use nix::mount::{MsFlags, mount};
use rustix::fs::{FileType, fstat, sendfile};

use crate::errors::{SetupError, Step};

/// Where the names lead. The root of every box has this folder, and the links to it.
pub const PLACE: &str = "/proc";
const FOLDER: &str = "/proc/self/fd";
const FILE: &str = "/proc/self/fd/0";
/// Names that are links, and where they lead.
pub const LINKS: [(&str, &str); 2] = [("/dev/stdin", FILE), ("/dev/fd", FOLDER)];

/// Bytes that one call copies at most; the kernel takes no more than 2 GiB.
const CHUNK: usize = 1 << 30;

const NOTHING: Option<&str> = None;

/// A file that the names of standard input lead to.
pub struct NamedInput(File);

impl NamedInput {
    /// Give this mount namespace such a file, in a /proc that keeps those of `links` that were in the one before.
    pub fn mount(links: &[(PathBuf, PathBuf)]) -> Result<NamedInput, SetupError> {
        let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
        let options = Some("nr_inodes=8,mode=0755");
        mount(Some("tmpfs"), PLACE, Some("tmpfs"), flags, options).step("mount /proc")?;
        fs::create_dir_all(FOLDER).step("make /proc/self/fd")?;
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o444)
            .open(FILE)
            .step("make the file of standard input")?;
        for (link, target) in links.iter().filter(|(link, _)| link.starts_with(PLACE)) {
            symlink(target, link).step(format!("link {}", link.display()))?;
        }
        // Read-only from here on, but by the descriptor that was opened before: a Test could otherwise leave word for the
        // next in the times and rights of the file and its folders. A mount with an open file cannot be made so, but a
        // second one on top of it can.
        mount(Some(PLACE), PLACE, NOTHING, MsFlags::MS_BIND, NOTHING).step("cover /proc")?;
        let read_only = flags | MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY;
        mount(NOTHING, PLACE, NOTHING, read_only, NOTHING).step("make /proc read-only")?;
        Ok(NamedInput(file))
    }

    /// Have it hold what a Test will read, as far as that can be known before: of a pipe nothing.
    pub fn fill(&self, input: impl AsFd) -> io::Result<()> {
        self.0.set_len(0)?;
        if FileType::from_raw_mode(fstat(&input)?.st_mode) != FileType::RegularFile {
            return Ok(());
        }
        // Positions of one's own on both sides: that of `input` is where the Test begins to read.
        let mut position = 0;
        let mut file = &self.0;
        io::Seek::rewind(&mut file)?;
        while sendfile(file, &input, Some(&mut position), CHUNK)? > 0 {}
        Ok(())
    }
}
