//! Tests of test code that also run one after another in one process, as their format's own harness runs them.
//!
//! What a program keeps of one test is then there in the next: a default argument that is filled, a memo that is keyed too
//! coarsely, or what a right program is to keep. A test is judged alone, so that its result and its time are its own; what it
//! comes to after those before it decides wherever the two may differ: of the last, and of one that fails alone.

use std::time::Duration;

use sandbox::LaunchError;

use super::budget::Budget;
use super::trial::Trial;
use super::tried::Tried;
use crate::problem::OneProcess;
use crate::verdict::{CaseResult, Decision};

/// A test, and those that come before it in its process, all of which were accepted.
pub(super) struct Joined<'a> {
    before: &'a [Tried],
    setup: &'a str,
    /// These and the test itself.
    cases: &'a [String],
    is_last: bool,
}

impl<'a> Joined<'a> {
    /// The test that comes after those that were `tried`; `None` where it is the first of its process, or one before it failed:
    /// what comes of it there is no matter then.
    pub(super) fn after(
        tried: &'a [Tried],
        in_one: &'a OneProcess,
        cases: &'a [String],
    ) -> Option<Joined<'a>> {
        let place = tried.len();
        let first = place - place % in_one.length.max(1);
        let before = &tried[first..];
        let all_accepted = before.iter().all(|tried| is_accepted(&tried.case));
        (!before.is_empty() && all_accepted).then(|| Joined {
            before,
            setup: &in_one.setup,
            cases: &cases[first..=place],
            is_last: before.len() + 1 == in_one.length,
        })
    }

    /// What the test comes to. The last is run with the others first: where that takes little time, it says all.
    pub(super) fn settle(
        &self,
        alone: &Trial<'_>,
        budget: Budget,
        mut judge: impl FnMut(&Trial<'_>) -> Result<Tried, LaunchError>,
    ) -> Result<Tried, LaunchError> {
        let mut after_others = None;
        if self.is_last {
            let tried = self.after_others(alone, alone.limit, &mut judge)?;
            if is_accepted(&tried.case) && is_far_from(&tried.case, alone.limit) {
                return Ok(tried);
            }
            // Only for all of them, and for the test itself, was it too little time.
            after_others = tried.case.clock.is_none().then_some(tried);
        }
        let by_itself = judge(alone)?;
        if is_out_of_bounds(&by_itself.case) || is_accepted(&by_itself.case) && !self.is_last {
            return Ok(by_itself);
        }
        let after_others = match after_others {
            Some(tried) => tried,
            None => self.after_others(alone, self.limit(alone.limit, budget), &mut judge)?,
        };
        Ok(decided(by_itself, after_others))
    }

    /// What the test comes to after the others, without what these slept alone.
    fn after_others(
        &self,
        alone: &Trial<'_>,
        limit: Duration,
        judge: &mut impl FnMut(&Trial<'_>) -> Result<Tried, LaunchError>,
    ) -> Result<Tried, LaunchError> {
        let code = self.code();
        let tried = judge(&Trial {
            code: &code,
            limit,
            ..*alone
        })?;
        let before: Duration = self.before.iter().map(|tried| tried.slept).sum();
        let slept = tried.slept.saturating_sub(before);
        Ok(tried.after_sleeping(slept))
    }

    /// The code of all, with what they begin with once.
    fn code(&self) -> String {
        let own = |case: &'a String| case.strip_prefix(self.setup).unwrap_or(case);
        let codes = self.cases.iter().map(own);
        let all: Vec<&str> = std::iter::once(self.setup).chain(codes).collect();
        all.join("\n")
    }

    /// The CPU time of all together: a limit for each, but no more than those before have taken and a submission may lose.
    fn limit(&self, each: Duration, budget: Budget) -> Duration {
        let count = u32::try_from(self.cases.len()).unwrap_or(u32::MAX);
        let before: f64 = self.before.iter().map(|tried| tried.case.cpu_ms).sum();
        let before = Duration::try_from_secs_f64(before / 1e3).unwrap_or_default();
        each.saturating_mul(count).min(before + budget.most())
    }
}

/// What a test comes to alone, where others come `before` it: if one of them failed in the process that it belongs to, it is not
/// for lack of what they leave behind that nothing is decided of it.
pub(super) fn behind(before: &[Tried], in_one: &OneProcess, alone: Tried) -> Tried {
    let first = before.len() - before.len() % in_one.length.max(1);
    let failed = |tried: &Tried| {
        !matches!(
            tried.case.verdict,
            Decision::Accepted | Decision::JudgeFailed
        )
    };
    if alone.case.verdict == Decision::JudgeFailed && before[first..].iter().any(failed) {
        return alone.deciding(Decision::WrongAnswer, AFTER_FAILURE.to_owned());
    }
    alone
}

/// Which of the two runs counts. One that decides nothing leaves it to the other.
fn decided(alone: Tried, mut after_others: Tried) -> Tried {
    let same = is_accepted(&alone.case) == is_accepted(&after_others.case);
    let is_undecided = |tried: &Tried| tried.case.verdict == Decision::JudgeFailed;
    if is_undecided(&after_others) || same && !is_undecided(&alone) {
        let burden = alone.burden + after_others.burden;
        return alone.burdening(burden);
    }
    if !is_accepted(&after_others.case) {
        let why = after_others.case.message.take();
        after_others.case.message = Some(match why {
            Some(why) => format!("{AFTER_OTHERS}: {why}"),
            None => AFTER_OTHERS.to_owned(),
        });
    }
    let burden = alone.burden + after_others.burden;
    after_others.burdening(burden)
}

/// What is said of a test that comes to something else alone.
const AFTER_OTHERS: &str = "in one process with the tests before it";
/// What is said of one that decides nothing alone, as it builds on others.
const AFTER_FAILURE: &str =
    "a test before it failed in the same process, and it decides nothing alone";

fn is_accepted(case: &CaseResult) -> bool {
    case.verdict == Decision::Accepted
}

/// Whether a run used up what one test may use: after others it would use no less.
fn is_out_of_bounds(case: &CaseResult) -> bool {
    matches!(
        case.verdict,
        Decision::TimeLimit | Decision::MemoryLimit | Decision::OutputLimit
    )
}

/// Whether the CPU time of a run tells that a test in it keeps far from its limit.
fn is_far_from(case: &CaseResult, limit: Duration) -> bool {
    case.cpu_ms < limit.as_secs_f64() * 1e3 / 2.0
}
