//! What a solution and an interactor said to one another, and when: for whoever looks into a verdict later.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::Serialize;

/// Bytes of what is said that a transcript holds at most.
const MOST_BYTES: usize = 1 << 20;
/// The most lines of a transcript.
const MOST_LINES: usize = 10_000;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Speaker {
    Solution,
    Interactor,
}

/// A line of a transcript.
#[derive(Debug, Serialize)]
struct TranscriptLine {
    /// Counted from 1.
    pass: u32,
    /// Since the test began.
    ms: f64,
    #[serde(flatten)]
    event: Happening,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Happening {
    Said {
        from: Speaker,
        text: String,
    },
    Ended {
        ended: Speaker,
    },
    /// There was more than a transcript holds.
    Cut {
        cut: bool,
    },
}

/// The transcript of one test.
pub(super) struct Transcript {
    began: Instant,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    pass: u32,
    lines: Vec<TranscriptLine>,
    bytes: usize,
    is_cut: bool,
}

impl Transcript {
    /// Of a test that begins now.
    pub(super) fn new() -> Transcript {
        Transcript {
            began: Instant::now(),
            state: Mutex::default(),
        }
    }

    /// Another pass begins.
    pub(super) fn next_pass(&self) {
        self.state(|state, _| state.pass += 1);
    }

    /// Note what was said.
    pub(super) fn said(&self, from: Speaker, bytes: &[u8]) {
        self.state(|state, ms| {
            if state.is_cut {
                return;
            }
            let room = MOST_BYTES - state.bytes;
            let part = &bytes[..bytes.len().min(room)];
            state.bytes += part.len();
            let text = String::from_utf8_lossy(part).into_owned();
            state.note(ms, Happening::Said { from, text });
            if part.len() < bytes.len() || state.lines.len() >= MOST_LINES {
                state.is_cut = true;
                state.note(ms, Happening::Cut { cut: true });
            }
        });
    }

    /// Note that a side has ended.
    pub(super) fn ended(&self, ended: Speaker) {
        self.state(|state, ms| state.note(ms, Happening::Ended { ended }));
    }

    /// As lines of JSON.
    pub(super) fn written(&self) -> String {
        let mut text = String::new();
        self.state(|state, _| {
            for line in &state.lines {
                text += &serde_json::to_string(line).expect("plain data");
                text.push('\n');
            }
        });
        text
    }

    fn state(&self, change: impl FnOnce(&mut State, f64)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ms = self.began.elapsed().as_micros() as f64 / 1e3;
        change(&mut state, ms);
    }
}

impl State {
    fn note(&mut self, ms: f64, event: Happening) {
        let pass = self.pass;
        self.lines.push(TranscriptLine { pass, ms, event });
    }
}
