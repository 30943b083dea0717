//! What a run is made of, put together from its configuration: the policy, its tokenizer, the prompts, the evaluator.

use std::path::PathBuf;
use std::sync::Arc;

use evaluator::{Problem, readers};

use super::RunError;
use super::judging::Judge;
use super::policy::{self, Placement};
use super::sampler::Sampler;
use crate::config::{Config, DataConfig, ModelConfig};
use crate::engine::Sampling;
use crate::memory::Workload;
use crate::model::{self, Qwen};
use crate::tokenizer::{Message, Tokenizer};

/// A problem as the policy is asked it.
#[derive(Debug)]
pub struct Prompt {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The tokens that ask it.
    pub tokens: Vec<i64>,
}

/// Prompts of some files.
#[derive(Debug, Default)]
pub struct PromptSet {
    /// Those that can be asked.
    pub list: Vec<Arc<Prompt>>,
    /// How many are too long, or empty.
    pub skipped: usize,
}

/// What samples responses and has them judged.
pub struct RunContext {
    /// The policy.
    pub model: Qwen,
    /// Its tokenizer.
    pub tokenizer: Tokenizer,
    /// What samples from it.
    pub sampler: Sampler,
    /// What judges.
    pub judge: Judge,
    /// How problems are asked, and where in a response its program is.
    pub data: DataConfig,
    /// Tokens that end a response: those of generation_config.json, of config.json and of the tokenizer.
    pub stop: Vec<i64>,
    /// Where it computes.
    pub placement: Placement,
}

impl RunContext {
    /// Put it together. `weights` is a folder to take the policy from in place of the configured one: a checkpoint's.
    pub fn open(
        config: &Config,
        weights: Option<PathBuf>,
        workload: Workload,
    ) -> Result<RunContext, RunError> {
        policy::exists(&config.model.path)?;
        let tokenizer = Tokenizer::load(&config.model.path)?;
        let placement = Placement::find(config, workload)?;
        let from = match weights {
            Some(path) => ModelConfig {
                path,
                random: false,
                ..config.model.clone()
            },
            None => config.model.clone(),
        };
        let model = placement.policy(&from, config.seed)?;
        policy::knows_all_tokens(model.config(), &tokenizer)?;
        let mut stop = model::end_tokens(&config.model.path)?;
        stop.extend(&model.config().end_tokens);
        stop.extend(tokenizer.end());
        stop.sort_unstable();
        stop.dedup();
        Ok(RunContext {
            tokenizer,
            model,
            sampler: Sampler::open(config, workload, &placement)?,
            judge: Judge::new(&config.reward)?,
            data: config.data.clone(),
            stop,
            placement,
        })
    }

    /// Sample from the policy as it is by now: its weights have changed.
    pub fn follow(&self) -> Result<(), RunError> {
        self.sampler.follow(&self.model)
    }

    /// The problems of `files` as prompts. `what` names them in errors. Prompts that are too long are skipped, counted and reported.
    pub fn prompts(&self, files: &[PathBuf], what: &'static str) -> Result<PromptSet, RunError> {
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
        let skipped = problems.len() - prompts.len();
        if skipped > 0 {
            let most = self.data.max_prompt;
            eprintln!(
                "{what}: skipped {skipped} problems whose prompts are empty or longer than {most} tokens"
            );
        }
        match prompts.is_empty() {
            true => Err(RunError::Nothing(what)),
            false => Ok(PromptSet {
                list: prompts,
                skipped,
            }),
        }
    }

    /// The held-out problems; none where none are configured.
    pub fn held_out(&self, config: &Config) -> Result<PromptSet, RunError> {
        match config.data.held_out.is_empty() {
            true => Ok(PromptSet::default()),
            false => self.prompts(&config.data.held_out, "data.held_out"),
        }
    }

    /// How responses are sampled while training: from the whole distribution.
    pub fn sampling(&self, temperature: f64, max_tokens: usize, seed: u64) -> Sampling {
        Sampling {
            temperature,
            max_tokens,
            stop: self.stop.clone(),
            seed,
            ..Sampling::default()
        }
    }

    /// The text of a response, without the token that stopped it.
    pub fn text(&self, tokens: &[i64]) -> Result<String, RunError> {
        let tokens = match tokens.split_last() {
            Some((last, before)) if self.stop.contains(last) => before,
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
        true => tokenizer.chat(&[user(text)], data.thinking)?,
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
