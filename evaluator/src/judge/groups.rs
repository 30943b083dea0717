//! Runs what the tests of a problem need that stand in groups, and what its own grader does.

use sandbox::{LaunchError, SandboxError};

use super::cases::Run;
use super::kinds::Kind;
use super::launched::Launched;
use super::reruns::Reruns;
use super::tried::{Attempt, Tried};
use crate::grading::{GroupRunner, Tested};
use crate::verdict::Decision;

/// What counts for a test that is not run any more, as too many before it ran out of time.
const OUT_OF_BUDGET: Tested = Tested {
    decision: Decision::TimeLimit,
    points: None,
};

/// Run a launched program on the cases, as the groups of the problem want it where it has any.
pub(super) fn all<K: Kind>(
    run: &Run<'_>,
    program: &mut Launched<'_>,
    cases: &[K::Case],
) -> Result<Attempt, LaunchError> {
    let Some(grading) = &run.problem.grading else {
        return run.all::<K>(program, cases);
    };
    let mut groups = InGroups::<K> {
        run,
        program,
        cases,
        tried: Vec::with_capacity(cases.len()),
        reruns: Reruns::default(),
    };
    let graded = grading.grade(&mut groups)?;
    Ok(Attempt::graded(groups.tried, graded))
}

/// A program, and what was tried of it so far.
struct InGroups<'r, 'p, K: Kind> {
    run: &'r Run<'r>,
    program: &'r mut Launched<'p>,
    cases: &'r [K::Case],
    tried: Vec<Tried>,
    reruns: Reruns,
}

impl<K: Kind> GroupRunner for InGroups<'_, '_, K> {
    type Error = LaunchError;

    fn test(&mut self, place: usize) -> Result<Tested, LaunchError> {
        let compiling_again = self.program.compiling_again();
        if self.run.budget.is_spent(&self.tried, compiling_again) {
            return Ok(OUT_OF_BUDGET);
        }
        let case = &self.cases[place];
        let tried = self
            .run
            .one::<K>(self.program, case, place, &mut self.reruns)?;
        let tested = Tested {
            decision: tried.case.verdict,
            points: tried.earned,
        };
        self.tried.push(tried.kept_behind(&self.tried));
        Ok(tested)
    }

    fn own_grader(
        &mut self,
        flags: &[String],
        results: &str,
    ) -> Result<Result<String, String>, LaunchError> {
        let none = || SandboxError::Worker("the problem's grader was not compiled".to_owned());
        let grader = self.run.own.grader.as_ref().ok_or_else(none)?;
        grader.ask(self.program.runtimes(), flags, results)
    }
}
