//! What an engine made of programs, kept by what they consist of, so that each is compiled once.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sandbox_guard::protocol::{COMPILED, SOURCE, marked};

/// Bytes that are kept. What is older goes when they are used up.
const KEPT: usize = 256 << 20;

/// What one engine made of programs. It is the only one that is given it back: the engine's settings are part of the
/// executable that this library carries.
#[derive(Debug, Default)]
pub(crate) struct CompiledCode(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    codes: HashMap<blake3::Hash, Arc<Vec<u8>>>,
    /// From the oldest on.
    order: VecDeque<blake3::Hash>,
    bytes: usize,
}

/// What an engine is sent for a program.
pub(crate) enum Sent {
    /// The program, and what its code is to be kept under.
    Source(Vec<u8>, blake3::Hash),
    /// Its code.
    Compiled(Arc<Vec<u8>>),
}

impl Sent {
    /// The bytes that say all that.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Sent::Source(bytes, _) => bytes,
            Sent::Compiled(bytes) => bytes,
        }
    }
}

impl CompiledCode {
    /// What to send for a program with this code.
    pub(crate) fn send(&self, code: &[u8]) -> Sent {
        let hash = blake3::hash(code);
        match self.kept().codes.get(&hash) {
            Some(code) => Sent::Compiled(code.clone()),
            None => Sent::Source(marked(SOURCE, code), hash),
        }
    }

    /// Keep what a program was compiled to.
    pub(crate) fn keep(&self, hash: blake3::Hash, code: &[u8]) {
        let mut kept = self.kept();
        let code = Arc::new(marked(COMPILED, code));
        let bytes = code.len();
        if bytes > KEPT || kept.codes.insert(hash, code).is_some() {
            return;
        }
        kept.bytes += bytes;
        kept.order.push_back(hash);
        while kept.bytes > KEPT {
            kept.forget_oldest();
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn forget_oldest(&mut self) {
        let oldest = self.order.pop_front();
        if let Some(code) = oldest.and_then(|hash| self.codes.remove(&hash)) {
            self.bytes -= code.len();
        }
    }
}
