//! `POST /v1/problems`: problems that later requests name by a hash.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::body::{self, RequestBody, Written};
use super::error::{self, HttpError};
use super::read;
use super::rows::RawList;
use super::state::Shared;
use crate::problem::Problem;
use crate::serve::RowReader;

/// Problems to keep.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RegisterRequest<'a> {
    /// Of any format that files may have.
    #[serde(borrow)]
    #[schema(value_type = Vec<Object>)]
    problems: RawList<'a>,
}

/// Problems that are kept, in the order of the request.
#[derive(Serialize, ToSchema)]
pub(super) struct RegisterResponse {
    problems: Vec<RegisteredProblem>,
}

/// A problem that is kept.
#[derive(Serialize, ToSchema)]
pub(super) struct RegisteredProblem {
    /// The hash of its content, by which submissions name it in their field `problem`.
    registered: String,
    /// Its own id.
    problem_id: String,
    /// How many tests it has.
    tests: usize,
}

/// Keep problems. All are kept or, if one cannot be read, none.
#[utoipa::path(
    post, path = "/v1/problems", tag = "judge",
    request_body(content((RegisterRequest = "application/json"), (String = "application/x-ndjson"))),
    responses(
        (status = 200, body = RegisterResponse),
        (status = 400, description = "One of them cannot be read", body = super::error::ErrorBody),
    )
)]
pub(super) async fn register(
    State(shared): State<Arc<Shared>>,
    request: Request,
) -> Result<Response, HttpError> {
    let content = body::read(&shared, request).await?;
    let reading = shared.clone();
    let (problems, _) =
        read::apart(&shared, content, move |content| problems(&reading, content)).await?;
    let problems = problems.iter().map(|problem| of(&shared, problem));
    let response = RegisterResponse {
        problems: problems.collect(),
    };
    Ok(error::json(StatusCode::OK, &response))
}

/// Whether a problem is kept under this hash.
#[utoipa::path(
    get, path = "/v1/problems/{hash}", tag = "judge", params(("hash" = String, Path)),
    responses((status = 200, body = RegisteredProblem), (status = 404, body = super::error::ErrorBody))
)]
pub(super) async fn known(
    State(shared): State<Arc<Shared>>,
    Path(hash): Path<String>,
) -> Result<Response, HttpError> {
    let problem = shared.store.by_hash(&hash).ok_or_else(|| {
        let error = "no problem of this hash is registered (any more)";
        HttpError::new(StatusCode::NOT_FOUND, error)
    })?;
    Ok(error::json(StatusCode::OK, &of(&shared, &problem)))
}

fn of(shared: &Shared, problem: &Arc<Problem>) -> RegisteredProblem {
    RegisteredProblem {
        registered: shared.store.register(problem),
        problem_id: problem.id.clone(),
        tests: problem.tests.len(),
    }
}

fn problems(shared: &Shared, content: &RequestBody) -> Result<Vec<Arc<Problem>>, HttpError> {
    let reader = RowReader {
        store: &shared.store,
        beside: &HashMap::new(),
        bounds: &shared.limits.bounds,
    };
    let mut problems = Vec::new();
    let mut take = |row: &RawValue| {
        let place = problems.len();
        let field = format!("problems[{place}]");
        problems.push(reader.problem(place as u64 + 1, &field, row)?);
        Ok(())
    };
    match content.written {
        Written::Json => {
            let request: RegisterRequest<'_> = read::json(&content.text)?;
            request.problems.each(take)?;
        }
        Written::Lines => {
            let lines = content.text.lines();
            for line in lines.filter(|line| !line.trim().is_empty()) {
                take(read::json(line)?)?;
            }
        }
    }
    Ok(problems)
}
