//! What the host does for a program costs fuel too.
//!
//! A program could else have the host work for it for nothing: draw random numbers by the megabyte, or look through lists of
//! millions of empty buffers. The prices are in units of fuel, rounded up from what the work was measured to take, so that a
//! unit that is used up in the host takes no longer than one that plain instructions use up. They depend on what is asked for
//! alone, not on how long it took: fuel is the same on every machine.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng, TryRng};

/// A call of the host, whatever it does.
pub const CALL: u64 = 1000;
/// A call of the host by a program that is given files: it may ask the kernel about one.
pub const CALL_WITH_FILES: u64 = 6000;
/// A byte that is read or written.
pub const BYTE: u64 = 8;
/// A buffer in a list of what to read to or to write from, be it empty.
pub const BUFFER: u64 = 32;
/// A thing that a program waits for.
pub const AWAITED: u64 = 8000;
/// The same for a component, which made it by a call before.
pub const AWAITED_AGAIN: u64 = 400;
/// A path, besides its bytes.
pub const PATH: u64 = 10_000;
/// A byte of a path: each second one may lead to another directory, which is opened.
pub const PATH_BYTE: u64 = 2000;
/// To list a directory, which may be as full as scratch can be: whatever is asked for, all of it is looked at.
pub const DIRECTORY: u64 = 8_000_000;
/// An argument, besides its bytes.
pub const ARGUMENT: u64 = 500;
/// Pseudo-random numbers are drawn a word for each byte.
const RANDOM_WORD: u64 = 24;

/// The fuel that a run owes for what the host did in the call that goes on.
#[derive(Clone, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// So much more.
    pub fn owe(&self, fuel: u64) {
        self.0.fetch_add(fuel, Ordering::Relaxed);
    }

    /// So many bytes were read or written.
    pub fn moved(&self, bytes: usize) {
        self.owe(BYTE.saturating_mul(bytes as u64));
    }

    /// So many bytes in all, some of which may have been noted as they went.
    pub fn moved_in_all(&self, bytes: u64) {
        self.0
            .fetch_max(BYTE.saturating_mul(bytes), Ordering::Relaxed);
    }

    /// All that is owed, which is not owed any more.
    pub fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }
}

/// Pseudo-random numbers that are paid for.
pub struct Drawn {
    numbers: ChaCha8Rng,
    meter: Meter,
}

impl Drawn {
    /// Those that follow `seed`.
    pub fn new(seed: u64, meter: &Meter) -> Drawn {
        Drawn {
            numbers: ChaCha8Rng::seed_from_u64(seed),
            meter: meter.clone(),
        }
    }
}

impl TryRng for Drawn {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.meter.owe(RANDOM_WORD);
        Ok(self.numbers.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.meter.owe(RANDOM_WORD);
        Ok(self.numbers.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.meter
            .owe(RANDOM_WORD.saturating_mul(bytes.len() as u64));
        self.numbers.fill_bytes(bytes);
        Ok(())
    }
}
