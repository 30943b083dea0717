//! What the reference wrote, as `trainer/reference/make_reference.py` documents it. Settings bear the names that they have in
//! a configuration.

use super::error::CheckError;
use crate::algorithm::advantage::Normalisation;
use crate::algorithm::loss::LossConfig;
use crate::algorithm::truncation::Conditions;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use tch::{Kind, Tensor};

/// Reads a JSON file; an error names the file and the field.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, CheckError> {
    let text = fs_err::read_to_string(path)?;
    let mut json = serde_json::Deserializer::from_str(&text);
    serde_path_to_error::deserialize(&mut json).map_err(|error| {
        CheckError::unusable(path, format!("`{}`: {}", error.path(), error.inner()))
    })
}

/// `cases.json`.
#[derive(Debug, Deserialize)]
pub(super) struct Cases {
    pub(super) advantages: Vec<GroupCase>,
    pub(super) truncation: Vec<TruncationCase>,
    pub(super) truncation_tokens: HashMap<String, Vec<i64>>,
    pub(super) loss: Vec<LossCase>,
    pub(super) filter_logits: Vec<f64>,
    pub(super) filters: Vec<FilterCase>,
}

#[derive(Debug, Deserialize)]
pub(super) struct GroupCase {
    pub(super) rewards: Vec<Option<f64>>,
    pub(super) normalisation: Normalisation,
    pub(super) eps: f64,
    pub(super) values: Vec<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct TruncationCase {
    pub(super) tokens: String,
    pub(super) max_length: usize,
    pub(super) conditions: Conditions,
    pub(super) reward: f64,
    pub(super) draw: f64,
    pub(super) masked: bool,
}

/// A loss on given log-probabilities, which lie response by response.
#[derive(Debug, Deserialize)]
pub(super) struct LossCase {
    pub(super) variant: String,
    pub(super) loss: LossConfig,
    pub(super) max_length: usize,
    pub(super) new: Vec<Vec<f64>>,
    pub(super) old: Vec<Vec<f64>>,
    pub(super) reference: Vec<Vec<f64>>,
    pub(super) advantages: Vec<f64>,
    pub(super) value: f64,
    pub(super) gradient: Vec<Vec<f64>>,
    pub(super) sums: MeanSums,
}

#[derive(Debug, Deserialize)]
pub(super) struct FilterCase {
    pub(super) temperature: f64,
    pub(super) top_k: i64,
    pub(super) top_p: f64,
    pub(super) min_p: f64,
    pub(super) probs: Vec<f64>,
}

/// What a loss reports: means over tokens, and the largest ratio.
#[derive(Debug, Deserialize)]
pub(super) struct MeanSums {
    pub(super) tokens: f64,
    pub(super) clipped_low: f64,
    pub(super) clipped_high: f64,
    pub(super) ratio: f64,
    pub(super) ratio_max: f64,
    pub(super) moved: f64,
    pub(super) divergence: f64,
}

/// `reference.json` of a model.
#[derive(Debug, Deserialize)]
pub(super) struct Reference {
    pub(super) logits: Logits,
    pub(super) greedy_min_margin: Vec<f64>,
    pub(super) rl: RecordedBatch,
    pub(super) adamw: Trace,
}

#[derive(Debug, Deserialize)]
pub(super) struct Logits {
    pub(super) f32_err: f64,
    pub(super) max_abs: f64,
}

/// A batch of responses, whose tokens are in `rl.safetensors`.
#[derive(Debug, Deserialize)]
pub(super) struct RecordedBatch {
    pub(super) group: usize,
    pub(super) max_length: usize,
    pub(super) conditions: Conditions,
    pub(super) eps: f64,
    pub(super) rewards: Vec<f64>,
    pub(super) draws: Vec<f64>,
    pub(super) masked: Vec<bool>,
    pub(super) variants: BTreeMap<String, LossVariant>,
}

/// A loss on the batch.
#[derive(Debug, Deserialize)]
pub(super) struct LossVariant {
    pub(super) loss: LossConfig,
    pub(super) normalisation: Normalisation,
    pub(super) temperature: f64,
    pub(super) truncation: bool,
    pub(super) advantages: Vec<f64>,
    pub(super) value: f64,
    pub(super) entropy: f64,
    pub(super) grad_norm: f64,
    pub(super) grad_norms: HashMap<String, f64>,
    pub(super) sums: MeanSums,
    pub(super) f32_err: VariantErrors,
}

#[derive(Debug, Deserialize)]
pub(super) struct VariantErrors {
    pub(super) loss: f64,
    pub(super) grad_norm_rel: f64,
    pub(super) logps: f64,
}

/// A trace of AdamW.
#[derive(Debug, Deserialize)]
pub(super) struct Trace {
    pub(super) rate: f64,
    pub(super) betas: (f64, f64),
    pub(super) eps: f64,
    pub(super) weight_decay: f64,
    pub(super) max_norm: f64,
    pub(super) variant: String,
    /// The rows of each step's mini-batch.
    pub(super) minibatches: Vec<Vec<usize>>,
    pub(super) steps: Vec<TraceStep>,
    pub(super) f32_err: LossError,
}

#[derive(Debug, Deserialize)]
pub(super) struct TraceStep {
    pub(super) loss: f64,
    pub(super) grad_norm: f64,
    pub(super) clipped_low: f64,
    pub(super) clipped_high: f64,
    pub(super) param_norms: HashMap<String, f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct LossError {
    pub(super) loss: f64,
}

/// A safetensors file.
#[derive(Debug)]
pub(super) struct Tensors {
    path: PathBuf,
    all: HashMap<String, Tensor>,
}

impl Tensors {
    pub(super) fn read(path: &Path) -> Result<Tensors, CheckError> {
        let all = Tensor::read_safetensors(path);
        let all = all.map_err(|error| CheckError::unusable(path, error))?;
        Ok(Tensors {
            path: path.to_path_buf(),
            all: all.into_iter().collect(),
        })
    }

    pub(super) fn get(&self, name: &str) -> Result<&Tensor, CheckError> {
        let missing = || CheckError::unusable(&self.path, format!("`{name}`: missing"));
        self.all.get(name).ok_or_else(missing)
    }

    /// What follows `prefix` in the names that start with it, sorted.
    pub(super) fn names_after(&self, prefix: &str) -> Vec<String> {
        let names = self.all.keys().filter_map(|name| name.strip_prefix(prefix));
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        names
    }

    /// The rows of `name` `[rows, length]`, each cut to where `mask` is not zero.
    pub(super) fn rows(&self, name: &str, mask: &str) -> Result<Vec<Vec<i64>>, CheckError> {
        let (ids, mask) = (self.get(name)?, self.get(mask)?);
        let row = |at| integers(&ids.get(at).masked_select(&mask.get(at).not_equal(0)));
        Ok((0..ids.size()[0]).map(row).collect())
    }
}

/// All values of a tensor as integers.
pub(super) fn integers(tensor: &Tensor) -> Vec<i64> {
    Vec::try_from(tensor.to_kind(Kind::Int64).flatten(0, -1)).expect("a flat tensor of integers")
}
