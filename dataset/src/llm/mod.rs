//! A model that is asked for help where one is configured: a server that speaks OpenAI's protocol, by URL. No stage needs it.
//!
//! Every answer is kept in a folder, in a file named by the hash of all that was asked. The four modes differ in what they do
//! with that folder: see [`Mode`].

mod cache;
mod client;
mod error;
mod settings;

use rayon::prelude::*;
use serde_json::{Value, json};

use cache::Cache;
use client::Client;
pub use error::LlmError;
pub use settings::{LlmSettings, Mode};

/// A question, and how its answer is sampled.
#[derive(Debug, Clone)]
pub struct Question {
    /// The user's message.
    pub text: String,
    /// The temperature.
    pub temperature: f64,
    /// The longest answer, in tokens.
    pub max_tokens: usize,
    /// Tells equal questions apart, and is the server's seed.
    pub seed: u64,
}

impl Question {
    /// A question whose answer is the likeliest.
    pub fn plain(text: String, max_tokens: usize) -> Question {
        Question {
            text,
            temperature: 0.0,
            max_tokens,
            seed: 0,
        }
    }
}

/// A model, ready to be asked.
pub struct Llm {
    model: String,
    cache: Cache,
    client: Option<Client>,
    /// Whether what is recorded counts.
    recalls: bool,
    pool: rayon::ThreadPool,
}

impl Llm {
    /// The model that these settings name; `None` if it is off.
    pub fn open(settings: &LlmSettings) -> Result<Option<Llm>, LlmError> {
        let mode = settings.mode();
        if mode == Mode::Off {
            return Ok(None);
        }
        let missing = |what: &str| LlmError::Setting(format!("a model is to be asked, but {what}"));
        let model = settings
            .model
            .clone()
            .ok_or_else(|| missing("none is named (llm.model)"))?;
        let client = match (mode, &settings.base_url) {
            (Mode::Replay, _) => None,
            (_, Some(url)) => Some(Client::new(url, settings)?),
            (_, None) => return Err(missing("no server is given (llm.base_url)")),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.parallel.max(1));
        Ok(Some(Llm {
            model,
            cache: Cache::new(settings.cache.clone()),
            client,
            recalls: mode != Mode::Record,
            pool: pool.build().map_err(std::io::Error::other)?,
        }))
    }

    /// What shows in the output: the model alone, since its answers are the same wherever they come from.
    pub fn name(&self) -> &str {
        &self.model
    }

    /// The answers to these questions, in their order, several asked at a time. The first that fails fails all, but what was
    /// answered is kept.
    pub fn ask_all(&self, questions: &[Question]) -> Result<Vec<String>, LlmError> {
        self.pool
            .install(|| questions.par_iter().map(|one| self.ask(one)).collect())
    }

    fn ask(&self, question: &Question) -> Result<String, LlmError> {
        let request = self.request(question);
        if self.recalls
            && let Some(answer) = self.cache.find(&request)?
        {
            return Ok(answer);
        }
        let Some(client) = &self.client else {
            return Err(LlmError::NotRecorded {
                path: self.cache.path(&request),
                question: question.text.chars().take(80).collect(),
            });
        };
        let answer = client.ask(&request)?;
        self.cache.keep(&request, &answer)?;
        Ok(answer)
    }

    fn request(&self, question: &Question) -> Value {
        json!({
            "model": self.model,
            "messages": [{"role": "user", "content": question.text}],
            "temperature": question.temperature,
            "max_tokens": question.max_tokens,
            "seed": question.seed,
        })
    }
}
