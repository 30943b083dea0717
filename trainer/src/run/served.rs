//! Rollouts from vLLM: the policy's weights go there through a folder, and tokens with their log-probabilities come back.
//!
//! What comes back is checked before it is learned from. The trainer scores some responses itself: log-probabilities far from
//! its own are of other weights, and those that are nearer to its own at temperature 1 are not of the distribution that was
//! sampled from. What remains of a difference is rounding, and `loss.correction` takes care of it.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use fs_err as fs;
use tch::{Kind, Tensor};

use super::RunError;
use crate::chance::{self, Purpose};
use crate::config::{Config, ConfigError};
use crate::engine::{Completion, Sampling};
use crate::model::{Packed, Qwen};
use crate::server::{Answer, Asked, Request, Server, ServerError, Wanted};

/// Names of folders with weights begin so.
const PREFIX: &str = "policy-";
/// Tokens that are scored, at most, to see whether they are this policy's: enough for a mean.
const SCORED: usize = 8192;
/// Nats that a token's log-probability is off by, in the mean, where the weights are others. Two engines in 16 bits differ by
/// some hundredths.
const OTHER_WEIGHTS: f64 = 0.5;
/// How much nearer log-probabilities must be to those at temperature 1 before that tells anything.
const UNTEMPERED: f64 = 2.0;

/// A server that samples from the policy.
pub struct Served {
    server: Server,
    url: String,
    /// Where it finds the weights.
    folder: PathBuf,
    /// The kind they are written in: that of the forward pass here.
    kind: Kind,
}

impl Served {
    /// Ask the server that the configuration names whether it will do.
    ///
    /// # Errors
    /// No URL or folder; a server that does not answer.
    pub fn connect(config: &Config, kind: Kind) -> Result<Served, RunError> {
        let unset = |key: &str| ConfigError::new(key, "must be set where a server samples");
        let url = config.server.url.clone();
        let url = url.ok_or_else(|| unset("server.url"))?;
        let folder = config.server.weights.clone();
        let folder = folder.ok_or_else(|| unset("server.weights"))?;
        let server = Server::connect(&url, &config.server, &config.data)?;
        server.prepare_for_weights()?;
        Ok(Served {
            server,
            url,
            folder,
            kind,
        })
    }

    /// Hand the weights over.
    ///
    /// # Errors
    /// A disk that is full; a server that does not take them.
    pub fn follow(&self, model: &Qwen) -> Result<(), RunError> {
        // A name that was never used, not by a run before this one either: vLLM may keep what it once read of a path.
        let now = UNIX_EPOCH.elapsed().unwrap_or_default().as_micros();
        let place = self.folder.join(format!("{PREFIX}{now}"));
        let saved = model.save_as(&place, self.kind);
        saved.map_err(|error| RunError::Write(io::Error::other(error)))?;
        self.server.take_weights(&place)?;
        self.forget_all_but(Some(place))
    }

    /// Remove weights that were handed over, those of a run that was killed among them.
    fn forget_all_but(&self, kept: Option<PathBuf>) -> Result<(), RunError> {
        for entry in fs::read_dir(&self.folder).map_err(RunError::Read)? {
            let entry = entry.map_err(RunError::Read)?;
            let ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
            if ours && Some(entry.path()) != kept {
                fs::remove_dir_all(entry.path()).map_err(RunError::Write)?;
            }
        }
        Ok(())
    }

    /// As the engine does: `on_done` gets each response as soon as it came, with its number.
    ///
    /// # Errors
    /// A response that did not come, or is not of this policy.
    pub fn generate(
        &self,
        model: &Qwen,
        prompts: &[Vec<i64>],
        group: usize,
        settings: &Sampling,
        on_done: &mut dyn FnMut(usize, Completion),
    ) -> Result<(), RunError> {
        let abouts: Vec<String> = (0..prompts.len())
            .map(|prompt| format!("prompt {prompt}"))
            .collect();
        let request = |number: usize| Request {
            about: &abouts[number / group],
            prompt: Asked::Tokens {
                prompt: &prompts[number / group],
                stop: &settings.stop,
            },
            wanted: wanted(settings, number),
        };
        let requests: Vec<Request<'_>> = (0..prompts.len() * group).map(request).collect();
        let (mut scored, mut unknown) = (Scored::default(), None);
        let mut hear = |number: usize, answer: Answer| {
            let Some(completion) = completion(number / group, answer) else {
                return ControlFlow::Continue(());
            };
            let known = 0..model.config().vocab_size;
            unknown = completion
                .tokens
                .iter()
                .find(|one| !known.contains(*one))
                .copied();
            if unknown.is_some() {
                return ControlFlow::Break(());
            }
            scored.take(&prompts[completion.prompt], &completion);
            on_done(number, completion);
            ControlFlow::Continue(())
        };
        let failed = self.server.ask_all(&requests, &mut hear)?;
        if let Some(token) = unknown {
            return Err(self.unfit(format!(
                "its token {token} is not in the policy's vocabulary"
            )));
        }
        if let Some(error) = failed.into_iter().next() {
            return Err(error.into());
        }
        let whole = settings.temperature > 0.0 && settings.top_p == 1.0 && settings.top_k == 0;
        match whole {
            true => self.recognise(model, &scored, settings.temperature),
            false => Ok(()),
        }
    }

    /// Check that responses are the policy's, by its own log-probabilities.
    fn recognise(&self, model: &Qwen, scored: &Scored, temperature: f64) -> Result<(), RunError> {
        let as_sampled = scored.apart(model, temperature);
        if as_sampled > OTHER_WEIGHTS {
            return Err(self.unfit(format!(
                "its responses are not of this policy: their log-probabilities are off by {as_sampled:.2} in the mean"
            )));
        }
        if temperature != 1.0 && as_sampled > UNTEMPERED * scored.apart(model, 1.0) {
            return Err(self.unfit(format!(
                "its log-probabilities are not those at temperature {temperature}: start vLLM with --logprobs-mode processed_logprobs"
            )));
        }
        Ok(())
    }

    fn unfit(&self, reason: String) -> RunError {
        let url = self.url.clone();
        ServerError::Unfit { url, reason }.into()
    }
}

/// Responses that the trainer scores itself.
#[derive(Default)]
struct Scored {
    sequences: Vec<(Vec<i64>, Completion)>,
    tokens: usize,
}

impl Scored {
    /// Take a response, while there is room.
    fn take(&mut self, prompt: &[i64], completion: &Completion) {
        let tokens = self.tokens + prompt.len() + completion.tokens.len();
        if tokens <= SCORED || self.sequences.is_empty() {
            self.tokens = tokens;
            self.sequences.push((prompt.to_vec(), completion.clone()));
        }
    }

    /// How far the server's log-probabilities are from the model's at a temperature, in the mean.
    fn apart(&self, model: &Qwen, temperature: f64) -> f64 {
        let sequences: Vec<(&[i64], &[i64])> = self
            .sequences
            .iter()
            .map(|(prompt, one)| (&prompt[..], &one.tokens[..]))
            .collect();
        if sequences.is_empty() {
            return 0.0;
        }
        let theirs = self.sequences.iter().flat_map(|(_, one)| &one.log_probs);
        let theirs = Tensor::from_slice(&theirs.copied().collect::<Vec<f32>>());
        let packed = Packed::new(&sequences, model.device());
        let ours = tch::no_grad(|| model.log_probs(&packed, temperature).0);
        let apart = (ours - theirs.to_device(model.device())).abs();
        apart.mean(Kind::Double).double_value(&[])
    }
}

impl Drop for Served {
    /// The weights were for the server alone. What cannot be removed is in nobody's way.
    fn drop(&mut self) {
        self.forget_all_but(None).unwrap_or_default();
    }
}

fn wanted(settings: &Sampling, number: usize) -> Wanted {
    let seed = chance::seed(settings.seed, Purpose::Rollout, number as u64);
    Wanted {
        temperature: settings.temperature,
        top_p: settings.top_p,
        top_k: settings.top_k as usize,
        max_tokens: settings.max_tokens,
        // Servers take 32 bits with a sign, some of them no more.
        seed: seed >> 33,
    }
}

fn completion(prompt: usize, answer: Answer) -> Option<Completion> {
    let drawn = answer.drawn?;
    Some(Completion {
        prompt,
        tokens: drawn.tokens,
        log_probs: drawn.log_probs,
        truncated: answer.truncated,
    })
}
