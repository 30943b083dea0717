//! A solution and an interactor that talk over two pipes, each in its box.
//!
//! Who is to blame depends on who ended first. So this process holds an end of each pipe until the one that writes there
//! has ended, and keeps the solution's output readable unless the interactor ended without accepting: no side learns by
//! the other's end what was not yet seen here. An interactor may close its output before its end, and the solution wait for
//! that: after a while this end is let go of. A solution that closes its own has only fallen silent.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, Scope};
use std::time::Duration;

use sandbox::{Files, LaunchError, Limits, Outcome, SandboxError, Termination, wide_pipe};

use super::launched::Launched;
use super::transcript::{Speaker, Transcript};

/// How long an interactor's end of a pipe is held open before it may have been closed there.
const PATIENCE: Duration = Duration::from_secs(1);

/// How soon the end of an interactor is noticed here after the solution could notice it.
const NOTICE: Duration = Duration::from_millis(250);

/// How the two ended.
pub(super) struct Ended {
    pub solution: Outcome,
    pub interactor: Outcome,
    pub interactor_first: bool,
}

/// The interactor's side of a talk.
pub(super) struct Interactor<'a> {
    pub boxed: &'a mut sandbox::Box,
    pub limits: Limits,
    /// The exit status by which it accepts.
    pub accepts: i32,
}

/// What both sides may take by the clock: each waits for the other, so that it is not their CPU time alone.
pub(super) fn limits(limits: &Limits) -> Limits {
    let wall = (limits.cpu * 2 + Duration::from_secs(4)).min(limits.wall);
    Limits {
        wall,
        idle: wall,
        ..limits.clone()
    }
}

/// Let the two talk until both have ended. What they say goes through this process only where a transcript is kept.
pub(super) fn talk(
    program: &mut Launched<'_>,
    interactor: Interactor<'_>,
    limits: &Limits,
    seed: u64,
    transcript: Option<&Transcript>,
) -> Result<Ended, LaunchError> {
    let ended = |speaker| transcript.into_iter().for_each(|it| it.ended(speaker));
    let (solution_ended, let_go) = (AtomicBool::new(false), AtomicBool::new(false));
    let (noticed, interactor_ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let answers = Way::new(scope, transcript, Speaker::Solution)?;
        let questions = Way::new(scope, transcript, Speaker::Interactor)?;
        let theirs = Files::joined(answers.outlet, questions.inlet);
        interactor.boxed.begin(theirs, &interactor.limits, 0)?;
        let ours = Files::joined(questions.outlet, answers.inlet);
        program.begin(ours, limits, seed)?;
        let answers_open = answers.kept_inlet;
        let questions_open = HeldOpen::new(scope, questions.kept_inlet, &let_go);
        let other = scope.spawn(|| {
            let outcome = interactor.boxed.finish();
            let first = !solution_ended.load(Ordering::SeqCst);
            drop(noticed);
            ended(Speaker::Interactor);
            let accepts = Termination::Exited(interactor.accepts);
            let accepted = matches!(&outcome, Ok(it) if it.termination == accepts);
            drop(questions_open);
            // Unless it accepted, a solution that goes on writing learns that nobody reads any more.
            if accepted {
                drain(answers.kept_outlet);
            }
            (outcome, first)
        });
        let solution = program.finish();
        let failed = !matches!(&solution, Ok(it) if it.termination == Termination::Exited(0));
        if failed && let_go.load(Ordering::SeqCst) {
            // Perhaps by the end of the interactor, which cannot know yet that the solution has ended.
            let _: Result<(), _> = interactor_ended.recv_timeout(NOTICE);
        }
        solution_ended.store(true, Ordering::SeqCst);
        ended(Speaker::Solution);
        drop(answers_open);
        // What the interactor writes to a solution that has ended is nobody's fault, however much it is.
        drain(questions.kept_outlet);
        let (interactor, interactor_first) = other
            .join()
            .map_err(|_| SandboxError::Worker("waiting for the interactor panicked".to_owned()))?;
        Ok(Ended {
            solution: solution?,
            interactor: interactor?,
            interactor_first,
        })
    })
}

/// Let an interactor go on by itself until it has ended, or waits: these words are said to it, and its pipe stays open. How it
/// ended, and whether it read any of them.
pub(super) fn monologue(
    interactor: &mut sandbox::Box,
    words: &[u8],
    limits: &Limits,
) -> Result<(Outcome, bool), SandboxError> {
    let (heard, mut held_open) = wide_pipe()?;
    let mut unread = cloned(heard.try_clone())?;
    held_open
        .write_all(words)
        .map_err(|source| SandboxError::Host {
            doing: "write to a pipe",
            source,
        })?;
    let (said, inlet) = wide_pipe()?;
    let outcome = thread::scope(|scope| {
        scope.spawn(|| drain(said));
        interactor.begin(Files::joined(heard, inlet), limits, 0)?;
        interactor.finish()
    })?;
    drop(held_open);
    let left = io::copy(&mut unread, &mut io::sink());
    let has_read = left.is_ok_and(|left| left < words.len() as u64);
    Ok((outcome, has_read))
}

/// The way of what one side says to the other, with a further copy of either end.
struct Way {
    inlet: PipeWriter,
    outlet: PipeReader,
    kept_inlet: PipeWriter,
    kept_outlet: PipeReader,
}

impl Way {
    /// A pipe; or two, and between them a thread that notes what `speaker` says.
    fn new<'s>(
        scope: &'s Scope<'s, '_>,
        transcript: Option<&'s Transcript>,
        speaker: Speaker,
    ) -> Result<Way, SandboxError> {
        let (near_outlet, inlet) = wide_pipe()?;
        let kept_outlet = cloned(near_outlet.try_clone())?;
        let (outlet, kept_inlet) = match transcript {
            None => (near_outlet, cloned(inlet.try_clone())?),
            Some(transcript) => {
                let (outlet, far_inlet) = wide_pipe()?;
                let kept_inlet = cloned(far_inlet.try_clone())?;
                scope.spawn(move || carry(near_outlet, far_inlet, speaker, transcript));
                (outlet, kept_inlet)
            }
        };
        Ok(Way {
            inlet,
            outlet,
            kept_inlet,
            kept_outlet,
        })
    }
}

/// Carry what `speaker` says from one pipe to the next, until it has ended or nobody listens any more.
fn carry(mut from: PipeReader, mut to: PipeWriter, speaker: Speaker, transcript: &Transcript) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        transcript.said(speaker, &buffer[..length]);
        if to.write_all(&buffer[..length]).is_err() {
            break;
        }
    }
}

/// Holds the writing end of a pipe until it is dropped, or for as long as there is patience, and notes if that was over.
struct HeldOpen {
    _until_dropped: mpsc::Sender<()>,
}

impl HeldOpen {
    fn new<'s>(scope: &'s Scope<'s, '_>, writer: PipeWriter, let_go: &'s AtomicBool) -> HeldOpen {
        // Nothing is ever sent.
        let (sender, dropped) = mpsc::channel::<()>();
        scope.spawn(move || {
            let waited = dropped.recv_timeout(PATIENCE);
            let_go.store(waited == Err(RecvTimeoutError::Timeout), Ordering::SeqCst);
            drop(writer);
        });
        HeldOpen {
            _until_dropped: sender,
        }
    }
}

/// Read until nobody can write any more, so that no writer waits for room.
fn drain(mut reader: PipeReader) {
    // One that cannot be read has nobody waiting at its other end either.
    let _ = io::copy(&mut reader, &mut io::sink());
}

fn cloned<T>(made: io::Result<T>) -> Result<T, SandboxError> {
    made.map_err(|source| SandboxError::Host {
        doing: "share a pipe",
        source,
    })
}
