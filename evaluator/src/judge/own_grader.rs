//! Runs a problem's own grader on what the members of a group came to: boxed, and with nothing else to see.

use std::sync::Arc;
use std::time::Duration;

use sandbox::{Files, LaunchError, Limits, Termination};

use super::context::{JudgeContext, Task};
use super::ending::last_line;
use super::own_checker;
use super::runtimes::{Runtimes, Side};
use crate::OwnChecker;
use crate::languages::{Compiled, Invocation};

/// A grader that is compiled.
#[derive(Clone)]
pub(super) struct ReadyGrader {
    compiled: Arc<Compiled>,
}

/// Compile the grader of a problem, if it has one of its own. An error that is not the host's tells why there is none.
pub(super) fn prepare(
    context: &mut JudgeContext<'_>,
    task: &Task,
) -> Result<Option<ReadyGrader>, LaunchError> {
    let grading = task.problem.grading.as_ref();
    let Some(grader) = grading.and_then(|grading| grading.grader.as_ref()) else {
        return Ok(None);
    };
    let cannot =
        |why: String| LaunchError::Rejected(format!("the problem's grader cannot be run: {why}"));
    let source =
        own_checker::source(grader.language.as_deref(), &grader.files, None).map_err(cannot)?;
    match context.runtimes.compiled(context.gate, &source) {
        Ok(compiled) => Ok(Some(ReadyGrader { compiled })),
        Err(LaunchError::Rejected(why)) => Err(cannot(format!("it does not compile: {why}"))),
        Err(host) => Err(host),
    }
}

impl ReadyGrader {
    /// Ask it about these results. Gives what it wrote, or how it failed.
    pub(super) fn ask(
        &self,
        runtimes: &mut Runtimes,
        flags: &[String],
        results: &str,
    ) -> Result<Result<String, String>, LaunchError> {
        let limits = self.limits();
        let program = self.compiled.program(&Invocation {
            arguments: flags,
            memory: limits.memory,
            files: &[],
            scratch: &[],
        })?;
        let runtime = runtimes.native(Side::TestCode, self.compiled.toolchain())?;
        let mut boxed = runtime.launch(&program, &limits)?;
        boxed.begin(Files::new(results.as_bytes())?, &limits, 0)?;
        let outcome = boxed.finish()?;
        Ok(match outcome.termination {
            Termination::Exited(0) => Ok(String::from_utf8_lossy(&outcome.stdout).into_owned()),
            Termination::Exited(status) => Err(format!(
                "exited with status {status}: {}",
                last_line(&outcome.stderr)
            )),
            _ => Err("did not come to its end".to_owned()),
        })
    }

    /// Those of a checker.
    fn limits(&self) -> Limits {
        let wall = OwnChecker::TIME * 2 + Duration::from_secs(10);
        self.compiled.toolchain().limits(Limits {
            cpu: OwnChecker::TIME,
            wall,
            idle: wall,
            memory: OwnChecker::MEMORY << 20,
            ..Limits::default()
        })
    }
}
