//! Reads the bodies of requests: no more than is allowed of each, of all together, and no slower than is borne.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::error::HttpError;
use super::state::{PERMIT, Shared};

/// Bytes a second that a body must come to on the whole, after the time for which a client may be silent: one that sends a
/// byte now and then would hold its connection for days.
const LEAST_RATE: usize = 1024;

/// How a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// One JSON value.
    Json,
    /// JSON values, one to a line.
    Lines,
}

/// A body that was read. What it takes of the memory for bodies is given back with it.
pub(super) struct RequestBody {
    pub text: String,
    pub written: Written,
    memory: Memory,
}

impl RequestBody {
    /// Hold the memory for so many bytes in place of the text.
    pub fn hold(&mut self, bytes: usize) -> Result<(), HttpError> {
        self.text = String::new();
        self.memory.take(bytes)
    }
}

/// Read the body of a request.
pub(super) async fn read(shared: &Arc<Shared>, request: Request) -> Result<RequestBody, HttpError> {
    let written = written(request.headers())?;
    let most = shared.limits.body;
    if declared(request.headers()).is_some_and(|length| length > most) {
        return Err(too_long(most));
    }
    let mut memory = Memory::new(shared);
    let bytes = collect(shared, request.into_body(), &mut memory).await?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to() + 1;
        HttpError::bad(format!("the body is not UTF-8 at byte {byte}"))
    })?;
    Ok(RequestBody {
        text,
        written,
        memory,
    })
}

async fn collect(
    shared: &Shared,
    mut body: Body,
    memory: &mut Memory,
) -> Result<Vec<u8>, HttpError> {
    let mut bytes = Vec::new();
    let begun = Instant::now();
    let patience = shared.limits.patience;
    loop {
        let whole = patience + Duration::from_secs((bytes.len() / LEAST_RATE) as u64);
        let wait = patience.min(whole.saturating_sub(begun.elapsed()));
        let Some(piece) = piece(wait, &mut body).await? else {
            return Ok(bytes);
        };
        if bytes.len() + piece.len() > shared.limits.body {
            return Err(too_long(shared.limits.body));
        }
        memory.take(bytes.len() + piece.len())?;
        bytes.extend_from_slice(&piece);
    }
}

/// The next piece of a body, which comes in this time; `None` at its end.
async fn piece(wait: Duration, body: &mut Body) -> Result<Option<Bytes>, HttpError> {
    loop {
        let frame = timeout(wait, body.frame()).await;
        let frame = frame.map_err(|_| {
            let error = "the body took too long to arrive";
            HttpError::new(StatusCode::REQUEST_TIMEOUT, error)
        })?;
        match frame {
            None => return Ok(None),
            Some(Err(error)) => {
                return Err(HttpError::bad(format!("the body is broken: {error}")));
            }
            // Trailers say nothing that is of interest.
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}

/// A page of another site can make a browser post to this machine, but not with one of these types.
fn written(headers: &HeaderMap) -> Result<Written, HttpError> {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if headers.contains_key(header::CONTENT_ENCODING) {
        return Err(HttpError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "a body with a Content-Encoding is not read",
        ));
    }
    match kind.to_ascii_lowercase().as_str() {
        "application/json" => Ok(Written::Json),
        "application/x-ndjson" | "application/jsonl" => Ok(Written::Lines),
        _ => Err(HttpError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the header Content-Type must be application/json, or application/x-ndjson for lines",
        )),
    }
}

fn declared(headers: &HeaderMap) -> Option<usize> {
    let length = headers.get(header::CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

fn too_long(most: usize) -> HttpError {
    let error = format!("the body is longer than {most} bytes");
    HttpError::new(StatusCode::PAYLOAD_TOO_LARGE, error)
}

/// What a request holds of the memory for bodies.
struct Memory {
    shared: Arc<Shared>,
    held: Vec<OwnedSemaphorePermit>,
    permits: usize,
}

impl Memory {
    fn new(shared: &Arc<Shared>) -> Memory {
        Memory {
            shared: shared.clone(),
            held: Vec::new(),
            permits: 0,
        }
    }

    /// Hold enough for so many bytes in all.
    fn take(&mut self, bytes: usize) -> Result<(), HttpError> {
        let wanted = bytes.div_ceil(PERMIT).saturating_sub(self.permits);
        // Many small pieces take a few large permits.
        let wanted = if wanted == 0 {
            return Ok(());
        } else {
            wanted.max(64)
        };
        let count = u32::try_from(wanted).unwrap_or(u32::MAX);
        let more = self.shared.memory.clone().try_acquire_many_owned(count);
        let more = more.map_err(|_| HttpError::later(StatusCode::TOO_MANY_REQUESTS))?;
        self.permits += wanted;
        match self.held.first_mut() {
            Some(held) => held.merge(more),
            None => self.held.push(more),
        }
        Ok(())
    }
}
