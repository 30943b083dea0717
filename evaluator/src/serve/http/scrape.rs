//! Counts requests, and tells Prometheus.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::HttpError;
use super::state::Shared;

/// Count a request.
pub(super) async fn count(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.extensions().get::<MatchedPath>();
    // Paths that nobody serves are not told apart: there is no end of them.
    let path = path.map_or("other", MatchedPath::as_str).to_owned();
    let start = Instant::now();
    let response = next.run(request).await;
    let status = response.status().as_u16();
    shared.metrics.requested(path, status, start.elapsed());
    response
}

/// What Prometheus reads.
#[utoipa::path(get, path = "/metrics", tag = "operation", responses((status = 200, description = "OpenMetrics text")))]
pub(super) async fn metrics(State(shared): State<Arc<Shared>>) -> Result<Response, HttpError> {
    let text = shared
        .metrics
        .text(shared.engine.load(), shared.store.bytes());
    let text = text.map_err(|error| HttpError::failed(error.to_string()))?;
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}
