//! Who may ask: those that show the token; without one, only this machine's own programs.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::HttpError;
use super::state::Shared;

/// What anyone may ask: whether there is a server, and whether it is well.
const OPEN: [&str; 2] = ["/health", "/v1/ping"];

/// Let a request through, or refuse it.
pub(super) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    match check(&shared, &request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

fn check(shared: &Shared, request: &Request) -> Result<(), HttpError> {
    if shared.only_local && !names_this_machine(request.headers()) {
        return Err(HttpError::new(
            StatusCode::FORBIDDEN,
            "without a token, only requests for localhost are taken",
        ));
    }
    let is_open = OPEN.contains(&request.uri().path());
    match shared.token {
        Some(token) if !is_open && shown(request.headers()) != Some(token) => Err(HttpError::new(
            StatusCode::UNAUTHORIZED,
            "the header Authorization must be Bearer with the server's token",
        )),
        _ => Ok(()),
    }
}

/// The hash of the token that a request shows. Hashes are compared in constant time.
fn shown(headers: &HeaderMap) -> Option<blake3::Hash> {
    let shown = headers.get(header::AUTHORIZATION)?.as_bytes();
    let (scheme, token) = shown.split_at_checked("Bearer ".len())?;
    let is_bearer = scheme.eq_ignore_ascii_case(b"Bearer ");
    is_bearer.then(|| blake3::hash(token.trim_ascii()))
}

/// Whether a request is for this machine by its own name. A name of somebody else's that leads here comes from a web page
/// that had its name resolved anew.
fn names_this_machine(headers: &HeaderMap) -> bool {
    let Some(host) = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
    else {
        return true;
    };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
}
