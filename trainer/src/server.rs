//! Responses from a server that speaks OpenAI's protocol (vLLM, SGLang and others), by URL.
//!
//! Texts go out and texts come back, many at a time: one request for each response, so that each has a seed and a length
//! of its own, and one that fails costs no other. What can pass is tried again, ever later. It knows no problem's tests, no
//! file and no reward, and trains nothing.
//!
//! A message goes to `chat/completions`, where the server puts it into the model's chat template; a prompt that is whole
//! as it stands goes to `completions`. So does one of tokens, to which vLLM answers with tokens and their log-probabilities:
//! what training needs. How vLLM gets new weights is in `weights`.

mod answer;
mod pool;
mod weights;

use std::env;
use std::time::Duration;

use backon::{BackoffBuilder, ExponentialBuilder};
use serde::Serialize;
use serde_json::{Value, json};
use ureq::Agent;

use crate::config::{DataConfig, Handover, ServerConfig};
use answer::AttemptError;
pub use answer::{Answer, DrawnTokens};

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(10);
/// The wait before the second try. Each one after it is twice as long as the one before.
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// The longest wait between two tries, whatever the server asks for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// How many names of models an error lists.
const LISTED: usize = 5;

/// Why a server gave no response.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The environment variable that is to hold the key does not.
    #[error("server.key_variable: environment variable {0} is not set")]
    NoKey(String),
    /// The server does not say which model is meant.
    #[error("{url}: serves {} models ({}); choose one with server.model", names.len(), listed(names))]
    WhichModel {
        /// What was asked.
        url: String,
        /// The models.
        names: Vec<String>,
    },
    /// The server did not answer, or not usefully, on every try.
    #[error("{url}: {about}: {reason} (tries: {tries})")]
    Lost {
        /// What was asked.
        url: String,
        /// For what: a problem's id.
        about: String,
        /// What went wrong the last time.
        reason: String,
        /// How often.
        tries: usize,
    },
    /// The server answers, but not with what training needs.
    #[error("{url}: {reason}")]
    Unfit {
        /// What was asked.
        url: String,
        /// What is missing.
        reason: String,
    },
    /// The server will not answer this, however often it is asked.
    #[error("{url}: {about}: status {status}: {reason}")]
    Refused {
        /// What was asked.
        url: String,
        /// For what: a problem's id.
        about: String,
        /// The status of HTTP.
        status: u16,
        /// What the server says.
        reason: String,
    },
}

impl ServerError {
    /// Whether the server would refuse anything else too: the key, the URL or the model is wrong.
    fn refuses_all(&self) -> bool {
        matches!(
            self,
            ServerError::Unfit { .. }
                | ServerError::Refused {
                    status: 401 | 403 | 404 | 405,
                    ..
                }
        )
    }
}

fn listed(names: &[String]) -> String {
    let some = names[..names.len().min(LISTED)].join(", ");
    let more = if names.len() > LISTED { ", ..." } else { "" };
    some + more
}

/// How a response is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Wanted {
    /// The temperature; 0 takes the likeliest token.
    pub temperature: f64,
    /// The smallest set of tokens with this probability is sampled from.
    pub top_p: f64,
    /// So many of the likeliest tokens are sampled from; 0 for all. Not in OpenAI's protocol, but what vLLM, SGLang and
    /// llama.cpp take: left out of the request where it is 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub top_k: usize,
    /// The longest response, in tokens.
    pub max_tokens: usize,
    /// From which the response follows, as far as the server keeps to it.
    pub seed: u64,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A request for one response.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// What errors call it: `problem "sum"`.
    pub about: &'a str,
    /// What it answers.
    pub prompt: Asked<'a>,
    /// How it is sampled.
    pub wanted: Wanted,
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub enum Asked<'a> {
    /// The user's message, or the whole prompt.
    Text(&'a str),
    /// The whole prompt's tokens. The answer has tokens too.
    Tokens {
        /// The prompt.
        prompt: &'a [i64],
        /// Tokens that end a response.
        stop: &'a [i64],
    },
}

/// A server, ready to be asked.
#[derive(Debug)]
pub struct Server {
    agent: Agent,
    /// The base URL, without a slash at its end.
    base: String,
    key: Option<String>,
    model: String,
    chat: bool,
    thinking: Option<bool>,
    retries: usize,
    parallel: usize,
    handover: Handover,
}

impl Server {
    /// Make ready to ask the server at `url`, and ask it for the name of its model where none is configured. `chat` says
    /// whether texts are messages or whole prompts.
    ///
    /// # Errors
    /// A key that is not there; a server that does not answer, or lists not just one model.
    pub fn connect(
        url: &str,
        config: &ServerConfig,
        data: &DataConfig,
    ) -> Result<Server, ServerError> {
        let key = config.key_variable.as_ref();
        let key = key.map(|name| env::var(name).map_err(|_| ServerError::NoKey(name.clone())));
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(Duration::from_secs_f64(config.timeout)))
            .max_idle_connections(config.parallel)
            .max_idle_connections_per_host(config.parallel)
            .build();
        let mut server = Server {
            agent: agent.into(),
            base: base(url),
            key: key.transpose()?,
            model: config.model.clone().unwrap_or_default(),
            chat: data.chat,
            thinking: data.thinking,
            retries: config.retries,
            parallel: config.parallel,
            handover: config.handover,
        };
        if config.model.is_none() {
            server.model = server.only_model()?;
        }
        Ok(server)
    }

    /// The model that is asked for.
    pub fn model(&self) -> &str {
        &self.model
    }

    fn only_model(&self) -> Result<String, ServerError> {
        let url = format!("{}/models", self.base);
        let names = self.persist(&url, "which model", &|| false, &|| {
            answer::models(&answer::read(self.with_key(self.agent.get(&url)).call())?)
        })?;
        match names.as_slice() {
            [name] => Ok(name.clone()),
            _ => Err(ServerError::WhichModel { url, names }),
        }
    }

    /// Ask for one response. `given_up` is asked between tries whether there is still use for it.
    fn ask(
        &self,
        request: &Request<'_>,
        given_up: &dyn Fn() -> bool,
    ) -> Result<Answer, ServerError> {
        let path = match (self.chat, request.prompt) {
            (true, Asked::Text(_)) => "chat/completions",
            _ => "completions",
        };
        let url = format!("{}/{path}", self.base);
        let body = self.body(request);
        self.persist(&url, request.about, given_up, &|| {
            let body = self.post(&url, &body)?;
            match request.prompt {
                Asked::Text(_) => answer::response(&body),
                Asked::Tokens { .. } => answer::drawn(&body),
            }
        })
    }

    fn post(&self, url: &str, body: &Value) -> Result<Value, AttemptError> {
        let post = self.with_key(self.agent.post(url));
        let sent = post.content_type("application/json");
        answer::read(sent.send(body.to_string()))
    }

    fn body(&self, request: &Request<'_>) -> Value {
        let mut body = json!(request.wanted);
        body["model"] = json!(self.model);
        match request.prompt {
            Asked::Text(text) if self.chat => {
                body["messages"] = json!([{"role": "user", "content": text}]);
                // Not in OpenAI's protocol, but what vLLM and SGLang hand on to the chat template.
                if let Some(thinking) = self.thinking {
                    body["chat_template_kwargs"] = json!({"enable_thinking": thinking});
                }
            }
            Asked::Text(text) => body["prompt"] = json!(text),
            Asked::Tokens { prompt, stop } => {
                body["prompt"] = json!(prompt);
                body["stop_token_ids"] = json!(stop);
                exactly(&mut body);
            }
        }
        body
    }

    fn with_key<B>(&self, request: ureq::RequestBuilder<B>) -> ureq::RequestBuilder<B> {
        match &self.key {
            Some(key) => request.header("authorization", format!("Bearer {key}")),
            None => request,
        }
    }

    /// Retry until it works, is refused, or all retries are used up.
    fn persist<T>(
        &self,
        url: &str,
        about: &str,
        given_up: &dyn Fn() -> bool,
        attempt: &dyn Fn() -> Result<T, AttemptError>,
    ) -> Result<T, ServerError> {
        // Jitter keeps requests that failed together from coming back together.
        let mut waits = ExponentialBuilder::default()
            .with_min_delay(FIRST_WAIT)
            .with_max_delay(LONGEST_WAIT)
            .with_max_times(self.retries)
            .with_jitter()
            .build();
        let (url, about) = (url.to_owned(), about.to_owned());
        let mut tries = 0;
        loop {
            tries += 1;
            let (reason, after) = match attempt() {
                Ok(done) => return Ok(done),
                Err(AttemptError::Refused { status, reason }) => {
                    return Err(ServerError::Refused {
                        url,
                        about,
                        status,
                        reason,
                    });
                }
                Err(AttemptError::Unfit(reason)) => return Err(ServerError::Unfit { url, reason }),
                Err(AttemptError::Transient { reason, after }) => (reason, after),
            };
            match waits.next().filter(|_| !given_up()) {
                Some(wait) => std::thread::sleep(after.unwrap_or(wait).min(LONGEST_WAIT)),
                None => {
                    return Err(ServerError::Lost {
                        url,
                        about,
                        reason,
                        tries,
                    });
                }
            }
        }
    }
}

/// Asks vLLM for tokens with their log-probabilities, sampled as said and in no other way: what a request leaves out, vLLM takes
/// from the model's generation_config.json, whose filters would bias the ratio of probabilities.
fn exactly(body: &mut Value) {
    if body.get("top_k").is_none() {
        body["top_k"] = json!(-1);
    }
    body["min_p"] = json!(0.0);
    body["repetition_penalty"] = json!(1.0);
    body["logprobs"] = json!(0);
    body["return_token_ids"] = json!(true);
}

/// The base of all URLs: OpenAI's clients take `http://host:8000/v1`; where there is no path, that is the one meant.
fn base(url: &str) -> String {
    let url = url.trim_end_matches('/');
    let host = url.split_once("://").map_or(url, |(_, host)| host);
    match host.contains('/') {
        true => url.to_owned(),
        false => format!("{url}/v1"),
    }
}
