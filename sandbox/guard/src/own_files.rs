//! The files that a program consists of: laid out where only its own box sees them, to be read and executed but not changed.
//! Those that it finds in its scratch directory it may change.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use nix::mount::{MsFlags, mount as mount_at};
use rustix::fs::sendfile;

use crate::bundle::{Entry, Folder, Reader};
use crate::errors::{SetupError, Step};
use crate::scratch;

/// Where they are.
pub const PLACE: &str = "/program";
const NOTHING: Option<&str> = None;

/// Lay out the files of the bundle in `source`, which begins at `place` there, on a file system of `bytes`.
pub fn mount(source: BorrowedFd<'_>, place: u64, bytes: u64) -> Result<(), SetupError> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOATIME;
    let options = format!("size={bytes},mode=0755");
    let options = Some(options.as_str());
    mount_at(Some("tmpfs"), PLACE, Some("tmpfs"), flags, options)
        .step("mount the program's files")?;
    lay_out(source, place).step("lay out the program's files")?;
    let read_only = flags | MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY;
    mount_at(NOTHING, PLACE, NOTHING, read_only, NOTHING).step("make the program's files read-only")
}

fn lay_out(source: BorrowedFd<'_>, place: u64) -> io::Result<()> {
    let mut file = File::from(source.try_clone_to_owned()?);
    file.seek(SeekFrom::Start(place))?;
    let (mut bundle, _) = Reader::new(file)?;
    while let Some(entry) = bundle.entry()? {
        write(&entry, bundle.source())?;
    }
    Ok(())
}

/// Copy the content of `entry` from where `source` stands.
fn write(entry: &Entry, source: &mut File) -> io::Result<()> {
    let (place, readable) = match entry.folder {
        Folder::Program => (PLACE, 0o444),
        Folder::Scratch => (scratch::PLACE, 0o644),
    };
    let path = Path::new(place).join(&entry.path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(readable | if entry.executable { 0o111 } else { 0 })
        .open(path)?;
    let mut left = entry.length;
    while left > 0 {
        match sendfile(&file, source.as_fd(), None, left as usize)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            copied => left -= copied as u64,
        }
    }
    Ok(())
}
