//! The records that are written: those that no stage dropped, under a licence that is allowed.

use std::path::PathBuf;

use crate::error::DataError;
use crate::record::Record;
use crate::stage::Records;

/// What is written of a file of records.
#[derive(Debug, Clone, Default)]
pub struct Chosen {
    /// The file.
    pub input: PathBuf,
    /// Only these licences; all if empty. What states none is not known to be one of them.
    pub licenses: Vec<String>,
}

/// What became of the records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Written {
    /// Written.
    pub problems: usize,
    /// Left out, as the format has no place for them.
    pub no_place: usize,
    /// Left out for their licence.
    pub unlicensed: usize,
}

impl Chosen {
    /// Call `write` with each; it says whether the format has a place for it.
    pub fn each(
        &self,
        mut write: impl FnMut(&Record) -> Result<bool, DataError>,
    ) -> Result<Written, DataError> {
        let mut written = Written::default();
        for record in Records::open(&self.input)? {
            let record = record?;
            if !record.is_live() {
                continue;
            }
            match self.allows(&record) {
                false => written.unlicensed += 1,
                true if write(&record)? => written.problems += 1,
                true => written.no_place += 1,
            }
        }
        Ok(written)
    }

    /// Whether a record is under a licence that is allowed.
    pub fn allows(&self, record: &Record) -> bool {
        let of = record.origin.license.as_deref().unwrap_or_default();
        let is_it = |license: &String| license.eq_ignore_ascii_case(of);
        self.licenses.is_empty() || self.licenses.iter().any(is_it)
    }
}
