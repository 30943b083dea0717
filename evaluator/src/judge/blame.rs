//! Whose doing it is that a run of test code decided nothing.
//!
//! A candidate must not be able to choose that it is not judged. So what looks like the problem's fault is taken for that
//! only where the test code shows the same without any candidate, in two dry runs: whatever it asks is so in one, and nothing
//! is in the other; and where it comes to that place whatever the answers are. Else it is the candidate's.

use std::sync::Arc;
use std::time::Duration;

use blake3::Hasher;
use sandbox::{Files, LaunchError, Limits, SandboxError, Termination, content, memory_file};
use serde::Deserialize;

use super::conclusion::Conclusion;
use super::launched::program;
use super::runtimes::{Runtimes, Side};
use crate::harness::{Dry, Entry, Options};

/// What test code does without a candidate.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DryRun {
    /// The lines on which something crosses that cannot.
    unshieldable: Vec<u64>,
    /// It asks nothing of the candidate.
    idle: bool,
    /// The chains that lead to objects.
    pub objects: Vec<String>,
    /// The lines on which it compares one of its objects with plain data, or computes with both.
    compared: Vec<u64>,
    /// The exceptions that it raises by itself, each with its place.
    raised: Vec<String>,
    /// It ends its process before its end.
    left: bool,
}

impl DryRun {
    /// Run `code` in a box of its own, unless that was done before; and the CPU time that it took now.
    pub(super) fn new(
        runtimes: &mut Runtimes,
        code: &str,
        function: &str,
        options: &Options,
        limits: &Limits,
        dry: Dry,
    ) -> Result<(Arc<DryRun>, Duration), LaunchError> {
        let options = Options {
            dry: Some(dry),
            ..options.clone()
        };
        let entry = Entry::TestCode(function, &options);
        let program = program(code, entry);
        let mut hasher = Hasher::new();
        hasher.update(&limits.cpu.as_nanos().to_le_bytes());
        let key = hasher.update(&program.text).finalize();
        if let Some(known) = runtimes.dry_runs().get(key) {
            return Ok((known, Duration::ZERO));
        }
        let mut boxed = runtimes
            .of(Side::TestCode, code, entry)?
            .launch_once(&program, limits)?;
        let result = memory_file("result")?;
        // There is no channel; the test code keeps its number free for one.
        let files = Files::new(&[])?.give(memory_file("channel")?);
        let files = files.give(result.try_clone().map_err(|source| SandboxError::Host {
            doing: "share the result file",
            source,
        })?);
        boxed.begin(files, limits, 1)?;
        let outcome = boxed.finish()?;
        // One that a limit or an exception ended shows nothing.
        let dry: DryRun = serde_json::from_slice(&content(&result)?).unwrap_or_default();
        let dry = Arc::new(dry);
        // By the clock a busy machine ends what another time comes to its end.
        if outcome.termination != Termination::WallLimit {
            runtimes.dry_runs().keep(key, dry.clone());
        }
        Ok((dry, outcome.usage.cpu))
    }

    /// The conclusion with the blame where it belongs, by this run alone.
    pub(super) fn settle(&self, conclusion: Conclusion) -> Conclusion {
        match conclusion {
            Conclusion::Live(why, _) => Conclusion::candidate_failed(why),
            Conclusion::Unshieldable {
                why,
                at,
                meets: true,
            } if self.compared.contains(&at) => Conclusion::Chosen(why),
            Conclusion::Unshieldable { why, at, meets }
                if meets || !self.unshieldable.contains(&at) =>
            {
                Conclusion::candidate_failed(why)
            }
            Conclusion::Idle if !self.idle => {
                Conclusion::candidate_failed("the test code never used it")
            }
            Conclusion::Left if !self.left => {
                Conclusion::candidate_failed("the test code exited before its end")
            }
            Conclusion::Failed {
                why: Some(why),
                own: Some(own),
            } if self.raised.contains(&own) => Conclusion::Broken(why),
            conclusion => conclusion,
        }
    }

    /// The same of a conclusion that decides nothing by a run that went the other way.
    pub(super) fn confirm(&self, conclusion: Conclusion) -> Conclusion {
        let settled = self.settle(conclusion.clone());
        match conclusion {
            Conclusion::Unshieldable { why, .. } if !settled.decides_nothing() => {
                Conclusion::Chosen(why)
            }
            _ => settled,
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
        | Conclusion::Chosen(_)
        | Conclusion::Broken(_) => true,
    }
}
