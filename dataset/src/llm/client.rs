//! Asks a server for `chat/completions`. What may pass is tried again, ever later.

use std::time::Duration;

use backon::{BlockingRetryable, ExponentialBuilder};
use serde_json::Value;
use ureq::Agent;

use super::error::LlmError;
use super::settings::LlmSettings;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
/// The wait before the second try; each one after it is twice as long as the one before.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// Tries after the first.
const RETRIES: usize = 4;
/// How much of what a server says an error repeats, in characters.
const REPEATED: usize = 300;

/// A server.
pub struct Client {
    agent: Agent,
    url: String,
    key: Option<String>,
}

/// Why a try failed.
struct Failure {
    reason: String,
    /// Whether another try may work.
    passes: bool,
}

impl Client {
    /// The server at `base`, whose path is `/v1` unless it has one.
    pub fn new(base: &str, settings: &LlmSettings) -> Result<Client, LlmError> {
        let base = base.trim_end_matches('/');
        let host = base.split_once("://").map_or(base, |(_, host)| host);
        let path = if host.contains('/') { "" } else { "/v1" };
        let key = settings.key_variable.as_ref().map(|name| {
            let no_key = |_| LlmError::Setting(format!("environment variable {name} is not set"));
            std::env::var(name).map_err(no_key)
        });
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(Duration::from_secs_f64(settings.timeout)))
            .build();
        Ok(Client {
            agent: agent.into(),
            url: format!("{base}{path}/chat/completions"),
            key: key.transpose()?,
        })
    }

    /// The text of the answer.
    pub fn ask(&self, request: &Value) -> Result<String, LlmError> {
        let waits = ExponentialBuilder::default()
            .with_min_delay(FIRST_WAIT)
            .with_max_times(RETRIES);
        let answer = (|| self.attempt(request))
            .retry(waits)
            .when(|failure: &Failure| failure.passes)
            .call();
        answer.map_err(|failure| LlmError::Server {
            url: self.url.clone(),
            reason: failure.reason,
        })
    }

    fn attempt(&self, request: &Value) -> Result<String, Failure> {
        let mut post = self.agent.post(&self.url);
        if let Some(key) = &self.key {
            post = post.header("authorization", format!("Bearer {key}"));
        }
        let sent = post
            .header("content-type", "application/json")
            .send(request.to_string());
        let passing = |reason: String| Failure {
            reason,
            passes: true,
        };
        let mut answer = sent.map_err(|error| passing(error.to_string()))?;
        let status = answer.status().as_u16();
        let text = answer.body_mut().read_to_string();
        let text = text.map_err(|error| passing(error.to_string()))?;
        if !(200..300).contains(&status) {
            return Err(Failure {
                reason: format!("status {status}: {}", said(&text)),
                passes: matches!(status, 408 | 409 | 425 | 429 | 500..),
            });
        }
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        let content = body["choices"][0]["message"]["content"].as_str();
        let content = content.map(str::to_owned);
        content.ok_or_else(|| passing(format!("no answer in {}", said(&text))))
    }
}

fn said(text: &str) -> String {
    text.chars().take(REPEATED).collect()
}
