//! A model's tensors by their Hugging Face names: read, checked against the config, made at random, listed.

use super::config::{Architecture, QwenConfig};
use super::error::ModelError;
use super::layer::Layer;
use super::qwen::Qwen;
use super::{forward, head};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::path::Path;
use tch::{Device, Kind, Tensor};

/// All tensors of a folder: of model.safetensors, or of every file that model.safetensors.index.json names.
pub(super) fn read(dir: &Path) -> Result<HashMap<String, Tensor>, ModelError> {
    let index = dir.join("model.safetensors.index.json");
    let files = if index.exists() {
        indexed_files(&index)?
    } else {
        BTreeSet::from(["model.safetensors".to_owned()])
    };
    let mut tensors = HashMap::new();
    for file in files {
        let path = dir.join(&file);
        // tch names neither the file nor the reason where it cannot be opened.
        fs_err::File::open(&path)?;
        let read = Tensor::read_safetensors(&path).map_err(|error| ModelError::Format {
            path: path.clone(),
            problem: error.to_string(),
        })?;
        tensors.extend(read);
    }
    Ok(tensors)
}

/// Whether a folder holds any.
pub fn has_weights(dir: &Path) -> bool {
    ["model.safetensors", "model.safetensors.index.json"]
        .iter()
        .any(|name| dir.join(name).exists())
}

fn indexed_files(path: &Path) -> Result<BTreeSet<String>, ModelError> {
    let text = fs_err::read_to_string(path)?;
    let format = |problem: String| ModelError::Format {
        path: path.to_path_buf(),
        problem,
    };
    let index: Value = serde_json::from_str(&text).map_err(|error| format(error.to_string()))?;
    let map = index.get("weight_map").and_then(Value::as_object);
    let map = map.ok_or_else(|| format("field `weight_map` is missing".to_owned()))?;
    Ok(map
        .values()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect())
}

/// Puts a model together from named tensors, each checked for its shape.
pub(super) fn assemble(
    config: QwenConfig,
    mut tensors: HashMap<String, Tensor>,
    dir: &Path,
    device: Device,
    kind: Kind,
) -> Result<Qwen, ModelError> {
    let master = if kind == Kind::Double {
        Kind::Double
    } else {
        Kind::Float
    };
    let wrong = |tensor: &str, problem: String| ModelError::Weights {
        path: dir.to_path_buf(),
        tensor: tensor.to_owned(),
        problem,
    };
    build(config, device, kind, &mut |name, shape| {
        let tensor = tensors
            .remove(name)
            .ok_or_else(|| wrong(name, "missing".to_owned()))?;
        if tensor.size() != shape {
            return Err(wrong(
                name,
                format!(
                    "has shape {:?}, but config.json implies {shape:?}",
                    tensor.size()
                ),
            ));
        }
        if !tensor.is_floating_point() {
            return Err(wrong(
                name,
                format!(
                    "has dtype {:?}; a floating-point one is needed",
                    tensor.kind()
                ),
            ));
        }
        Ok(tensor.to_kind(master).to_device(device))
    })
}

/// Random weights that let a signal through: normal linear weights of variance 1/in, unit norms, a small embedding, no biases.
/// They come of a generator of their own: torch's is shared by the whole process.
pub(super) fn random(config: QwenConfig, seed: u64, device: Device, kind: Kind) -> Qwen {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let master = if kind == Kind::Double {
        Kind::Double
    } else {
        Kind::Float
    };
    let made: Result<Qwen, Infallible> = build(config, device, kind, &mut |name, shape| {
        let values = match shape {
            [size] => vec![if name.ends_with("bias") { 0.0 } else { 1.0 }; *size as usize],
            _ => normal(
                &mut rng,
                shape,
                if name.contains("embed") || name.contains("lm_head") {
                    0.05
                } else {
                    (shape[1] as f32).powf(-0.5)
                },
            ),
        };
        Ok(Tensor::from_slice(&values)
            .view(shape)
            .to_kind(master)
            .to_device(device))
    });
    let Ok(model) = made;
    model
}

fn normal(rng: &mut ChaCha8Rng, shape: &[i64], deviation: f32) -> Vec<f32> {
    let count = shape.iter().product::<i64>() as usize;
    let draw = |sample: f32| sample * deviation;
    StandardNormal
        .sample_iter(rng)
        .take(count)
        .map(draw)
        .collect()
}

/// Gives the tensor of a name and a shape.
type Get<'a, E> = dyn FnMut(&str, &[i64]) -> Result<Tensor, E> + 'a;

/// Builds a model from whatever gives a tensor for a name and a shape. The one place that knows all names.
fn build<E>(
    config: QwenConfig,
    device: Device,
    kind: Kind,
    get: &mut Get<'_, E>,
) -> Result<Qwen, E> {
    let mut take =
        |name: &str, shape: &[i64]| get(name, shape).map(|tensor| tensor.set_requires_grad(true));
    let (hidden, vocab) = (config.hidden_size, config.vocab_size);
    let embedding = take("model.embed_tokens.weight", &[vocab, hidden])?;
    let layers = (0..config.layers)
        .map(|i| build_layer(&config, i, &mut take))
        .collect::<Result<_, E>>()?;
    let norm = take("model.norm.weight", &[hidden])?;
    let head = if config.tied {
        None
    } else {
        Some(take("lm_head.weight", &[vocab, hidden])?)
    };
    let inverse_frequencies = forward::inverse_frequencies(&config, device);
    Ok(Qwen {
        config,
        embedding,
        layers,
        norm,
        head,
        inverse_frequencies,
        norms: None,
        kind,
        logits_at_once: head::logits_at_once(device.is_cuda()),
        source: None,
    })
}

fn build_layer<E>(config: &QwenConfig, index: i64, take: &mut Get<'_, E>) -> Result<Layer, E> {
    let mut take = |name: &str, shape: &[i64]| take(&format!("model.layers.{index}.{name}"), shape);
    let (hidden, wide, dim) = (
        config.hidden_size,
        config.intermediate_size,
        config.head_dim,
    );
    let (query, key) = (config.heads * dim, config.kv_heads * dim);
    Ok(Layer {
        input_norm: take("input_layernorm.weight", &[hidden])?,
        query: take("self_attn.q_proj.weight", &[query, hidden])?,
        key: take("self_attn.k_proj.weight", &[key, hidden])?,
        value: take("self_attn.v_proj.weight", &[key, hidden])?,
        output: take("self_attn.o_proj.weight", &[hidden, query])?,
        biases: match config.family {
            Architecture::Qwen3 => None,
            Architecture::Qwen2 => Some([
                take("self_attn.q_proj.bias", &[query])?,
                take("self_attn.k_proj.bias", &[key])?,
                take("self_attn.v_proj.bias", &[key])?,
            ]),
        },
        head_norms: match config.family {
            Architecture::Qwen2 => None,
            Architecture::Qwen3 => Some([
                take("self_attn.q_norm.weight", &[dim])?,
                take("self_attn.k_norm.weight", &[dim])?,
            ]),
        },
        post_norm: take("post_attention_layernorm.weight", &[hidden])?,
        gate: take("mlp.gate_proj.weight", &[wide, hidden])?,
        up: take("mlp.up_proj.weight", &[wide, hidden])?,
        down: take("mlp.down_proj.weight", &[hidden, wide])?,
        fused: None,
    })
}

/// The weights under their names, in the order of the forward pass.
pub(super) fn named(model: &Qwen) -> Vec<(String, Tensor)> {
    let mut all = vec![(
        "model.embed_tokens.weight".to_owned(),
        model.embedding.shallow_clone(),
    )];
    for (index, layer) in model.layers.iter().enumerate() {
        let own = |(name, tensor): (&str, &Tensor)| {
            (
                format!("model.layers.{index}.{name}"),
                tensor.shallow_clone(),
            )
        };
        all.extend(layer_tensors(layer).into_iter().map(own));
    }
    all.push(("model.norm.weight".to_owned(), model.norm.shallow_clone()));
    all.extend(
        model
            .head
            .iter()
            .map(|head| ("lm_head.weight".to_owned(), head.shallow_clone())),
    );
    all
}

fn layer_tensors(layer: &Layer) -> Vec<(&'static str, &Tensor)> {
    let mut all = vec![
        ("input_layernorm.weight", &layer.input_norm),
        ("self_attn.q_proj.weight", &layer.query),
        ("self_attn.k_proj.weight", &layer.key),
        ("self_attn.v_proj.weight", &layer.value),
        ("self_attn.o_proj.weight", &layer.output),
    ];
    if let Some([query, key, value]) = &layer.biases {
        all.extend([
            ("self_attn.q_proj.bias", query),
            ("self_attn.k_proj.bias", key),
            ("self_attn.v_proj.bias", value),
        ]);
    }
    if let Some([query, key]) = &layer.head_norms {
        all.extend([
            ("self_attn.q_norm.weight", query),
            ("self_attn.k_norm.weight", key),
        ]);
    }
    all.extend([
        ("post_attention_layernorm.weight", &layer.post_norm),
        ("mlp.gate_proj.weight", &layer.gate),
        ("mlp.up_proj.weight", &layer.up),
        ("mlp.down_proj.weight", &layer.down),
    ]);
    all
}

/// The same model with every tensor changed by `change`.
pub(super) fn map(model: &Qwen, change: &dyn Fn(&Tensor) -> Tensor) -> Qwen {
    Qwen {
        config: model.config.clone(),
        embedding: change(&model.embedding),
        layers: model.layers.iter().map(|layer| layer.map(change)).collect(),
        norm: change(&model.norm),
        head: model.head.as_ref().map(change),
        inverse_frequencies: model.inverse_frequencies.shallow_clone(),
        norms: None,
        kind: model.kind,
        logits_at_once: model.logits_at_once,
        source: model.source.clone(),
    }
}
