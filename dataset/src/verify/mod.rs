//! Runs programs to find out whether a problem can be trusted as a reward: its references must pass its tests, each time.
//!
//! What decides is the evaluator. A record without a reference that passes is dropped, with the test that speaks against it.

mod generate;
mod references;
mod settings;
mod strength;

use std::path::Path;
use std::sync::Arc;

use evaluator::lint::{contradiction, excerpt};
use evaluator::{Evaluator, Interpreter, Level, Settings};
use serde_json::json;

use crate::error::DataError;
use crate::pairs::pairs;
use crate::record::{Dropped, Reason, Record, Stage};
use crate::stage::{Job, StageReport};
pub use settings::Verify;

/// Characters of evidence.
const SHOWN: usize = 300;

/// Runs programs on behalf of [`Verify`].
pub struct Verifier {
    evaluator: Arc<Evaluator>,
    verify: Verify,
}

impl Verifier {
    /// Programs run in the sandbox, `workers` at a time.
    pub fn new(verify: Verify, workers: usize) -> Result<Verifier, DataError> {
        let settings = Settings {
            // Each run of a reference counts, and mutants are made different.
            dedup: false,
            keep_output: if verify.generate > 0 {
                generate::LONGEST
            } else {
                0
            },
            ..Settings::default()
        };
        let interpreter = Interpreter::find(None)?;
        Ok(Verifier {
            evaluator: Evaluator::new(interpreter, Level::Full, workers, settings)?,
            verify,
        })
    }

    /// Verify `input` to `out`.
    pub fn run(&self, input: &Path, out: &Path, resume: bool) -> Result<StageReport, DataError> {
        let job = Job {
            stage: Stage::Verify,
            input: input.to_owned(),
            out: out.to_owned(),
            settings: serde_json::to_string(&self.verify).expect("it has only string keys"),
            resume,
        };
        job.run(|records| self.verify(records))
    }

    /// Verify some records, side by side.
    pub fn verify(&self, records: &mut [&mut Record]) -> Result<(), DataError> {
        for record in records.iter_mut() {
            record.dropped_by = unrun(record);
            if let Some(evidence) = generate::outside(record) {
                record.note(Stage::Verify, "outside_bounds", evidence);
            }
        }
        let slowest = references::settle(&self.evaluator, &self.verify, records)?;
        if self.verify.generate > 0 {
            generate::add(&self.evaluator, &self.verify, records, &slowest)?;
        }
        strength::measure(&self.evaluator, &self.verify, records, &slowest)?;
        let timed = records
            .iter_mut()
            .zip(slowest)
            .filter(|(record, _)| record.is_live());
        for (record, slowest) in timed {
            if let Some(slowest) = slowest
                && self.verify.time_factor > 0.0
            {
                strength::calibrate(record, slowest, self.verify.time_factor);
            }
        }
        Ok(())
    }
}

/// Why a record is dropped before any program is run.
fn unrun(record: &Record) -> Option<Dropped> {
    let pairs = pairs(record);
    let texts = pairs.iter().map(|pair| (&*pair.input, &*pair.output));
    if let Some(((input, one), (_, other))) = contradiction(texts) {
        let evidence = json!({
            "input": excerpt(input, SHOWN),
            "outputs": [excerpt(one, SHOWN), excerpt(other, SHOWN)],
        });
        return Some(Dropped::new(
            Stage::Verify,
            Reason::ContradictingTests,
            evidence,
        ));
    }
    let has_reference = record.references().next().is_some();
    (!has_reference).then(|| {
        Dropped::new(
            Stage::Verify,
            Reason::NoReference,
            json!({"solutions": record.solutions.len()}),
        )
    })
}
