//! Judging while the model still writes: programs go in as they are finished, verdicts come out in that order.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::available_parallelism;
use std::time::Duration;

use evaluator::{
    Decision, Evaluator, Interpreter, Level, Problem, Settings, Task, Verdict, Verdicts,
};

use super::RunError;
use crate::config::{ProgramIn, RewardConfig};

/// The evaluator of a run.
pub struct Judge {
    evaluator: Arc<Evaluator>,
}

impl Judge {
    /// Check that this machine can judge. Stops at a submission's first failing test where the reward does not count them.
    pub fn new(config: &RewardConfig) -> Result<Judge, RunError> {
        let settings = Settings {
            profile: config.profile,
            time_limit: Duration::from_secs_f64(config.time_limit),
            first_failure: !config.function.needs_all_tests(),
            reward: Arc::new(config.function),
            ..Settings::default()
        };
        let workers = match config.workers {
            0 => workers(available_parallelism().map_or(1, usize::from)),
            workers => workers,
        };
        let interpreter = Interpreter::find(None).map_err(RunError::Sandbox)?;
        let evaluator = Evaluator::new(interpreter, Level::Full, workers, settings);
        evaluator
            .map(|evaluator| Judge { evaluator })
            .map_err(RunError::Sandbox)
    }

    /// Begin a batch.
    pub fn batch(&self) -> Batch {
        let (tasks, taken) = channel();
        Batch {
            tasks,
            verdicts: self.evaluator.judge_all(taken),
            heard: Vec::new(),
            known: HashMap::new(),
        }
    }
}

/// One core is left to the thread that samples, where that is not half of them.
fn workers(cores: usize) -> usize {
    if cores > 2 { cores - 1 } else { cores }
}

/// Submissions being judged. One that was handed in before, to the same problem, is judged once: a judge that gives the
/// same program two verdicts would be broken, and a policy that has learned writes the same program often.
pub struct Batch {
    tasks: Sender<Task>,
    verdicts: Verdicts,
    /// For each that was handed in, which of the judged ones it is.
    heard: Vec<usize>,
    known: HashMap<(String, Option<String>), usize>,
}

impl Batch {
    /// Hand in a response. Returns at once.
    pub fn submit(&mut self, problem: &Arc<Problem>, text: &str, program: ProgramIn) {
        let id = format!("{}/{}", problem.id, self.heard.len());
        let task = match program {
            ProgramIn::Whole => Task::new(id, text, problem.clone()),
            ProgramIn::Fence => Task::from_response(id, text, problem.clone()),
        };
        let next = self.known.len();
        let place = *self
            .known
            .entry((problem.id.clone(), task.submission.code.clone()))
            .or_insert(next);
        self.heard.push(place);
        if place == next {
            // Without a receiver, verdicts are missing at the end: that is where it is told.
            self.tasks.send(task).unwrap_or_default();
        }
    }

    /// Wait for all verdicts, in the order in which their programs were handed in.
    ///
    /// # Errors
    /// [`RunError::JudgeFailed`] where the judge failed on more of them than not: what is left says little of the policy.
    pub fn finish(self) -> Result<Vec<Verdict>, RunError> {
        drop(self.tasks);
        let verdicts: Vec<Verdict> = self.verdicts.collect();
        let all = self.heard.iter().map(|place| verdicts.get(*place).cloned());
        let all = all
            .collect::<Option<Vec<Verdict>>>()
            .ok_or(RunError::Unjudged {
                submissions: self.known.len(),
                verdicts: verdicts.len(),
            })?;
        mostly_judged(&all).map(|()| all)
    }
}

fn mostly_judged(verdicts: &[Verdict]) -> Result<(), RunError> {
    let failed = |verdict: &&Verdict| verdict.verdict == Decision::JudgeFailed;
    let count = verdicts.iter().filter(failed).count();
    match verdicts.iter().find(failed) {
        Some(first) if 2 * count > verdicts.len() => Err(RunError::JudgeFailed {
            failed: count,
            of: verdicts.len(),
            problem: first.problem_id.clone(),
            message: first.message.clone().unwrap_or_default(),
        }),
        _ => Ok(()),
    }
}
