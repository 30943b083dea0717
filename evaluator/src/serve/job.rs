//! What an engine is asked, and what it answers.

use std::time::Duration;

use crate::judge::{PlainRun, Ran, Task};
use crate::verdict::Verdict;

/// One thing to do.
pub struct Job {
    /// By what its answer is known among those of its client.
    pub row: u64,
    /// What to do.
    pub work: Work,
    /// Bytes of the text that it came in.
    pub bytes: usize,
}

/// What can be done.
pub enum Work {
    /// Judge a submission.
    Judge(Task),
    /// Run a program without judging it.
    Run(Box<PlainRun>),
}

/// A job that was done.
pub struct Answered {
    /// [`Job::row`].
    pub row: u64,
    /// What came of it.
    pub answer: Answer,
    /// How long it waited for a worker.
    pub waited: Duration,
    /// How long a worker had it; nothing for a copy of another's verdict.
    pub took: Duration,
}

/// What comes of a job.
pub enum Answer {
    /// Of [`Work::Judge`].
    Verdict(Box<Verdict>),
    /// Of [`Work::Run`].
    Ran(Ran),
}

impl Answer {
    /// About how many bytes it holds.
    pub fn footprint(&self) -> usize {
        match self {
            Answer::Verdict(verdict) => verdict.footprint(),
            Answer::Ran(Ran::Ended(ended)) => {
                let files = ended.files.iter().map(|(_, content)| content.len());
                let outcome = &ended.outcome;
                outcome.stdout.len() + outcome.stderr.len() + files.sum::<usize>()
            }
            Answer::Ran(Ran::Rejected(rejection)) => rejection.words.len(),
            Answer::Ran(Ran::Failed(why)) => why.len(),
        }
    }
}
