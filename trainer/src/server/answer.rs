//! What came back: a response, a fault that may pass, or a refusal.

use std::io;
use std::time::Duration;

use serde_json::Value;
use ureq::Body;
use ureq::http::{self, HeaderMap};

/// How much of what a server says an error repeats, in characters.
const REPEATED: usize = 300;

/// A response.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Its text; a model's thoughts are in it unless the server keeps them apart.
    pub text: String,
    /// Its length in tokens, where the server tells it.
    pub tokens: Option<usize>,
    /// Whether it ran into the length limit.
    pub truncated: bool,
    /// What was drawn, where tokens were asked for.
    pub drawn: Option<DrawnTokens>,
}

/// The tokens of a response, the one that stopped it among them.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnTokens {
    /// Their numbers.
    pub tokens: Vec<i64>,
    /// The log-probability of each, as the server has it.
    pub log_probs: Vec<f32>,
}

/// Why there is none.
#[derive(Debug)]
pub(super) enum AttemptError {
    /// It may work later: too many requests, a server's own fault, a connection that fails, an answer that makes no sense.
    Transient {
        reason: String,
        after: Option<Duration>,
    },
    /// The request itself is at fault.
    Refused { status: u16, reason: String },
    /// The server does not do what it is needed for.
    Unfit(String),
}

fn transient(reason: impl Into<String>) -> AttemptError {
    AttemptError::Transient {
        reason: reason.into(),
        after: None,
    }
}

/// The body of an answer, as JSON.
pub(super) fn read(sent: Result<http::Response<Body>, ureq::Error>) -> Result<Value, AttemptError> {
    let mut answer = sent.map_err(failure)?;
    let status = answer.status().as_u16();
    let after = retry_after(answer.headers());
    let text = answer.body_mut().read_to_string();
    match status {
        200..=299 => {
            let text = text.map_err(failure)?;
            serde_json::from_str(&text)
                .map_err(|error| transient(format!("the answer is not valid JSON ({error})")))
        }
        408 | 409 | 425 | 429 | 500.. => Err(AttemptError::Transient {
            reason: format!("status {status}: {}", said(&text.unwrap_or_default())),
            after,
        }),
        _ => Err(AttemptError::Refused {
            status,
            reason: said(&text.unwrap_or_default()),
        }),
    }
}

/// A request that got no answer. One that cannot even be sent, for its URL is none, is refused by us.
fn failure(error: ureq::Error) -> AttemptError {
    match error {
        ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::InvalidProxyUrl => {
            AttemptError::Refused {
                status: http::StatusCode::NOT_FOUND.as_u16(),
                reason: error.to_string(),
            }
        }
        ureq::Error::Io(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            transient("connection refused")
        }
        error => transient(error.to_string()),
    }
}

/// Seconds; a date, which HTTP allows too, is passed over.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get("retry-after")?.to_str().ok()?;
    let seconds = value.trim().parse::<f64>().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The message in an error's body: of OpenAI and vLLM `{"error": {"message"}}`, of older servers `{"message"}`.
fn said(body: &str) -> String {
    let json: Value = serde_json::from_str(body).unwrap_or_default();
    let message = [&json["error"]["message"], &json["message"], &json["error"]]
        .into_iter()
        .find_map(Value::as_str);
    let text = message.unwrap_or(body).trim();
    match text.is_empty() {
        true => "(no message)".to_owned(),
        false => text.chars().take(REPEATED).collect(),
    }
}

/// The response in an answer of `chat/completions` or `completions`.
pub(super) fn response(body: &Value) -> Result<Answer, AttemptError> {
    let choice = &body["choices"][0];
    let ended = choice["finish_reason"].as_str().unwrap_or_default();
    // vLLM and SGLang end what they had to give up in this way; it is a piece of a response, of no known length.
    if ended == "abort" {
        return Err(transient("the server aborted this response"));
    }
    let text = match choice.get("message") {
        // A server that keeps thoughts apart has no content where a response was cut off while thinking.
        Some(message) if message["content"].is_null() && message.is_object() => Some(""),
        Some(message) => message["content"].as_str(),
        None => choice["text"].as_str(),
    };
    let text =
        text.ok_or_else(|| transient(format!("the answer has no choice: {}", excerpt(body))))?;
    Ok(Answer {
        text: text.to_owned(),
        tokens: body["usage"]["completion_tokens"]
            .as_u64()
            .map(|count| count as usize),
        truncated: ended == "length",
        drawn: None,
    })
}

/// The same with the tokens that vLLM gives where `return_token_ids` and `logprobs` ask for them.
pub(super) fn drawn(body: &Value) -> Result<Answer, AttemptError> {
    let choice = &body["choices"][0];
    let unfit = |what: &str| {
        AttemptError::Unfit(format!(
            "the answer has no {what}; training needs vLLM 0.18 or newer: {}",
            excerpt(body)
        ))
    };
    let answer = response(body)?;
    let tokens = numbers(&choice["token_ids"], Value::as_i64);
    let tokens = tokens.ok_or_else(|| unfit("`token_ids`"))?;
    let log_probs = numbers(&choice["logprobs"]["token_logprobs"], Value::as_f64);
    let log_probs = log_probs.ok_or_else(|| unfit("`logprobs.token_logprobs`"))?;
    if tokens.is_empty() || tokens.len() != log_probs.len() {
        return Err(unfit("log-probability for each token"));
    }
    let log_probs = log_probs.into_iter().map(|one| one as f32).collect();
    Ok(Answer {
        drawn: Some(DrawnTokens { tokens, log_probs }),
        ..answer
    })
}

fn numbers<T>(list: &Value, number: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    list.as_array()?.iter().map(number).collect()
}

/// The names of models in an answer of `models`.
pub(super) fn models(body: &Value) -> Result<Vec<String>, AttemptError> {
    let models = body["data"].as_array();
    let models = models
        .ok_or_else(|| transient(format!("the answer lists no models: {}", excerpt(body))))?;
    let names = models.iter().filter_map(|model| model["id"].as_str());
    Ok(names.map(str::to_owned).collect())
}

fn excerpt(body: &Value) -> String {
    body.to_string().chars().take(REPEATED).collect()
}
