//! A program's standard streams: in memory, in a file, or channels to another run.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use sandbox_guard::descriptors::{wait_readable, wait_writable};
use sandbox_guard::played;
use sandbox_guard::protocol::cut;
use tokio::io::{AsyncRead, AsyncWrite};
use wasmtime::format_err;
use wasmtime_wasi::async_trait;
use wasmtime_wasi::cli::{IsTerminal, StdinStream, StdoutStream};
use wasmtime_wasi::p2::{InputStream, OutputStream, Pollable, StreamError, StreamResult};

use crate::cut::{Cut, Patience};
use crate::meter::Meter;

/// Most bytes that are read or written at once.
const CHUNK: usize = 64 << 10;

/// The other end of a run that this one is joined to, and how long that may be waited for.
struct Channel {
    file: File,
    patience: Patience,
}

impl Channel {
    fn new(descriptor: OwnedFd, patience: &Patience) -> Channel {
        Channel {
            file: File::from(descriptor),
            patience: patience.clone(),
        }
    }

    /// An error once the run is to end.
    fn going_on(&self) -> StreamResult<()> {
        match self.patience.cut.is_set() {
            true => Err(StreamError::trap("waited for too long")),
            false => Ok(()),
        }
    }

    fn has_come(&self, until: Instant) -> io::Result<bool> {
        wait_readable(self.file.as_fd(), until)
    }

    fn has_room(&self, until: Instant) -> io::Result<bool> {
        wait_writable(self.file.as_fd(), until)
    }
}

/// Standard input.
#[derive(Clone)]
pub struct Input {
    origin: Arc<Origin>,
    meter: Meter,
}

enum Origin {
    /// What is left to read.
    Whole(Mutex<Bytes>),
    File(File),
    Channel(Channel),
}

impl Input {
    /// From what the run was `given`, which it waits for no longer than `patience`.
    pub fn new(given: played::Input, patience: &Patience, meter: &Meter) -> io::Result<Input> {
        let origin = match given {
            played::Input::Whole(bytes) => Origin::Whole(Mutex::new(bytes.into())),
            played::Input::Open(descriptor) => {
                let channel = Channel::new(descriptor, patience);
                match channel.file.metadata()?.is_file() {
                    true => Origin::File(channel.file),
                    false => Origin::Channel(channel),
                }
            }
        };
        Ok(Input {
            origin: Arc::new(origin),
            meter: meter.clone(),
        })
    }
}

#[async_trait]
impl Pollable for Input {
    /// Nothing else goes on in this process that could be kept from it by waiting here.
    async fn ready(&mut self) {
        if let Origin::Channel(channel) = &*self.origin {
            channel.patience.wait(|until| channel.has_come(until));
        }
    }
}

#[async_trait]
impl InputStream for Input {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        let most = size.min(CHUNK);
        let bytes = match &*self.origin {
            Origin::Whole(left) => {
                let mut left = lock(left);
                let count = most.min(left.len());
                left.split_to(count)
            }
            Origin::File(file) => read_from(file, most)?,
            Origin::Channel(channel) => {
                channel.going_on()?;
                if !channel.has_come(Instant::now()).map_err(failed)? {
                    return Ok(Bytes::new());
                }
                read_from(&channel.file, most)?
            }
        };
        self.meter.moved(bytes.len());
        match bytes.is_empty() && size > 0 {
            true => Err(StreamError::Closed),
            false => Ok(bytes),
        }
    }
}

fn read_from(mut file: &File, most: usize) -> StreamResult<Bytes> {
    let mut buffer = vec![0; most];
    let count = file.read(&mut buffer).map_err(failed)?;
    buffer.truncate(count);
    Ok(buffer.into())
}

impl IsTerminal for Input {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdinStream for Input {
    /// Asked for by preview 3 alone, which no program is given.
    fn async_stream(&self) -> Box<dyn AsyncRead + Send + Sync> {
        Box::new(tokio::io::empty())
    }

    fn p2_stream(&self) -> Box<dyn InputStream> {
        Box::new(self.clone())
    }
}

/// Standard output or standard error. What goes to a channel is written at once, and all else is kept until
/// [`Output::finish`].
#[derive(Clone)]
pub struct Output(Arc<Mutex<Sink>>);

struct Sink {
    channel: Option<Channel>,
    kept: Vec<u8>,
    /// Bytes that may still be written.
    left: u64,
    /// Told when there were more.
    cut: Cut,
    meter: Meter,
}

impl Output {
    /// To `descriptor`, if it is a channel, no more than `limit` bytes.
    pub fn new(
        descriptor: Option<OwnedFd>,
        patience: &Patience,
        meter: &Meter,
        limit: u64,
    ) -> Output {
        Output(Arc::new(Mutex::new(Sink {
            channel: descriptor.map(|descriptor| Channel::new(descriptor, patience)),
            kept: Vec::new(),
            left: limit,
            cut: patience.cut.clone(),
            meter: meter.clone(),
        })))
    }

    /// What was kept, and after it `last`, as far as the limit allows.
    pub fn finish(&self, last: &str) -> Vec<u8> {
        let mut sink = lock(&self.0);
        let fitting = sink.take(last.as_bytes()).0;
        sink.kept.extend_from_slice(fitting);
        std::mem::take(&mut sink.kept)
    }
}

/// Nothing panics with a lock held.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sink {
    /// As much of `bytes` as may still be written, and whether that is all.
    fn take<'b>(&mut self, bytes: &'b [u8]) -> (&'b [u8], bool) {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        let fitting = &bytes[..left.min(bytes.len())];
        self.left -= fitting.len() as u64;
        (fitting, fitting.len() == bytes.len())
    }
}

#[async_trait]
impl Pollable for Output {
    async fn ready(&mut self) {
        if let Some(channel) = &lock(&self.0).channel {
            channel.patience.wait(|until| channel.has_room(until));
        }
    }
}

#[async_trait]
impl OutputStream for Output {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        let mut sink = lock(&self.0);
        let (fitting, is_all) = sink.take(&bytes);
        sink.meter.moved(bytes.len());
        match &sink.channel {
            Some(channel) => {
                channel.going_on()?;
                (&channel.file).write_all(fitting).map_err(failed)?;
            }
            None => sink.kept.extend_from_slice(fitting),
        }
        if !is_all {
            sink.cut.set(cut::OUTPUT);
            return Err(StreamError::trap("more output than it may write"));
        }
        Ok(())
    }

    /// Nothing is held back from whoever reads it.
    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        let Some(channel) = &lock(&self.0).channel else {
            return Ok(CHUNK);
        };
        channel.going_on()?;
        let room = channel.has_room(Instant::now()).map_err(failed)?;
        Ok(if room { PIPE_ROOM } else { 0 })
    }
}

/// What a channel that can be written to takes at least without making the writer wait (pipe(7)).
const PIPE_ROOM: usize = 4096;

impl IsTerminal for Output {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Output {
    /// Asked for by preview 3 alone, which no program is given.
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(tokio::io::empty())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

fn failed(error: io::Error) -> StreamError {
    match error.kind() {
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => StreamError::Closed,
        _ => StreamError::LastOperationFailed(format_err!("{error}")),
    }
}
