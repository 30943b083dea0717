//! What one submission may cost in all.
//!
//! What each test may use is limited, and how often one is run again. That leaves the tests that a submission fails by
//! running out of time: a problem may have a hundred of them, and a program that sleeps in each would hold a worker for
//! minutes. So would one that takes long to compile, and leaves something behind in each test: it is compiled again.

use std::time::Duration;

use super::settings::Settings;
use super::tried::Tried;
use crate::verdict::{CaseResult, Clock, Decision};

/// What one submission may lose on tests that run out of time and on compiling again, before the others are not run.
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

    /// Whether the tests so far have lost all of it, with so much CPU time for compiling again.
    pub(super) fn is_spent(self, tried: &[Tried], compiling_again: Duration) -> bool {
        let lost: f64 = tried.iter().map(|tried| lost_ms(&tried.case)).sum();
        lost > self.most.saturating_sub(compiling_again).as_secs_f64() * 1e3
            || compiling_again > self.most
    }

    /// The same before another test. Where none has failed yet, the last that was run is then out of time.
    pub(super) fn ends(self, tried: &mut Vec<Tried>, compiling_again: Duration) -> bool {
        if !self.is_spent(tried, compiling_again) {
            return false;
        }
        let all_accepted = tried
            .iter()
            .all(|tried| tried.case.verdict == Decision::Accepted);
        if let Some(last) = tried.pop() {
            tried.push(if all_accepted { last.too_late() } else { last });
        }
        true
    }
}

fn lost_ms(case: &CaseResult) -> f64 {
    match case.clock {
        None => 0.0,
        Some(Clock::Cpu) => case.cpu_ms,
        Some(Clock::Wall | Clock::Idle) => case.wall_ms,
    }
}
