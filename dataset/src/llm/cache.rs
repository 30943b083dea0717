//! Answers that were given, each in a file named by the hash of its request.

use std::io::Write;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::LlmError;

/// A folder of answers.
pub struct Cache(PathBuf);

/// A file of it. The request is there so that a person can read what was asked.
#[derive(Serialize, Deserialize)]
struct Kept {
    request: Value,
    answer: String,
}

impl Cache {
    /// In this folder, which is made when the first answer is kept.
    pub fn new(folder: PathBuf) -> Cache {
        Cache(folder)
    }

    /// Where the answer to a request is kept.
    pub fn path(&self, request: &Value) -> PathBuf {
        let hash = blake3::hash(request.to_string().as_bytes());
        self.0.join(format!("{}.json", &hash.to_hex()[..32]))
    }

    /// The answer, if there is one.
    pub fn find(&self, request: &Value) -> Result<Option<String>, LlmError> {
        let path = self.path(request);
        let json = match fs_err::read(&path) {
            Ok(json) => json,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let wrong = |reason: String| LlmError::Recorded {
            path: path.clone(),
            reason,
        };
        let kept: Kept = serde_json::from_slice(&json).map_err(|error| wrong(error.to_string()))?;
        match kept.request == *request {
            true => Ok(Some(kept.answer)),
            false => Err(wrong(
                "answers another request than its name says".to_owned(),
            )),
        }
    }

    /// Keep an answer. A killed process leaves a whole file or none.
    pub fn keep(&self, request: &Value, answer: &str) -> Result<(), LlmError> {
        fs_err::create_dir_all(&self.0)?;
        let kept = Kept {
            request: request.clone(),
            answer: answer.to_owned(),
        };
        let json = serde_json::to_string_pretty(&kept).expect("it has only string keys");
        let path = self.path(request);
        let thread = rayon::current_thread_index().unwrap_or_default();
        let begun = path.with_extension(format!("{}-{thread}.begun", std::process::id()));
        let mut file = fs_err::File::create(&begun)?;
        file.write_all(json.as_bytes())?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        fs_err::rename(begun, path)?;
        Ok(())
    }
}
