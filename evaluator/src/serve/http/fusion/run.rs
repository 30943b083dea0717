//! `POST /run_code`: a program is run once and not judged.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::Response;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sandbox::Limits;
use serde::Deserialize;
use utoipa::ToSchema;

use super::words::RunCodeResponse;
use crate::SourceFile;
use crate::judge::{PlainRun, given_file};
use crate::languages::{Languages, PYTHON, Toolchain, toolchain};
use crate::serve::http::call::{self, NoRoom};
use crate::serve::http::error::HttpError;
use crate::serve::http::held;
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
    /// Seconds of CPU time for the compiler.
    #[serde(default = "ten")]
    compile_timeout: f64,
    #[serde(default = "ten")]
    run_timeout: f64,
    /// -1 for the server's own limit.
    #[serde(rename = "memory_limit_MB", default = "unlimited")]
    memory_limit_mb: i64,
    #[serde(deserialize_with = "read::lossy")]
    code: String,
    #[serde(default)]
    stdin: Option<String>,
    language: String,
    /// Files in the folder that the program works in, by their paths there, their content in base64.
    #[serde(default)]
    files: BTreeMap<String, Option<String>>,
    /// Paths there of files that come back in the answer, if the program leaves them behind.
    #[serde(default)]
    fetch_files: Vec<String>,
}

fn ten() -> f64 {
    10.0
}

fn unlimited() -> i64 {
    -1
}

/// Run a program, which is compiled first where its language is. `run_timeout` counts CPU time and time asleep; the clock is a backstop five seconds behind it, so that a
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
    let reading = shared.clone();
    let (run, content) = read::apart(&shared, content, move |content| {
        plain_run(&reading, read::json::<RunCodeRequest>(&content.text)?)
    })
    .await?;
    let response = match run {
        Err(unavailable) => RunCodeResponse::of_fault(unavailable),
        Ok(run) => call::run(&shared, run, NoRoom::Wait).await?.into(),
    };
    held::json(&response, content)
}

/// What is asked for; or why that cannot be had here.
fn plain_run(
    shared: &Shared,
    request: RunCodeRequest,
) -> Result<Result<PlainRun, String>, HttpError> {
    let bounds = &shared.limits.bounds;
    let time = seconds("run_timeout", request.run_timeout, bounds)?;
    let memory = match u64::try_from(request.memory_limit_mb) {
        Err(_) => shared.settings.memory_limit,
        Ok(limit) => mebibytes("memory_limit_MB", limit, bounds)?,
    };
    let limits = Limits {
        cpu: time,
        idle: time,
        wall: time + BACKSTOP,
        compile: seconds("compile_timeout", request.compile_timeout, bounds)?,
        memory: memory << 20,
        output: OUTPUT,
        ..Limits::default()
    };
    let files = given(&request.files)?;
    for name in &request.fetch_files {
        given_file(name, Vec::new()).map_err(|_| leads_out("fetch_files", name))?;
    }
    let works_with_files = !files.is_empty() || !request.fetch_files.is_empty();
    Ok(
        toolchain_for(&request.language, works_with_files).map(|toolchain| PlainRun {
            source: request.code,
            toolchain,
            stdin: request.stdin.unwrap_or_default().into_bytes(),
            files,
            fetch: request.fetch_files,
            limits,
        }),
    )
}

/// What runs a program of this language; `None` is a warm interpreter, which knows no files.
fn toolchain_for(name: &str, works_with_files: bool) -> Result<Option<Arc<Toolchain>>, String> {
    let languages = Languages::get();
    let language = languages.named(name).ok_or_else(|| {
        let known = languages.listed();
        format!("language \"{name}\" is not available here, only {known}")
    })?;
    if language.name == PYTHON && !works_with_files {
        return Ok(None);
    }
    if language.engine && works_with_files {
        return Err(format!("a program in {name} works with no files here"));
    }
    toolchain(language).map(Some)
}

fn leads_out(field: &str, name: &str) -> HttpError {
    HttpError::of(
        format!("{field}[{name:?}]"),
        "leads out of the working folder",
    )
}

/// The files that are given; one without content is none.
fn given(files: &BTreeMap<String, Option<String>>) -> Result<Vec<SourceFile>, HttpError> {
    let given = files.iter().filter_map(|(name, content)| {
        let content = content.as_ref()?;
        let wrong = |error: String| HttpError::of(format!("files[{name:?}]"), error);
        let bytes = BASE64_STANDARD.decode(content);
        let bytes = bytes.map_err(|error| wrong(format!("is no base64: {error}")));
        let file =
            bytes.and_then(|bytes| given_file(name, bytes).map_err(|_| leads_out("files", name)));
        Some(file)
    });
    given.collect()
}
