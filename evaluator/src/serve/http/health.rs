//! `GET /health`: whether the server is well.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::error;
use super::state::Shared;

/// How the server is.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    /// `ok`, or `draining` if it takes no more requests.
    status: &'static str,
    version: &'static str,
    workers: usize,
    /// Submissions that no worker has begun.
    waiting: usize,
    /// Submissions in the hands of workers.
    running: usize,
    /// What protects every run.
    #[schema(value_type = Object)]
    isolation: sandbox::Isolation,
}

/// How the server is.
#[utoipa::path(
    get, path = "/health", tag = "operation",
    responses((status = 200, body = Health), (status = 503, description = "It is shutting down", body = Health))
)]
pub(super) async fn health(State(shared): State<Arc<Shared>>) -> Response {
    let load = shared.engine.load();
    let (status, word) = match shared.is_draining() {
        true => (StatusCode::SERVICE_UNAVAILABLE, "draining"),
        false => (StatusCode::OK, "ok"),
    };
    let health = Health {
        status: word,
        version: env!("CARGO_PKG_VERSION"),
        workers: shared.engine.workers(),
        waiting: load.waiting,
        running: load.running,
        isolation: shared.engine.isolation().clone(),
    };
    error::json(status, &health)
}
