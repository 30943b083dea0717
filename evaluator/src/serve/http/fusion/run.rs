//! `POST /run_code`: a program is run once and not judged.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use sandbox::Limits;
use serde::Deserialize;
use utoipa::ToSchema;

use super::words::RunCodeResponse;
use crate::judge::PlainRun;
use crate::serve::http::call::{self, NoRoom};
use crate::serve::http::error::{self, HttpError};
use crate::serve::http::patch::{mebibytes, seconds};
use crate::serve::http::state::Shared;
use crate::serve::http::{body, read};

/// Bytes that a program may write to each stream.
const OUTPUT: u64 = 16 << 20;

/// How far the clock's backstop lies behind the limit. The client's own patience is ten seconds.
const BACKSTOP: Duration = Duration::from_secs(5);

/// A program to run.
#[derive(Debug, Deserialize, ToSchema)]
pub(in crate::serve::http) struct RunCodeRequest {
    #[serde(default = "ten")]
    compile_timeout: f64,
    #[serde(default = "ten")]
    run_timeout: f64,
    /// -1 for the server's own limit.
    #[serde(rename = "memory_limit_MB", default = "unlimited")]
    memory_limit_mb: i64,
    code: String,
    #[serde(default)]
    stdin: Option<String>,
    language: String,
    /// Files by path, their content in base64.
    #[serde(default)]
    files: BTreeMap<String, Option<String>>,
    #[serde(default)]
    fetch_files: Vec<String>,
}

fn ten() -> f64 {
    10.0
}

fn unlimited() -> i64 {
    -1
}

/// Run a program. `run_timeout` counts CPU time and time asleep; the clock is a backstop five seconds behind it, so that a
/// busy machine does not make a time-out of a program that keeps to its limit.
#[utoipa::path(
    post, path = "/run_code", tag = "SandboxFusion", request_body = RunCodeRequest,
    responses(
        (status = 200, body = RunCodeResponse),
        (status = 504, description = "No room now; verl's client tries again after this status alone", body = crate::serve::http::error::ErrorBody),
    )
)]
pub(in crate::serve::http) async fn run_code(
    State(shared): State<Arc<Shared>>,
    request: Request,
) -> Result<Response, HttpError> {
    let content = body::read(&shared, request).await?;
    let (request, _memory) = read::apart(&shared, content, |content| {
        read::json::<RunCodeRequest>(&content.text)
    })
    .await?;
    let response = match unavailable(&request) {
        Some(why) => RunCodeResponse::of_fault(why),
        None => {
            let run = plain_run(&shared, request)?;
            call::run(&shared, run, NoRoom::Wait).await?.into()
        }
    };
    Ok(error::json(StatusCode::OK, &response))
}

/// What is asked for and cannot be had here.
fn unavailable(request: &RunCodeRequest) -> Option<String> {
    let language = &request.language;
    if language != "python" {
        return Some(format!("language \"{language}\" is not available here"));
    }
    let files = !request.files.is_empty() || !request.fetch_files.is_empty();
    files.then(|| "files cannot be given to a program or fetched from it here".to_owned())
}

fn plain_run(shared: &Shared, request: RunCodeRequest) -> Result<PlainRun, HttpError> {
    let bounds = &shared.limits.bounds;
    let time = seconds("run_timeout", request.run_timeout, bounds)?;
    let memory = match u64::try_from(request.memory_limit_mb) {
        Err(_) => shared.settings.memory_limit,
        Ok(limit) => mebibytes("memory_limit_MB", limit, bounds)?,
    };
    Ok(PlainRun {
        source: request.code,
        stdin: request.stdin.unwrap_or_default().into_bytes(),
        limits: Limits {
            cpu: time,
            idle: time,
            wall: time + BACKSTOP,
            compile: seconds("compile_timeout", request.compile_timeout, bounds)?,
            memory: memory << 20,
            output: OUTPUT,
            ..Limits::default()
        },
    })
}
