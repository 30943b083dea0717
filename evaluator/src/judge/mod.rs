//! The judge: one submission x one problem -> [`Verdict`].
//!
//! Runs the submission once per test in the sandbox, maps how each run ended, and compares what ended well. Knows
//! nothing of files, of other submissions or of rewards beyond asking the function it is given.

mod blame;
mod budget;
mod cases;
mod checker_word;
mod comparators;
mod conclusion;
mod context;
mod controls;
mod dry_run;
mod ending;
mod gate;
mod groups;
mod hints;
mod interaction;
mod kinds;
mod launched;
mod livecodebench;
mod made_up;
mod one_process;
mod other_language;
mod own_checker;
mod own_grader;
mod own_programs;
mod plain;
mod reruns;
mod runtimes;
mod settings;
mod test_code;
mod transcript;
mod trial;
mod tried;
mod unshielded;
mod verdicts;

use std::sync::Arc;

use sandbox::{LaunchError, SandboxError};

pub(crate) use comparators::ComparatorCache;
pub(crate) use context::JudgeContext;
pub use context::Task;
pub(crate) use gate::CpuGate;
pub(crate) use launched::try_out;
pub(crate) use plain::run_plain;
pub use plain::{EndedRun, NoProgram, PlainRun, Ran, given_file};
pub(crate) use runtimes::{Images, Runtimes};
pub use settings::{HarnessKind, Settings};
pub(crate) use verdicts::failed;

use crate::Problem;
use crate::harness::Entry;
use crate::problem::Tests;
use crate::verdict::Verdict;
use cases::Run;
use kinds::{Call, Kind, Text};
use launched::Launched;
use own_programs::OwnPrograms;
use runtimes::Side;
use tried::Attempt;
use verdicts::{decided, rejected};

/// Judge one task. An error means that the host failed; nothing is decided then.
pub(crate) fn judge(context: &mut JudgeContext<'_>, task: &Task) -> Result<Verdict, SandboxError> {
    let Some(source) = task.submission.program(&task.problem) else {
        let why = format!(
            "the response contains no {} code block",
            task.submission.language
        );
        return Ok(rejected(context, task, why));
    };
    let own = match own_programs::prepare(context, task) {
        Ok(own) => own,
        // The candidate has no part in it.
        Err(LaunchError::Rejected(why)) => {
            return Ok(failed(context.settings, context.isolation, task, why));
        }
        Err(LaunchError::Host(error)) => return Err(error),
    };
    if other_language::takes(task) {
        return other_language::judge(context, &source, task, own);
    }
    if context.settings.harness == HarnessKind::LiveCodeBench {
        return livecodebench::judge(context, &source, task);
    }
    match run(context, &source, &task.problem, own) {
        Ok(attempt) => Ok(decided(context, task, attempt)),
        Err(LaunchError::Rejected(why)) => Ok(rejected(context, task, why)),
        Err(LaunchError::Host(error)) => Err(error),
    }
}

/// Run a submission's program on the tests of its problem, perhaps not on all.
fn run(
    context: &mut JudgeContext<'_>,
    source: &str,
    problem: &Arc<Problem>,
    own: OwnPrograms,
) -> Result<Attempt, LaunchError> {
    let prelude = problem.prelude;
    match &problem.tests {
        Tests::Stdin(cases) => {
            let entry = Entry::Script(prelude);
            compared::<Text>(context, source, problem, entry, cases, own)
        }
        Tests::Call { function, cases } => {
            let options = hints::of_calls(problem, cases);
            let entry = Entry::Call(function, prelude, &options);
            compared::<Call>(
                context,
                source,
                problem,
                entry,
                cases,
                OwnPrograms::default(),
            )
        }
        Tests::Assert {
            function,
            cases,
            one_process,
        } => {
            let function = function.as_deref().unwrap_or_default();
            let in_one = one_process.as_ref();
            test_code::run(context, source, problem, function, cases, in_one).map(Attempt::of)
        }
    }
}

fn compared<K: Kind>(
    context: &mut JudgeContext<'_>,
    source: &str,
    problem: &Arc<Problem>,
    entry: Entry<'_>,
    cases: &[K::Case],
    own: OwnPrograms,
) -> Result<Attempt, LaunchError> {
    let comparators = context.comparators.of(problem, context.settings);
    let mut run = Run::new(context.settings, context.gate, comparators, problem);
    run.own = own;
    let limits = run.limits.clone();
    // A checker of its own may want several passes.
    let runs_once = cases.len() == 1 && run.own.checker.is_none();
    let mut program = Launched::new(
        context.runtimes,
        Side::Candidate,
        source,
        entry,
        runs_once,
        limits,
    )?;
    groups::all::<K>(&run, &mut program, cases)
}
