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
        descriptors::wait_at_most(socket.as_fd(), Interrupt::LOOK)
            .map_err(host("set up a control socket"))?;
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

    /// Wait for a reply, until `deadline` or a little longer.
    pub(crate) fn receive(
        &self,
        interrupt: &Interrupt,
        deadline: Instant,
    ) -> Result<Reply, SandboxError> {
        let receive = || Ok(protocol::receive(self.socket.as_fd())?);
        let bytes = match hear(interrupt, deadline, receive)? {
            Heard::Packet((bytes, _)) => bytes,
            Heard::End => return Ok(Reply::Gone),
            Heard::Nothing => return Ok(Reply::Late),
        };
        Ok(match bytes.split_first() {
            Some((&OK, content)) => Reply::Done(content.to_vec()),
            Some((&REJECTED, text)) => Reply::Rejected(String::from_utf8_lossy(text).into_owned()),
            Some((_, text)) => Reply::Failed(String::from_utf8_lossy(text).into_owned()),
            None => Reply::Gone,
        })
    }

    /// Wait for what follows a reply that was done, which began with `start`: all of it, `length` bytes.
    pub(crate) fn receive_rest(
        &self,
        start: &[u8],
        length: usize,
        interrupt: &Interrupt,
        deadline: Instant,
    ) -> Result<Reply, SandboxError> {
        let mut all = vec![0; length];
        let mut filled = start.len();
        all[..filled].copy_from_slice(start);
        while filled < length {
            let room = &mut all[filled..];
            let receive = || Ok(protocol::receive_output(self.socket.as_fd(), room)?);
            match hear(interrupt, deadline, receive)? {
                Heard::Packet(0) | Heard::End => return Ok(Reply::Gone),
                Heard::Packet(more) => filled += more,
                Heard::Nothing => return Ok(Reply::Late),
            }
        }
        Ok(Reply::Done(all))
    }
}

/// What came of waiting for a packet.
enum Heard<P> {
    Packet(P),
    /// The other end is closed.
    End,
    /// Nothing came in time.
    Nothing,
}

/// Call `receive`, which waits for [`Interrupt::LOOK`] at most, until there is a packet.
fn hear<P>(
    interrupt: &Interrupt,
    deadline: Instant,
    mut receive: impl FnMut() -> io::Result<P>,
) -> Result<Heard<P>, SandboxError> {
    while !interrupt.is_pulled() {
        match receive() {
            Ok(packet) => return Ok(Heard::Packet(packet)),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(Heard::End),
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => {
                return Err(host("hear from a worker")(error));
            }
            Err(_) if Instant::now() >= deadline => return Ok(Heard::Nothing),
            Err(_) => {}
        }
    }
    Err(SandboxError::Interrupted)
}
