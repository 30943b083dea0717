//! `POST /v1/judge`: a batch in, its answers out as they are ready.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Query, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::body::{self, RequestBody, Written};
use super::call::{NoRoom, Pending};
use super::error::HttpError;
use super::patch::SettingsPatch;
use super::read;
use super::state::Shared;
use crate::judge::Settings;
use crate::problem::Problem;
use crate::serve::{Answer, Ask, Job, Refusal, RowReader, Work, lines};
use crate::worker::PANICKED;

/// A batch.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BatchRequest<'a> {
    /// Problems of this request alone, of any format that files may have; submissions name them by `problem_id`.
    #[serde(borrow, default)]
    #[schema(value_type = Vec<Object>)]
    problems: Vec<&'a RawValue>,
    /// Solutions of any format that files may have, each with its own tests, the `problem_id` of one of the problems above or
    /// of the server's, or a field `problem` with a whole problem or the hash of a registered one.
    #[serde(borrow)]
    #[schema(value_type = Vec<Object>)]
    submissions: Vec<&'a RawValue>,
    #[serde(default)]
    settings: SettingsPatch,
}

/// What is to be done for a batch.
struct Batch {
    jobs: Vec<Job>,
    /// AnswerBody that need no worker.
    ready: VecDeque<String>,
    settings: Settings,
}

/// Judge submissions. Each is answered by a line, a verdict or what is wrong with it, as soon as it is ready; `row` counts
/// the submissions from 1. Lines as the body are rows as `mc-eval judge --stdio` takes them, with the settings in the query.
#[utoipa::path(
    post, path = "/v1/judge", tag = "judge", params(SettingsPatch),
    request_body(content((BatchRequest = "application/json"), (String = "application/x-ndjson"))),
    responses(
        (status = 200, description = "A verdict for each submission, one to a line", content_type = "application/x-ndjson"),
        (status = 400, description = "The request as a whole cannot be read", body = super::error::ErrorBody),
        (status = 413, description = "Too long, or more submissions than the queue holds", body = super::error::ErrorBody),
        (status = 429, description = "No room now: try again after Retry-After", body = super::error::ErrorBody),
    )
)]
pub(super) async fn judge(
    State(shared): State<Arc<Shared>>,
    request: Request,
) -> Result<Response, HttpError> {
    let patch = Query::<SettingsPatch>::try_from_uri(request.uri());
    let Query(patch) = patch.map_err(|error| HttpError::bad(error.body_text()))?;
    let content = body::read(&shared, request).await?;
    let batch = {
        let shared = shared.clone();
        read::apart(&shared.clone(), content, move |content| {
            batch(&shared, content, &patch)
        })
        .await?
    };
    let (
        Batch {
            jobs,
            ready,
            settings,
        },
        memory,
    ) = batch;
    let remaining = jobs.len();
    let call = Pending::begin(&shared, Arc::new(settings), jobs, NoRoom::Refuse).await?;
    let answers = AnswerBody {
        call,
        ready,
        remaining,
        _memory: memory,
    };
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((StatusCode::OK, kind, Body::new(answers)).into_response())
}

fn batch(
    shared: &Shared,
    content: &RequestBody,
    patch: &SettingsPatch,
) -> Result<Batch, HttpError> {
    let bounds = &shared.limits.bounds;
    let settings = patch.apply((*shared.settings).clone(), bounds)?;
    if content.written == Written::Lines {
        let rows: Vec<&str> = content.text.lines().collect();
        return Ok(rows_of(shared, &HashMap::new(), &rows, settings));
    }
    let request: BatchRequest<'_> = read::json(&content.text)?;
    let settings = request.settings.apply(settings, bounds)?;
    let beside = problems(shared, &request.problems)?;
    let rows: Vec<&str> = request.submissions.iter().map(|row| row.get()).collect();
    Ok(rows_of(shared, &beside, &rows, settings))
}

/// Problems of a request, by their ids.
type Beside = HashMap<String, Arc<Problem>>;

fn problems(shared: &Shared, rows: &[&RawValue]) -> Result<Beside, Refusal> {
    let none = HashMap::new();
    let reader = reader(shared, &none);
    let mut problems = HashMap::new();
    for (i, row) in rows.iter().enumerate() {
        let field = format!("problems[{i}]");
        let problem = reader.problem(i as u64 + 1, &field, row)?;
        let known: Option<Arc<Problem>> = problems.insert(problem.id.clone(), problem.clone());
        if known.is_some_and(|known| known != problem) {
            let message = format!(
                "an earlier, different problem has the id \"{}\"",
                problem.id
            );
            return Err(Refusal::of(message).below(&field));
        }
    }
    Ok(problems)
}

fn reader<'a>(shared: &'a Shared, beside: &'a Beside) -> RowReader<'a> {
    RowReader {
        store: &shared.store,
        beside,
        bounds: &shared.limits.bounds,
    }
}

fn rows_of(shared: &Shared, beside: &Beside, rows: &[&str], settings: Settings) -> Batch {
    let reader = reader(shared, beside);
    let mut batch = Batch {
        jobs: Vec::new(),
        ready: VecDeque::new(),
        settings,
    };
    for (text, row) in rows.iter().zip(1..) {
        match reader.read(row, text) {
            Ok(Ask::Judge(task)) => batch.jobs.push(Job {
                row,
                work: Work::Judge(task),
                bytes: text.len(),
            }),
            Ok(Ask::Register(problem)) => {
                let hash = shared.store.register(&problem);
                batch
                    .ready
                    .push_back(lines::of_registered(row, &hash, &problem));
            }
            Err(refusal) => batch.ready.push_back(lines::of_refusal(row, &refusal)),
        }
    }
    batch
}

/// The body of an answer: lines as they are ready.
struct AnswerBody {
    call: Pending,
    ready: VecDeque<String>,
    remaining: usize,
    /// What the request holds of the memory for bodies, until it is answered.
    _memory: RequestBody,
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    /// It was cut off.
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if let Some(line) = self.ready.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(line.into()))));
        }
        if self.remaining == 0 {
            return Poll::Ready(None);
        }
        self.call.poll(context).map(|answered| {
            let Some(answered) = answered else {
                self.remaining = 0;
                return Some(Err(io::Error::other(PANICKED)));
            };
            self.remaining -= 1;
            let line = match &answered.answer {
                Answer::Verdict(verdict) => lines::of_verdict(answered.row, verdict),
                Answer::Ran(_) => unreachable!("no row asks for it"),
            };
            Some(Ok(Frame::data(line.into())))
        })
    }
}
