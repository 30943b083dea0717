//! The descriptors of a Test, by numbers that are reserved for them from the start.

use std::os::fd::{AsRawFd, OwnedFd};

use nix::sys::memfd::{MFdFlags, memfd_create};
use rustix::io::{Errno, dup2, fcntl_dupfd_cloexec};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use crate::errors::{SetupError, Step};

/// The first number that no Test uses: descriptors that stay with the guard lie there and above.
pub const FIRST_FREE: i32 = 5;

/// Numbers 3 and 4. The standard streams need no owner: they are never closed, only replaced.
const EXTRA: [i32; 2] = [3, 4];

/// The numbers 0 to 4, reserved in the Worker by empty files, so that nothing else takes them before a Test's own files do.
pub struct ReservedDescriptors {
    extra: [OwnedFd; EXTRA.len()],
}

impl ReservedDescriptors {
    /// Reserve them. Whatever standard streams there were are replaced.
    pub fn reserve() -> Result<ReservedDescriptors, SetupError> {
        dup2_stdin(empty_file()?).step("reserve descriptor 0")?;
        dup2_stdout(empty_file()?).step("reserve descriptor 1")?;
        dup2_stderr(empty_file()?).step("reserve descriptor 2")?;
        Ok(ReservedDescriptors {
            extra: [reserve(EXTRA[0])?, reserve(EXTRA[1])?],
        })
    }

    /// Put a Test's files in their places, from 0 on.
    pub fn install(&mut self, files: &[OwnedFd]) -> Result<(), Errno> {
        let [third, fourth] = &mut self.extra;
        for (number, file) in files.iter().enumerate() {
            match number {
                0 => dup2_stdin(file),
                1 => dup2_stdout(file),
                2 => dup2_stderr(file),
                3 => dup2(file, third),
                4 => dup2(file, fourth),
                _ => Err(Errno::MFILE),
            }?;
        }
        Ok(())
    }
}

/// A file that can be sought in, as a Test's can: an interpreter looks at that when it opens its streams.
fn empty_file() -> Result<OwnedFd, SetupError> {
    let file = memfd_create("standard", MFdFlags::MFD_CLOEXEC).step("make an empty file")?;
    // Lifted, as it may have got the very number that is to be reserved.
    fcntl_dupfd_cloexec(file, FIRST_FREE).step("make an empty file")
}

/// An empty file that has this very number.
fn reserve(number: i32) -> Result<OwnedFd, SetupError> {
    let step = format!("reserve descriptor {number}");
    let copy = fcntl_dupfd_cloexec(empty_file()?, number).step(step.as_str())?;
    if copy.as_raw_fd() == number {
        Ok(copy)
    } else {
        Err(SetupError::new(step, "it is in use"))
    }
}
