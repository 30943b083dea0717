//! Solutions of the policy itself. Those of a server are the business of [`super::remote`].

use std::path::Path;
use std::sync::Arc;

use super::RunError;
use super::evaluate::sampling;
use super::setup::{Question, Workshop};
use super::solutions::{SampledBy, Solution, Solutions};
use crate::config::Config;
use crate::engine::Completion;

/// Sample `evaluation.samples` responses to each question and write them to `out`, each as soon as it ends.
pub fn generate(
    workshop: &Workshop,
    questions: &[Arc<Question>],
    config: &Config,
    out: &Path,
) -> Result<usize, RunError> {
    let model = config.model.path.display().to_string();
    let sampled = SampledBy::new(&model, &config.evaluation, config.seed);
    let mut solutions = Solutions::open(out, false, &sampled)?;
    let prompts: Vec<Vec<i64>> = questions
        .iter()
        .map(|question| question.prompt.clone())
        .collect();
    let sampling = sampling(workshop, &config.evaluation, config.seed);
    let samples = config.evaluation.samples;
    let mut failure = None;
    let mut on_done = |number: usize, completion: Completion| {
        let problem = &questions[completion.prompt].problem.id;
        let written = workshop.text(&completion, &sampling.stop).and_then(|text| {
            solutions.write(&Solution {
                truncated: completion.truncated,
                tokens: Some(completion.tokens.len()),
                ..Solution::new(
                    problem,
                    number % samples,
                    workshop.data.program,
                    text,
                    &sampled,
                )
            })
        });
        if let Err(error) = written {
            failure.get_or_insert(error);
        }
    };
    workshop
        .engine
        .generate(&workshop.model, &prompts, samples, &sampling, &mut on_done);
    match failure {
        Some(error) => Err(error),
        None => Ok(questions.len() * samples),
    }
}
