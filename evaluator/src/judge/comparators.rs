//! Keeps the comparators of the last problem: reading its statement takes longer than many a test, and the samples of
//! one problem mostly follow one another.

use std::cell::OnceCell;
use std::sync::Arc;

use super::settings::Settings;
use crate::compare::several_answers;
use crate::{Comparator, Evidence, Problem};

/// One worker's comparators.
#[derive(Debug, Default)]
pub(crate) struct ComparatorCache {
    last: Option<KnownProblem>,
}

/// What is known of a problem.
#[derive(Debug)]
struct KnownProblem {
    problem: Arc<Problem>,
    comparators: Vec<Comparator>,
    several_answers: OnceCell<bool>,
}

impl ComparatorCache {
    /// The main profile's comparator for `problem`, then the others'.
    pub(super) fn of(&mut self, problem: &Arc<Problem>, settings: &Settings) -> &[Comparator] {
        let known = self
            .last
            .take()
            .filter(|known| Arc::ptr_eq(&known.problem, problem));
        let read = || KnownProblem {
            problem: problem.clone(),
            comparators: comparators(problem, settings),
            several_answers: OnceCell::new(),
        };
        &self.last.insert(known.unwrap_or_else(read)).comparators
    }

    /// Whether the statement of `problem`, if it is the last, accepts any of several answers. Test code decides that itself.
    pub(super) fn several_answers(&self, problem: &Arc<Problem>) -> bool {
        let known = self.last.as_ref();
        let known = known.filter(|known| Arc::ptr_eq(&known.problem, problem));
        known.is_some_and(|known| {
            *known.several_answers.get_or_init(|| {
                let said = problem.statement.as_deref().and_then(several_answers);
                said.is_some()
            })
        })
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
