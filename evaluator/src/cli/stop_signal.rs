//! Ctrl-C and SIGTERM: end the run at once, with all that is written valid.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;

use super::exit::{self, CliError};

/// Have a write beyond the limit on a file's size (`ulimit -f`) fail like any other, where it would end the process without a
/// word.
pub fn fail_at_full_files() {
    // A flag that nobody reads: that the signal is handled is all that is needed. A program that is started is told of it again.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// The signal by which the user asked for an end, or 0. It is set as the signal arrives, before any thread is woken to hear of it.
static SENT: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// The exit code of a run that a signal was to end, once there was one.
///
/// A terminal sends it to every process of the run: what fails to start then, an interpreter say, fails for no other reason.
pub fn code() -> Option<u8> {
    match SENT.load(Ordering::SeqCst) {
        0 => None,
        signal => Some(exit::SIGNAL + signal as u8),
    }
}

/// Ends a run from any thread.
type Stop = Box<dyn Fn() + Send>;

/// Knows whether the user asked for an end.
#[derive(Clone, Default)]
pub struct StopSignal {
    stop: Arc<Mutex<Option<Stop>>>,
    was_heard: Arc<AtomicBool>,
}

impl StopSignal {
    /// Listen from now on. A second signal ends the program on the spot.
    pub fn listen() -> Result<StopSignal, CliError> {
        let interrupt = StopSignal::default();
        let failed = |error| {
            CliError::new(
                exit::INTERNAL,
                format!("failed to listen for signals: {error}"),
            )
        };
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register_usize(signal, SENT.clone(), signal as usize)
                .map_err(failed)?;
        }
        let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(failed)?;
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
        if self.was_heard.load(Ordering::SeqCst) {
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
        if self.was_heard.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(exit::SIGNAL + signal));
        }
        if let Some(stop) = &*held {
            stop();
        }
    }
}
