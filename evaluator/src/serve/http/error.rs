//! What a client is told whose request is not answered.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::serve::{Full, Refusal};

/// Seconds after which a client may try again.
const RETRY_AFTER: u16 = 1;

/// A request that is refused or cannot be answered.
#[derive(Debug)]
pub(super) struct HttpError {
    pub status: StatusCode,
    pub fault: ErrorBody,
}

/// The body of such an answer.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ErrorBody {
    /// What is wrong, as a fragment.
    pub error: String,
    /// The field at fault, as a path: `submissions[2].code`.
    pub field: Option<String>,
}

impl HttpError {
    pub fn new(status: StatusCode, error: impl Into<String>) -> HttpError {
        HttpError {
            status,
            fault: ErrorBody {
                error: error.into(),
                field: None,
            },
        }
    }

    pub fn bad(error: impl Into<String>) -> HttpError {
        HttpError::new(StatusCode::BAD_REQUEST, error)
    }

    /// Of a field.
    pub fn of(field: impl Into<String>, error: impl Into<String>) -> HttpError {
        HttpError::from(Refusal::of(error).below(&field.into()))
    }

    /// The host failed, so that there is nothing to say. Never a score.
    pub fn failed(why: impl Into<String>) -> HttpError {
        HttpError::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    }

    /// The client is to try again; some only do so after one particular status.
    pub fn later(status: StatusCode) -> HttpError {
        HttpError::new(status, Full::Now.to_string())
    }
}

impl From<Refusal> for HttpError {
    fn from(refusal: Refusal) -> HttpError {
        HttpError {
            status: StatusCode::BAD_REQUEST,
            fault: ErrorBody {
                error: refusal.message,
                field: refusal.field,
            },
        }
    }
}

impl From<Full> for HttpError {
    fn from(full: Full) -> HttpError {
        let status = match full {
            Full::Now => StatusCode::TOO_MANY_REQUESTS,
            Full::Ever { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Full::Closed => StatusCode::SERVICE_UNAVAILABLE,
        };
        HttpError::new(status, full.to_string())
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let mut response = json(self.status, &self.fault);
        let later = [
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::SERVICE_UNAVAILABLE,
            StatusCode::GATEWAY_TIMEOUT,
        ];
        if later.contains(&self.status) {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER));
        }
        response
    }
}

/// An answer in JSON.
pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let text = serde_json::to_string(body).expect("only string keys");
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (status, kind, text).into_response()
}
