//! Sockets and files in memory, as both ends of a border need them.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, SealFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socketpair};
use rustix::net::sockopt::{Timeout, set_socket_timeout};

/// What a pair of sockets carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Packets, as the protocol wants them.
    Packets,
    /// A stream of bytes.
    Stream,
}

/// A pair of connected sockets.
pub fn socket_pair(kind: Kind) -> io::Result<(OwnedFd, OwnedFd)> {
    let kind = match kind {
        Kind::Packets => SockType::SeqPacket,
        Kind::Stream => SockType::Stream,
    };
    Ok(socketpair(
        AddressFamily::Unix,
        kind,
        None,
        SockFlag::SOCK_CLOEXEC,
    )?)
}

/// Have whoever waits for something to read from `socket` wait no longer than this at a time.
pub fn wait_at_most(socket: BorrowedFd<'_>, time: Duration) -> io::Result<()> {
    Ok(set_socket_timeout(socket, Timeout::Recv, Some(time))?)
}

/// Bytes that a wide pipe holds.
const WIDE: i32 = 1 << 20;

/// A pipe that holds more than others do.
pub fn wide_pipe() -> io::Result<(PipeReader, PipeWriter)> {
    let (reader, writer) = io::pipe()?;
    // An ordinary user may have but so much in pipes (pipe(7)); one of the usual size does then.
    let _ = fcntl(&writer, FcntlArg::F_SETPIPE_SZ(WIDE));
    Ok((reader, writer))
}

/// An empty file in memory.
pub fn memory_file(name: &str) -> io::Result<File> {
    Ok(memfd_create(name, MFdFlags::MFD_CLOEXEC)?.into())
}

/// The same, of which nothing that was written can be taken away again: as with a pipe, what is too much stays so.
pub fn growing_file(name: &str) -> io::Result<File> {
    let flags = MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING;
    let file = memfd_create(name, flags)?;
    let seals = SealFlag::F_SEAL_SHRINK | SealFlag::F_SEAL_SEAL;
    fcntl(&file, FcntlArg::F_ADD_SEALS(seals))?;
    Ok(file.into())
}

/// A file in memory with this content, to be read from its start.
pub fn memory_file_of(name: &str, content: &[u8]) -> io::Result<File> {
    let file = memory_file(name)?;
    file.write_all_at(content, 0)?;
    Ok(file)
}

/// Wait until `descriptor` can be read or is closed; false if `deadline` came first.
pub fn wait_readable(descriptor: BorrowedFd<'_>, deadline: Instant) -> io::Result<bool> {
    wait(descriptor, PollFlags::POLLIN, deadline)
}

/// Wait until `descriptor` can be written to or its other end is closed; false if `deadline` came first.
pub fn wait_writable(descriptor: BorrowedFd<'_>, deadline: Instant) -> io::Result<bool> {
    wait(descriptor, PollFlags::POLLOUT, deadline)
}

fn wait(descriptor: BorrowedFd<'_>, event: PollFlags, deadline: Instant) -> io::Result<bool> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
        match poll(&mut [PollFd::new(descriptor, event)], left) {
            Err(Errno::EINTR) => {}
            Err(errno) => return Err(errno.into()),
            Ok(0) if Instant::now() < deadline => {}
            Ok(count) => return Ok(count > 0),
        }
    }
}
