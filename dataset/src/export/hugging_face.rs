//! A folder as Hugging Face lays out a data set: the rows in `data/`, and a card that says so.

use std::path::Path;

use super::own::own;
use crate::card::card;
use crate::chosen::{Chosen, Written};
use crate::error::DataError;
use crate::stage::{StageReport, reports};

/// Where the rows are.
const ROWS: &str = "data/train.jsonl";

/// Write what is chosen into the new folder `out`.
pub fn hugging_face(chosen: &Chosen, out: &Path) -> Result<Written, DataError> {
    fs_err::create_dir(out)?;
    fs_err::create_dir(out.join("data"))?;
    let written = own(chosen, &out.join(ROWS), None)?;
    let stages: Vec<StageReport> = reports(&chosen.input)?;
    fs_err::write(out.join("README.md"), card(chosen, &stages, ROWS)?)?;
    Ok(written)
}
