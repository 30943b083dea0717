//! How a run ended, as a process would tell it.

use sandbox_guard::protocol::cut;
use wasmtime::{Error, Result, Trap};
use wasmtime_wasi::I32Exit;

use crate::cut::{Cut, Slept};

/// The end of a run.
#[derive(Default)]
pub struct Ending {
    /// Exit status, if `signal` is 0.
    pub status: u64,
    /// The signal that a native program would have ended by, or 0.
    pub signal: u64,
    /// One of [`cut`].
    pub cut: u64,
    /// What to say about it on standard error.
    pub message: String,
}

const SIGABRT: u64 = 6;
const SIGFPE: u64 = 8;
const SIGSEGV: u64 = 11;

impl Ending {
    /// Of a run that used more fuel than it may.
    pub fn out_of_fuel() -> Ending {
        Ending {
            cut: cut::CPU,
            ..Ending::default()
        }
    }

    /// From what the call came to; `memory` if it was ended for want of memory.
    pub fn of(result: Result<()>, cut: &Cut, memory: bool) -> Ending {
        let Err(error) = result else {
            return Ending::default();
        };
        let cut = match cut.reason() {
            cut::NONE if memory => cut::MEMORY,
            cut::NONE => cut_of(&error),
            reason => reason,
        };
        if cut != cut::NONE {
            return Ending {
                cut,
                ..Ending::default()
            };
        }
        if let Some(I32Exit(status)) = error.downcast_ref() {
            // As of any process, the lowest eight bits.
            let status = u64::from(*status as u8);
            return Ending {
                status,
                ..Ending::default()
            };
        }
        Ending {
            signal: signal(&error),
            message: format!("{error:#}\n"),
            ..Ending::default()
        }
    }
}

fn cut_of(error: &Error) -> u64 {
    match error.downcast_ref() {
        Some(Trap::OutOfFuel) => cut::CPU,
        _ if error.is::<Slept>() => cut::IDLE,
        _ => cut::NONE,
    }
}

fn signal(error: &Error) -> u64 {
    match error.downcast_ref() {
        Some(
            Trap::IntegerDivisionByZero | Trap::IntegerOverflow | Trap::BadConversionToInteger,
        ) => SIGFPE,
        Some(Trap::MemoryOutOfBounds | Trap::StackOverflow) => SIGSEGV,
        _ => SIGABRT,
    }
}
