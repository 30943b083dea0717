//! Solutions of the policy itself. Those of a server are the business of [`super::remote`].

use std::path::Path;
use std::sync::Arc;

use super::RunError;
use super::evaluate::sampling;
use super::setup::{Prompt, RunContext};
use super::solutions::{SampledBy, Solution, Solutions};
use crate::config::Config;
use crate::engine::Completion;

/// Sample `evaluation.samples` responses to each prompt and write them to `out`, each as soon as it ends.
pub fn generate(
    context: &RunContext,
    prompts: &[Arc<Prompt>],
    config: &Config,
    out: &Path,
) -> Result<usize, RunError> {
    let model = config.model.path.display().to_string();
    let sampled = SampledBy::new(&model, &config.evaluation, config.seed);
    let mut solutions = Solutions::open(out, false, &sampled)?;
    let tokens: Vec<Vec<i64>> = prompts.iter().map(|prompt| prompt.tokens.clone()).collect();
    let sampling = sampling(context, &config.evaluation, config.seed);
    let samples = config.evaluation.samples;
    let mut failure = None;
    let mut on_done = |number: usize, completion: Completion| {
        let problem = &prompts[completion.prompt].problem.id;
        let written = context.text(&completion.tokens).and_then(|text| {
            solutions.write(&Solution {
                truncated: completion.truncated,
                tokens: Some(completion.tokens.len()),
                ..Solution::new(
                    problem,
                    number % samples,
                    context.data.program,
                    text,
                    &sampled,
                )
            })
        });
        if let Err(error) = written {
            failure.get_or_insert(error);
        }
    };
    context
        .sampler
        .generate(&context.model, &tokens, samples, &sampling, &mut on_done)?;
    match failure {
        Some(error) => Err(error),
        None => Ok(prompts.len() * samples),
    }
}
