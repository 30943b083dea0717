//! From how a process ended to what that means for its test.

use std::time::Duration;

use sandbox::{Outcome, Termination};

use crate::verdict::{CaseResult, Clock, Decision};

/// How many bytes of standard error a failed case shows.
const STDERR_TAIL: usize = 1024;

/// A failure that the way of ending alone decides, whatever was written: the decision, and the clock that ran out.
pub(super) fn failure(outcome: &Outcome, cpu_limit: Duration) -> Option<(Decision, Option<Clock>)> {
    if outcome.usage.cpu > cpu_limit {
        return Some((Decision::TimeLimit, Some(Clock::Cpu)));
    }
    match outcome.termination {
        Termination::Exited(0) => None,
        Termination::CpuLimit => Some((Decision::TimeLimit, Some(Clock::Cpu))),
        Termination::WallLimit => Some((Decision::TimeLimit, Some(Clock::Wall))),
        Termination::IdleLimit => Some((Decision::TimeLimit, Some(Clock::Idle))),
        Termination::MemoryLimit => Some((Decision::MemoryLimit, None)),
        Termination::OutputLimit => Some((Decision::OutputLimit, None)),
        Termination::Exited(_) if is_memory_error(&last_line(&outcome.stderr)) => {
            Some((Decision::MemoryLimit, None))
        }
        Termination::Exited(_) | Termination::Signaled(_) => Some((Decision::RuntimeError, None)),
    }
}

/// Bytes of text that a verdict keeps of the streams of all its tests.
pub(super) const MOST_KEPT: usize = 16 << 20;

/// The case of a run: what it used, how it ended, and what of its output is to be kept.
pub(super) fn case(outcome: &Outcome, verdict: Decision, keep_output: usize) -> CaseResult {
    let (exit, signal) = match outcome.termination {
        Termination::Exited(status) if status != 0 => (Some(status), None),
        Termination::Signaled(signal) => (None, Some(signal)),
        _ => (None, None),
    };
    let tail = verdict != Decision::Accepted && !outcome.stderr.is_empty();
    CaseResult {
        name: None,
        verdict,
        score: None,
        strategy: None,
        clock: None,
        exit,
        signal,
        cpu_ms: milliseconds(outcome.usage.cpu),
        wall_ms: milliseconds(outcome.usage.wall),
        memory_kib: outcome.usage.memory / 1024,
        fuel: outcome.usage.fuel,
        reruns: 0,
        shielded: None,
        diff: None,
        message: None,
        stderr_tail: tail.then(|| tail_of(&outcome.stderr)),
        stdout: (keep_output > 0).then(|| head_of(&outcome.stdout, keep_output)),
        stderr: (keep_output > 0).then(|| head_of(&outcome.stderr, keep_output)),
    }
}

/// The last line of `stderr` that is not blank: the exception, if Python died of one.
pub(super) fn last_line(stderr: &[u8]) -> String {
    let end = stderr.trim_ascii_end();
    let start = memchr::memrchr(b'\n', end).map_or(0, |newline| newline + 1);
    tail_of(&end[start..])
}

/// Whether an exception, as Python prints it, is a `MemoryError` or a kind of it, such as numpy's.
pub(super) fn is_memory_error(exception: &str) -> bool {
    let name = exception.split(':').next().unwrap_or_default();
    name.ends_with("MemoryError") && !name.contains(char::is_whitespace)
}

fn head_of(text: &[u8], bytes: usize) -> String {
    let most = text.len().min(bytes).min(MOST_KEPT);
    String::from_utf8_lossy(&text[..most]).into_owned()
}

fn tail_of(text: &[u8]) -> String {
    let text = text.trim_ascii_end();
    String::from_utf8_lossy(&text[text.len().saturating_sub(STDERR_TAIL)..]).into_owned()
}

/// Milliseconds, to the microsecond.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
