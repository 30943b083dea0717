//! Numbers over all submissions: rates by platform and difficulty, and by profile; tests by what accepted them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::rates::{RateTable, Rates, wilson};
use crate::verdict::{Decision, Verdict};

/// Counted as they come.
#[derive(Debug, Default)]
pub(super) struct Tally {
    profile: Option<&'static str>,
    rates: RateTable,
    also: BTreeMap<String, RateTable>,
    strategies: BTreeMap<&'static str, u64>,
}

/// What is shown of it.
#[derive(Debug, Serialize)]
pub(super) struct PageTally {
    /// By platform and difficulty, and over all.
    groups: Vec<PageRates>,
    /// Over all, by profile; the main one is the first.
    profiles: Vec<(String, PageRates)>,
    /// Tests by what accepted them.
    strategies: BTreeMap<&'static str, u64>,
}

/// Rates, each with its interval.
#[derive(Debug, Serialize)]
struct PageRates {
    #[serde(flatten)]
    rates: Rates,
    /// By k, the interval of pass@k.
    intervals: BTreeMap<u32, (f64, f64)>,
}

impl Tally {
    pub(super) fn add(&mut self, verdict: &Verdict) {
        self.profile = Some(verdict.profile.name());
        count(&mut self.rates, verdict, verdict.verdict);
        for (profile, also) in &verdict.also {
            let rates = self.also.entry(profile.clone()).or_default();
            count(rates, verdict, also.verdict);
        }
        for strategy in verdict.cases.iter().filter_map(|case| case.strategy) {
            *self.strategies.entry(strategy.name()).or_default() += 1;
        }
    }

    pub(super) fn finish(self) -> PageTally {
        let over_all = |rates: &RateTable| PageRates::of(rates.over(None, None));
        let groups = self.rates.groups().into_iter().map(PageRates::of);
        let main = self
            .profile
            .map(|profile| (profile.to_owned(), over_all(&self.rates)));
        let also = self
            .also
            .iter()
            .map(|(profile, rates)| (profile.clone(), over_all(rates)));
        PageTally {
            groups: groups.chain([over_all(&self.rates)]).collect(),
            profiles: main.into_iter().chain(also).collect(),
            strategies: self.strategies,
        }
    }
}

fn count(rates: &mut RateTable, verdict: &Verdict, decision: Decision) {
    let judged = decision != Decision::JudgeFailed;
    rates.add(
        &verdict.problem_id,
        verdict.platform.as_deref(),
        verdict.difficulty.as_deref(),
        judged.then_some(decision == Decision::Accepted),
    );
}

impl PageRates {
    fn of(rates: Rates) -> PageRates {
        let passes = rates.pass.iter();
        PageRates {
            intervals: passes
                .map(|(k, pass)| (*k, wilson(*pass, rates.problems)))
                .collect(),
            rates,
        }
    }
}
