//! What a run left in its scratch directory, on the way to the supervisor.
//!
//! The Program looks for it, inside the box and after every process of the run has ended: a link leads nowhere that a run
//! could not have gone, and nothing changes on the way.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::sendfile;

use crate::bundle::{Entry, Folder, Writer};
use crate::protocol::{CollectReport, CollectRequest};
use crate::scratch;

/// How deep folders may lie in one another.
const DEPTH_MAX: usize = 16;

/// Write the regular files in scratch to `archive`, by name and as far as `request` wants them.
pub fn collect(request: CollectRequest, archive: &OwnedFd) -> io::Result<CollectReport> {
    let mut archive = File::from(archive.try_clone()?);
    archive.rewind()?;
    archive.write_all(&Writer::new(&[""; 0], &[""; 0]).finish())?;
    let mut collector = Collector {
        archive,
        files: request.files,
        bytes: request.bytes,
        complete: true,
    };
    collector.folder(Path::new(""), DEPTH_MAX)?;
    Ok(CollectReport {
        complete: u64::from(collector.complete),
    })
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

struct Collector {
    archive: File,
    /// How many more are wanted.
    files: u64,
    bytes: u64,
    complete: bool,
}

impl Collector {
    /// All that is in the folder at `path` below scratch.
    fn folder(&mut self, path: &Path, depth: usize) -> io::Result<()> {
        // The run may have taken away the right to look into it.
        let Ok(entries) = fs::read_dir(Path::new(scratch::PLACE).join(path)) else {
            self.complete = false;
            return Ok(());
        };
        let mut names: Vec<PathBuf> = entries
            .map(|entry| Ok(path.join(entry?.file_name())))
            .collect::<io::Result<_>>()?;
        names.sort();
        for name in names {
            self.any(&name, depth)?;
        }
        Ok(())
    }

    /// A link, a pipe or the like is nobody's result, and left out.
    fn any(&mut self, path: &Path, depth: usize) -> io::Result<()> {
        let kind = fs::symlink_metadata(Path::new(scratch::PLACE).join(path))?.file_type();
        // A folder whose name begins with a dot hides what is nobody's result: a compiler's cache.
        if kind.is_dir() && path.file_name().is_some_and(is_hidden) {
            Ok(())
        } else if kind.is_dir() && depth > 0 {
            self.folder(path, depth - 1)
        } else if kind.is_file() && self.files > 0 {
            self.file(path)
        } else {
            self.complete &= !kind.is_dir() && !kind.is_file();
            Ok(())
        }
    }

    fn file(&mut self, path: &Path) -> io::Result<()> {
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
            .open(Path::new(scratch::PLACE).join(path));
        let Ok(file) = opened else {
            self.complete = false;
            return Ok(());
        };
        let seen = file.metadata()?;
        if seen.len() > self.bytes {
            self.complete = false;
            return Ok(());
        }
        self.files -= 1;
        self.bytes -= seen.len();
        let mut heading = Writer::default();
        heading.heading(&Entry {
            folder: Folder::Scratch,
            path: path.to_owned(),
            executable: seen.mode() & 0o111 != 0,
            length: seen.len(),
        });
        self.archive.write_all(&heading.finish())?;
        self.content(&file, seen.len())
    }

    fn content(&mut self, file: &File, mut left: u64) -> io::Result<()> {
        while left > 0 {
            match sendfile(&self.archive, file.as_fd(), None, left as usize)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                copied => left -= copied as u64,
            }
        }
        Ok(())
    }
}
