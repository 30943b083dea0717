//! The report of a run: what its verdicts come to, in numbers.
//!
//! Takes one verdict at a time and holds no verdict: a few bytes per problem.

use std::collections::BTreeMap;
use std::time::Duration;

use sandbox::Isolation;
use serde::Serialize;

use crate::previous_run::Reused;
use crate::rates::{RateTable, Rates};
use crate::verdict::{AcceptedBy, Decision, Verdict};

/// Submissions that a report names as not judged; the others are only counted.
const UNJUDGED_NAMED: usize = 5;

/// Counts verdicts as they come.
#[derive(Debug, Default)]
pub struct ReportBuilder {
    verdicts: BTreeMap<Decision, u64>,
    strategies: BTreeMap<AcceptedBy, u64>,
    also: BTreeMap<String, AlsoCount>,
    rates: RateTable,
    unjudged: Vec<Unjudged>,
    tests: u64,
    reruns: u64,
    unshielded: u64,
    several_answers: u64,
    duplicates: u64,
}

/// A submission that could not be judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unjudged {
    /// The submission's id.
    pub id: String,
    /// What the host or the judge could not do.
    pub reason: String,
}

/// What a further profile says over a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AlsoCount {
    /// Submissions that it accepts.
    pub accepted: u64,
    /// Submissions on which it disagrees with the main profile.
    pub disagrees: u64,
}

impl ReportBuilder {
    /// Count a verdict.
    pub fn add(&mut self, verdict: &Verdict) {
        *self.verdicts.entry(verdict.verdict).or_default() += 1;
        self.tests += verdict.cases.len() as u64;
        self.several_answers +=
            u64::from(verdict.several_answers && verdict.verdict == Decision::WrongAnswer);
        self.duplicates += u64::from(verdict.same_as.is_some());
        for case in &verdict.cases {
            self.reruns += u64::from(case.reruns);
            self.unshielded += u64::from(case.shielded == Some(false));
            if let Some(strategy) = case.strategy {
                *self.strategies.entry(strategy).or_default() += 1;
            }
        }
        for (profile, also) in &verdict.also {
            let count = self.also.entry(profile.clone()).or_default();
            count.accepted += u64::from(also.verdict == Decision::Accepted);
            count.disagrees += u64::from(also.verdict != verdict.verdict);
        }
        self.rates.add(
            &verdict.problem_id,
            verdict.platform.as_deref(),
            verdict.difficulty.as_deref(),
            (verdict.verdict != Decision::JudgeFailed)
                .then_some(verdict.verdict == Decision::Accepted),
        );
        if verdict.verdict == Decision::JudgeFailed && self.unjudged.len() < UNJUDGED_NAMED {
            self.unjudged.push(Unjudged {
                id: verdict.id.clone(),
                reason: verdict.message.clone().unwrap_or_default(),
            });
        }
    }

    /// Submissions counted.
    pub fn submissions(&self) -> u64 {
        self.verdicts.values().sum()
    }

    /// Submissions that were decided so.
    pub fn count(&self, decision: Decision) -> u64 {
        self.verdicts.get(&decision).copied().unwrap_or(0)
    }

    /// Tests run.
    pub fn tests(&self) -> u64 {
        self.tests
    }

    /// The report of a run that took `time` for the verdicts that it did not find judged.
    pub fn report(&self, run: &RunInfo) -> Report {
        let seconds = run.time.as_secs_f64();
        let per_second = |count: u64| {
            if seconds > 0.0 {
                count as f64 / seconds
            } else {
                0.0
            }
        };
        Report {
            profile: run.profile.clone(),
            submissions: self.submissions(),
            kept: run.kept.verdicts,
            invalid: run.invalid,
            verdicts: self
                .verdicts
                .iter()
                .map(|(d, n)| (d.name().to_owned(), *n))
                .collect(),
            unjudged: self.unjudged.clone(),
            strategies: self
                .strategies
                .iter()
                .map(|(s, n)| (s.name().to_owned(), *n))
                .collect(),
            also: self.also.clone(),
            groups: self.rates.groups(),
            all: self.rates.over(None, None),
            tests: self.tests,
            reruns: self.reruns,
            unshielded: self.unshielded,
            several_answers: self.several_answers,
            duplicates: self.duplicates,
            seconds,
            submissions_per_second: per_second(self.submissions() - run.kept.verdicts),
            tests_per_second: per_second(self.tests - run.kept.tests),
            isolation: run.isolation.clone(),
            interpreter: run.interpreter.clone(),
        }
    }
}

/// What a report says beside the verdicts.
#[derive(Debug, Clone)]
pub struct RunInfo {
    /// The main profile.
    pub profile: String,
    /// How long it took.
    pub time: Duration,
    /// What an earlier run had judged.
    pub kept: Reused,
    /// Lines that were passed over because they are invalid.
    pub invalid: u64,
    /// What protected it.
    pub isolation: Isolation,
    /// The interpreter: path and version.
    pub interpreter: String,
}

/// The report of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The main profile.
    pub profile: String,
    /// Submissions with a verdict.
    pub submissions: u64,
    /// Of these, found judged by an earlier run.
    pub kept: u64,
    /// Lines that were passed over because they are invalid.
    pub invalid: u64,
    /// Submissions by verdict.
    pub verdicts: BTreeMap<String, u64>,
    /// The first few submissions that could not be judged, and why.
    pub unjudged: Vec<Unjudged>,
    /// Accepted tests by the strategy that accepted them.
    pub strategies: BTreeMap<String, u64>,
    /// What further profiles say.
    pub also: BTreeMap<String, AlsoCount>,
    /// Rates by platform and difficulty.
    pub groups: Vec<Rates>,
    /// Rates over all problems.
    pub all: Rates,
    /// Tests run.
    pub tests: u64,
    /// Tests run again, alone, because they came near the limit.
    pub reruns: u64,
    /// Tests whose test code was not kept apart from the candidate.
    pub unshielded: u64,
    /// Wrong answers to problems that accept any of several: some of these may be right.
    pub several_answers: u64,
    /// Submissions that were not run, as their program is that of another one for the same problem.
    pub duplicates: u64,
    /// Time by the clock.
    pub seconds: f64,
    /// Submissions judged per second.
    pub submissions_per_second: f64,
    /// Tests run per second.
    pub tests_per_second: f64,
    /// What protected the run.
    pub isolation: Isolation,
    /// The interpreter: path and version.
    pub interpreter: String,
}
