//! What one submission may cost in all.
//!
//! What each test may use is limited, and how often one is run again. That leaves the tests that a submission fails by
//! running out of time: a problem may have a hundred of them, and a program that sleeps in each would hold a worker for
//! minutes.

use std::time::Duration;

use super::settings::Settings;
use super::tried::Tried;
use crate::verdict::{CaseResult, Clock};

/// What one submission may lose on tests that run out of time, before the others are not run: it is rejected already.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    most: Duration,
}

impl Budget {
    /// By the settings, but enough for three tests with this limit of CPU time.
    pub(super) fn new(settings: &Settings, limit: Duration) -> Budget {
        Budget {
            most: settings.budget.max(limit * 3),
        }
    }

    /// Whether the tests so far have lost all of it.
    pub(super) fn is_spent(self, tried: &[Tried]) -> bool {
        let lost: f64 = tried.iter().map(|tried| lost_ms(&tried.case)).sum();
        lost > self.most.as_secs_f64() * 1e3
    }
}

fn lost_ms(case: &CaseResult) -> f64 {
    match case.clock {
        None => 0.0,
        Some(Clock::Cpu) => case.cpu_ms,
        Some(Clock::Wall | Clock::Idle) => case.wall_ms,
    }
}
