//! One model with what the reference computed of it.

use super::reference::{CheckError, Json, Tensors, read_json};
use crate::model::Qwen;
use std::path::{Path, PathBuf};
use tch::{Device, Kind};

/// Everything of one model's folder.
pub(super) struct Subject {
    pub(super) name: String,
    pub(super) model: Qwen,
    /// What `model` is read from, for those that train a copy of it.
    pub(super) dir: PathBuf,
    pub(super) forward: Tensors,
    pub(super) rl: Tensors,
    reference: (PathBuf, serde_json::Value),
}

impl Subject {
    pub(super) fn read(dir: &Path) -> Result<Subject, CheckError> {
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

    pub(super) fn json(&self) -> Json<'_> {
        Json::root(&self.reference.0, &self.reference.1)
    }

    pub(super) fn named(&self, what: &str) -> String {
        format!("{} {what}", self.name)
    }
}
