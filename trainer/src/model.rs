//! The Policy: Qwen3 and Qwen2.5 as functions of named tensors. Weights come from a Hugging Face folder and go back to one.
//!
//! It is not a framework: no modules, no hooks. Weights are masters in float32 (float64 where asked for); a forward pass
//! casts them to the kind it computes in. How a gradient is had without the whole logits or the whole graph ever
//! standing in memory is in `head` and `update`; sampling is [`crate::engine`].

mod config;
mod export;
mod forward;
mod head;
mod packed;
mod update;
mod weights;

pub use config::{Architecture, QwenConfig, end_tokens};
pub use forward::{Heads, Rotary};
pub use head::logits_at_once;
pub use packed::Packed;
pub use update::{Activations, Update};
pub use weights::has_weights;

use std::path::{Path, PathBuf};
use tch::{Device, Kind, Tensor};

/// Why a model could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file system refused; the error names the file.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// config.json says something that is wrong or not supported.
    #[error("{}: field `{field}`: {problem}", path.display())]
    Config {
        /// The config file.
        path: PathBuf,
        /// The field's name.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The weight files lack a tensor, or hold one that does not fit.
    #[error("{}: tensor `{tensor}`: {problem}", path.display())]
    Weights {
        /// The model's folder or one of its files.
        path: PathBuf,
        /// The tensor's name.
        tensor: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A weight file that is no safetensors file.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What its reader said.
        problem: String,
    },
}

/// One transformer layer's weights. Linear weights are `[out, in]`, norms and biases `[size]`.
#[derive(Debug)]
struct Layer {
    input_norm: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output: Tensor,
    /// Qwen2.5 adds biases to query, key and value.
    biases: Option<[Tensor; 3]>,
    /// Qwen3 normalises every head of query and key.
    head_norms: Option<[Tensor; 2]>,
    post_norm: Tensor,
    gate: Tensor,
    up: Tensor,
    down: Tensor,
    /// Only in a copy for sampling.
    fused: Option<Fused>,
}

/// Projections of the same input as one product each: a decoding step is bound by its launches. Query, key and value of the
/// layer are views of these.
#[derive(Debug)]
struct Fused {
    /// Query, key and value, `[(heads + 2 kv_heads) * dim, hidden]`.
    heads: Tensor,
    bias: Option<Tensor>,
    /// `[heads + kv_heads, dim]`: the weight of the norm of each head.
    norms: Option<Tensor>,
    /// Gate and up, `[2 * intermediate, hidden]`.
    gate_up: Tensor,
}

/// A Qwen3 or Qwen2.5 language model.
#[derive(Debug)]
pub struct Qwen {
    config: QwenConfig,
    embedding: Tensor,
    layers: Vec<Layer>,
    norm: Tensor,
    /// None where the embedding is the head as well.
    head: Option<Tensor>,
    inverse_frequencies: Tensor,
    kind: Kind,
    logits_at_once: i64,
    /// Where the model came from: its tokenizer files go along on a save.
    source: Option<PathBuf>,
}

impl Qwen {
    /// Reads a Hugging Face folder. `kind` is what the forward pass computes in; the weights are kept as float32, or as
    /// float64 where `kind` is that.
    ///
    /// # Errors
    /// A file that is missing, a config that is not supported, a tensor that is missing or has another shape.
    pub fn load(dir: &Path, device: Device, kind: Kind) -> Result<Qwen, ModelError> {
        let config = QwenConfig::read(&dir.join("config.json"))?;
        let tensors = weights::read(dir)?;
        let mut model = weights::assemble(config, tensors, dir, device, kind)?;
        model.source = Some(dir.to_path_buf());
        Ok(model)
    }

    /// A model with random weights that are the same for the same seed, on any device. Computes in `kind`.
    pub fn random(config: QwenConfig, seed: u64, device: Device, kind: Kind) -> Qwen {
        weights::random(config, seed, device, kind)
    }

    /// Names the folder whose tokenizer files go along on a save, for a model that was not read from one.
    pub fn with_tokenizer_of(mut self, dir: &Path) -> Qwen {
        self.source = Some(dir.to_path_buf());
        self
    }

    /// Writes a Hugging Face folder: config.json, model.safetensors and the tokenizer files of the folder that the model was
    /// read from. The weights are the masters, so that nothing is rounded. The folder is created; files in it are replaced.
    ///
    /// # Errors
    /// What the file system says.
    pub fn save(&self, dir: &Path) -> Result<(), ModelError> {
        export::write(self, dir, self.embedding.kind())
    }

    /// The same with weights of another kind, such as 16 bits: half the size, and what inference computes in anyway.
    ///
    /// # Errors
    /// What the file system says.
    pub fn save_as(&self, dir: &Path, kind: Kind) -> Result<(), ModelError> {
        export::write(self, dir, kind)
    }

    /// The master weights under their Hugging Face names. They share storage with the model; a tied head is not listed.
    pub fn parameters(&self) -> Vec<(String, Tensor)> {
        weights::named(self)
    }

    /// Sets how many logits may stand in memory at once, in place of a bound that suits the device. At least one row's do.
    pub fn with_logits_at_once(mut self, count: i64) -> Qwen {
        self.logits_at_once = count;
        self
    }

    /// The shape of the model.
    pub fn config(&self) -> &QwenConfig {
        &self.config
    }

    /// Where the weights are.
    pub fn device(&self) -> Device {
        self.embedding.device()
    }

    /// What the forward pass computes in.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The same model on a device.
    pub fn to_device(&self, device: Device) -> Qwen {
        let mut moved = weights::map(self, &|tensor| tensor.to_device(device));
        moved.inverse_frequencies = self.inverse_frequencies.to_device(device);
        moved.logits_at_once = logits_at_once(device.is_cuda());
        moved
    }

    /// A copy that is not trained: weights already in the compute kind, apart from every graph. Where that is the masters' own
    /// kind, it shares their storage.
    pub fn frozen(&self) -> Qwen {
        weights::map(self, &|tensor| tensor.detach().to_kind(self.kind))
    }

    /// A copy for sampling: as [`Qwen::frozen`], with projections that share their input fused.
    pub fn for_sampling(&self) -> Qwen {
        let mut copy = self.frozen();
        let layers = std::mem::take(&mut copy.layers);
        copy.layers = layers
            .into_iter()
            .map(|layer| weights::fuse(layer, &self.config))
            .collect();
        copy
    }
}
