//! The programs that a problem brings along to be judged by.

use sandbox::LaunchError;

use super::context::{JudgeContext, Task};
use super::own_checker::{self, ReadyChecker};
use super::own_grader::{self, ReadyGrader};

/// A problem's own programs, compiled.
#[derive(Clone, Default)]
pub(super) struct OwnPrograms {
    /// What decides about outputs.
    pub checker: Option<ReadyChecker>,
    /// What decides about groups of tests.
    pub grader: Option<ReadyGrader>,
}

/// Compile those that a problem has. An error that is not the host's tells why there is none.
pub(super) fn prepare(
    context: &mut JudgeContext<'_>,
    task: &Task,
) -> Result<OwnPrograms, LaunchError> {
    Ok(OwnPrograms {
        checker: own_checker::prepare(context, task)?,
        grader: own_grader::prepare(context, task)?,
    })
}
