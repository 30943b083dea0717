//! Submissions in other languages than Python: compiled first, then run as executables.

use std::sync::Arc;

use sandbox::{LaunchError, SandboxError};

use super::cases::Run;
use super::context::{JudgeContext, Task};
use super::kinds::Text;
use super::launched::Launched;
use super::own_checker::ReadyChecker;
use super::runtimes::Side;
use super::tried::Attempt;
use super::verdicts::{decided, failed, rejected};
use crate::languages::{Languages, PYTHON, Source, Toolchain, toolchain};
use crate::problem::Tests;
use crate::verdict::Verdict;

/// Whether a submission is judged here: in another language, in several files, or called with arguments or files. A warm
/// interpreter runs a text alone.
pub(super) fn takes(task: &Task) -> bool {
    let mut tests = task.problem.details.iter();
    task.submission.language != PYTHON
        || task.submission.files.len() > 1
        || tests.any(|test| !test.arguments.is_empty() || !test.files.is_empty())
}

/// Judge a submission whose program is `source`. An error means that the host failed; nothing is decided then.
pub(super) fn judge(
    context: &mut JudgeContext<'_>,
    source: &str,
    task: &Task,
    checker: Option<ReadyChecker>,
) -> Result<Verdict, SandboxError> {
    let toolchain = match found(&task.submission.language, &task.problem.tests) {
        Ok(toolchain) => toolchain,
        // Who chose the language is to blame, and a candidate must not choose to be left unjudged.
        Err(why) if task.submission.chose_language => return Ok(rejected(context, task, why)),
        Err(why) => return Ok(failed(context.settings, context.isolation, task, why)),
    };
    match run(context, &program(&toolchain, source, task), task, checker) {
        Ok(attempt) => Ok(decided(context, task, attempt)),
        Err(LaunchError::Rejected(why)) => Ok(rejected(context, task, why)),
        Err(LaunchError::Host(error)) => Err(error),
    }
}

/// The language as this machine has it, if such tests can be run in it; else why not.
fn found(name: &str, tests: &Tests) -> Result<Arc<Toolchain>, String> {
    let language = Languages::get().known(name)?;
    match tests {
        Tests::Stdin(_) => toolchain(language),
        Tests::Call { .. } => Err(format!(
            "no function in {name} can be called: only Python's"
        )),
        Tests::Assert { .. } => Err(format!("test code in Python cannot call {name}")),
    }
}

/// The files of a submission, or its text as one.
fn program(toolchain: &Arc<Toolchain>, text: &str, task: &Task) -> Source {
    match task.submission.files.as_slice() {
        [] => Source::of_text(toolchain, text),
        files => Source::of_files(toolchain, files),
    }
}

fn run(
    context: &mut JudgeContext<'_>,
    source: &Source,
    task: &Task,
    checker: Option<ReadyChecker>,
) -> Result<Attempt, LaunchError> {
    let Tests::Stdin(cases) = &task.problem.tests else {
        let why = "its tests do not run whole programs".to_owned();
        return Err(SandboxError::Worker(why).into());
    };
    let compiled = context.runtimes.compiled(context.gate, source)?;
    let comparators = context.comparators.of(&task.problem, context.settings);
    let mut run = Run::new(context.settings, context.gate, comparators, &task.problem);
    run.checker = checker;
    let memory = run.limits.memory;
    let run = run.in_language(&source.toolchain);
    let limits = run.limits.clone();
    let mut program =
        Launched::compiled(context.runtimes, Side::Candidate, &compiled, memory, limits)?;
    run.all::<Text>(&mut program, cases)
}
