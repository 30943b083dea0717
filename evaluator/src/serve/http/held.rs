//! An answer whose length a program has chosen. What it takes of the memory for bodies is given back once it is sent.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};
use serde::Serialize;

use super::body::RequestBody;
use super::error::HttpError;

/// Bytes that are passed on at once. The connection takes more only when it has sent most of what it has.
const PIECE: usize = 64 << 10;

/// Bytes that are not passed on yet.
struct Unsent {
    left: Bytes,
    _memory: RequestBody,
}

impl HttpBody for Unsent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let length = self.left.len().min(PIECE);
        Poll::Ready((length > 0).then(|| Ok(Frame::data(self.left.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}

/// An answer in JSON to a request, which holds on to the memory of that and more.
pub(super) fn json(
    answer: &impl Serialize,
    mut request: RequestBody,
) -> Result<Response, HttpError> {
    let left = Bytes::from(serde_json::to_vec(answer).expect("only string keys"));
    let later = |_| HttpError::later(StatusCode::GATEWAY_TIMEOUT);
    request.hold(left.len()).map_err(later)?;
    let kind = [(header::CONTENT_TYPE, "application/json")];
    let body = Body::new(Unsent {
        left,
        _memory: request,
    });
    Ok((StatusCode::OK, kind, body).into_response())
}
