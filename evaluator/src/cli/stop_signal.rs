//! Ctrl-C and SIGTERM: end the run at once, with all that is written valid.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use super::exit::{self, CliError};

/// Have a write beyond the limit on a file's size (`ulimit -f`) fail like any other, where it would end the process without a
/// word.
pub fn fail_at_full_files() {
    // A flag that nobody reads: that the signal is handled is all that is needed. A program that is started is told of it again.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// The signal by which the user asked for an end, or 0: a process hears of one.
static HEARD: AtomicU8 = AtomicU8::new(0);

/// The exit code of a run that a signal was to end, once there was one.
///
/// A terminal sends it to every process of the run: what fails to start then, an interpreter say, fails for no other reason.
pub fn code() -> Option<u8> {
    match HEARD.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(exit::SIGNAL + signal),
    }
}

/// Ends a run from any thread.
type Stop = Box<dyn Fn() + Send>;

/// Knows whether the user asked for an end.
#[derive(Clone, Default)]
pub struct StopSignal {
    stop: Arc<Mutex<Option<Stop>>>,
}

impl StopSignal {
    /// Listen from now on. A second signal ends the program on the spot.
    pub fn listen() -> Result<StopSignal, CliError> {
        let interrupt = StopSignal::default();
        let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(|error| {
            CliError::new(
                exit::INTERNAL,
                format!("failed to listen for signals: {error}"),
            )
        })?;
        let heard = interrupt.clone();
        std::thread::spawn(move || {
            for signal in signals.forever() {
                heard.hear(signal as u8);
            }
        });
        Ok(interrupt)
    }

    /// How to end the run, from any thread.
    pub fn ends(&self, stop: impl Fn() + Send + 'static) {
        let mut held = self.stop.lock().unwrap_or_else(PoisonError::into_inner);
        // The signal may have come before there was a run to end.
        if self.code().is_some() {
            stop();
        }
        *held = Some(Box::new(stop));
    }

    /// The exit code, once there was a signal.
    pub fn code(&self) -> Option<u8> {
        code()
    }

    fn hear(&self, signal: u8) {
        let held = self.stop.lock().unwrap_or_else(PoisonError::into_inner);
        if self.code().is_some() {
            std::process::exit(i32::from(exit::SIGNAL + signal));
        }
        HEARD.store(signal, Ordering::SeqCst);
        if let Some(stop) = &*held {
            stop();
        }
    }
}
