//! Replays reference numbers, made by PyTorch and transformers, through the functions that train, and says for each figure
//! how far off it is and how far off it may be.
//!
//! A reference folder holds `cases.json` and one folder for each model. `trainer/reference/make_reference.py` writes one,
//! and says what is in it. Seeds, shapes, head counts and the number of models are the folder's own affair.
//!
//! What the reference computed in float64, the check computes in float32, as training on a CPU does. The tolerance comes from
//! the reference: it did the same in float32 as well and kept the largest error it saw. What needs no model is computed in
//! float64 by both, and may differ by rounding alone.

mod adamw;
mod cases;
mod decoding;
mod error;
mod figure;
mod losses;
mod record;
mod subject;

pub use error::CheckError;
pub use figure::Figure;

use std::path::{Path, PathBuf};
use subject::Subject;

/// Replays a whole folder. The figures come in the order of the folder: cases first, then the models by name.
///
/// # Errors
/// A folder without models or cases, or with files that do not hold what they should. A figure that is off is no error here.
pub fn replay(dir: &Path) -> Result<Vec<Figure>, CheckError> {
    let mut figures = cases::replay(&record::read(&dir.join("cases.json"))?);
    for folder in model_folders(dir)? {
        let subject = Subject::read(&folder)?;
        figures.extend(decoding::replay(&subject)?);
        figures.extend(losses::replay(&subject)?);
        figures.extend(adamw::replay(&subject)?);
    }
    Ok(figures)
}

/// The folders in `dir` that hold a model.
fn model_folders(dir: &Path) -> Result<Vec<PathBuf>, CheckError> {
    let mut folders = Vec::new();
    for entry in fs_err::read_dir(dir)? {
        folders.push(entry?.path());
    }
    folders.retain(|path| path.join("config.json").exists());
    folders.sort();
    match folders.is_empty() {
        true => Err(CheckError::unusable(
            dir,
            "no folder in it holds a model's config.json",
        )),
        false => Ok(folders),
    }
}
