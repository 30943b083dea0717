//! Checkpoints: all that a run needs to go on to the same numbers. A checkpoint is there whole or not at all.
//!
//! It is written beside its place and moved there last; older ones go only after that. Random numbers need no state
//! of their own: see [`crate::chance`].

use fs_err::{self as fs, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tch::{Kind, Tensor};

use super::cursor::{Cursor, Data};
use super::setup::RunContext;
use super::{RunError, policy};
use crate::algorithm::groups::PassRates;
use crate::algorithm::health::Health;
use crate::algorithm::temperature::DiversityMonitor;
use crate::config::{Compute, Config};
use crate::model::{Packed, Qwen};
use crate::optimizer::AdamW;

/// Where a run stands, apart from weights and optimizer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Steps done.
    pub step: usize,
    /// The data.
    pub data: Data,
    /// Place in it.
    pub cursor: Cursor,
    /// The temperature that diversity has led to, where it decides.
    pub temperature: Option<f64>,
    /// What the watch over diversity has seen.
    pub watch: DiversityMonitor,
    /// What the run has shown of its health.
    #[serde(default)]
    pub health: Health,
    /// The pass rate each problem last had.
    pub pass_rates: PassRates,
}

const PREFIX: &str = "step-";

/// Write a checkpoint into `folder` and keep the newest `keep`. On an error what was there stays.
///
/// # Errors
/// [`RunError::Ruined`] where the policy gives no numbers: there is nothing to go on from in it. What the file system says.
pub fn save(
    folder: &Path,
    keep: usize,
    progress: &Progress,
    context: &RunContext,
    optimizer: &AdamW,
) -> Result<PathBuf, RunError> {
    if !gives_numbers(&context.model) {
        let step = progress.step;
        return Err(RunError::Ruined { step });
    }
    let place = folder.join(format!("{PREFIX}{:06}", progress.step));
    let unfinished = folder.join("unfinished");
    let written = write(&unfinished, progress, context, optimizer).and_then(|()| {
        remove(&place)?;
        fs::rename(&unfinished, &place)?;
        sync(folder)
    });
    if let Err(error) = written {
        // The disk may be full: what was written so far is in the way of whatever the user does next.
        let _ = remove(&unfinished);
        let named = format!("failed to write {}: {error}", place.display());
        return Err(RunError::Write(io::Error::new(error.kind(), named)));
    }
    prune(folder, keep).map_err(RunError::Write)?;
    Ok(place)
}

fn write(
    folder: &Path,
    progress: &Progress,
    context: &RunContext,
    optimizer: &AdamW,
) -> io::Result<()> {
    remove(folder)?;
    fs::create_dir_all(folder)?;
    export(context, &folder.join("model"), Kind::Float)?;
    let state = optimizer.state();
    Tensor::write_safetensors(&state, folder.join("optimizer.safetensors"))
        .map_err(io::Error::other)?;
    let text = serde_json::to_string_pretty(progress).map_err(io::Error::other)?;
    fs::write(folder.join("progress.json"), text)?;
    for file in files(folder)? {
        sync(&file)?;
    }
    Ok(())
}

/// Whether any text still has a probability. Weights can be finite and no longer make numbers, where a step was too long.
fn gives_numbers(model: &Qwen) -> bool {
    let tokens: Vec<i64> = (0..model.config().vocab_size.min(32)).collect();
    let (first, rest) = tokens.split_at(1);
    let packed = Packed::new(&[(first, rest)], model.device());
    let (log_probs, _) = tch::no_grad(|| model.log_probs(&packed, 1.0));
    log_probs.sum(Kind::Double).double_value(&[]).is_finite()
}

/// Write the policy with its tokenizer as a folder in the Hugging Face layout, with weights of `kind`.
pub fn export(context: &RunContext, folder: &Path, kind: Kind) -> io::Result<()> {
    context
        .model
        .save_as(folder, kind)
        .map_err(io::Error::other)?;
    context.tokenizer.save(folder).map_err(io::Error::other)
}

/// Write the model that a run ends with.
pub fn export_final(context: &RunContext, config: &Config, folder: &Path) -> Result<(), RunError> {
    let kind = match config.output.model {
        Compute::Auto => context.placement.kind,
        fixed => policy::kind(fixed, context.placement.device),
    };
    export(context, folder, kind).map_err(RunError::Write)
}

/// A file or folder is on the disk, not only on its way there.
fn sync(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => found.extend(files(&path)?),
            false => found.push(path),
        }
    }
    found.push(folder.to_path_buf());
    Ok(found)
}

fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn prune(folder: &Path, keep: usize) -> io::Result<()> {
    let all = list(folder)?;
    for old in &all[..all.len().saturating_sub(keep)] {
        remove(old)?;
    }
    Ok(())
}

/// The checkpoints in `folder`, oldest first.
pub fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(PREFIX) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// The newest checkpoint in `folder`; none where there is no such folder.
pub fn newest(folder: &Path) -> Result<Option<PathBuf>, RunError> {
    match list(folder) {
        Ok(all) => Ok(all.last().cloned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(RunError::Read(error)),
    }
}

/// Where the run stood.
pub fn progress(checkpoint: &Path) -> Result<Progress, RunError> {
    let path = checkpoint.join("progress.json");
    let text = fs::read_to_string(&path).map_err(RunError::Read)?;
    serde_json::from_str(&text).map_err(|error| RunError::unusable(&path, error))
}

/// The optimizer as it was.
pub fn restore(checkpoint: &Path, optimizer: &mut AdamW) -> Result<(), RunError> {
    let path = checkpoint.join("optimizer.safetensors");
    let state =
        Tensor::read_safetensors(&path).map_err(|error| RunError::unusable(&path, error))?;
    optimizer
        .restore(&state)
        .map_err(|error| RunError::unusable(&path, error))
}
