//! Evaluation: avg@k over problems that are not trained on, by platform and difficulty.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use evaluator::rates::RateTable;
use evaluator::{Problem, Verdict};

use super::RunError;
use super::metrics::{Cell, EvaluationRecord};
use super::rollout::{Group, Rollout, accepted, sample};
use super::setup::{PromptSet, RunContext};
use crate::algorithm::statistics::mean;
use crate::chance::{self, Purpose};
use crate::config::EvaluationConfig;
use crate::engine::Sampling;

/// Evaluate, and give a record for each of the limits. `step` is the number of training steps before it; the same tokens are
/// drawn at every one, so that evaluations differ by the policy alone.
pub fn evaluate(
    context: &RunContext,
    prompts: &PromptSet,
    config: &EvaluationConfig,
    seed: u64,
    step: usize,
) -> Result<Vec<EvaluationRecord>, RunError> {
    let start = Instant::now();
    let sampling = sampling(context, config, seed);
    let sampled = sample(context, &prompts.list, config.samples, &sampling)?;
    let limits = config.max_tokens.0.iter();
    let records = limits.map(|&limit| {
        let cut = sampled.cut(context, limit)?;
        let attempts: Vec<Attempts> = cut.groups.iter().map(Attempts::from).collect();
        Ok(EvaluationRecord {
            diversity: cut.group_mean(Group::diversity),
            skipped: prompts.skipped,
            seconds: start.elapsed().as_secs_f64(),
            ..record(&attempts, config, limit, step)
        })
    });
    records.collect()
}

/// A problem with the responses to it.
#[derive(Debug)]
pub struct Attempts {
    /// The problem.
    pub problem: Arc<Problem>,
    /// The responses that there are.
    pub answers: Vec<JudgedResponse>,
}

impl From<&Group> for Attempts {
    fn from(group: &Group) -> Attempts {
        let answered = |rollout: &Rollout| {
            JudgedResponse::new(
                Some(rollout.tokens.len()),
                rollout.truncated,
                &rollout.verdict,
            )
        };
        Attempts {
            problem: group.prompt.problem.clone(),
            answers: group.rollouts.iter().map(answered).collect(),
        }
    }
}

/// A response, as an evaluation sees it.
#[derive(Debug, Clone, Copy)]
pub struct JudgedResponse {
    /// Its length in tokens, where that is known.
    tokens: Option<usize>,
    truncated: bool,
    reward: Option<f64>,
    accepted: Option<bool>,
}

impl JudgedResponse {
    /// Of a response with its verdict.
    pub fn new(tokens: Option<usize>, truncated: bool, verdict: &Verdict) -> JudgedResponse {
        JudgedResponse {
            tokens,
            truncated,
            reward: verdict.reward,
            accepted: accepted(verdict),
        }
    }
}

/// How responses are sampled in evaluations.
pub fn sampling(context: &RunContext, config: &EvaluationConfig, seed: u64) -> Sampling {
    let seed = chance::seed(seed, Purpose::Evaluation, 0);
    Sampling {
        top_p: config.top_p,
        top_k: config.top_k as i64,
        ..context.sampling(config.temperature, config.max_tokens.longest(), seed)
    }
}

/// What an evaluation measures, but for the diversity of its responses and the time it took. A response that is not there
/// counts as one whose judge failed.
pub fn record(
    asked: &[Attempts],
    config: &EvaluationConfig,
    max_tokens: usize,
    step: usize,
) -> EvaluationRecord {
    let of = |measure: &dyn Fn(&JudgedResponse) -> Option<f64>| {
        let answers = asked.iter().flat_map(|asked| &asked.answers);
        mean(&answers.filter_map(measure).collect::<Vec<_>>()).unwrap_or(0.0)
    };
    let solved: Vec<f64> = asked.iter().filter_map(solved).collect();
    let decided: usize = asked.iter().map(|asked| decided(asked).count()).sum();
    EvaluationRecord {
        model: None,
        step,
        samples: config.samples,
        accuracy: of(&|answer| answer.accepted.map(f64::from)),
        solved: mean(&solved).unwrap_or(0.0),
        reward: of(&|answer| answer.reward),
        absent_rewards: asked.len() * config.samples - decided,
        response_length: of(&|answer| answer.tokens.map(|tokens| tokens as f64)),
        truncated: of(&|answer| Some(f64::from(answer.truncated))),
        diversity: None,
        max_tokens,
        temperature: config.temperature,
        top_p: Some(config.top_p),
        top_k: Some(config.top_k),
        skipped: 0,
        by: cells(asked),
        seconds: 0.0,
    }
}

fn decided(asked: &Attempts) -> impl Iterator<Item = bool> {
    asked.answers.iter().filter_map(|answer| answer.accepted)
}

fn solved(asked: &Attempts) -> Option<f64> {
    decided(asked).max().map(f64::from)
}

/// The columns of table 1: each platform with its difficulties, and `all` of them.
fn cells(asked: &[Attempts]) -> BTreeMap<String, BTreeMap<String, Cell>> {
    let table = rates(asked);
    let mut by: BTreeMap<String, BTreeMap<String, Cell>> = BTreeMap::new();
    for group in table.groups() {
        for (platform, difficulty) in [
            (Some(&group.platform[..]), Some(&group.difficulty[..])),
            (Some(&group.platform[..]), None),
            (None, Some(&group.difficulty[..])),
            (None, None),
        ] {
            let rates = table.over(platform, difficulty);
            let cell = Cell {
                problems: rates.problems as usize,
                accuracy: (rates.samples > 0).then_some(rates.avg),
                response_length: mean(&lengths(asked, platform, difficulty)),
            };
            by.entry(rates.platform)
                .or_default()
                .insert(rates.difficulty, cell);
        }
    }
    by
}

fn rates(asked: &[Attempts]) -> RateTable {
    let mut table = RateTable::default();
    for one in asked {
        let (problem, answers) = (&one.problem, &one.answers);
        let mut add = |accepted| {
            let (platform, difficulty) =
                (problem.platform.as_deref(), problem.difficulty.as_deref());
            table.add(&problem.id, platform, difficulty, accepted);
        };
        // A problem without an answer has its place in the table all the same.
        if answers.is_empty() {
            add(None);
        }
        answers.iter().for_each(|answer| add(answer.accepted));
    }
    table
}

/// Lengths of the responses to the problems of a platform and a difficulty; `None` takes them all.
fn lengths(asked: &[Attempts], platform: Option<&str>, difficulty: Option<&str>) -> Vec<f64> {
    let of = |wanted: Option<&str>, own: &Option<String>| {
        wanted.is_none_or(|wanted| wanted == own.as_deref().unwrap_or(UNSTATED))
    };
    asked
        .iter()
        .filter(|one| of(platform, &one.problem.platform))
        .filter(|one| of(difficulty, &one.problem.difficulty))
        .flat_map(|one| &one.answers)
        .filter_map(|answer| Some(answer.tokens? as f64))
        .collect()
}

/// What the table of rates calls a platform or difficulty that a problem does not state.
const UNSTATED: &str = "-";
