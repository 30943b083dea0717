//! The co-process: a line in, a line out, as soon as it is known and whatever the line was.
//!
//! Each answer names the row that it answers, counted from 1: answers come in the order in which they are ready. A client
//! that writes on without reading is held up, not buffered for without end.

use std::collections::HashMap;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::ask::{Ask, Refusal, RowReader};
use super::bounds::Bounds;
use super::engine::{Client, Engine};
use super::job::{Answer, Answered, Job, Work};
use super::lines;
use super::store::ProblemStore;
use crate::judge::Settings;
use crate::worker::PANICKED;

/// Bytes of one line. Problems with all their tests are lines too.
const LONGEST: u64 = 256 << 20;

/// What reaches the thread that writes.
enum Spoken {
    /// A job is done.
    Answered(Answered),
    /// A row that needed none.
    Line(String),
    /// The input ended after so many rows.
    End(u64),
    /// Someone called [`Hangup::end`].
    Stopped,
    /// Some rows will never be answered.
    Lost,
}

/// A conversation over a pair of streams.
pub struct Conversation {
    client: Arc<Client>,
    events_in: Sender<Spoken>,
    events: Receiver<Spoken>,
}

/// Ends a conversation from another thread.
pub struct Hangup(Sender<Spoken>);

impl Hangup {
    /// No further answer is written.
    pub fn end(&self) {
        // A conversation that is over needs no end.
        let _ = self.0.send(Spoken::Stopped);
    }
}

impl Conversation {
    /// Over `engine`, judged by `settings`.
    pub fn new(engine: &Engine, settings: Settings) -> Conversation {
        let (events_in, events) = unbounded();
        let tell = events_in.clone();
        // Where nobody listens any more, nobody misses it.
        let tell = move |answered: Option<Answered>| {
            let spoken = answered.map_or(Spoken::Lost, Spoken::Answered);
            tell.send(spoken).unwrap_or_default();
        };
        Conversation {
            client: Arc::new(engine.client(Arc::new(settings), tell)),
            events_in,
            events,
        }
    }

    /// A handle that ends it.
    pub fn hangup(&self) -> Hangup {
        Hangup(self.events_in.clone())
    }

    /// Answer every line of `input` on `output`, until `input` ends and all is answered.
    ///
    /// # Errors
    /// `output` cannot be written; or the engine has a bug.
    pub fn hold(
        self,
        input: impl BufRead + Send + 'static,
        mut output: impl Write,
        store: ProblemStore,
    ) -> io::Result<()> {
        let (client, events) = (self.client.clone(), self.events_in.clone());
        // Not joined: it may wait for a line that never comes.
        std::thread::spawn(move || listen(input, &client, &store, &events));
        let written = self.write_all(&mut output);
        self.client.end();
        written
    }

    fn write_all(&self, output: &mut impl Write) -> io::Result<()> {
        let (mut written, mut rows) = (0, None);
        while rows != Some(written) {
            let line = match self.events.recv() {
                Ok(Spoken::Answered(answered)) => self.line(&answered),
                Ok(Spoken::Line(line)) => line,
                Ok(Spoken::End(count)) => {
                    rows = Some(count);
                    continue;
                }
                Ok(Spoken::Stopped) | Err(_) => break,
                Ok(Spoken::Lost) => return Err(io::Error::other(PANICKED)),
            };
            output.write_all(line.as_bytes())?;
            output.flush()?;
            written += 1;
        }
        Ok(())
    }

    fn line(&self, answered: &Answered) -> String {
        self.client.passed_on(&answered.answer);
        match &answered.answer {
            Answer::Verdict(verdict) => lines::of_verdict(answered.row, verdict),
            Answer::Ran(_) => unreachable!("no row asks for it"),
        }
    }
}

/// Read lines and hand them in, each with its number.
fn listen(mut input: impl BufRead, client: &Client, store: &ProblemStore, events: &Sender<Spoken>) {
    let asked = RowReader {
        store,
        beside: &HashMap::new(),
        bounds: &Bounds::default(),
    };
    for row in 1.. {
        let event = match next_line(&mut input) {
            // What cannot be read on has ended too.
            Ok(None) | Err(_) => Spoken::End(row - 1),
            Ok(Some(line)) => match line.and_then(|text| Ok((asked.read(row, &text)?, text))) {
                Err(refusal) => Spoken::Line(lines::of_refusal(row, &refusal)),
                Ok((Ask::Register(problem), _)) => {
                    let hash = store.register(&problem);
                    Spoken::Line(lines::of_registered(row, &hash, &problem))
                }
                Ok((Ask::Judge(task), text)) => {
                    let job = Job {
                        row,
                        work: Work::Judge(task),
                        bytes: text.len(),
                    };
                    if client.submit_when_room(job) {
                        continue;
                    }
                    Spoken::Stopped
                }
            },
        };
        let is_last = matches!(event, Spoken::End(_) | Spoken::Stopped);
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// The next line; `None` at the end of the input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, Refusal>>> {
    let mut bytes = Vec::new();
    let read = input.take(LONGEST + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if read as u64 > LONGEST {
        if !bytes.ends_with(b"\n") {
            input.skip_until(b'\n')?;
        }
        let message = format!("is longer than {LONGEST} bytes");
        return Ok(Some(Err(Refusal::of(message))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to() + 1;
        Refusal::of(format!("is not UTF-8 at byte {byte}"))
    })))
}
