//! What was tried of a submission, test by test, under the main profile and under the others; and what all of it comes to.

use std::time::Duration;

use super::ending::MOST_KEPT;
use super::settings::Settings;
use crate::Difference;
use crate::grading::{Earned, Graded};
use crate::verdict::{AcceptedBy, AlsoCase, AlsoVerdict, CaseResult, Clock, Decision};

/// One test's result, under the main profile and under the others.
pub(super) struct Tried {
    pub case: CaseResult,
    /// In the order of [`Settings::also`].
    pub also: Vec<Compared>,
    /// The points that a checker gave.
    pub earned: Option<Earned>,
    /// CPU time that what it wrote or answered had the problem's own checker or test code take, beyond what is allowed.
    pub burden: Duration,
    /// CPU time that it took to read its output and to compare it.
    pub looked: Duration,
    /// How long it slept.
    pub slept: Duration,
    /// CPU time that it took in fact beyond its limit, for which it does not count as out of time.
    pub unmetered: Duration,
    /// The test asks nothing of any candidate.
    pub is_idle: bool,
}

impl Tried {
    /// With no more of its streams than a verdict keeps in all, of which the tests before it have their part.
    pub(super) fn kept_behind(mut self, before: &[Tried]) -> Tried {
        let streams = [&mut self.case.stdout, &mut self.case.stderr];
        if streams.iter().all(|stream| stream.is_none()) {
            return self;
        }
        let length = |stream: &Option<String>| stream.as_ref().map_or(0, String::len);
        let kept = before
            .iter()
            .map(|tried| length(&tried.case.stdout) + length(&tried.case.stderr));
        let mut left = MOST_KEPT.saturating_sub(kept.sum());
        for stream in streams.into_iter().flatten() {
            stream.truncate(stream.floor_char_boundary(left));
            left -= stream.len();
        }
        self
    }
}

/// What was tried of a submission, and what its problem's groups make of that.
pub(super) struct Attempt {
    pub tried: Vec<Tried>,
    pub graded: Option<Graded>,
}

impl Attempt {
    /// Without groups.
    pub(super) fn of(tried: Vec<Tried>) -> Attempt {
        Attempt {
            tried,
            graded: None,
        }
    }

    /// With what the groups came to.
    pub(super) fn graded(tried: Vec<Tried>, graded: Graded) -> Attempt {
        Attempt {
            tried,
            graded: Some(graded),
        }
    }
}

/// What one profile says of one test.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Compared {
    pub verdict: Decision,
    pub strategy: Option<AcceptedBy>,
    pub diff: Option<Difference>,
    /// A checker's words.
    pub message: Option<String>,
    /// The points that it gives.
    pub earned: Option<Earned>,
}

impl Compared {
    /// Without anything that an answer would show.
    pub(super) fn plainly(verdict: Decision) -> Compared {
        Compared {
            verdict,
            strategy: None,
            diff: None,
            message: None,
            earned: None,
        }
    }
}

impl Tried {
    /// A case on which no profile has a say of its own.
    pub(super) fn undisputed(case: CaseResult, settings: &Settings) -> Tried {
        let same = Compared {
            strategy: case.strategy,
            ..Compared::plainly(case.verdict)
        };
        Tried {
            case,
            also: vec![same; settings.also.len()],
            earned: None,
            burden: Duration::ZERO,
            looked: Duration::ZERO,
            slept: Duration::ZERO,
            unmetered: Duration::ZERO,
            is_idle: false,
        }
    }

    /// The same after the passes `before` it: limits hold for each of them by itself, so a test is as costly as its costliest.
    pub(super) fn costing_at_least(mut self, before: &[Tried]) -> Tried {
        let case = &mut self.case;
        for Tried {
            case: pass,
            burden,
            looked,
            slept,
            unmetered,
            ..
        } in before
        {
            self.burden += *burden;
            self.looked += *looked;
            self.slept += *slept;
            self.unmetered += *unmetered;
            case.cpu_ms = case.cpu_ms.max(pass.cpu_ms);
            case.wall_ms = case.wall_ms.max(pass.wall_ms);
            case.memory_kib = case.memory_kib.max(pass.memory_kib);
            case.fuel = case.fuel.max(pass.fuel);
        }
        self
    }

    /// The same of a test that had those who look at it take so much.
    pub(super) fn burdening(mut self, beyond: Duration) -> Tried {
        self.burden = beyond;
        self
    }

    /// The same of one whose output took so much to read and to compare.
    pub(super) fn looked_at(mut self, looked: Duration) -> Tried {
        self.looked = looked;
        self
    }

    /// The same of one that slept so long.
    pub(super) fn after_sleeping(mut self, slept: Duration) -> Tried {
        self.slept = slept;
        self
    }

    /// The same, of a test that asks nothing of any candidate or does not.
    pub(super) fn idling(mut self, is_idle: bool) -> Tried {
        self.is_idle = is_idle;
        self
    }

    /// The same with another decision under every profile, and why.
    pub(super) fn deciding(mut self, decision: Decision, why: String) -> Tried {
        self.case.verdict = decision;
        self.case.strategy = None;
        self.case.shielded = None;
        self.case.message = Some(why);
        self.also.fill(Compared::plainly(decision));
        self
    }

    /// Whether some profile accepts it, but only after more CPU time than `limit`.
    pub(super) fn accepted_late(&self, limit: Duration) -> bool {
        let profiles = self.also.iter().map(|also| also.verdict);
        let mut decisions = profiles.chain([self.case.verdict]);
        self.case.cpu_ms > limit.as_secs_f64() * 1e3
            && decisions.any(|decision| decision == Decision::Accepted)
    }

    /// The same, had it been held to its exact limit.
    pub(super) fn too_late(mut self) -> Tried {
        self.case = CaseResult {
            verdict: Decision::TimeLimit,
            clock: Some(Clock::Cpu),
            strategy: None,
            diff: None,
            message: None,
            score: None,
            ..self.case
        };
        self.earned = None;
        let late = Compared::plainly(Decision::TimeLimit);
        self.also.fill(late);
        self
    }
}

/// What the further profile number `i` says of all that was tried.
pub(super) fn also_verdict(i: usize, tried: &[Tried]) -> AlsoVerdict {
    let decisions = || tried.iter().map(|tried| tried.also[i].verdict);
    let differs = tried.iter().enumerate().filter_map(|(case, tried)| {
        let other = &tried.also[i];
        (other.verdict != tried.case.verdict).then(|| AlsoCase {
            case,
            verdict: other.verdict,
            strategy: other.strategy,
            diff: other.diff.clone(),
        })
    });
    AlsoVerdict {
        verdict: overall(decisions()),
        passed: passed(decisions()),
        differs: differs.collect(),
    }
}

/// Accepted only if all are; else the first failure; a failure of the judge above all.
pub(super) fn overall(mut decisions: impl Iterator<Item = Decision> + Clone) -> Decision {
    if decisions
        .clone()
        .any(|decision| decision == Decision::JudgeFailed)
    {
        return Decision::JudgeFailed;
    }
    decisions
        .find(|decision| *decision != Decision::Accepted)
        .unwrap_or(Decision::Accepted)
}

/// How many tests passed.
pub(super) fn passed(decisions: impl Iterator<Item = Decision>) -> usize {
    decisions
        .filter(|decision| *decision == Decision::Accepted)
        .count()
}

/// Whether enough was tried: with [`Settings::first_failure`], once every profile fails a test.
pub(super) fn enough(settings: &Settings, tried: &[Tried]) -> bool {
    let fails = |profile: &dyn Fn(&Tried) -> Decision| {
        tried
            .iter()
            .any(|tried| profile(tried) != Decision::Accepted)
    };
    settings.first_failure
        && fails(&|tried| tried.case.verdict)
        && (0..settings.also.len()).all(|i| fails(&|tried| tried.also[i].verdict))
}
