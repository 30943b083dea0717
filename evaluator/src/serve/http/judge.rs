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
use utoipa::ToSchema;

use super::body::{self, RequestBody, Written};
use super::call::{NoRoom, Pending};
use super::error::HttpError;
use super::patch::SettingsPatch;
use super::read;
use super::rows::RawList;
use super::state::Shared;
use crate::judge::Settings;
use crate::problem::Problem;
use crate::serve::{Answer, Ask, Full, Job, Refusal, RowReader, Work, lines};
use crate::worker::PANICKED;

/// A batch.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct BatchRequest<'a> {
    /// Problems of this request alone, of any format that files may have; submissions name them by `problem_id`.
    #[serde(borrow, default)]
    #[schema(value_type = Vec<Object>)]
    problems: RawList<'a>,
    /// Solutions of any format that files may have, each with its own tests, the `problem_id` of one of the problems above or
    /// of the server's, or a field `problem` with a whole problem or the hash of a registered one.
    #[serde(borrow)]
    #[schema(value_type = Vec<Object>)]
    submissions: RawList<'a>,
    #[serde(default)]
    settings: SettingsPatch,
}

/// What is to be done for a batch.
struct Batch {
    jobs: Vec<Job>,
    /// Answers that need no worker.
    ready: VecDeque<String>,
    settings: Settings,
}

impl Batch {
    fn new(settings: Settings) -> Batch {
        Batch {
            jobs: Vec::new(),
            ready: VecDeque::new(),
            settings,
        }
    }

    /// Take the next row in.
    fn take(&mut self, reader: &RowReader<'_>, text: &str) {
        let row = (self.jobs.len() + self.ready.len()) as u64 + 1;
        match reader.read(row, text) {
            Ok(Ask::Judge(task)) => self.jobs.push(Job {
                row,
                work: Work::Judge(task),
                bytes: text.len(),
            }),
            Ok(Ask::Register(problem)) => {
                let hash = reader.store.register(&problem);
                let line = lines::of_registered(row, &hash, &problem);
                self.ready.push_back(line);
            }
            Err(refusal) => self.ready.push_back(lines::of_refusal(row, &refusal)),
        }
    }

    /// The bytes of the answers that are ready.
    fn ready_bytes(&self) -> usize {
        self.ready.iter().map(String::len).sum()
    }
}

/// Judge submissions. Each is answered by a line, a verdict or what is wrong with it, as soon as it is ready; `row` counts
/// the submissions from 1. Lines as the body are rows as `mc-eval judge --stdio` takes them, with the settings in the query.
#[utoipa::path(
    post, path = "/v1/judge", tag = "judge", params(SettingsPatch),
    request_body(content((BatchRequest = "application/json"), (String = "application/x-ndjson"))),
    responses(
        (status = 200, description = "A verdict for each submission, one to a line", content_type = "application/x-ndjson"),
        (status = 400, description = "The request as a whole cannot be read", body = super::error::ErrorBody),
        (status = 413, description = "Too long, or more rows than the queue holds", body = super::error::ErrorBody),
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
    let (batch, mut memory) = {
        let shared = shared.clone();
        read::apart(&shared.clone(), content, move |content| {
            batch(&shared, content, &patch)
        })
        .await?
    };
    // A client may read none of the answers that are made already.
    memory.hold(memory.text.len() + batch.ready_bytes())?;
    let Batch {
        jobs,
        ready,
        settings,
    } = batch;
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
    let none = Beside::new();
    if content.written == Written::Lines {
        check(shared, content.text.lines().count())?;
        let reader = reader(shared, &none);
        let mut batch = Batch::new(settings);
        let rows = content.text.lines();
        rows.for_each(|row| batch.take(&reader, row));
        return Ok(batch);
    }
    let request: BatchRequest<'_> = read::json(&content.text)?;
    check(shared, request.submissions.count())?;
    let settings = request.settings.apply(settings, bounds)?;
    let beside = problems(shared, request.problems)?;
    let reader = reader(shared, &beside);
    let mut batch = Batch::new(settings);
    request.submissions.each(|row| {
        batch.take(&reader, row.get());
        Ok(())
    })?;
    Ok(batch)
}

/// Rows that are answered at once count as those that wait for a worker: their answers may be as long in being read.
fn check(shared: &Shared, rows: usize) -> Result<(), Full> {
    let most = shared.engine.room().jobs;
    match rows > most {
        true => Err(Full::Ever { jobs: rows, most }),
        false => Ok(()),
    }
}

/// Problems of a request, by their ids.
type Beside = HashMap<String, Arc<Problem>>;

fn problems(shared: &Shared, rows: RawList<'_>) -> Result<Beside, HttpError> {
    let none = Beside::new();
    let reader = reader(shared, &none);
    let mut problems = Beside::new();
    let mut place = 0;
    rows.each(|row| {
        let field = format!("problems[{place}]");
        place += 1;
        let problem = reader.problem(place, &field, row)?;
        let known = problems.insert(problem.id.clone(), problem.clone());
        if known.is_some_and(|known| known != problem) {
            let message = format!(
                "an earlier, different problem has the id \"{}\"",
                problem.id
            );
            return Err(Refusal::of(message).below(&field).into());
        }
        Ok(())
    })?;
    Ok(problems)
}

fn reader<'a>(shared: &'a Shared, beside: &'a Beside) -> RowReader<'a> {
    RowReader {
        store: &shared.store,
        beside,
        bounds: &shared.limits.bounds,
    }
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
