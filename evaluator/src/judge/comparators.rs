//! Keeps the comparators of the last problem: reading its statement takes longer than many a test, and the samples of
//! one problem mostly follow one another.

use std::sync::Arc;

use super::Settings;
use crate::{Comparator, Evidence, Problem};

/// One worker's comparators.
#[derive(Debug, Default)]
pub(crate) struct ComparatorCache {
    last: Option<(Arc<Problem>, Vec<Comparator>)>,
}

impl ComparatorCache {
    /// The main profile's comparator for `problem`, then the others'.
    pub(super) fn of(&mut self, problem: &Arc<Problem>, settings: &Settings) -> &[Comparator] {
        let known = self
            .last
            .take()
            .filter(|(last, _)| Arc::ptr_eq(last, problem));
        let (_, comparators) = self
            .last
            .insert(known.unwrap_or_else(|| (problem.clone(), comparators(problem, settings))));
        comparators
    }
}

fn comparators(problem: &Problem, settings: &Settings) -> Vec<Comparator> {
    let evidence = Evidence {
        declared: problem.compare,
        statement: problem.statement.as_deref(),
    };
    let profiles = std::iter::once(settings.profile).chain(settings.also.iter().copied());
    profiles
        .map(|profile| Comparator::new(profile, evidence))
        .collect()
}
