//! The Policy: Qwen3 and Qwen2.5 as functions of named tensors. Weights come from a Hugging Face folder and go back to one.
//!
//! It is not a framework: no modules, no hooks. Weights are masters in float32 (float64 where asked for); a forward pass
//! casts them to the kind it computes in. How a gradient is had without the whole logits or the whole graph ever
//! standing in memory is in `head` and `update`; sampling is [`crate::engine`].

mod config;
mod error;
mod export;
mod forward;
mod head;
mod layer;
mod packed;
mod qwen;
mod update;
mod weights;

pub use config::{Architecture, QwenConfig, end_tokens};
pub use error::ModelError;
pub use forward::{FusedHeads, Heads, Rotary, Turns};
pub use head::logits_at_once;
pub use packed::Packed;
pub use qwen::Qwen;
pub use update::{Activations, Update};
pub use weights::has_weights;

use std::path::Path;
use tch::{Device, Kind, Tensor};

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
        copy.norms = layer::norms(&copy.layers, &self.config);
        let layers = std::mem::take(&mut copy.layers);
        copy.layers = layers
            .into_iter()
            .map(|layer| layer.fuse(&self.config))
            .collect();
        copy
    }
}
