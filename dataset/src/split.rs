//! Splits records in two, so that what is added later never moves what is there.

use std::path::Path;

use evaluator::fingerprint::key;
use evaluator::jsonl::JsonLines;

use crate::error::DataError;
use crate::record::Record;
use crate::stage::Records;

/// Which records are held out.
#[derive(Debug, Clone)]
pub enum HeldOut {
    /// This share, chosen by the hash of source and id alone.
    Share(f64),
    /// What was published on this day or later. What has no date is not.
    After(String),
}

impl HeldOut {
    fn holds(&self, record: &Record) -> bool {
        match self {
            HeldOut::Share(share) => {
                let name = format!("{}\0{}", record.origin.source, record.origin.id);
                // 53 bits, as many as a float holds.
                let place = (key(&name) as u64 >> 11) as f64 / (1_u64 << 53) as f64;
                place < *share
            }
            HeldOut::After(day) => record.origin.date.as_ref().is_some_and(|date| date >= day),
        }
    }
}

/// Write the live records of `input` to `train` and `held_out`; gives back how many each got.
pub fn split(
    input: &Path,
    by: &HeldOut,
    train: &Path,
    held_out: &Path,
) -> Result<(usize, usize), DataError> {
    let (mut train, mut rest) = (JsonLines::create(train)?, JsonLines::create(held_out)?);
    let (mut trained, mut held) = (0, 0);
    for record in Records::open(input)? {
        let record = record?;
        if !record.is_live() {
            continue;
        }
        match by.holds(&record) {
            true => {
                rest.append(&record)?;
                held += 1;
            }
            false => {
                train.append(&record)?;
                trained += 1;
            }
        }
    }
    train.complete()?;
    rest.complete()?;
    Ok((trained, held))
}
