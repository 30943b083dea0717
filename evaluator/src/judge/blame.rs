//! Whose doing it is that a run of test code decided nothing.
//!
//! A candidate must not be able to choose that it is not judged. So what looks like the problem's fault is taken for that
//! only where the test code shows the same without any candidate, in two dry runs: whatever it asks is so in one, and nothing
//! is in the other; and where it comes to that place whatever the answers are. Else it is the candidate's.

use std::sync::Arc;
use std::time::Duration;

use blake3::Hasher;
use sandbox::{Files, LaunchError, Limits, SandboxError, Termination, content, memory_file};

use super::conclusion::Conclusion;
use super::dry_run::DryRun;
use super::launched::program;
use super::runtimes::{Runtimes, Side};
use crate::harness::{Dry, Entry, Options};

/// Run `code` in a box of its own, unless that was done before; and the CPU time that it took now.
pub(super) fn dry_run(
    runtimes: &mut Runtimes,
    code: &str,
    function: &str,
    options: &Options,
    limits: &Limits,
    dry: Dry,
) -> Result<(Arc<DryRun>, Duration), LaunchError> {
    let options = Options {
        dry: Some(dry),
        // What it shows is known by its text.
        key: String::new(),
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

/// Whether a conclusion may be the problem's doing, so that a dry run has to show whose it is.
pub(super) fn is_open(conclusion: &Conclusion) -> bool {
    match conclusion {
        Conclusion::Passed | Conclusion::CandidateFailed(_) => false,
        Conclusion::Failed { own, .. } => own.is_some(),
        Conclusion::Unshieldable { .. }
        | Conclusion::Idle
        | Conclusion::Left
        | Conclusion::Live(..)
        | Conclusion::Chosen(_)
        | Conclusion::Broken(_) => true,
    }
}
