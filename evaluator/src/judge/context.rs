//! What a task is, and what it is judged with.

use std::sync::Arc;

use sandbox::Isolation;

use super::comparators::ComparatorCache;
use super::gate::CpuGate;
use super::runtimes::Runtimes;
use super::settings::Settings;
use crate::languages::Language;
use crate::readers::FoundProgram;
use crate::{Problem, Submission};

/// A submission to judge, with its problem.
#[derive(Debug, Clone)]
pub struct Task {
    /// The submission.
    pub submission: Submission,
    /// The problem it is meant to solve.
    pub problem: Arc<Problem>,
}

impl Task {
    /// A whole Python program for `problem`.
    pub fn new(id: impl Into<String>, code: impl Into<String>, problem: Arc<Problem>) -> Task {
        Task::of(id.into(), Some(code.into()), problem)
    }

    /// A model's full text for `problem`. Its program is found as in the field `response` of a solutions file; where there
    /// is none, the verdict is [`crate::Decision::CompileError`].
    pub fn from_response(id: impl Into<String>, response: &str, problem: Arc<Problem>) -> Task {
        Task::from_response_in(None, id, response, problem)
    }

    /// The same, for a program in the language that was asked for.
    pub fn from_response_in(
        language: Option<&Language>,
        id: impl Into<String>,
        response: &str,
        problem: Arc<Problem>,
    ) -> Task {
        let mut task = Task::of(id.into(), None, problem);
        if let Some(language) = language {
            task.submission.language = language.name.clone();
        }
        task.submission
            .answer(FoundProgram::find(response, language));
        task
    }

    fn of(id: String, code: Option<String>, problem: Arc<Problem>) -> Task {
        Task {
            submission: Submission::new(id, problem.id.clone(), code),
            problem,
        }
    }
}

/// What a task is judged with.
pub(crate) struct JudgeContext<'a> {
    /// Where programs run.
    pub runtimes: &'a mut Runtimes,
    /// The comparators of the last problem.
    pub comparators: &'a mut ComparatorCache,
    /// Keeps other workers still while a run must be alone.
    pub gate: &'a CpuGate,
    /// How to judge.
    pub settings: &'a Settings,
    /// What protects the runs.
    pub isolation: &'a Isolation,
}
