//! The supervisor's end of a control socket: requests out, replies in, with a deadline and an interrupt.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sandbox_guard::descriptors;
use sandbox_guard::protocol::{self, OK, REJECTED};

use crate::SandboxError;
use crate::error::host;

/// Ends waits, once and for all; its clones are one and the same.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// How often a wait looks whether it is to end.
    const LOOK: Duration = Duration::from_millis(100);

    /// End every wait of the runtimes that were given this, now and later.
    pub fn pull(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_pulled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Wait until `descriptor` can be read; false if `until` came first, or for no reason. An
    /// error of the kind `Interrupted` where every wait is to end.
    pub(crate) fn wait_readable(
        &self,
        descriptor: BorrowedFd<'_>,
        until: Instant,
    ) -> io::Result<bool> {
        if self.is_pulled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let look = until.min(Instant::now() + Interrupt::LOOK);
        descriptors::wait_readable(descriptor, look)
    }
}

/// What came of waiting for a reply.
pub(crate) enum Reply {
    /// It was done; what the reply carries.
    Done(Vec<u8>),
    /// The program does not compile: the compiler's words.
    Rejected(String),
    /// The host failed to do it, for this reason.
    Failed(String),
    /// The other end is closed.
    Gone,
    /// Nothing came in time.
    Late,
}

/// A control socket.
#[derive(Debug)]
pub(crate) struct Channel {
    socket: OwnedFd,
}

impl Channel {
    /// A channel, and the other end for a process that is to be started.
    pub(crate) fn pair() -> Result<(Channel, OwnedFd), SandboxError> {
        let pair = descriptors::socket_pair(descriptors::Kind::Packets);
        let (socket, theirs) = pair.map_err(host("make a control socket"))?;
        Ok((Channel { socket }, theirs))
    }

    /// Send a request.
    pub(crate) fn send(
        &self,
        bytes: &[u8],
        descriptors: &[BorrowedFd<'_>],
    ) -> Result<(), SandboxError> {
        protocol::send(self.socket.as_fd(), bytes, descriptors)
            .map_err(|errno| host("ask a worker")(errno.into()))
    }

    /// Wait for a reply.
    pub(crate) fn receive(
        &self,
        interrupt: &Interrupt,
        deadline: Instant,
    ) -> Result<Reply, SandboxError> {
        if !self.wait(interrupt, deadline)? {
            return Ok(Reply::Late);
        }
        let bytes = match protocol::receive(self.socket.as_fd()).map_err(io::Error::from) {
            Ok((bytes, _)) => bytes,
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(Reply::Gone),
            Err(error) => return Err(host("hear from a worker")(error)),
        };
        Ok(match bytes.split_first() {
            Some((&OK, content)) => Reply::Done(content.to_vec()),
            Some((&REJECTED, text)) => Reply::Rejected(String::from_utf8_lossy(text).into_owned()),
            Some((_, text)) => Reply::Failed(String::from_utf8_lossy(text).into_owned()),
            None => Reply::Gone,
        })
    }

    /// Wait until there is something to read; false if `deadline` came first.
    fn wait(&self, interrupt: &Interrupt, deadline: Instant) -> Result<bool, SandboxError> {
        loop {
            match interrupt.wait_readable(self.socket.as_fd(), deadline) {
                Ok(false) if Instant::now() < deadline => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                    return Err(SandboxError::Interrupted);
                }
                waited => return waited.map_err(host("wait for a worker")),
            }
        }
    }
}
