//! Which model is asked, how, and where answers come from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where answers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Nothing is asked.
    Off,
    /// From the folder, and from the server what is not there.
    Live,
    /// From the server, all of it anew.
    Record,
    /// From the folder alone; what is not there is an error.
    Replay,
}

/// Which model is asked, and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LlmSettings {
    /// Where answers come from; `live` if absent and there is a URL, else `off`.
    pub mode: Option<Mode>,
    /// The server: `http://127.0.0.1:8000`.
    pub base_url: Option<String>,
    /// The model's name there.
    pub model: Option<String>,
    /// The folder of answers.
    pub cache: PathBuf,
    /// The environment variable that holds the server's key.
    pub key_variable: Option<String>,
    /// Questions that are asked at a time.
    pub parallel: usize,
    /// Seconds that an answer may take.
    pub timeout: f64,
}

impl Default for LlmSettings {
    fn default() -> LlmSettings {
        LlmSettings {
            mode: None,
            base_url: None,
            model: None,
            cache: PathBuf::from("llm-answers"),
            key_variable: None,
            parallel: 8,
            timeout: 600.0,
        }
    }
}

impl LlmSettings {
    /// The mode that is set, or that follows from the other settings.
    pub fn mode(&self) -> Mode {
        let by_url = match self.base_url {
            Some(_) => Mode::Live,
            None => Mode::Off,
        };
        self.mode.unwrap_or(by_url)
    }
}
