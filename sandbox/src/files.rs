//! The files that a run is given: its standard streams, in memory, and whatever descriptors come on top.

use std::fs::File;
use std::io::{PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;

use sandbox_guard::descriptors;
use sandbox_guard::protocol::INPUT_MAX;

use crate::SandboxError;
use crate::error::host;

/// An empty file in memory. Both ends of a box's border may hold it: what one writes, the other reads.
///
/// # Errors
/// The host failed.
pub fn memory_file(name: &str) -> Result<File, SandboxError> {
    descriptors::memory_file(name).map_err(host("make a file in memory"))
}

/// The same for a stream of a run.
fn growing_file(name: &str) -> Result<File, SandboxError> {
    descriptors::growing_file(name).map_err(host("make a file in memory"))
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

/// The files of one run. Unless it is joined to another by pipes, there is none that could fill up.
#[derive(Debug)]
pub struct Files {
    stdin: Stdin,
    /// Where standard output goes, if it is not kept.
    stdout: Option<OwnedFd>,
    extras: Vec<OwnedFd>,
}

/// Where standard input comes from.
#[derive(Debug)]
enum Stdin {
    /// Few bytes, of which a file is made where the run needs one.
    Short(Vec<u8>),
    Open(OwnedFd),
}

impl Files {
    /// With `stdin` to be read.
    ///
    /// # Errors
    /// The host failed.
    pub fn new(stdin: &[u8]) -> Result<Files, SandboxError> {
        let stdin = match stdin.len() <= INPUT_MAX {
            true => Stdin::Short(stdin.to_vec()),
            false => Stdin::Open(memory_file_of("stdin", stdin)?.into()),
        };
        Ok(Files {
            stdin,
            stdout: None,
            extras: Vec::new(),
        })
    }

    /// With standard input and output that lead elsewhere, such as the ends of two pipes. The sandbox keeps no copy of them,
    /// so that the other ends see the run end; [`crate::Outcome::stdout`] is empty then.
    pub fn joined(stdin: impl Into<OwnedFd>, stdout: impl Into<OwnedFd>) -> Files {
        Files {
            stdin: Stdin::Open(stdin.into()),
            stdout: Some(stdout.into()),
            extras: Vec::new(),
        }
    }

    /// Give the run one more descriptor: the first becomes 3, the next 4; there can be no more. The sandbox keeps no copy of
    /// it, so that the other end of a channel sees the run end.
    pub fn give(mut self, descriptor: impl Into<OwnedFd>) -> Files {
        self.extras.push(descriptor.into());
        self
    }

    /// As an engine is given them that plays the run by itself: what follows the request, and the descriptors that go with it.
    pub(crate) fn for_engine(self) -> (Vec<u8>, Vec<OwnedFd>) {
        let (input, stdin) = match self.stdin {
            Stdin::Short(bytes) => (bytes, None),
            Stdin::Open(descriptor) => (Vec::new(), Some(descriptor)),
        };
        (input, stdin.into_iter().chain(self.stdout).collect())
    }

    /// As a process is given them: a file in memory for each stream that leads nowhere else.
    pub(crate) fn open(self) -> Result<OpenFiles, SandboxError> {
        Ok(OpenFiles {
            stdin: match self.stdin {
                Stdin::Short(bytes) => memory_file_of("stdin", &bytes)?.into(),
                Stdin::Open(descriptor) => descriptor,
            },
            stdout: match self.stdout {
                Some(descriptor) => Stdout::Given(descriptor),
                None => Stdout::Kept(growing_file("stdout")?),
            },
            stderr: growing_file("stderr")?,
            extras: self.extras,
        })
    }
}

/// The descriptors of one run in a process.
#[derive(Debug)]
pub(crate) struct OpenFiles {
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

impl OpenFiles {
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
    pub(crate) fn begun(self) -> WrittenFiles {
        WrittenFiles {
            stdout: match self.stdout {
                Stdout::Kept(file) => Some(file),
                Stdout::Given(_) => None,
            },
            stderr: self.stderr,
        }
    }
}

/// What is read when a run in a process has ended.
#[derive(Debug)]
pub(crate) struct WrittenFiles {
    stdout: Option<File>,
    stderr: File,
}

impl WrittenFiles {
    /// What was written to standard output and standard error.
    pub(crate) fn content(&self) -> Result<[Vec<u8>; 2], SandboxError> {
        let stdout = self.stdout.as_ref().map(content).transpose()?;
        Ok([stdout.unwrap_or_default(), content(&self.stderr)?])
    }
}
