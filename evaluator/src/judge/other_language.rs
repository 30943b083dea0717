//! Submissions in other languages than Python: compiled first, then run as executables.

use std::sync::Arc;

use sandbox::{LaunchError, SandboxError};

use super::cases::Run;
use super::context::{JudgeContext, Task};
use super::groups;
use super::hints;
use super::kinds::{CallByStreams, Text};
use super::launched::Launched;
use super::own_programs::OwnPrograms;
use super::runtimes::Side;
use super::tried::Attempt;
use super::verdicts::{decided, failed, rejected};
use crate::languages::{CallTarget, Languages, PYTHON, Source, Toolchain, callable, toolchain};
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
    own: OwnPrograms,
) -> Result<Verdict, SandboxError> {
    let found = found(&task.submission.language, &task.problem.tests)
        .and_then(|toolchain| program(&toolchain, source, task));
    let program = match found {
        Ok(program) => program,
        // Who chose the language is to blame, and a candidate must not choose to be left unjudged.
        Err(why) if task.submission.chose_language => return Ok(rejected(context, task, why)),
        Err(why) => return Ok(failed(context.settings, context.isolation, task, why)),
    };
    match run(context, &program, source, task, own) {
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
        Tests::Call { cases, .. } => {
            let arguments = cases.iter().map(|case| &*case.input);
            callable(&language.name, arguments)?;
            toolchain(language)
        }
        Tests::Assert { .. } => Err(format!("test code in Python cannot call {name}")),
    }
}

/// The files of a submission, or its text as one; or the program that calls a function of its text.
fn program(toolchain: &Arc<Toolchain>, text: &str, task: &Task) -> Result<Source, String> {
    let problem = &task.problem;
    match (&problem.tests, task.submission.files.as_slice()) {
        (Tests::Call { function, cases }, _) => {
            let options = hints::of_calls(problem, cases);
            let called = CallTarget {
                name: function,
                in_place: options.in_place,
                is_void: options.is_void,
                nodes: options.nodes,
                arguments: cases
                    .first()
                    .map(|case| case.input.len())
                    .filter(|count| cases.iter().all(|case| case.input.len() == *count)),
            };
            Source::of_call(toolchain, text, &called)
        }
        (_, []) => Ok(Source::of_text(toolchain, text)),
        (_, files) => Ok(Source::of_files(toolchain, files)),
    }
}

fn run(
    context: &mut JudgeContext<'_>,
    source: &Source,
    text: &str,
    task: &Task,
    own: OwnPrograms,
) -> Result<Attempt, LaunchError> {
    let toolchain = &source.toolchain;
    let is_called = matches!(task.problem.tests, Tests::Call { .. });
    if is_called && !toolchain.language.is_compiled() {
        // What is only looked at before it runs is looked at by itself, beside its harness.
        let alone = Source::of_text(toolchain, text);
        context.runtimes.compiled(context.gate, &alone)?;
    }
    let compiled = context.runtimes.compiled(context.gate, source)?;
    let comparators = context.comparators.of(&task.problem, context.settings);
    let mut run = Run::new(context.settings, context.gate, comparators, &task.problem);
    run.own = own;
    let memory = run.limits.memory;
    let run = run.in_language(&source.toolchain);
    let limits = run.limits.clone();
    let mut program =
        Launched::compiled(context.runtimes, Side::Candidate, &compiled, memory, limits)?;
    match &task.problem.tests {
        Tests::Stdin(cases) => groups::all::<Text>(&run, &mut program, cases),
        Tests::Call { cases, .. } => groups::all::<CallByStreams>(&run, &mut program, cases),
        Tests::Assert { .. } => {
            let why = "test code in Python calls no other language".to_owned();
            Err(SandboxError::Worker(why).into())
        }
    }
}
