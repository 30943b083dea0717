//! A program's standard streams, on the descriptors of its run.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use sandbox_guard::descriptors::{wait_readable, wait_writable};
use sandbox_guard::protocol::cut;
use tokio::io::{AsyncRead, AsyncWrite};
use wasmtime::format_err;
use wasmtime_wasi::async_trait;
use wasmtime_wasi::cli::{IsTerminal, StdinStream, StdoutStream};
use wasmtime_wasi::p2::{InputStream, OutputStream, Pollable, StreamError, StreamResult};

use crate::cut::Patience;

/// Most bytes that are read, or kept before they are written, at once.
const CHUNK: usize = 64 << 10;

/// A descriptor, and how to wait for it where it is a channel. Files never let anyone wait.
struct End {
    file: File,
    channel: Option<Patience>,
}

impl End {
    fn new(descriptor: OwnedFd, patience: &Patience) -> io::Result<End> {
        let file = File::from(descriptor);
        let channel = (!file.metadata()?.is_file()).then(|| patience.clone());
        Ok(End { file, channel })
    }

    /// An error once the run is to end.
    fn going_on(&self) -> StreamResult<()> {
        match &self.channel {
            Some(patience) if patience.cut.is_set() => {
                Err(StreamError::trap("waited for too long"))
            }
            _ => Ok(()),
        }
    }
}

/// Standard input.
#[derive(Clone)]
pub struct Input(Arc<End>);

impl Input {
    /// From `descriptor`, for which the program waits no longer than `patience`.
    pub fn new(descriptor: OwnedFd, patience: &Patience) -> io::Result<Input> {
        Ok(Input(Arc::new(End::new(descriptor, patience)?)))
    }

    fn has_come(&self, until: Instant) -> io::Result<bool> {
        wait_readable(self.0.file.as_fd(), until)
    }
}

#[async_trait]
impl Pollable for Input {
    /// Nothing else goes on in this process that could be kept from it by waiting here.
    async fn ready(&mut self) {
        if let Some(patience) = &self.0.channel {
            patience.wait(|until| self.has_come(until));
        }
    }
}

#[async_trait]
impl InputStream for Input {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        self.0.going_on()?;
        if self.0.channel.is_some() && !self.has_come(Instant::now()).map_err(failed)? {
            return Ok(Bytes::new());
        }
        let mut buffer = vec![0; size.min(CHUNK)];
        let count = (&self.0.file).read(&mut buffer).map_err(failed)?;
        if count == 0 && size > 0 {
            return Err(StreamError::Closed);
        }
        buffer.truncate(count);
        Ok(buffer.into())
    }
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

/// Standard output or standard error. What goes to a file is written a chunk at a time, and the rest by [`Output::finish`];
/// what goes to a channel at once.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Sink>>);

struct Sink {
    end: End,
    patience: Patience,
    kept: Vec<u8>,
    /// Bytes that may still be written.
    left: u64,
}

impl Output {
    /// To `descriptor`, no more than `limit` bytes.
    pub fn new(descriptor: OwnedFd, patience: &Patience, limit: u64) -> io::Result<Output> {
        Ok(Output(Arc::new(Mutex::new(Sink {
            end: End::new(descriptor, patience)?,
            patience: patience.clone(),
            kept: Vec::new(),
            left: limit,
        }))))
    }

    /// Write what was kept, and after it `last`, as far as the limit allows.
    pub fn finish(&self, last: &str) -> io::Result<()> {
        let mut sink = self.sink();
        sink.keep(last.as_bytes());
        sink.write_kept()
    }

    /// Nothing panics with the lock held.
    fn sink(&self) -> MutexGuard<'_, Sink> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Sink {
    /// Keep as much as may still be written; whether that is all.
    fn keep(&mut self, bytes: &[u8]) -> bool {
        let fitting = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        self.kept.extend_from_slice(&bytes[..fitting]);
        self.left -= fitting as u64;
        fitting == bytes.len()
    }

    fn write_kept(&mut self) -> io::Result<()> {
        let kept = std::mem::take(&mut self.kept);
        (&self.end.file).write_all(&kept)
    }
}

#[async_trait]
impl Pollable for Output {
    async fn ready(&mut self) {
        let sink = self.sink();
        if let Some(patience) = &sink.end.channel {
            patience.wait(|until| wait_writable(sink.end.file.as_fd(), until));
        }
    }
}

#[async_trait]
impl OutputStream for Output {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        let mut sink = self.sink();
        sink.end.going_on()?;
        if !sink.keep(&bytes) {
            sink.patience.cut.set(cut::OUTPUT);
            return Err(StreamError::trap("more output than it may write"));
        }
        if sink.end.channel.is_some() || sink.kept.len() >= CHUNK {
            sink.write_kept().map_err(failed)?;
        }
        Ok(())
    }

    /// Files are written at the end, channels have been written to already.
    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        let sink = self.sink();
        sink.end.going_on()?;
        let Some(_) = sink.end.channel else {
            return Ok(CHUNK);
        };
        let room = wait_writable(sink.end.file.as_fd(), Instant::now()).map_err(failed)?;
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
