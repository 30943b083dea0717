//! open-instruct's code server: a program and its tests in, which tests passed out. `code_utils` of allenai/open-instruct has
//! the shapes.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::call::{self, NoRoom};
use super::error::{self, HttpError};
use super::patch::seconds;
use super::state::Shared;
use super::{body, read};
use crate::judge::{Settings, Task};
use crate::problem::{Problem, TestCase, Tests};
use crate::serve::Refusal;
use crate::verdict::{Decision, Verdict};

/// The time of a test that was not run.
const NO_TIME: f64 = -1.0;

/// A program with tests.
#[derive(Deserialize, ToSchema)]
pub(super) struct ProgramRequest<T> {
    /// Python.
    #[serde(deserialize_with = "read::lossy")]
    program: String,
    /// Assertions, or texts in and out.
    tests: Vec<T>,
    /// Seconds of CPU time for each test.
    #[serde(default = "default_time")]
    max_execution_time: f64,
}

fn default_time() -> f64 {
    1.0
}

/// A text in, and what is to come out.
#[derive(Deserialize, ToSchema)]
pub(super) struct StdioTest {
    input: String,
    output: String,
}

/// Which tests passed.
#[derive(Serialize, ToSchema)]
pub(super) struct ProgramResponse {
    /// 1 for each test that passed, else 0.
    results: Vec<u8>,
    /// Seconds of CPU time; -1 for a test that was not run.
    runtimes: Vec<f64>,
}

/// Run a program against assertions.
#[utoipa::path(
    post, path = "/test_program", tag = "open-instruct", request_body = ProgramRequest<String>,
    responses((status = 200, body = ProgramResponse))
)]
pub(super) async fn test_program(
    State(shared): State<Arc<Shared>>,
    request: Request,
) -> Result<Response, HttpError> {
    let to_tests = |codes| Tests::in_one_process(None, String::new(), codes);
    answer(&shared, request, to_tests).await
}

/// Run a program against texts.
#[utoipa::path(
    post, path = "/test_program_stdio", tag = "open-instruct", request_body = ProgramRequest<StdioTest>,
    responses((status = 200, body = ProgramResponse))
)]
pub(super) async fn test_program_stdio(
    State(shared): State<Arc<Shared>>,
    request: Request,
) -> Result<Response, HttpError> {
    let case = |test: StdioTest| TestCase {
        input: test.input,
        expected: test.output,
    };
    let to_tests = move |tests: Vec<StdioTest>| Tests::Stdin(tests.into_iter().map(case).collect());
    answer(&shared, request, to_tests).await
}

async fn answer<T: for<'a> Deserialize<'a> + Send + 'static>(
    shared: &Arc<Shared>,
    request: Request,
    to_tests: impl FnOnce(Vec<T>) -> Tests + Send + 'static,
) -> Result<Response, HttpError> {
    let content = body::read(shared, request).await?;
    let reading = shared.clone();
    let ((task, settings), _memory) = read::apart(shared, content, move |content| {
        task(&reading, read::json(&content.text)?, to_tests)
    })
    .await?;
    let verdicts = call::judge(shared, settings, vec![task], NoRoom::Refuse).await?;
    let response = verdicts.first().map(response);
    let response = response.ok_or_else(|| HttpError::failed("there is no verdict"))?;
    Ok(error::json(StatusCode::OK, &response))
}

fn task<T>(
    shared: &Shared,
    request: ProgramRequest<T>,
    to_tests: impl FnOnce(Vec<T>) -> Tests,
) -> Result<(Task, Settings), HttpError> {
    let bounds = &shared.limits.bounds;
    let time_limit = seconds("max_execution_time", request.max_execution_time, bounds)?;
    if request.tests.is_empty() {
        return Err(HttpError::of("tests", "is empty"));
    }
    let problem = Problem::new("test_program", to_tests(request.tests));
    if let Some((field, error)) = bounds.exceeded_by(&problem) {
        return Err(Refusal::of(error).below(field).into());
    }
    let settings = Settings {
        time_limit,
        first_failure: false,
        ..(*shared.settings).clone()
    };
    Ok((
        Task::new("program", request.program, Arc::new(problem)),
        settings,
    ))
}

fn response(verdict: &Verdict) -> ProgramResponse {
    let case = |place: usize| verdict.cases.get(place);
    let passed = |place| case(place).is_some_and(|case| case.verdict == Decision::Accepted);
    let time = |place| case(place).map_or(NO_TIME, |case| case.cpu_ms / 1e3);
    ProgramResponse {
        results: (0..verdict.total)
            .map(|place| u8::from(passed(place)))
            .collect(),
        runtimes: (0..verdict.total).map(time).collect(),
    }
}
