//! The files that a run is given: its standard streams, in memory, and whatever descriptors come on top.

use std::fs::File;
use std::io::{PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;

use sandbox_guard::descriptors;

use crate::SandboxError;
use crate::error::host;

/// An empty file in memory. Both ends of a box's border may hold it: what one writes, the other reads.
///
/// # Errors
/// The host failed.
pub fn memory_file(name: &str) -> Result<File, SandboxError> {
    descriptors::memory_file(name).map_err(host("make a file in memory"))
}

/// A file in memory with this content, to be read from its start.
///
/// # Errors
/// The host failed.
pub fn memory_file_of(name: &str, content: &[u8]) -> Result<File, SandboxError> {
    descriptors::memory_file_of(name, content).map_err(host("fill a file in memory"))
}

/// All of a file in memory, wherever others that hold it have read to.
///
/// # Errors
/// The host failed.
pub fn content(file: &File) -> Result<Vec<u8>, SandboxError> {
    let read = host("read a file in memory");
    let length = file.metadata().map_err(&read)?.len() as usize;
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, 0).map_err(&read)?;
    Ok(bytes)
}

/// A pipe to join two runs by. As judges of interactive problems have it, either side may write 1 MiB before the other reads.
///
/// # Errors
/// The host failed.
pub fn wide_pipe() -> Result<(PipeReader, PipeWriter), SandboxError> {
    descriptors::wide_pipe().map_err(host("make a pipe"))
}

/// The descriptors of one run. Unless it is joined to another by pipes, there is none that could fill up: standard input,
/// output and error are files.
#[derive(Debug)]
pub struct Files {
    stdin: OwnedFd,
    stdout: Stdout,
    stderr: File,
    extras: Vec<OwnedFd>,
}

/// Where standard output goes.
#[derive(Debug)]
enum Stdout {
    Kept(File),
    /// To whoever reads at the other end.
    Given(OwnedFd),
}

impl Files {
    /// With `stdin` to be read.
    ///
    /// # Errors
    /// The host failed.
    pub fn new(stdin: &[u8]) -> Result<Files, SandboxError> {
        Ok(Files {
            stdin: memory_file_of("stdin", stdin)?.into(),
            stdout: Stdout::Kept(memory_file("stdout")?),
            stderr: memory_file("stderr")?,
            extras: Vec::new(),
        })
    }

    /// With standard input and output that lead elsewhere, such as the ends of two pipes. The sandbox keeps no copy of them,
    /// so that the other ends see the run end; [`crate::Outcome::stdout`] is empty then.
    ///
    /// # Errors
    /// The host failed.
    pub fn joined(
        stdin: impl Into<OwnedFd>,
        stdout: impl Into<OwnedFd>,
    ) -> Result<Files, SandboxError> {
        Ok(Files {
            stdin: stdin.into(),
            stdout: Stdout::Given(stdout.into()),
            stderr: memory_file("stderr")?,
            extras: Vec::new(),
        })
    }

    /// Give the run one more descriptor: the first becomes 3, the next 4; there can be no more. The sandbox keeps no copy of
    /// it, so that the other end of a channel sees the run end.
    pub fn give(mut self, descriptor: impl Into<OwnedFd>) -> Files {
        self.extras.push(descriptor.into());
        self
    }

    /// All of them, in the order of their numbers.
    pub(crate) fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        let stdout = match &self.stdout {
            Stdout::Kept(file) => file.as_fd(),
            Stdout::Given(descriptor) => descriptor.as_fd(),
        };
        let standard = [self.stdin.as_fd(), stdout, self.stderr.as_fd()];
        let extras = self.extras.iter().map(AsFd::as_fd);
        standard.into_iter().chain(extras).collect()
    }

    /// Keep what is read at the end, and no other.
    pub(crate) fn begun(self) -> Written {
        Written {
            stdout: match self.stdout {
                Stdout::Kept(file) => Some(file),
                Stdout::Given(_) => None,
            },
            stderr: self.stderr,
        }
    }
}

/// What is read when a run has ended.
#[derive(Debug)]
pub(crate) struct Written {
    stdout: Option<File>,
    stderr: File,
}

impl Written {
    /// What was written to standard output and standard error.
    pub(crate) fn content(&self) -> Result<(Vec<u8>, Vec<u8>), SandboxError> {
        let stdout = self.stdout.as_ref().map(content).transpose()?;
        Ok((stdout.unwrap_or_default(), content(&self.stderr)?))
    }
}
