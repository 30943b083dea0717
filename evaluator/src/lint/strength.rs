//! How well tests tell wrong programs from right ones.

use crate::{Decision, Verdict};

/// Which tests reject a program; `None` of one that is none, or that the host failed on. A test that was not run, since others cost too
/// much, rejects nothing.
pub fn rejections(verdict: &Verdict) -> Option<Vec<bool>> {
    if matches!(
        verdict.verdict,
        Decision::CompileError | Decision::JudgeFailed
    ) {
        return None;
    }
    let rejects = verdict
        .cases
        .iter()
        .map(|case| case.verdict != Decision::Accepted);
    let mut rejections: Vec<bool> = rejects.collect();
    rejections.resize(verdict.total, false);
    Some(rejections)
}
