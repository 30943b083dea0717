//! Drops what is there twice, what a benchmark holds, and what is out of bounds; each with its evidence.
//!
//! Whether a record is a duplicate depends on those before it, so the decisions are made first, over the whole input, and then
//! applied. What is held of a record while that goes on is hashes: some kilobytes.

mod bounds;
mod contamination;
mod duplicates;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::DataError;
use crate::pairs::pairs;
use crate::record::{Dropped, Record, Stage};
use crate::stage::{Job, Records, StageReport, hash_file};
pub use bounds::Bounds;
use contamination::{Benchmarks, Found};
use duplicates::{Duplicates, Print, boilerplate};

/// Records whose prints are taken at a time.
const CHUNK: usize = 2048;

/// How to filter.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Filter {
    /// Files of benchmarks, none of whose problems may be in the result.
    pub benchmarks: Vec<PathBuf>,
    /// What records must be like.
    pub bounds: Bounds,
}

impl Filter {
    /// Filter `input` to `out`.
    pub fn run(&self, input: &Path, out: &Path, resume: bool) -> Result<StageReport, DataError> {
        let mut decisions = self.decide(input)?;
        let job = Job {
            stage: Stage::Filter,
            input: input.to_owned(),
            out: out.to_owned(),
            settings: self.describe()?,
            resume,
        };
        job.run(|records| {
            for record in records {
                let decision = decisions.remove(&record.id).unwrap_or_default();
                record.dropped_by = decision.dropped;
                if let Some(overlap) = decision.overlap {
                    record.note(Stage::Filter, "overlap", overlap);
                }
            }
            Ok(())
        })
    }

    /// All settings as text, with the contents of the benchmarks.
    fn describe(&self) -> Result<String, DataError> {
        let hashes: Result<Vec<String>, DataError> =
            self.benchmarks.iter().map(|path| hash_file(path)).collect();
        let bounds = serde_json::to_string(&self.bounds).expect("it has only string keys");
        Ok(format!("{bounds} {}", hashes?.join(" ")))
    }
}

/// What is to be done with a record.
#[derive(Default)]
struct Decision {
    dropped: Option<Dropped>,
    overlap: Option<String>,
}

/// What is held of a record until all are seen.
struct Looked {
    id: String,
    out_of_bounds: Option<Dropped>,
    found: Option<Found>,
    print: Print,
}

impl Filter {
    fn decide(&self, input: &Path) -> Result<HashMap<String, Decision>, DataError> {
        let benchmarks = Benchmarks::read(&self.benchmarks)?;
        let looked = self.look(input, &benchmarks)?;
        let phrases = benchmarks.phrases(looked.iter().filter_map(|one| one.found.as_ref()));
        let common = boilerplate(looked.iter().map(|one| &one.print));
        let signatures = Duplicates::signatures(looked.iter().map(|one| &one.print), &common);
        let mut duplicates = Duplicates::new(common);
        let mut decisions = HashMap::new();
        for (one, signature) in looked.into_iter().zip(signatures) {
            let overlap = one.found.as_ref().and_then(|found| benchmarks.flag(found));
            let dropped = one
                .out_of_bounds
                .or_else(|| benchmarks.dropped(one.found.as_ref()?, &phrases))
                .or_else(|| duplicates.dropped(&one.id, one.print, signature));
            if dropped.is_some() || overlap.is_some() {
                decisions.insert(one.id, Decision { dropped, overlap });
            }
        }
        Ok(decisions)
    }

    fn look(&self, input: &Path, benchmarks: &Benchmarks) -> Result<Vec<Looked>, DataError> {
        let mut records = Records::open(input)?;
        let mut looked = Vec::new();
        loop {
            let chunk: Result<Vec<Record>, DataError> = records.by_ref().take(CHUNK).collect();
            let chunk = chunk?;
            if chunk.is_empty() {
                return Ok(looked);
            }
            let live = chunk.par_iter().filter(|record| record.is_live());
            let ones = live.map(|record| self.look_at(record, benchmarks));
            looked.extend(ones.collect::<Vec<_>>());
        }
    }

    fn look_at(&self, record: &Record, benchmarks: &Benchmarks) -> Looked {
        let pairs = pairs(record);
        Looked {
            id: record.id.clone(),
            out_of_bounds: self.bounds.dropped(record),
            found: benchmarks.find(record.statement.as_deref().unwrap_or_default(), &pairs),
            print: Print::of(record, &pairs),
        }
    }
}
