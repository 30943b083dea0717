//! Which path leads where.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, middleware};
use utoipa::OpenApi;

use super::error::{self, HttpError};
use super::state::Shared;
use super::{fusion, guard, health, judge, open_instruct, openrlhf, problems, scrape};

/// The interface, as OpenAPI has it.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "mc-eval",
        description = "Judges programs written by language models."
    ),
    paths(
        judge::judge,
        problems::register,
        problems::known,
        fusion::run_code,
        fusion::submit,
        fusion::ping,
        openrlhf::get_reward,
        open_instruct::test_program,
        open_instruct::test_program_stdio,
        health::health,
        scrape::metrics
    )
)]
struct Interface;

/// All paths.
pub(super) fn router(shared: &Arc<Shared>) -> Router {
    Router::new()
        .route("/v1/judge", post(judge::judge))
        .route("/v1/problems", post(problems::register))
        .route("/v1/problems/{hash}", get(problems::known))
        .route("/run_code", post(fusion::run_code))
        .route("/submit", post(fusion::submit))
        .route("/v1/ping", get(fusion::ping))
        .route("/get_reward", post(openrlhf::get_reward))
        .route("/test_program", post(open_instruct::test_program))
        .route(
            "/test_program_stdio",
            post(open_instruct::test_program_stdio),
        )
        .route("/health", get(health::health))
        .route("/metrics", get(scrape::metrics))
        .route("/openapi.json", get(openapi))
        .method_not_allowed_fallback(wrong_method)
        .fallback(unknown)
        .route_layer(middleware::from_fn_with_state(
            shared.clone(),
            scrape::count,
        ))
        .layer(middleware::from_fn_with_state(shared.clone(), guard::guard))
        .with_state(shared.clone())
}

async fn openapi() -> Response {
    error::json(StatusCode::OK, &Interface::openapi())
}

async fn unknown() -> Response {
    let error = "there is no such path; /openapi.json lists them";
    HttpError::new(StatusCode::NOT_FOUND, error).into_response()
}

async fn wrong_method() -> Response {
    let error = "this path takes another method; /openapi.json lists them";
    HttpError::new(StatusCode::METHOD_NOT_ALLOWED, error).into_response()
}
