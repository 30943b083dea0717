//! Text to tokens and back: Hugging Face's tokenizer.json and chat template, or plain ASCII for the tiny model.
//!
//! It decides nothing about prompts: what is said to a model is the caller's.

mod error;
mod template;

pub use error::TokenizerError;
pub use template::Message;

use serde_json::Value;
use std::path::Path;
use template::{ChatTemplate, special};

/// Ends a text of the ASCII tokenizer.
const ASCII_END: i64 = 1;
/// How tokenizer_config.json names the ASCII tokenizer.
const ASCII_CLASS: &str = "MicroCoderAscii";

/// Turns text into tokens and back.
#[derive(Debug)]
pub struct Tokenizer {
    kind: TokenizerKind,
    template: Option<ChatTemplate>,
    end: Option<i64>,
}

#[derive(Debug)]
enum TokenizerKind {
    HuggingFace(Box<tokenizers::Tokenizer>),
    Ascii,
}

impl Tokenizer {
    /// The tokenizer of the tiny model: a token is an ASCII code; 0 pads and 1 ends; 128 tokens.
    pub fn ascii() -> Tokenizer {
        Tokenizer {
            kind: TokenizerKind::Ascii,
            template: None,
            end: Some(ASCII_END),
        }
    }

    /// Reads a model's folder: tokenizer.json with tokenizer_config.json and, where it is a file of its own,
    /// chat_template.jinja; or what [`Tokenizer::save`] wrote for the ASCII tokenizer.
    ///
    /// # Errors
    /// Files that are missing or malformed.
    pub fn load(dir: &Path) -> Result<Tokenizer, TokenizerError> {
        let config = read_config(&dir.join("tokenizer_config.json"))?;
        if config.get("tokenizer_class").and_then(Value::as_str) == Some(ASCII_CLASS) {
            return Ok(Tokenizer::ascii());
        }
        let path = dir.join("tokenizer.json");
        let inner =
            tokenizers::Tokenizer::from_file(&path).map_err(|error| TokenizerError::Format {
                path,
                problem: error.to_string(),
            })?;
        let end = special(&config, "eos_token")
            .and_then(|token| inner.token_to_id(&token))
            .map(i64::from);
        let template = ChatTemplate::read(dir, &config)?;
        Ok(Tokenizer {
            kind: TokenizerKind::HuggingFace(Box::new(inner)),
            template,
            end,
        })
    }

    /// Writes what [`Tokenizer::load`] needs to know the ASCII tokenizer again. Hugging Face's files are copied with the
    /// model instead, unchanged.
    ///
    /// # Errors
    /// What the file system says.
    pub fn save(&self, dir: &Path) -> Result<(), TokenizerError> {
        if matches!(self.kind, TokenizerKind::HuggingFace(_)) {
            return Ok(());
        }
        let text = format!("{{\"tokenizer_class\": \"{ASCII_CLASS}\"}}\n");
        Ok(fs_err::write(dir.join("tokenizer_config.json"), text)?)
    }

    /// Tokens of a text. Special tokens written out in it are recognised, none is added.
    ///
    /// # Errors
    /// A character that the ASCII tokenizer does not know, or what the library says.
    pub fn encode(&self, text: &str) -> Result<Vec<i64>, TokenizerError> {
        match &self.kind {
            TokenizerKind::Ascii => text.chars().map(ascii_code).collect(),
            TokenizerKind::HuggingFace(inner) => {
                let encoding = inner.encode_fast(text, false);
                let encoding = encoding.map_err(|error| TokenizerError::Library {
                    action: "encode",
                    problem: error.to_string(),
                })?;
                Ok(encoding.get_ids().iter().map(|id| i64::from(*id)).collect())
            }
        }
    }

    /// Text of tokens, without the special ones.
    ///
    /// # Errors
    /// What the library says.
    pub fn decode(&self, tokens: &[i64]) -> Result<String, TokenizerError> {
        match &self.kind {
            TokenizerKind::Ascii => Ok(tokens
                .iter()
                .filter(|code| **code > ASCII_END)
                .map(|code| *code as u8 as char)
                .collect()),
            TokenizerKind::HuggingFace(inner) => {
                let ids: Vec<u32> = tokens.iter().map(|token| *token as u32).collect();
                inner
                    .decode(&ids, true)
                    .map_err(|error| TokenizerError::Library {
                        action: "decode",
                        problem: error.to_string(),
                    })
            }
        }
    }

    /// The largest token that a text can become.
    pub fn largest(&self) -> i64 {
        match &self.kind {
            TokenizerKind::Ascii => '~' as i64,
            TokenizerKind::HuggingFace(inner) => {
                let largest = inner.get_vocab(true).into_values().max();
                largest.map_or(0, i64::from)
            }
        }
    }

    /// The token that ends a text, where the tokenizer names one.
    pub fn end(&self) -> Option<i64> {
        self.end
    }

    /// Whether the model came with a chat template.
    pub fn has_template(&self) -> bool {
        self.template.is_some()
    }

    /// The text of a conversation, up to where the model answers. `thinking` is Qwen3's switch; None leaves it to the
    /// template.
    ///
    /// # Errors
    /// No template, or one that fails.
    pub fn chat(
        &self,
        messages: &[Message],
        thinking: Option<bool>,
    ) -> Result<String, TokenizerError> {
        let template = self.template.as_ref();
        template
            .ok_or_else(|| TokenizerError::Template("the model has none".to_owned()))?
            .render(messages, thinking)
    }
}

fn ascii_code(character: char) -> Result<i64, TokenizerError> {
    match character {
        '\t' | '\n' | ' '..='~' => Ok(character as i64),
        other => Err(TokenizerError::NotAscii(other)),
    }
}

/// tokenizer_config.json; an empty object where there is none.
fn read_config(path: &Path) -> Result<Value, TokenizerError> {
    if !path.exists() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    let text = fs_err::read_to_string(path)?;
    serde_json::from_str(&text).map_err(|error| TokenizerError::Format {
        path: path.to_path_buf(),
        problem: error.to_string(),
    })
}
