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
mod figure;
mod losses;
mod reference;

pub use figure::Figure;

use crate::model::{ModelError, Qwen};
use reference::{Json, Tensors, read_json};
use std::path::{Path, PathBuf};
use tch::{Device, Kind};

/// Why a reference folder could not be replayed.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// A file that cannot be read; the error names it.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// A file or folder that does not hold what it should.
    #[error("{}: {problem}", path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A file without a field or tensor that it should have, or with one of another kind.
    #[error("{}: `{field}`: {problem}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The field's path in it, or the tensor's name.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The model itself.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl CheckError {
    fn unusable(path: &Path, problem: impl ToString) -> CheckError {
        CheckError::Unusable {
            path: path.to_path_buf(),
            problem: problem.to_string(),
        }
    }
}

/// Everything of one model's folder.
struct Subject {
    name: String,
    model: Qwen,
    /// What `model` is read from, for those that train a copy of it.
    dir: PathBuf,
    forward: Tensors,
    rl: Tensors,
    reference: (PathBuf, serde_json::Value),
}

impl Subject {
    fn read(dir: &Path) -> Result<Subject, CheckError> {
        let file = dir.join("reference.json");
        Ok(Subject {
            name: dir
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            model: Qwen::load(dir, Device::Cpu, Kind::Float)?,
            dir: dir.to_path_buf(),
            forward: Tensors::read(&dir.join("forward.safetensors"))?,
            rl: Tensors::read(&dir.join("rl.safetensors"))?,
            reference: (file.clone(), read_json(&file)?),
        })
    }

    fn json(&self) -> Json<'_> {
        Json::root(&self.reference.0, &self.reference.1)
    }

    fn named(&self, what: &str) -> String {
        format!("{} {what}", self.name)
    }
}

/// Replays a whole folder. The figures come in the order of the folder: cases first, then the models by name.
///
/// # Errors
/// A folder without models or cases, or with files that do not hold what they should. A figure that is off is no error here.
pub fn replay(dir: &Path) -> Result<Vec<Figure>, CheckError> {
    let path = dir.join("cases.json");
    let value = read_json(&path)?;
    let mut figures = cases::replay(&Json::root(&path, &value))?;
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
