//! Writes a model as a Hugging Face folder.

use super::error::ModelError;
use super::qwen::Qwen;
use fs_err as fs;
use safetensors::tensor::{Dtype, View};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use tch::{Device, Kind, Tensor};

/// What lies beside the weights and goes along unchanged.
const COMPANIONS: [&str; 9] = [
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "chat_template.jinja",
    "chat_template.json",
    "generation_config.json",
];

/// One tensor on its way into a safetensors file.
struct Stored {
    tensor: Tensor,
    shape: Vec<usize>,
}

impl View for Stored {
    fn dtype(&self) -> Dtype {
        match self.tensor.kind() {
            Kind::Double => Dtype::F64,
            Kind::BFloat16 => Dtype::BF16,
            _ => Dtype::F32,
        }
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        let mut bytes = vec![0; self.data_len()];
        self.tensor.copy_data_u8(&mut bytes, self.tensor.numel());
        bytes.into()
    }

    fn data_len(&self) -> usize {
        self.tensor.numel() * self.tensor.kind().elt_size_in_bytes()
    }
}

/// Writes config.json, model.safetensors and the companions.
pub(super) fn write(model: &Qwen, dir: &Path, kind: Kind) -> Result<(), ModelError> {
    fs::create_dir_all(dir)?;
    let dtype = match kind {
        Kind::Double => "float64",
        Kind::BFloat16 => "bfloat16",
        _ => "float32",
    };
    let config = format!("{:#}\n", model.config.to_json(dtype));
    let path = dir.join("config.json");
    fs::write(&path, config)?;
    write_weights(model, &dir.join("model.safetensors"), kind)?;
    let Some(source) = model
        .source
        .as_ref()
        .filter(|source| source.as_path() != dir)
    else {
        return Ok(());
    };
    for name in COMPANIONS.iter().filter(|name| source.join(name).exists()) {
        fs::copy(source.join(name), dir.join(name))?;
    }
    Ok(())
}

/// transformers refuses a file whose metadata does not name the framework.
fn write_weights(model: &Qwen, path: &Path, kind: Kind) -> Result<(), ModelError> {
    let tensors = model.parameters().into_iter().map(|(name, tensor)| {
        let tensor = tensor
            .detach()
            .to_kind(kind)
            .to_device(Device::Cpu)
            .contiguous();
        let shape = tensor.size().iter().map(|size| *size as usize).collect();
        (name, Stored { tensor, shape })
    });
    let metadata = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    safetensors::serialize_to_file(tensors, Some(metadata), path).map_err(|error| {
        ModelError::Format {
            path: path.to_path_buf(),
            problem: error.to_string(),
        }
    })
}
