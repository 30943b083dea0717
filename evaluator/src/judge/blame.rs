//! Whose doing it is that a run of test code decided nothing.
//!
//! A candidate must not be able to choose that it is not judged. So what looks like the problem's fault is taken for that
//! only where the test code shows the same without any candidate, in a dry run; else it is the candidate's.

use sandbox::{
    Files, LaunchError, Limits, Outcome, SandboxError, Termination, content, memory_file,
};
use serde::Deserialize;

use super::conclusion::Conclusion;
use super::launched::program;
use super::runtimes::{Runtimes, Side};
use crate::harness::{Entry, Options};

/// What test code does without a candidate.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DryRun {
    /// What cannot cross.
    unshieldable: Option<String>,
    /// It asks nothing of the candidate.
    idle: bool,
    /// The chains that lead to objects.
    pub objects: Vec<String>,
    /// The lines on which it compares one of its objects with plain data, or computes with both.
    compared: Vec<u64>,
    /// The exceptions that it raises by itself, each with its place.
    raised: Vec<String>,
    #[serde(skip)]
    left: bool,
}

impl DryRun {
    /// Run `code` in a box of its own.
    pub(super) fn new(
        runtimes: &mut Runtimes,
        code: &str,
        function: &str,
        options: &Options,
        limits: &Limits,
    ) -> Result<DryRun, LaunchError> {
        let options = Options {
            dry: true,
            ..options.clone()
        };
        let entry = Entry::TestCode(function, &options);
        let program = program(code, entry);
        let mut boxed = runtimes
            .of(Side::TestCode, code, entry)?
            .launch(&program, limits)?;
        let result = memory_file("result")?;
        // There is no channel; the test code keeps its number free for one.
        let files = Files::new(&[])?.give(memory_file("channel")?);
        let files = files.give(result.try_clone().map_err(|source| SandboxError::Host {
            doing: "share the result file",
            source,
        })?);
        boxed.begin(files, limits, 1)?;
        let outcome = boxed.finish()?;
        Ok(DryRun::read(&content(&result)?, &outcome))
    }

    /// A run that a limit or an exception ended shows nothing.
    fn read(written: &[u8], outcome: &Outcome) -> DryRun {
        let mut dry: DryRun = serde_json::from_slice(written).unwrap_or_default();
        dry.left = written.is_empty() && outcome.termination == Termination::Exited(0);
        dry
    }

    /// Whether no candidate could be judged.
    fn decides_nothing(&self) -> bool {
        self.unshieldable.is_some() || self.idle || self.left
    }

    /// The conclusion with the blame where it belongs.
    pub(super) fn settle(&self, conclusion: Conclusion) -> Conclusion {
        match conclusion {
            Conclusion::Live(why, _) => Conclusion::candidate_failed(why),
            Conclusion::Unshieldable {
                why,
                line: Some(line),
            } if self.compared.contains(&line) => Conclusion::Met(why),
            Conclusion::Unshieldable { why, line } if line.is_some() || !self.decides_nothing() => {
                Conclusion::candidate_failed(why)
            }
            Conclusion::Idle if !self.decides_nothing() => {
                Conclusion::candidate_failed("the test code never used it")
            }
            Conclusion::Left if !self.decides_nothing() => {
                Conclusion::candidate_failed("the test code exited before its end")
            }
            Conclusion::Failed {
                why: Some(why),
                own: Some(own),
            } if self.raised.contains(&own) => Conclusion::Broken(why),
            conclusion => conclusion,
        }
    }
}

/// Whether a conclusion may be the problem's doing, so that a dry run has to show whose it is.
pub(super) fn is_open(conclusion: &Conclusion) -> bool {
    match conclusion {
        Conclusion::Passed | Conclusion::CandidateFailed(..) => false,
        Conclusion::Failed { own, .. } => own.is_some(),
        Conclusion::Unshieldable { .. }
        | Conclusion::Idle
        | Conclusion::Left
        | Conclusion::Live(..)
        | Conclusion::Met(_)
        | Conclusion::Broken(_) => true,
    }
}
