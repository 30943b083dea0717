//! OpenRLHF's remote reward model: `--remote_rm_url http://HOST:PORT/get_reward`. A label names the problem.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::call::{self, NoRoom};
use super::error::{self, HttpError};
use super::state::Shared;
use super::{body, read};
use crate::judge::Task;
use crate::problem::Problem;
use crate::serve::{Refusal, RowReader};
use crate::verdict::{Decision, Verdict};

/// Responses to be rewarded.
#[derive(Deserialize, ToSchema)]
pub(super) struct RewardRequest {
    /// Prompt and response together, or the response alone.
    #[serde(deserialize_with = "read::lossy")]
    query: Vec<String>,
    /// The prompts, where `query` starts with them.
    #[serde(default, deserialize_with = "read::lossy")]
    prompts: Vec<String>,
    /// Of each, the problem: the hash of a registered one, the id of one of the server's, or a whole problem as JSON text.
    labels: Vec<String>,
}

/// Their rewards.
#[derive(Serialize, ToSchema)]
pub(super) struct RewardResponse {
    /// By the server's `--reward`.
    rewards: Vec<f64>,
    /// The same, by which OpenRLHF filters.
    scores: Vec<f64>,
    extra_logs: ExtraLogs,
}

/// Numbers that OpenRLHF logs the mean of.
#[derive(Serialize, ToSchema)]
pub(super) struct ExtraLogs {
    /// 1 if all tests passed.
    accepted: Vec<f64>,
    /// The share of the tests that passed.
    passed: Vec<f64>,
    /// 1 if there was no valid program.
    compile_error: Vec<f64>,
}

/// Reward responses. A failure of the judge is one of the request, after which OpenRLHF asks again: it has no word for a
/// reward that is absent.
#[utoipa::path(
    post, path = "/get_reward", tag = "OpenRLHF", request_body = RewardRequest,
    responses(
        (status = 200, body = RewardResponse),
        (status = 400, body = super::error::ErrorBody),
        (status = 500, description = "The judge failed", body = super::error::ErrorBody),
    )
)]
pub(super) async fn get_reward(
    State(shared): State<Arc<Shared>>,
    request: Request,
) -> Result<Response, HttpError> {
    let content = body::read(&shared, request).await?;
    let reading = shared.clone();
    let (tasks, _memory) = read::apart(&shared, content, move |content| {
        tasks(&reading, &read::json(&content.text)?)
    })
    .await?;
    let settings = (*shared.settings).clone();
    let verdicts = call::judge(&shared, settings, tasks, NoRoom::Refuse).await?;
    Ok(error::json(StatusCode::OK, &response(&verdicts)?))
}

fn tasks(shared: &Shared, request: &RewardRequest) -> Result<Vec<Task>, HttpError> {
    let count = request.query.len();
    same_length("labels", request.labels.len(), count)?;
    if !request.prompts.is_empty() {
        same_length("prompts", request.prompts.len(), count)?;
    }
    // The responses of a group share a label, and equal programs are told by the problem that they share.
    let mut problems: HashMap<&str, Arc<Problem>> = HashMap::new();
    let tasks = request.query.iter().enumerate().map(|(i, query)| {
        let label = request.labels[i].as_str();
        let problem = match problems.get(label) {
            Some(problem) => problem.clone(),
            None => {
                let problem = labelled(shared, label)
                    .map_err(|refusal| refusal.below(&format!("labels[{i}]")))?;
                problems.insert(label, problem.clone());
                problem
            }
        };
        let prompt = request.prompts.get(i).map_or("", String::as_str);
        let response = query.strip_prefix(prompt).unwrap_or(query);
        Ok(Task::from_response(i.to_string(), response, problem))
    });
    tasks.collect()
}

fn same_length(field: &str, length: usize, count: usize) -> Result<(), HttpError> {
    if length == count {
        return Ok(());
    }
    let error = format!("has length {length}, but query has length {count}");
    Err(HttpError::of(field, error))
}

fn labelled(shared: &Shared, label: &str) -> Result<Arc<Problem>, Refusal> {
    if label.trim_start().starts_with('{') {
        let row: &RawValue = serde_json::from_str(label)
            .map_err(|error| Refusal::of(format!("is not JSON: {error}")))?;
        let reader = RowReader {
            store: &shared.store,
            beside: &HashMap::new(),
            bounds: &shared.limits.bounds,
        };
        return reader.whole_problem(1, row);
    }
    match shared.store.by_hash(label) {
        Some(problem) => Ok(problem),
        None => shared.store.by_id(label).map_err(Refusal::of),
    }
}

fn response(verdicts: &[Verdict]) -> Result<RewardResponse, HttpError> {
    let rewards = verdicts.iter().map(|verdict| verdict.reward);
    let rewards: Option<Vec<f64>> = rewards.collect();
    let rewards = rewards.ok_or_else(|| HttpError::failed("a reward is absent"))?;
    let each = |number: fn(&Verdict) -> f64| verdicts.iter().map(number).collect();
    Ok(RewardResponse {
        scores: rewards.clone(),
        rewards,
        extra_logs: ExtraLogs {
            accepted: each(|it| share(it.verdict == Decision::Accepted)),
            passed: each(|it| it.passed as f64 / it.total as f64),
            compile_error: each(|it| share(it.verdict == Decision::CompileError)),
        },
    })
}

fn share(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}
