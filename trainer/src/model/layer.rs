//! The weights of one layer, as they are trained and as they are fused for sampling.

use super::config::QwenConfig;
use crate::native::LayerWeights;
use tch::Tensor;

/// One transformer layer's weights. Linear weights are `[out, in]`, norms and biases `[size]`.
#[derive(Debug)]
pub(super) struct Layer {
    pub(super) input_norm: Tensor,
    pub(super) query: Tensor,
    pub(super) key: Tensor,
    pub(super) value: Tensor,
    pub(super) output: Tensor,
    /// Qwen2.5 adds biases to query, key and value.
    pub(super) biases: Option<[Tensor; 3]>,
    /// Qwen3 normalises every head of query and key.
    pub(super) head_norms: Option<[Tensor; 2]>,
    pub(super) post_norm: Tensor,
    pub(super) gate: Tensor,
    pub(super) up: Tensor,
    pub(super) down: Tensor,
    /// Only in a copy for sampling.
    pub(super) fused: Option<Fused>,
}

/// Projections of the same input as one product each: a decoding step is bound by its launches. Query, key and value of the
/// layer are views of these.
#[derive(Debug)]
pub(super) struct Fused {
    /// Query, key and value, `[(heads + 2 kv_heads) * dim, hidden]`.
    pub(super) heads: Tensor,
    pub(super) bias: Option<Tensor>,
    /// The others as a sum of products takes them, `[in, out]`: gate and up, `[hidden, 2 * intermediate]`.
    pub(super) gate_up: Tensor,
    pub(super) output: Tensor,
    pub(super) down: Tensor,
}

impl Layer {
    /// The layer with every tensor changed by `change`.
    pub(super) fn map(&self, change: &dyn Fn(&Tensor) -> Tensor) -> Layer {
        Layer {
            input_norm: change(&self.input_norm),
            query: change(&self.query),
            key: change(&self.key),
            value: change(&self.value),
            output: change(&self.output),
            biases: self.biases.as_ref().map(|all| all.each_ref().map(change)),
            head_norms: self
                .head_norms
                .as_ref()
                .map(|all| all.each_ref().map(change)),
            post_norm: change(&self.post_norm),
            gate: change(&self.gate),
            up: change(&self.up),
            down: change(&self.down),
            fused: None,
        }
    }

    /// The layer with its projections fused. The old tensors are dropped one layer at a time, so that no second copy of the model
    /// ever stands beside the first.
    pub(super) fn fuse(self, config: &QwenConfig) -> Layer {
        let (query, key) = (
            config.heads * config.head_dim,
            config.kv_heads * config.head_dim,
        );
        let heads = Tensor::cat(&[&self.query, &self.key, &self.value], 0);
        let gate_up = Tensor::cat(&[&self.gate, &self.up], 0);
        let wide = config.intermediate_size;
        Layer {
            query: heads.narrow(0, 0, query),
            key: heads.narrow(0, query, key),
            value: heads.narrow(0, query + key, key),
            gate: gate_up.narrow(0, 0, wide),
            up: gate_up.narrow(0, wide, wide),
            fused: Some(Fused {
                bias: self.biases.as_ref().map(|all| Tensor::cat(all, 0)),
                heads,
                gate_up: gate_up.tr(),
                output: self.output.tr(),
                down: self.down.tr(),
            }),
            ..self
        }
    }
}

impl Fused {
    /// With the weights of its layer that are used as they are.
    pub(super) fn weights<'a>(&'a self, layer: &'a Layer) -> LayerWeights<'a> {
        LayerWeights {
            input_norm: &layer.input_norm,
            heads: &self.heads,
            bias: self.bias.as_ref(),
            output: &self.output,
            post_norm: &layer.post_norm,
            gate_up: &self.gate_up,
            down: &self.down,
        }
    }
}

/// The weights of the head norms of all layers by halves of a head, `[layers, 1, heads + kv_heads, 1, 2, dim / 2]`; none where heads
/// are not normalised.
pub(super) fn norms(layers: &[Layer], config: &QwenConfig) -> Option<Tensor> {
    let rows = |weight: &Tensor, heads: i64| weight.unsqueeze(0).expand([heads, -1], false);
    let of_layer = |layer: &Layer| {
        let [for_query, for_key] = layer.head_norms.as_ref()?;
        let heads = [
            rows(for_query, config.heads),
            rows(for_key, config.kv_heads),
        ];
        Some(Tensor::cat(&heads, 0))
    };
    let all: Option<Vec<Tensor>> = layers.iter().map(of_layer).collect();
    let heads = config.heads + config.kv_heads;
    Some(Tensor::stack(&all?, 0).view([-1, 1, heads, 1, 2, config.head_dim / 2]))
}
