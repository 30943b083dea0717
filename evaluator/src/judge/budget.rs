//! What one submission may cost in all.
//!
//! What each test may use is limited, and how often one is run again. That leaves the tests that a submission fails by
//! running out of time: a problem may have a hundred of them, and a program that sleeps in each would hold a worker for
//! minutes, whether or not it is late. So would one that takes long to compile, and leaves something behind in each test: it is
//! compiled again; one whose instructions take longer than its fuel is worth; and one that writes or answers what takes long to
//! look at, for the problem's own checker or test code, or to compare.

use std::time::Duration;

use super::settings::Settings;
use super::tried::Tried;
use crate::verdict::{CaseResult, Clock, Decision};

/// What one submission may lose on tests that run out of time, on checking and on compiling again, before the others are not
/// run.
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

    /// All of it.
    pub(super) fn most(self) -> Duration {
        self.most
    }

    /// Whether the tests so far have lost all of it, with so much CPU time for compiling again.
    pub(super) fn is_spent(self, tried: &[Tried], compiling_again: Duration) -> bool {
        let tests: f64 = tried.iter().map(|tried| lost_ms(&tried.case)).sum();
        let besides = compiling_again + Besides::of(tried).in_all();
        tests > self.most.saturating_sub(besides).as_secs_f64() * 1e3 || besides > self.most
    }

    /// The same before another test. Where none has failed yet, the last that was run is then out of time.
    pub(super) fn ends(self, tried: &mut Vec<Tried>, compiling_again: Duration) -> bool {
        if !self.is_spent(tried, compiling_again) {
            return false;
        }
        let all_accepted = tried
            .iter()
            .all(|tried| tried.case.verdict == Decision::Accepted);
        let besides = Besides::of(tried);
        if let Some(last) = tried.pop() {
            tried.push(match all_accepted {
                true => too_late(last, &besides),
                false => last,
            });
        }
        true
    }
}

/// What may be used at no charge.
struct Free {
    each: Duration,
    in_all: Duration,
}

/// What a test may sleep.
const SLEEP: Free = Free {
    each: Duration::from_secs(1),
    in_all: Duration::from_secs(10),
};

/// CPU time of this process to read and to compare the output of a test.
const LOOKING: Free = Free {
    each: Duration::from_millis(50),
    in_all: Duration::from_secs(10),
};

impl Free {
    /// How much tests used beyond that.
    fn exceeded_by(&self, used: impl Iterator<Item = Duration> + Clone) -> Duration {
        let all: Duration = used.clone().sum();
        let free: Duration = used.map(|used| used.min(self.each)).sum();
        all - free.min(self.in_all)
    }
}

/// What those took that looked at what tests gave, beyond what is allowed.
fn burden(tried: &[Tried]) -> Duration {
    let others: Duration = tried.iter().map(|tried| tried.burden).sum();
    others + LOOKING.exceeded_by(tried.iter().map(|tried| tried.looked))
}

/// How long tests slept beyond what is allowed. Where the clock ran out, that counts as a whole.
fn slept(tried: &[Tried]) -> Duration {
    let by_clock = |tried: &Tried| matches!(tried.case.clock, Some(Clock::Wall | Clock::Idle));
    let others = tried.iter().filter(|tried| !by_clock(tried));
    SLEEP.exceeded_by(others.map(|tried| tried.slept))
}

/// What tests were not out of time for, or not they alone.
struct Besides {
    burden: Duration,
    slept: Duration,
    unmetered: Duration,
}

impl Besides {
    fn of(tried: &[Tried]) -> Besides {
        Besides {
            burden: burden(tried),
            slept: slept(tried),
            unmetered: tried.iter().map(|tried| tried.unmetered).sum(),
        }
    }

    fn in_all(&self) -> Duration {
        self.burden + self.slept + self.unmetered
    }

    fn is_mostly_sleep(&self) -> bool {
        self.slept > self.burden.max(self.unmetered)
    }

    /// What to tell of it.
    fn words(&self) -> Option<String> {
        let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
        if self.is_mostly_sleep() {
            let slept = seconds(self.slept);
            return Some(format!("its tests slept {slept} beyond what is allowed"));
        }
        if self.unmetered > self.burden {
            let unmetered = seconds(self.unmetered);
            return Some(format!(
                "its tests took {unmetered} of CPU time beyond their limits, whatever fuel that was"
            ));
        }
        let burden = seconds(self.burden);
        let words =
            format!("what it gave took {burden} of CPU time to look at beyond what is allowed");
        (!self.burden.is_zero()).then_some(words)
    }
}

/// The last test that was run, out of time as all are together.
fn too_late(last: Tried, besides: &Besides) -> Tried {
    let mut late = last.too_late();
    late.case.message = besides.words();
    if besides.is_mostly_sleep() {
        late.case.clock = Some(Clock::Idle);
    }
    late
}

/// What is lost by the clock that ran out.
fn lost_ms(case: &CaseResult) -> f64 {
    match case.clock {
        None => 0.0,
        Some(Clock::Cpu) => case.cpu_ms,
        Some(Clock::Wall | Clock::Idle) => case.wall_ms,
    }
}
