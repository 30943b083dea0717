//! One run of `mc-eval judge` while it goes on: passes over what is judged already, judges the rest, writes and counts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};
use evaluator::previous_run::{PreviousIndex, PreviousRun, Reused};
use evaluator::readers::ReadError;
use evaluator::report::ReportBuilder;
use evaluator::verdict::{ShardPlace, VerdictRecord};
use evaluator::{Evaluator, Task, Verdict};

use super::exit::CliError;
use super::intake::Drawn;
use super::output::{Output, Reader, refused};
use super::progress::Progress;
use super::stop_signal::StopSignal;
use super::words::several;

/// Submissions that may be drawn ahead of the one whose verdict is written next. Of each only a few bytes are held.
const AHEAD: usize = 1 << 16;

/// What the next line of the output is.
enum Slot {
    /// The next verdict that the evaluator gives.
    Judged {
        row: u64,
        input_hash: String,
        shard: Option<ShardPlace>,
    },
    /// A verdict of an earlier run, by its place in the file beside.
    Known {
        row: u64,
        place: u64,
        shard: Option<ShardPlace>,
    },
    /// An answer to an invalid line that is skipped.
    Invalid(ReadError),
    /// There is none: the input has ended, or a signal came.
    End,
}

/// A run in progress.
pub struct Session {
    output: Output,
    /// Shows how far it is.
    pub progress: Progress,
    interrupt: StopSignal,
    /// All verdicts so far.
    pub tally: ReportBuilder,
    /// Those of them that stand in the file from an earlier run.
    in_place: Reused,
    /// What an earlier run left out of place.
    index: Option<Arc<Mutex<PreviousIndex>>>,
}

impl Session {
    /// Nothing is judged yet.
    pub fn start(output: Output, progress: Progress, interrupt: StopSignal) -> Session {
        Session {
            output,
            progress,
            interrupt,
            tally: ReportBuilder::default(),
            in_place: Reused::default(),
            index: None,
        }
    }

    /// Judge all of `intake` that no earlier run judged, until its end, a signal, or a closed pipe.
    pub fn judge<I: Iterator<Item = Result<Drawn, ReadError>> + Send + 'static>(
        &mut self,
        evaluator: &Arc<Evaluator>,
        mut intake: I,
        previous: Option<PreviousRun>,
    ) -> Result<Reader, CliError> {
        let first = match previous {
            Some(previous) => self.pass_over(&mut intake, previous)?,
            None => None,
        };
        let (slots_in, slots) = bounded(AHEAD);
        let tasks = Tasks {
            drawn: first.into_iter().map(Ok).chain(intake),
            index: self.index.clone(),
            slots: slots_in.clone(),
        };
        let verdicts = evaluator.judge_all(tasks);
        let stopper = verdicts.stopper();
        self.interrupt.ends(move || {
            stopper.stop();
            // Where there is no room, there is something to take, and the end is seen without this.
            let _ = slots_in.try_send(Slot::End);
        });
        self.write_all(&slots, verdicts)
    }

    /// Write every line in its turn.
    fn write_all(
        &mut self,
        slots: &Receiver<Slot>,
        mut verdicts: impl Iterator<Item = Verdict>,
    ) -> Result<Reader, CliError> {
        for slot in slots {
            let reader = match slot {
                // Between two lines, so that each that is written is whole.
                _ if self.interrupt.code().is_some() => break,
                Slot::End => break,
                Slot::Invalid(error) => self.output.answer(&error)?,
                Slot::Known { row, place, shard } => {
                    let record = VerdictRecord {
                        shard,
                        ..self.known(place)?
                    };
                    self.write(&record, row)?
                }
                Slot::Judged {
                    row,
                    input_hash,
                    shard,
                } => {
                    let Some(verdict) = verdicts.next() else {
                        break;
                    };
                    let record = VerdictRecord {
                        verdict,
                        input_hash,
                        shard,
                    };
                    self.write(&record, row)?
                }
            };
            if reader == Reader::Gone {
                return Ok(Reader::Gone);
            }
        }
        Ok(Reader::Listening)
    }

    /// Count what the file holds already, and set aside what does not agree. Gives back the first task that is not
    /// in its place there.
    fn pass_over(
        &mut self,
        intake: &mut impl Iterator<Item = Result<Drawn, ReadError>>,
        mut previous: PreviousRun,
    ) -> Result<Option<Drawn>, CliError> {
        let mut first = None;
        while self.interrupt.code().is_none()
            && let Some(drawn) = intake.next()
        {
            // Invalid lines are told of as they are read; in a file of verdicts they have no place.
            let Ok(drawn) = drawn else {
                continue;
            };
            let in_place = previous.next_in_place(&drawn.input_hash, drawn.shard);
            match in_place.map_err(refused)? {
                Some(verdict) => {
                    self.in_place.add(&verdict);
                    self.count(&verdict, drawn.row);
                }
                None => {
                    first = Some(drawn);
                    break;
                }
            }
        }
        if self.interrupt.code().is_none() {
            let index = previous.index().map_err(refused)?;
            self.tell_found(&index);
            self.index = Some(Arc::new(Mutex::new(index)));
        }
        Ok(first)
    }

    /// Say what was found beside whole lines in their place, so that nothing is dropped or used again silently.
    fn tell_found(&self, index: &PreviousIndex) {
        if index.broken() > 0 {
            self.progress.say(&format!(
                "skipped {} in the verdict file; the submissions affected are judged again",
                several(index.broken(), "damaged line")
            ));
        }
        if index.inherited() > 0 {
            self.progress.say(&format!(
                "{} holds {} set aside by an earlier run, to be reused where the submission is unchanged",
                index.path().display(),
                several(index.inherited() as u64, "verdict")
            ));
        }
    }

    /// A verdict of an earlier run.
    fn known(&self, place: u64) -> Result<VerdictRecord, CliError> {
        let index = self.index.as_deref().expect("it gave the place");
        lock(index).read(place).map_err(refused)
    }

    /// Write and count one verdict.
    fn write(&mut self, record: &VerdictRecord, row: u64) -> Result<Reader, CliError> {
        let reader = self.output.write(record)?;
        self.count(&record.verdict, row);
        Ok(reader)
    }

    fn count(&mut self, verdict: &Verdict, row: u64) {
        self.tally.add(verdict);
        self.progress.show(&self.tally, row);
    }

    /// What was not judged in this run but kept from an earlier one.
    pub fn kept(&self) -> Reused {
        let indexed = self
            .index
            .as_ref()
            .map(|index| lock(index).reused())
            .unwrap_or_default();
        Reused {
            verdicts: self.in_place.verdicts + indexed.verdicts,
            tests: self.in_place.tests + indexed.tests,
        }
    }

    /// All is judged: put the verdicts on the disk.
    pub fn complete(self) -> Result<(), CliError> {
        self.output.complete()?;
        let Some(index) = self.index else {
            return Ok(());
        };
        let index = lock(&index);
        let unused = index.complete().map_err(refused)?;
        if unused > 0 {
            let path = index.path().display();
            self.progress.say(&format!(
                "kept {} for other programs, problems or settings in {path}",
                several(unused as u64, "earlier verdict")
            ));
        }
        Ok(())
    }
}

fn lock(index: &Mutex<PreviousIndex>) -> MutexGuard<'_, PreviousIndex> {
    index.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The tasks that must be judged. Tells of every submission drawn which line comes next.
struct Tasks<I> {
    drawn: I,
    index: Option<Arc<Mutex<PreviousIndex>>>,
    slots: Sender<Slot>,
}

impl<I: Iterator<Item = Result<Drawn, ReadError>>> Iterator for Tasks<I> {
    type Item = Task;

    fn next(&mut self) -> Option<Task> {
        loop {
            let drawn = match self.drawn.next() {
                Some(Ok(drawn)) => drawn,
                Some(Err(error)) => {
                    self.slots.send(Slot::Invalid(error)).ok()?;
                    continue;
                }
                None => {
                    // Nobody may be there to hear it: the run was stopped.
                    let _ = self.slots.send(Slot::End);
                    return None;
                }
            };
            let Drawn {
                row,
                task,
                input_hash,
                shard,
            } = drawn;
            let known = self
                .index
                .as_ref()
                .and_then(|index| lock(index).claim(&input_hash));
            match known {
                Some(place) => {
                    let known = Slot::Known { row, place, shard };
                    self.slots.send(known).ok()?;
                }
                None => {
                    let judged = Slot::Judged {
                        row,
                        input_hash,
                        shard,
                    };
                    self.slots.send(judged).ok()?;
                    return Some(task);
                }
            }
        }
    }
}
