//! What was compiled already: equal programs are compiled once, whichever workers ask for them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use blake3::Hash;
use sandbox::LaunchError;

use super::compiler::{Compiled, Source};

/// Bytes of compiled programs that are kept.
const MOST_BYTES: usize = 256 << 20;
/// What each takes besides.
const BESIDE: usize = 4096;

/// A compiled program, or the compiler's words.
type CompileResult = Result<Arc<Compiled>, String>;

/// Compiled programs by what they were made of, shared by all workers.
#[derive(Debug, Default)]
pub(crate) struct CompileCache {
    known: Mutex<Shelf>,
    settled: Condvar,
}

#[derive(Debug, Default)]
struct Shelf {
    /// `None` while some worker compiles it.
    programs: HashMap<Hash, Option<CompileResult>>,
    /// The settled ones, oldest first, with what they take.
    order: VecDeque<(Hash, usize)>,
    bytes: usize,
}

impl CompileCache {
    /// What `source` compiles to. The first that asks calls `compile`; others that ask meanwhile wait for it.
    ///
    /// # Errors
    /// It does not compile, or the host failed.
    pub(crate) fn get(
        &self,
        source: &Source,
        compile: impl FnOnce() -> Result<Compiled, LaunchError>,
    ) -> Result<Arc<Compiled>, LaunchError> {
        let key = source.key();
        if let Some(settled) = self.claim(key) {
            return settled.map_err(LaunchError::Rejected);
        }
        let mut claim = Promise {
            cache: self,
            key,
            settled: None,
        };
        let settled = match compile() {
            Ok(compiled) => Ok(Arc::new(compiled)),
            Err(LaunchError::Rejected(why)) => Err(why),
            Err(host) => return Err(host),
        };
        claim.settled = Some(settled.clone());
        settled.map_err(LaunchError::Rejected)
    }

    /// What is known; `None` if the caller is to find out.
    fn claim(&self, key: Hash) -> Option<CompileResult> {
        let mut known = self.known();
        loop {
            match known.programs.get(&key) {
                Some(Some(settled)) => return Some(settled.clone()),
                Some(None) => {
                    let waited = self.settled.wait(known);
                    known = waited.unwrap_or_else(PoisonError::into_inner);
                }
                None => {
                    known.programs.insert(key, None);
                    return None;
                }
            }
        }
    }

    fn known(&self) -> MutexGuard<'_, Shelf> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the wait of others, also where compiling came to nothing.
struct Promise<'c> {
    cache: &'c CompileCache,
    key: Hash,
    settled: Option<CompileResult>,
}

impl Drop for Promise<'_> {
    fn drop(&mut self) {
        self.cache.known().settle(self.key, self.settled.take());
        self.cache.settled.notify_all();
    }
}

impl Shelf {
    fn settle(&mut self, key: Hash, settled: Option<CompileResult>) {
        let Some(settled) = settled else {
            self.programs.remove(&key);
            return;
        };
        let size = BESIDE + settled.as_ref().map_or(0, |compiled| compiled.size());
        self.programs.insert(key, Some(settled));
        self.order.push_back((key, size));
        self.bytes += size;
        while self.bytes > MOST_BYTES && self.order.len() > 1 {
            let Some((oldest, size)) = self.order.pop_front() else {
                break;
            };
            self.programs.remove(&oldest);
            self.bytes -= size;
        }
    }
}
