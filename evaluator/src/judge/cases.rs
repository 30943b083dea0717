//! Runs a program on text or on arguments, and compares what it gives.

use std::time::Duration;

use rayon::prelude::*;
use sandbox::{LaunchError, Limits, Outcome};

use super::budget::Budget;
use super::ending::{case, failure};
use super::gate::CpuGate;
use super::kinds::Kind;
use super::launched::Launched;
use super::settings::Settings;
use super::tried::{Compared, Tried, enough};
use crate::checker::{Checked, Checker, Rejection};
use crate::verdict::{AcceptedBy, CaseResult, Clock, Decision};
use crate::{Comparator, Comparison, Problem};

/// Outputs of at least so many bytes are compared under the profiles side by side.
const LARGE: usize = 1 << 20;

/// How often one submission may be run again alone, which holds up all others.
pub(super) const MOST_RERUNS: u32 = 3;

/// How the tests of one submission are run.
pub(super) struct Run<'a> {
    pub settings: &'a Settings,
    pub gate: &'a CpuGate,
    /// The main profile's, then the others'.
    pub comparators: &'a [Comparator],
    /// What decides in their place, for every profile alike.
    pub checker: Option<Checker>,
    /// What may be lost on tests that run out of time.
    pub budget: Budget,
    /// CPU time per test.
    pub limit: Duration,
    /// The limits of a test among others.
    pub limits: Limits,
    /// The limits of a test that is run again alone.
    pub alone: Limits,
}

impl<'a> Run<'a> {
    /// As `settings` have it for `problem`.
    pub(super) fn new(
        settings: &'a Settings,
        gate: &'a CpuGate,
        comparators: &'a [Comparator],
        problem: &Problem,
    ) -> Run<'a> {
        let limit = settings.cpu_limit(problem);
        Run {
            settings,
            gate,
            comparators,
            checker: problem.checker,
            budget: Budget::new(settings, limit),
            limit,
            limits: settings.limits(problem, gate.allowance(limit)),
            alone: settings.limits_alone(problem, limit),
        }
    }

    /// Run a launched program on the cases, until enough is known.
    pub(super) fn all<K: Kind>(
        &self,
        program: &mut Launched<'_>,
        cases: &[K::Case],
    ) -> Result<Vec<Tried>, LaunchError> {
        let mut tried = Vec::with_capacity(cases.len());
        let mut reruns = MOST_RERUNS;
        for (case, seed) in cases.iter().zip(1..) {
            let done = self.one::<K>(program, case, seed, &mut reruns)?;
            tried.push(done);
            if enough(self.settings, &tried) || self.budget.is_spent(&tried) {
                break;
            }
        }
        Ok(tried)
    }

    /// One case. An answer that would be accepted, but took a little more CPU time than the limit while other programs ran
    /// beside it, is given the chance to show that it was their doing.
    fn one<K: Kind>(
        &self,
        program: &mut Launched<'_>,
        case: &K::Case,
        seed: u64,
        reruns: &mut u32,
    ) -> Result<Tried, LaunchError> {
        let tried = self
            .gate
            .shared(|| self.run::<K>(program, case, seed, &self.limits))?;
        if !tried.accepted_late(self.limit) {
            return Ok(tried);
        }
        if *reruns == 0 {
            return Ok(tried.too_late());
        }
        *reruns -= 1;
        let mut again = self
            .gate
            .alone(|| self.run::<K>(program, case, seed, &self.alone))?;
        if again.case.clock.is_some() {
            // It is rejected; more of these cannot save it.
            *reruns = 0;
        }
        if again.case.clock == Some(Clock::Wall) {
            // Other processes of the machine took the CPU: the clock decides nothing, and the first run stands.
            again = tried.too_late();
        }
        again.case.reruns = 1;
        Ok(again)
    }

    fn run<K: Kind>(
        &self,
        program: &mut Launched<'_>,
        case: &K::Case,
        seed: u64,
        limits: &Limits,
    ) -> Result<Tried, LaunchError> {
        let given = K::given(case)?;
        let outcome = program.run(given.files, limits, seed)?;
        if let Some((decision, clock)) = failure(&outcome, limits.cpu) {
            return Ok(self.tried(&outcome, self.same(decision), clock, None));
        }
        Ok(match K::answer(case, given.result.as_ref())? {
            Ok(answer) => {
                let compared = self.compare::<K>(case, &outcome, &answer);
                self.tried(&outcome, compared, None, None)
            }
            Err((decision, why)) => self.tried(&outcome, self.same(decision), None, Some(why)),
        })
    }

    /// What each profile says of a case, the main one first, as its result.
    fn tried(
        &self,
        outcome: &Outcome,
        compared: Vec<Compared>,
        clock: Option<Clock>,
        message: Option<String>,
    ) -> Tried {
        let mut compared = compared.into_iter();
        let main = compared.next().expect("the main profile's comparator");
        Tried {
            case: CaseResult {
                strategy: main.strategy,
                diff: main.diff,
                clock,
                message: message.or(main.message),
                ..case(outcome, main.verdict, self.settings.keep_output)
            },
            also: compared.collect(),
        }
    }

    /// What every profile says where nothing is to be compared.
    fn same(&self, verdict: Decision) -> Vec<Compared> {
        vec![Compared::plainly(verdict); self.comparators.len()]
    }

    /// What every profile says of an answer, which is the checker's word where there is one.
    fn compare<K: Kind>(
        &self,
        case: &K::Case,
        outcome: &Outcome,
        answer: &K::Answer,
    ) -> Vec<Compared> {
        let checked = self.checker;
        let checked =
            checked.and_then(|checker| Some(said(checker, K::check(checker, case, outcome)?)));
        if let Some(compared) = checked {
            return vec![compared; self.comparators.len()];
        }
        let by = |comparator: &Comparator| compared(K::compare(comparator, case, outcome, answer));
        if outcome.stdout.len() < LARGE || self.comparators.len() == 1 {
            self.comparators.iter().map(by).collect()
        } else {
            self.comparators.par_iter().map(by).collect()
        }
    }
}

fn said(checker: Checker, checked: Checked) -> Compared {
    let Err(rejection) = checked else {
        return Compared {
            strategy: Some(AcceptedBy::Checker(checker)),
            ..Compared::plainly(Decision::Accepted)
        };
    };
    let decision = match rejection {
        Rejection::Wrong(_) | Rejection::Malformed(_) => Decision::WrongAnswer,
        Rejection::Undecided(_) => Decision::JudgeFailed,
    };
    Compared {
        message: Some(rejection.words()),
        ..Compared::plainly(decision)
    }
}

fn compared(comparison: Comparison) -> Compared {
    match comparison {
        Comparison::Accepted(strategy) => Compared {
            strategy: Some(AcceptedBy::Strategy(strategy)),
            ..Compared::plainly(Decision::Accepted)
        },
        Comparison::Rejected(diff) => Compared {
            diff: Some(diff),
            ..Compared::plainly(Decision::WrongAnswer)
        },
    }
}
