//! config.json of a Qwen model, in the old field names and the new, and nothing that the forward pass does not need.

use super::error::ModelError;
use serde_json::{Map, Value, json};
use std::path::Path;

/// The two architectures, which differ in two places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Architecture {
    /// Norms over each head of query and key, no biases.
    Qwen3,
    /// Biases on query, key and value, no head norms. (Qwen2.5 names itself qwen2.)
    Qwen2,
}

/// The shape of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct QwenConfig {
    /// Which architecture.
    pub family: Architecture,
    /// Number of tokens the embedding knows.
    pub vocab_size: i64,
    /// Width of the residual stream.
    pub hidden_size: i64,
    /// Width between gate and down projection.
    pub intermediate_size: i64,
    /// Number of layers.
    pub layers: i64,
    /// Query heads.
    pub heads: i64,
    /// Key and value heads; divides `heads`.
    pub kv_heads: i64,
    /// Width of one head.
    pub head_dim: i64,
    /// Added under the root of a norm.
    pub norm_epsilon: f64,
    /// Base of the rotary frequencies.
    pub rope_theta: f64,
    /// Whether the embedding is the head as well.
    pub tied: bool,
    /// Longest sequence the model was made for.
    pub max_positions: i64,
    /// Tokens that end a text, as config.json names them.
    pub end_tokens: Vec<i64>,
    /// What was read, so that a save keeps the fields that are not used here.
    pub other: Map<String, Value>,
}

/// One file's fields, with its path for errors.
struct Fields<'a> {
    path: &'a Path,
    map: &'a Map<String, Value>,
}

impl Fields<'_> {
    fn wrong(&self, field: &str, problem: impl Into<String>) -> ModelError {
        ModelError::Config {
            path: self.path.to_path_buf(),
            field: field.to_owned(),
            problem: problem.into(),
        }
    }

    fn value(&self, field: &str) -> Option<&Value> {
        self.map.get(field).filter(|value| !value.is_null())
    }

    fn size(&self, field: &str) -> Result<i64, ModelError> {
        let value = self
            .value(field)
            .ok_or_else(|| self.wrong(field, "missing"))?;
        value
            .as_i64()
            .filter(|n| *n > 0)
            .ok_or_else(|| self.wrong(field, format!("{value} is not a positive integer")))
    }

    fn size_or(&self, field: &str, default: i64) -> Result<i64, ModelError> {
        if self.value(field).is_none() {
            Ok(default)
        } else {
            self.size(field)
        }
    }

    fn flag_or(&self, field: &str, default: bool) -> Result<bool, ModelError> {
        match self.value(field) {
            None => Ok(default),
            Some(value) => value
                .as_bool()
                .ok_or_else(|| self.wrong(field, format!("{value} is neither true nor false"))),
        }
    }
}

impl QwenConfig {
    /// Reads config.json.
    ///
    /// # Errors
    /// A missing field, one of the wrong type, or an architecture that the forward pass does not know.
    pub fn read(path: &Path) -> Result<QwenConfig, ModelError> {
        QwenConfig::parse(&fs_err::read_to_string(path)?, path)
    }

    /// Reads the text of a config.json; `path` names it in errors.
    ///
    /// # Errors
    /// As [`QwenConfig::read`].
    pub fn parse(text: &str, path: &Path) -> Result<QwenConfig, ModelError> {
        let map: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| ModelError::Format {
                path: path.to_path_buf(),
                problem: error.to_string(),
            })?;
        QwenConfig::from_fields(&Fields { path, map: &map })
    }

    fn from_fields(fields: &Fields<'_>) -> Result<QwenConfig, ModelError> {
        let family = family(fields)?;
        let heads = fields.size("num_attention_heads")?;
        let hidden_size = fields.size("hidden_size")?;
        let config = QwenConfig {
            family,
            vocab_size: fields.size("vocab_size")?,
            hidden_size,
            intermediate_size: fields.size("intermediate_size")?,
            layers: fields.size("num_hidden_layers")?,
            heads,
            kv_heads: fields.size_or("num_key_value_heads", heads)?,
            head_dim: fields.size_or("head_dim", hidden_size / heads)?,
            norm_epsilon: fields
                .value("rms_norm_eps")
                .and_then(Value::as_f64)
                .unwrap_or(1e-6),
            rope_theta: rope_theta(fields)?,
            tied: fields.flag_or("tie_word_embeddings", false)?,
            max_positions: fields.size_or("max_position_embeddings", 32_768)?,
            end_tokens: listed(fields.value("eos_token_id")),
            other: fields.map.clone(),
        };
        refuse_unsupported(fields, &config)?;
        Ok(config)
    }

    /// Whether query and key heads are normalised.
    pub fn head_norms(&self) -> bool {
        self.family == Architecture::Qwen3
    }

    /// The parameters, counted.
    pub fn parameter_count(&self) -> i64 {
        let query = self.heads * self.head_dim;
        let key = self.kv_heads * self.head_dim;
        let own = if self.head_norms() {
            2 * self.head_dim
        } else {
            query + 2 * key
        };
        let attention = self.hidden_size * (2 * query + 2 * key) + own;
        let layer =
            attention + 3 * self.hidden_size * self.intermediate_size + 2 * self.hidden_size;
        let embeddings = self.vocab_size * self.hidden_size * if self.tied { 1 } else { 2 };
        self.layers * layer + embeddings + self.hidden_size
    }

    /// config.json as transformers reads it, before and after its version 5 renamed fields.
    pub fn to_json(&self, dtype: &str) -> Value {
        let (architecture, model_type) = match self.family {
            Architecture::Qwen3 => ("Qwen3ForCausalLM", "qwen3"),
            Architecture::Qwen2 => ("Qwen2ForCausalLM", "qwen2"),
        };
        let mut fields = self.other.clone();
        let ours = json!({
            "architectures": [architecture], "model_type": model_type, "vocab_size": self.vocab_size,
            "hidden_size": self.hidden_size, "intermediate_size": self.intermediate_size,
            "num_hidden_layers": self.layers, "num_attention_heads": self.heads, "num_key_value_heads": self.kv_heads,
            "head_dim": self.head_dim, "rms_norm_eps": self.norm_epsilon, "tie_word_embeddings": self.tied,
            "max_position_embeddings": self.max_positions, "hidden_act": "silu",
            "rope_theta": self.rope_theta, "rope_parameters": {"rope_type": "default", "rope_theta": self.rope_theta},
            "dtype": dtype, "torch_dtype": dtype,
        });
        fields.extend(ours.as_object().cloned().unwrap_or_default());
        fields
            .entry("eos_token_id")
            .or_insert_with(|| match self.end_tokens.as_slice() {
                [] => Value::Null,
                [one] => json!(one),
                many => json!(many),
            });
        Value::Object(fields)
    }
}

fn family(fields: &Fields<'_>) -> Result<Architecture, ModelError> {
    match fields.value("model_type").and_then(Value::as_str) {
        Some("qwen3") => Ok(Architecture::Qwen3),
        Some("qwen2") => Ok(Architecture::Qwen2),
        Some(other) => Err(fields.wrong(
            "model_type",
            format!("`{other}` is not supported (supported: qwen3, qwen2)"),
        )),
        None => Err(fields.wrong("model_type", "missing")),
    }
}

/// The rotary base: `rope_parameters.rope_theta` since transformers 5, `rope_theta` before. Scaled variants are refused,
/// under either name: the scores would be wrong without a word.
fn rope_theta(fields: &Fields<'_>) -> Result<f64, ModelError> {
    for field in ["rope_parameters", "rope_scaling"] {
        let kind = fields
            .value(field)
            .and_then(|rope| rope.get("rope_type").or_else(|| rope.get("type")));
        if let Some(kind) = kind
            .and_then(Value::as_str)
            .filter(|kind| *kind != "default")
        {
            return Err(fields.wrong(field, format!("rope type `{kind}` is not supported")));
        }
    }
    let new = fields
        .value("rope_parameters")
        .and_then(|rope| rope.get("rope_theta"));
    let theta = new.or_else(|| fields.value("rope_theta"));
    let theta = theta.ok_or_else(|| fields.wrong("rope_theta", "missing"))?;
    theta
        .as_f64()
        .filter(|base| *base > 0.0)
        .ok_or_else(|| fields.wrong("rope_theta", format!("{theta} is not a positive number")))
}

/// Tokens that end a response, as generation_config.json of a folder names them; none where there is no such file. Chat models
/// end their turn with another token than their texts.
///
/// # Errors
/// A file that cannot be read, or is not JSON.
pub fn end_tokens(dir: &Path) -> Result<Vec<i64>, ModelError> {
    let path = dir.join("generation_config.json");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs_err::read_to_string(&path)?;
    let fields: Value = serde_json::from_str(&text).map_err(|error| ModelError::Format {
        path,
        problem: error.to_string(),
    })?;
    Ok(listed(fields.get("eos_token_id")))
}

fn listed(value: Option<&Value>) -> Vec<i64> {
    match value {
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_i64).collect(),
        Some(one) => one.as_i64().into_iter().collect(),
        None => Vec::new(),
    }
}

fn refuse_unsupported(fields: &Fields<'_>, config: &QwenConfig) -> Result<(), ModelError> {
    if config.heads % config.kv_heads != 0 {
        return Err(fields.wrong(
            "num_key_value_heads",
            format!(
                "{} does not divide the {} heads",
                config.kv_heads, config.heads
            ),
        ));
    }
    if config.head_dim % 2 != 0 {
        return Err(fields.wrong(
            "head_dim",
            format!(
                "{} is odd; rotary positions need an even size",
                config.head_dim
            ),
        ));
    }
    if config.family == Architecture::Qwen3 && fields.flag_or("attention_bias", false)? {
        return Err(fields.wrong(
            "attention_bias",
            "Qwen3 with attention biases is not supported",
        ));
    }
    if fields.flag_or("use_sliding_window", false)? {
        return Err(fields.wrong("use_sliding_window", "sliding windows are not supported"));
    }
    match fields.value("hidden_act").and_then(Value::as_str) {
        None | Some("silu") => Ok(()),
        Some(other) => Err(fields.wrong(
            "hidden_act",
            format!("`{other}` is not supported (supported: silu)"),
        )),
    }
}
