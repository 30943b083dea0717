//! Runs what the groups of a problem's tests need: tests, and the problem's own grader.

use sandbox::{LaunchError, SandboxError};

use super::cases::Run;
use super::kinds::Kind;
use super::launched::Launched;
use super::reruns::Reruns;
use super::tried::Tried;
use crate::grading::{GroupRunner, Tested};
use crate::verdict::Decision;

/// What counts for a test that is not run any more, as too many before it ran out of time.
const OUT_OF_BUDGET: Tested = Tested {
    decision: Decision::TimeLimit,
    points: None,
};

/// A program, and what was tried of it so far.
pub(super) struct InGroups<'r, 'p, K: Kind> {
    pub run: &'r Run<'r>,
    pub program: &'r mut Launched<'p>,
    pub cases: &'r [K::Case],
    pub tried: Vec<Tried>,
    pub reruns: Reruns,
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
        self.tried.push(tried);
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
