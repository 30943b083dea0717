//! What a run is made of, put together from its configuration: the policy, its tokenizer, the prompts, the evaluator.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use evaluator::{Problem, readers};
use tch::Kind;

use super::RunError;
use super::judging::Judge;
use crate::chance::{self, Purpose};
use crate::config::{
    Compute, Config, ConfigError, DataConfig, Device, ModelConfig, OptimizerConfig,
};
use crate::engine::{Completion, Engine, Sampling};
use crate::model::{self, Qwen};
use crate::native;
use crate::optimizer::{AdamW, AdamWConfig};
use crate::tokenizer::{Message, Tokenizer};

/// A problem as the policy is asked it.
#[derive(Debug)]
pub struct Prompt {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The tokens that ask it.
    pub tokens: Vec<i64>,
}

/// What samples responses and has them judged.
pub struct RunContext {
    /// The policy.
    pub model: Qwen,
    /// Its tokenizer.
    pub tokenizer: Tokenizer,
    /// What samples from it.
    pub engine: Engine,
    /// What judges.
    pub judge: Judge,
    /// How problems are asked, and where in a response its program is.
    pub data: DataConfig,
}

impl RunContext {
    /// Put it together. `weights` is a folder to take the policy from in place of the configured one: a checkpoint's.
    pub fn open(config: &Config, weights: Option<PathBuf>) -> Result<RunContext, RunError> {
        let from = match weights {
            Some(path) => ModelConfig {
                path,
                random: false,
                ..config.model.clone()
            },
            None => config.model.clone(),
        };
        there(&config.model.path)?;
        let tokenizer = Tokenizer::load(&config.model.path)?;
        let model = policy(&from, config.seed)?;
        knows_all_tokens(model.config(), &tokenizer)?;
        has_positions(model.config(), config)?;
        Ok(RunContext {
            tokenizer,
            model,
            engine: Engine {
                slots: config.rollout.slots,
            },
            judge: Judge::new(&config.reward)?,
            data: config.data.clone(),
        })
    }

    /// The problems of `files` as prompts. `what` names them in errors. Prompts that are too long are passed over, and told of.
    pub fn prompts(
        &self,
        files: &[PathBuf],
        what: &'static str,
    ) -> Result<Vec<Arc<Prompt>>, RunError> {
        let problems = problems(files, what)?;
        let mut prompts = Vec::new();
        for problem in &problems {
            let message = ask(&self.data, problem, what)?;
            let tokens = encode(&self.tokenizer, &self.data, &message)?;
            if (1..=self.data.max_prompt).contains(&tokens.len()) {
                let problem = problem.clone();
                prompts.push(Arc::new(Prompt { problem, tokens }));
            }
        }
        let passed_over = problems.len() - prompts.len();
        if passed_over > 0 {
            let most = self.data.max_prompt;
            eprintln!(
                "{what}: skipped {passed_over} problems whose prompts are empty or longer than {most} tokens"
            );
        }
        match prompts.is_empty() {
            true => Err(RunError::Nothing(what)),
            false => Ok(prompts),
        }
    }

    /// The held-out problems; none where none are configured.
    pub fn held_out(&self, config: &Config) -> Result<Vec<Arc<Prompt>>, RunError> {
        match config.data.held_out.is_empty() {
            true => Ok(Vec::new()),
            false => self.prompts(&config.data.held_out, "data.held_out"),
        }
    }

    /// Tokens that end a response.
    pub fn stop(&self) -> Vec<i64> {
        let mut stop = self.model.config().end_tokens.clone();
        stop.extend(self.tokenizer.end());
        stop.sort_unstable();
        stop.dedup();
        stop
    }

    /// How responses are sampled while training: from the whole distribution.
    pub fn sampling(&self, temperature: f64, max_tokens: usize, seed: u64) -> Sampling {
        Sampling {
            temperature,
            max_tokens,
            stop: self.stop(),
            seed,
            ..Sampling::default()
        }
    }

    /// The text of a response, without the token that stopped it.
    pub fn text(&self, completion: &Completion, stop: &[i64]) -> Result<String, RunError> {
        let tokens = &completion.tokens[..];
        let tokens = match tokens.split_last() {
            Some((last, before)) if stop.contains(last) => before,
            _ => tokens,
        };
        Ok(self.tokenizer.decode(tokens)?)
    }
}

/// The problems of `files`. `what` names them in errors.
pub fn problems(files: &[PathBuf], what: &'static str) -> Result<Vec<Arc<Problem>>, RunError> {
    let (problems, errors) = readers::problems(files);
    if let Some(error) = errors.into_iter().next() {
        return Err(error.into());
    }
    let problems: Vec<Arc<Problem>> = problems.iter().cloned().collect();
    match problems.is_empty() {
        true => Err(RunError::Nothing(what)),
        false => Ok(problems),
    }
}

/// The user's message that asks a problem. What a problem says is put in as it is, whatever braces it has. `what` names the
/// problem's file in errors.
///
/// # Errors
/// [`RunError::Unasked`] where the problem has nothing of what the template asks with.
pub fn ask(data: &DataConfig, problem: &Problem, what: &'static str) -> Result<String, RunError> {
    let fields = [
        ("statement", &problem.statement),
        ("prompt", &problem.prompt),
    ];
    let asked = || {
        let asked = |field: &&(&str, _)| data.template.contains(&format!("{{{}}}", field.0));
        fields.iter().filter(asked)
    };
    let says = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
    if asked().next().is_some() && !asked().any(|field| says(field.1)) {
        return Err(RunError::Unasked {
            what,
            problem: problem.id.clone(),
            fields: asked().map(|field| field.0).collect::<Vec<_>>().join(", "),
        });
    }
    let statement = problem.statement.as_deref().unwrap_or_default();
    let around = data.template.split("{prompt}");
    let around: Vec<String> = around
        .map(|part| part.replace("{statement}", statement))
        .collect();
    Ok(around.join(problem.prompt.as_deref().unwrap_or_default()))
}

/// The tokens of a user's message.
pub fn encode(tokenizer: &Tokenizer, data: &DataConfig, text: &str) -> Result<Vec<i64>, RunError> {
    let text = match data.chat {
        true => tokenizer.chat(&[user(text)], None)?,
        false => text.to_owned(),
    };
    Ok(tokenizer.encode(&text)?)
}

fn user(text: &str) -> Message {
    Message {
        role: "user".to_owned(),
        content: text.to_owned(),
    }
}

/// A model that is not there is told of by the setting that names it.
fn there(path: &Path) -> Result<(), ConfigError> {
    if path.is_dir() {
        return Ok(());
    }
    let problem = match path.as_os_str().is_empty() {
        true => "no model is set".to_owned(),
        false => format!("there is no folder {}", path.display()),
    };
    let hint = "it must be a local folder in the Hugging Face layout; models are not downloaded";
    Err(ConfigError {
        hint: Some(hint.to_owned()),
        ..ConfigError::new("model.path", problem)
    })
}

/// The policy as the configuration has it at the start of a run.
pub fn policy(config: &ModelConfig, seed: u64) -> Result<Qwen, RunError> {
    let kind = match config.compute {
        Compute::Float32 => Kind::Float,
        Compute::Bfloat16 => Kind::BFloat16,
    };
    let device = device(config.device)?;
    if !config.random {
        return Ok(Qwen::load(&config.path, device, kind)?);
    }
    if model::has_weights(&config.path) {
        let problem = format!(
            "asks for random weights, but {} holds weights",
            config.path.display()
        );
        let hint = "set it to false to start from those weights, or use a folder without weights";
        let error = ConfigError::new("model.random", problem);
        return Err(ConfigError {
            hint: Some(hint.to_owned()),
            ..error
        }
        .into());
    }
    let shape = model::QwenConfig::read(&config.path.join("config.json"))?;
    let seed = chance::seed(seed, Purpose::Weights, 0);
    Ok(Qwen::random(shape, seed, device, kind).with_tokenizer_of(&config.path))
}

/// Whether the model has an embedding of every token that a text can become.
fn knows_all_tokens(shape: &model::QwenConfig, tokenizer: &Tokenizer) -> Result<(), ConfigError> {
    let (largest, size) = (tokenizer.largest(), shape.vocab_size);
    match largest < size {
        true => Ok(()),
        false => Err(ConfigError::new(
            "model.path",
            format!(
                "the tokenizer's largest token id is {largest}, but the model's vocab_size is {size}"
            ),
        )),
    }
}

/// Whether the model was made for sequences as long as those of a run may be.
fn has_positions(shape: &model::QwenConfig, config: &Config) -> Result<(), ConfigError> {
    let (prompt, most) = (config.data.max_prompt, shape.max_positions);
    let too_long = |(_, tokens): &(&str, usize)| (prompt + tokens) as i64 > most;
    let Some((key, tokens)) = lengths(config).into_iter().find(too_long) else {
        return Ok(());
    };
    let longest = prompt + tokens;
    let problem = format!(
        "together with data.max_prompt this makes {longest} tokens, but the model's max_position_embeddings is {most}"
    );
    Err(ConfigError {
        hint: Some(format!("lower {key} or data.max_prompt")),
        ..ConfigError::new(key, problem)
    })
}

/// How long responses may be to the problems that there are, with the key that says so.
fn lengths(config: &Config) -> Vec<(&'static str, usize)> {
    let (rollout, data) = (&config.rollout, &config.data);
    let mut lengths = Vec::new();
    if !data.problems.is_empty() {
        lengths.push(("rollout.max_tokens", rollout.max_tokens));
        let stages = rollout.stages.iter();
        lengths.extend(stages.map(|stage| ("rollout.stages", stage.tokens)));
    }
    if !data.held_out.is_empty() {
        lengths.push(("evaluation.max_tokens", config.evaluation.max_tokens));
    }
    lengths
}

/// AdamW over all weights of a model.
pub fn optimizer(model: &Qwen, config: &OptimizerConfig) -> AdamW {
    let settings = AdamWConfig {
        betas: (config.beta1, config.beta2),
        epsilon: config.eps,
        weight_decay: config.weight_decay,
    };
    AdamW::new(model.parameters(), settings)
}

/// Where to compute. That the CPU was taken for want of a GPU is told.
fn device(asked: Device) -> Result<tch::Device, RunError> {
    let gpu = match asked {
        Device::Cpu => return Ok(tch::Device::Cpu),
        Device::Auto | Device::Cuda => native::first_gpu(),
    };
    match gpu {
        Ok(gpu) => Ok(gpu),
        Err(problem) if asked == Device::Cuda => {
            Err(ConfigError::new("model.device", format!("no usable GPU ({problem})")).into())
        }
        Err(problem) => {
            eprintln!("no usable GPU ({problem}); falling back to CPU");
            Ok(tch::Device::Cpu)
        }
    }
}
