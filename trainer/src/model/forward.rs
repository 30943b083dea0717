//! The forward pass, a function of the weights: embedding, layers, norm. Rows are tokens, `[T, hidden]`; who attends to
//! whom is the caller's, given as a function over heads.

use super::config::QwenConfig;
use super::layer::Layer;
use super::packed::{Packed, Padding};
use super::qwen::Qwen;
use crate::native::{self, LayerShape, Spans};
use tch::{Device, Kind, Tensor};

/// Query, key and value of some tokens, positions already turned in: `[T, heads, dim]`, `[T, kv_heads, dim]` twice.
#[derive(Debug)]
pub struct Heads {
    /// Queries.
    pub query: Tensor,
    /// Keys.
    pub key: Tensor,
    /// Values.
    pub value: Tensor,
}

/// The same of a copy for sampling.
#[derive(Debug)]
pub struct FusedHeads {
    /// Queries.
    pub query: Tensor,
    /// `[T, 2 * kv_heads, dim]`: keys and values as they lie side by side.
    pub stored: Tensor,
}

impl FusedHeads {
    fn apart(&self) -> Heads {
        let kv_heads = self.stored.size()[1] / 2;
        Heads {
            query: self.query.shallow_clone(),
            key: self.stored.narrow(1, 0, kv_heads),
            value: self.stored.narrow(1, kv_heads, kv_heads),
        }
    }
}

/// Cosines and sines of some positions, `[T, 1, dim]` each.
#[derive(Debug)]
pub struct Rotary {
    cosine: Tensor,
    /// Negative in its first half: what a turn takes off there.
    sine: Tensor,
}

/// Turns of some positions as matrices, for a copy for sampling: a turn is then one product and one sum, and takes the weights of
/// a head's norm along.
#[derive(Debug)]
pub struct Turns {
    /// `[T, 1, 2, 2, dim / 2]`: what each half of a turned head takes of each half of the head.
    plain: Tensor,
    /// The same with the weights of each layer's head norms, `[layers, T, heads + kv_heads, 2, 2, dim / 2]`, where that was asked
    /// for.
    weighted: Option<Tensor>,
}

/// `[dim / 2]` in float64: theta to the power of -2i/dim.
pub(super) fn inverse_frequencies(config: &QwenConfig, device: Device) -> Tensor {
    let exponents = Tensor::arange_start_step(0, config.head_dim, 2, (Kind::Double, device))
        / config.head_dim as f64;
    (exponents * -config.rope_theta.ln()).exp()
}

impl Rotary {
    /// Turns query and key `[T, heads, dim]`: the first half of a head pairs with the second.
    fn turn(&self, heads: &Tensor) -> Tensor {
        let half = heads.size()[2] / 2;
        let swapped = heads.roll([half], [-1]);
        (heads * &self.cosine).addcmul(&swapped, &self.sine)
    }
}

impl Turns {
    /// Those of some of these positions.
    pub fn at(&self, places: &Tensor) -> Turns {
        Turns {
            plain: self.plain.index_select(0, places),
            weighted: None,
        }
    }

    /// The same with the weights of all layers' norms worked in at once: a launch for all in place of one for each.
    pub fn weighted(self, policy: &Qwen) -> Turns {
        let weighted = policy.norms.as_ref().map(|norms| &self.plain * norms);
        Turns { weighted, ..self }
    }

    /// The turns of a layer's heads after their norm, its weights in them.
    fn of_layer(&self, index: i64, norms: Option<&Tensor>) -> Tensor {
        match (&self.weighted, norms) {
            (Some(weighted), _) => weighted.get(index),
            (None, Some(norms)) => &self.plain * norms.get(index),
            (None, None) => self.plain.shallow_clone(),
        }
    }
}

impl QwenConfig {
    /// Whether attention is flash attention on a device, in numbers of a kind: on a GPU, in 16 bits, with heads as wide as its kernels
    /// take.
    pub fn attends_by_flash(&self, device: Device, kind: Kind) -> bool {
        let dim = self.head_dim;
        device.is_cuda() && kind == Kind::BFloat16 && dim % 8 == 0 && dim <= 256
    }
}

impl Qwen {
    /// Angles for `positions` `[T]`, computed in float64 and rounded once.
    pub fn rotary(&self, positions: &Tensor) -> Rotary {
        let [cosine, sine] = self.angles(positions);
        let both = |first: &Tensor, second: &Tensor| {
            let halves = Tensor::cat(&[first, second], -1);
            halves.unsqueeze(1).to_kind(self.kind)
        };
        Rotary {
            cosine: both(&cosine, &cosine),
            sine: both(&sine.neg(), &sine),
        }
    }

    /// The same for a copy for sampling.
    pub fn turns(&self, positions: &Tensor) -> Turns {
        let [cosine, sine] = self.angles(positions);
        let rows = Tensor::stack(&[&cosine, &sine.neg(), &sine, &cosine], 1);
        let half = self.config.head_dim / 2;
        Turns {
            plain: rows.view([-1, 1, 2, 2, half]).to_kind(self.kind),
            weighted: None,
        }
    }

    /// Cosines and sines, `[T, dim / 2]` in float64.
    fn angles(&self, positions: &Tensor) -> [Tensor; 2] {
        let angles = positions.to_kind(Kind::Double).unsqueeze(-1) * &self.inverse_frequencies;
        [angles.cos(), angles.sin()]
    }

    /// `[T, hidden]` of `tokens` `[T]`.
    pub fn embed(&self, tokens: &Tensor) -> Tensor {
        Tensor::embedding(&self.embedding, tokens, -1, false, false).to_kind(self.kind)
    }

    /// Layer `index` over `[T, hidden]`. `attend` gets the heads and gives `[T, heads * dim]`.
    pub fn layer(
        &self,
        index: usize,
        input: &Tensor,
        rotary: &Rotary,
        attend: &mut dyn FnMut(Heads) -> Tensor,
    ) -> Tensor {
        let layer = &self.layers[index];
        if layer.query.kind() == self.kind {
            self.run_layer(layer, input, rotary, attend)
        } else {
            self.run_layer(
                &layer.map(&|tensor| tensor.to_kind(self.kind)),
                input,
                rotary,
                attend,
            )
        }
    }

    fn run_layer(
        &self,
        layer: &Layer,
        input: &Tensor,
        rotary: &Rotary,
        attend: &mut dyn FnMut(Heads) -> Tensor,
    ) -> Tensor {
        // 1. norm, project, normalise heads, turn positions in, attend, project back.
        let normed = self.normalise(input, &layer.input_norm);
        let attended =
            attend(self.heads(layer, &normed, rotary)).linear(&layer.output, None::<Tensor>);
        let middle = input + attended;
        // 2. norm, SwiGLU.
        let normed = self.normalise(&middle, &layer.post_norm);
        let gate = normed.linear(&layer.gate, None::<Tensor>).silu();
        let up = normed.linear(&layer.up, None::<Tensor>);
        middle + (gate * up).linear(&layer.down, None::<Tensor>)
    }

    /// As [`Qwen::layer`], of a copy for sampling: without a graph, in few launches, `rows` changed in place. `scratch` is
    /// [`Qwen::scratch`]'s.
    ///
    /// # Panics
    /// Of a model that is none.
    pub fn fused_layer(
        &self,
        index: usize,
        rows: &mut Tensor,
        turns: &Turns,
        scratch: &Tensor,
        attend: &mut dyn FnMut(FusedHeads) -> Tensor,
    ) {
        let layer = &self.layers[index];
        let fused = layer.fused.as_ref().expect("a copy for sampling");
        let (weights, shape) = (fused.weights(layer), self.layer_shape());
        let turns = turns.of_layer(index as i64, self.norms.as_ref());
        let all = native::layer_heads(&weights, &shape, rows, &turns);
        let attended = attend(FusedHeads {
            query: all.narrow(1, 0, shape.heads),
            stored: all.narrow(1, shape.heads, 2 * shape.kv_heads),
        });
        native::layer_rest(&weights, &shape, rows, &attended, scratch);
    }

    fn layer_shape(&self) -> LayerShape {
        LayerShape {
            heads: self.config.heads,
            kv_heads: self.config.kv_heads,
            dim: self.config.head_dim,
            wide: self.config.intermediate_size,
            heads_are_normed: self.norms.is_some().into(),
            epsilon: self.config.norm_epsilon,
        }
    }

    /// What fused layers need of room besides, for as many rows: `[rows, 3 * intermediate]`, of which the first third stays zero.
    pub fn scratch(&self, rows: i64) -> Tensor {
        let size = [rows, 3 * self.config.intermediate_size];
        Tensor::zeros(size, (self.kind, self.device()))
    }

    fn heads(&self, layer: &Layer, normed: &Tensor, rotary: &Rotary) -> Heads {
        let biases = layer.biases.as_ref();
        let project = |weight: &Tensor, which: usize| {
            let flat = normed.linear(weight, biases.map(|all| &all[which]));
            flat.view([
                -1,
                weight.size()[0] / self.config.head_dim,
                self.config.head_dim,
            ])
        };
        let (query, key, value) = (
            project(&layer.query, 0),
            project(&layer.key, 1),
            project(&layer.value, 2),
        );
        let (query, key) = match &layer.head_norms {
            Some([for_query, for_key]) => (
                self.normalise(&query, for_query),
                self.normalise(&key, for_key),
            ),
            None => (query, key),
        };
        Heads {
            query: rotary.turn(&query),
            key: rotary.turn(&key),
            value,
        }
    }

    /// Root-mean-square norm over the last dimension.
    fn normalise(&self, input: &Tensor, weight: &Tensor) -> Tensor {
        input.rms_norm(weight.size(), Some(weight), self.config.norm_epsilon)
    }

    /// The last norm, before the head, of `[T, hidden]`.
    pub fn finish(&self, hidden: &Tensor) -> Tensor {
        self.normalise(hidden, &self.norm.to_kind(self.kind))
    }

    /// `[T, vocab]` of finished rows, in float32 (float64 where the model computes in that).
    pub fn logits(&self, finished: &Tensor) -> Tensor {
        let head = self
            .head
            .as_ref()
            .unwrap_or(&self.embedding)
            .to_kind(self.kind);
        let logits = finished.linear(&head, None::<Tensor>);
        if self.kind == Kind::Double {
            logits
        } else {
            logits.to_kind(Kind::Float)
        }
    }

    /// Layer `index` over packed sequences, each attending to itself alone.
    pub(super) fn packed_layer(
        &self,
        index: usize,
        input: &Tensor,
        rotary: &Rotary,
        packed: &Packed,
    ) -> Tensor {
        self.layer(index, input, rotary, &mut |heads| {
            self.attend_within(&heads, packed)
        })
    }

    /// `[T, hidden]` after all layers, before the last norm.
    pub fn hidden(&self, packed: &Packed) -> Tensor {
        let rotary = self.rotary(&packed.positions);
        (0..self.layers.len()).fold(self.embed(&packed.tokens), |rows, index| {
            self.packed_layer(index, &rows, &rotary, packed)
        })
    }

    /// As [`Qwen::hidden`], of a copy for sampling, with each layer's keys and values, `[T, 2 * kv_heads, dim]`: what decoding
    /// starts from.
    pub fn hidden_with_heads(&self, packed: &Packed) -> (Tensor, Vec<Tensor>) {
        let turns = self.turns(&packed.positions);
        let mut kept = Vec::new();
        let mut rows = self.embed(&packed.tokens);
        let scratch = self.scratch(rows.size()[0]);
        for index in 0..self.layers.len() {
            self.fused_layer(index, &mut rows, &turns, &scratch, &mut |heads| {
                let attended = self.attend_within(&heads.apart(), packed);
                // A view would keep the queries as well.
                kept.push(heads.stored.contiguous());
                attended
            });
        }
        (rows, kept)
    }

    /// `[T, vocab]` of packed sequences, whole: for checks and short prompts, not for training.
    pub fn all_logits(&self, packed: &Packed) -> Tensor {
        self.logits(&self.finish(&self.hidden(packed)))
    }

    /// Whether attention is flash attention over sequences as they lie. Elsewhere a square of padded sequences stands in.
    pub fn attends_by_flash(&self) -> bool {
        self.config.attends_by_flash(self.device(), self.kind)
    }

    /// Causal attention within each sequence.
    fn attend_within(&self, heads: &Heads, packed: &Packed) -> Tensor {
        if !self.attends_by_flash() {
            return attend_padded(heads, packed);
        }
        let spans = Spans {
            starts: &packed.starts,
            used: None,
            longest: packed.lengths.iter().copied().max().unwrap_or(0),
        };
        let heads = [&heads.query, &heads.key, &heads.value];
        native::flash_attention(heads, &spans, &spans, true).flatten(1, 2)
    }
}

/// As [`Qwen::attend_within`], with sequences padded at their right ends, where nothing causal looks.
fn attend_padded(heads: &Heads, packed: &Packed) -> Tensor {
    let padding = packed.padding.as_ref();
    let square = |rows: &Tensor| spread(rows, padding, packed.sequences());
    let grouped = heads.query.size()[1] != heads.key.size()[1];
    let attended = Tensor::scaled_dot_product_attention(
        &square(&heads.query),
        &square(&heads.key),
        &square(&heads.value),
        None::<Tensor>,
        0.0,
        true,
        None,
        grouped,
    );
    let flat = attended.transpose(1, 2).flatten(2, 3).flatten(0, 1);
    padding.map_or_else(
        || flat.shallow_clone(),
        |padding| flat.index_select(0, &padding.gather),
    )
}

/// `[T, heads, dim]` to `[B, heads, longest, dim]`.
fn spread(rows: &Tensor, padding: Option<&Padding>, sequences: i64) -> Tensor {
    let size = rows.size();
    let square = match padding {
        Some(padding) => rows.index_select(0, &padding.spread).view([
            sequences,
            padding.longest,
            size[1],
            size[2],
        ]),
        None => rows.view([sequences, -1, size[1], size[2]]),
    };
    square.transpose(1, 2)
}
