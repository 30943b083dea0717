//! One model with what the reference computed of it.

use super::error::CheckError;
use super::record::{Reference, Tensors, read};
use crate::model::Qwen;
use std::path::{Path, PathBuf};
use tch::{Device, Kind};

/// Everything of one model's folder.
pub(super) struct Subject {
    name: String,
    pub(super) model: Qwen,
    dir: PathBuf,
    pub(super) forward: Tensors,
    pub(super) rl: Tensors,
    pub(super) reference: Reference,
}

impl Subject {
    pub(super) fn read(dir: &Path) -> Result<Subject, CheckError> {
        let name = dir.file_name().unwrap_or_default();
        Ok(Subject {
            name: name.display().to_string(),
            model: Qwen::load(dir, Device::Cpu, Kind::Float)?,
            dir: dir.to_path_buf(),
            forward: Tensors::read(&dir.join("forward.safetensors"))?,
            rl: Tensors::read(&dir.join("rl.safetensors"))?,
            reference: read(&dir.join("reference.json"))?,
        })
    }

    /// The model once more, from its stored weights: for those that train it.
    pub(super) fn copy(&self) -> Result<Qwen, CheckError> {
        Ok(Qwen::load(&self.dir, Device::Cpu, Kind::Float)?)
    }

    pub(super) fn named(&self, what: &str) -> String {
        format!("{} {what}", self.name)
    }
}
