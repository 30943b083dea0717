//! The shapes of models that the presets name, so that a run can be planned where the model is not.

use std::path::Path;

use crate::model::{ModelError, QwenConfig};

/// `config.json` of the models, reduced to what the forward pass needs.
const PUBLISHED: [(&str, &str); 4] = [
    ("Qwen3-1.7B", include_str!("shapes/qwen3-1.7b.json")),
    (
        "Qwen3-4B-Instruct-2507",
        include_str!("shapes/qwen3-4b-instruct-2507.json"),
    ),
    (
        "Qwen2.5-1.5B-Instruct",
        include_str!("shapes/qwen2.5-1.5b-instruct.json"),
    ),
    (
        "Qwen2.5-3B-Instruct",
        include_str!("shapes/qwen2.5-3b-instruct.json"),
    ),
];

/// The shape of the model in a folder; of a published model by its name, where there is no such folder.
///
/// # Errors
/// What reading config.json says.
pub fn shape(folder: &Path) -> Result<QwenConfig, ModelError> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let known = PUBLISHED.iter().find(|(known, _)| *known == name);
    match known.filter(|_| !folder.exists()) {
        Some((_, text)) => QwenConfig::parse(text, Path::new(&*name)),
        None => QwenConfig::read(&folder.join("config.json")),
    }
}
