//! One run of `mc-eval judge` while it goes on: passes over what is judged already, judges the rest, writes and counts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};
use evaluator::ledger::{Aside, Earlier, Taken, to_line};
use evaluator::report::Tally;
use evaluator::verdict::VerdictRecord;
use evaluator::{Evaluator, Task, Verdict};

use super::exit::Failure;
use super::intake::{Drawn, Intake};
use super::interrupt::Interrupt;
use super::output::{Output, Reader, refused};
use super::progress::Progress;

/// Submissions that may be drawn ahead of the one whose verdict is written next. Of each only a few bytes are held.
const AHEAD: usize = 1 << 16;

/// What the next line of the output is.
enum Slot {
    /// The next verdict that the evaluator gives, with its `input_hash`.
    Judged(String),
    /// A verdict of an earlier run, by its place in the file beside.
    Known(u64),
    /// There is none: the input has ended, or a signal came.
    End,
}

/// A run in progress.
pub struct Session {
    output: Output,
    /// Shows how far it is.
    pub progress: Progress,
    interrupt: Interrupt,
    /// All verdicts so far.
    pub tally: Tally,
    /// Those of them that stand in the file from an earlier run.
    in_place: Taken,
    /// What an earlier run left out of place.
    aside: Option<Arc<Mutex<Aside>>>,
}

impl Session {
    /// Nothing is judged yet.
    pub fn start(output: Output, progress: Progress, interrupt: Interrupt) -> Session {
        Session {
            output,
            progress,
            interrupt,
            tally: Tally::default(),
            in_place: Taken::default(),
            aside: None,
        }
    }

    /// Judge all of `intake` that no earlier run judged, until its end, a signal, or a closed pipe.
    pub fn judge(
        &mut self,
        evaluator: &Arc<Evaluator>,
        mut intake: Intake,
        earlier: Option<Earlier>,
    ) -> Result<Reader, Failure> {
        let first = match earlier {
            Some(earlier) => self.pass_over(&mut intake, earlier)?,
            None => None,
        };
        let (slots_in, slots) = bounded(AHEAD);
        let tasks = Tasks {
            drawn: first.into_iter().chain(intake),
            aside: self.aside.clone(),
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
    ) -> Result<Reader, Failure> {
        for slot in slots {
            let record = match slot {
                _ if self.interrupt.code().is_some() => None,
                Slot::End => None,
                Slot::Known(place) => Some(self.known(place)?),
                Slot::Judged(input_hash) => verdicts.next().map(|verdict| VerdictRecord {
                    verdict,
                    input_hash,
                }),
            };
            let Some(record) = record else {
                break;
            };
            if self.write(&record)? == Reader::Gone {
                return Ok(Reader::Gone);
            }
        }
        Ok(Reader::Listening)
    }

    /// Count what the file holds already, and set aside what does not agree. Gives back the first task that is not
    /// in its place there.
    fn pass_over(
        &mut self,
        intake: &mut Intake,
        mut earlier: Earlier,
    ) -> Result<Option<Drawn>, Failure> {
        let mut first = None;
        while self.interrupt.code().is_none()
            && let Some(drawn) = intake.next()
        {
            match earlier.next(&drawn.input_hash).map_err(refused)? {
                Some(verdict) => {
                    self.in_place.add(&verdict);
                    self.count(&verdict);
                }
                None => {
                    first = Some(drawn);
                    break;
                }
            }
        }
        if self.interrupt.code().is_none() {
            let aside = earlier.put_aside().map_err(refused)?;
            if aside.broken() > 0 {
                self.progress.say(&format!(
                    "broken lines in the verdict file: {}; what they told of is judged again",
                    aside.broken()
                ));
            }
            self.aside = Some(Arc::new(Mutex::new(aside)));
        }
        Ok(first)
    }

    /// A verdict of an earlier run.
    fn known(&self, place: u64) -> Result<VerdictRecord, Failure> {
        let aside = self.aside.as_deref().expect("it gave the place");
        lock(aside).read(place).map_err(refused)
    }

    /// Write and count one verdict.
    fn write(&mut self, record: &VerdictRecord) -> Result<Reader, Failure> {
        let reader = self.output.write(&to_line(record))?;
        self.count(&record.verdict);
        Ok(reader)
    }

    fn count(&mut self, verdict: &Verdict) {
        self.tally.add(verdict);
        self.progress.show(&self.tally);
    }

    /// What was not judged in this run but kept from an earlier one.
    pub fn kept(&self) -> Taken {
        let taken = self
            .aside
            .as_ref()
            .map(|aside| lock(aside).taken())
            .unwrap_or_default();
        Taken {
            verdicts: self.in_place.verdicts + taken.verdicts,
            tests: self.in_place.tests + taken.tests,
        }
    }

    /// All is judged: put the verdicts on the disk.
    pub fn complete(self) -> Result<(), Failure> {
        self.output.complete()?;
        let Some(aside) = self.aside else {
            return Ok(());
        };
        if let Some((unused, path)) = lock(&aside).complete().map_err(refused)? {
            let path = path.display();
            self.progress.say(&format!(
                "{unused} earlier verdicts are of other programs, problems or settings; they are kept in {path}"
            ));
        }
        Ok(())
    }
}

fn lock(aside: &Mutex<Aside>) -> MutexGuard<'_, Aside> {
    aside.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The tasks that must be judged. Tells of every submission drawn which line comes next.
struct Tasks<I> {
    drawn: I,
    aside: Option<Arc<Mutex<Aside>>>,
    slots: Sender<Slot>,
}

impl<I: Iterator<Item = Drawn>> Iterator for Tasks<I> {
    type Item = Task;

    fn next(&mut self) -> Option<Task> {
        loop {
            let Some(Drawn { task, input_hash }) = self.drawn.next() else {
                // Nobody may be there to hear it: the run was stopped.
                let _ = self.slots.send(Slot::End);
                return None;
            };
            let known = self
                .aside
                .as_ref()
                .and_then(|aside| lock(aside).claim(&input_hash));
            match known {
                Some(place) => self.slots.send(Slot::Known(place)).ok()?,
                None => {
                    self.slots.send(Slot::Judged(input_hash)).ok()?;
                    return Some(task);
                }
            }
        }
    }
}
