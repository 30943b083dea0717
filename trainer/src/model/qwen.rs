//! The model as data: what its functions work on.

use super::config::QwenConfig;
use super::layer::Layer;
use std::path::PathBuf;
use tch::{Kind, Tensor};

/// A Qwen3 or Qwen2.5 language model.
#[derive(Debug)]
pub struct Qwen {
    pub(super) config: QwenConfig,
    pub(super) embedding: Tensor,
    pub(super) layers: Vec<Layer>,
    pub(super) norm: Tensor,
    /// None where the embedding is the head as well.
    pub(super) head: Option<Tensor>,
    pub(super) inverse_frequencies: Tensor,
    /// The weights of all layers' head norms, as [`layer::norms`](super::layer::norms) gives them. Only in a copy for sampling.
    pub(super) norms: Option<Tensor>,
    pub(super) kind: Kind,
    pub(super) logits_at_once: i64,
    /// Where the model came from: its tokenizer files go along on a save.
    pub(super) source: Option<PathBuf>,
}
