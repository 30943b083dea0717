//! Reads what a body holds. That may take long, so it is done apart from the threads that keep up connections.

use std::sync::Arc;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use tokio::task::spawn_blocking;

use super::body::RequestBody;
use super::error::HttpError;
use super::state::Shared;
use crate::value::json::without_lone_surrogates;

/// Do this with a body on a thread of its own, of which there are few; the body comes back with what was made of it.
pub(super) async fn apart<T: Send + 'static>(
    shared: &Arc<Shared>,
    content: RequestBody,
    read: impl FnOnce(&RequestBody) -> Result<T, HttpError> + Send + 'static,
) -> Result<(T, RequestBody), HttpError> {
    let turn = shared.reading.acquire().await;
    let turn = turn.map_err(|_| HttpError::failed("the server has ended"))?;
    let done = spawn_blocking(move || Ok((read(&content)?, content))).await;
    drop(turn);
    done.map_err(|_| HttpError::failed("reading the request failed: this is a bug in mc-eval"))?
}

/// A body in JSON.
pub(super) fn json<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, HttpError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('[') {
        let error = "the body must be an object; rows go one to a line, as application/x-ndjson";
        return Err(HttpError::bad(error));
    }
    let mut source = serde_json::Deserializer::from_str(text);
    let read = serde_path_to_error::deserialize(&mut source).map_err(|error| {
        let field = error.path().to_string();
        match (error.inner().is_data(), field.as_str()) {
            (true, "." | "") => HttpError::bad(error.inner().to_string()),
            (true, _) => HttpError::of(field, error.inner().to_string()),
            (false, _) => HttpError::bad(format!("the body is not JSON: {}", error.inner())),
        }
    })?;
    let end = source.end();
    end.map_err(|error| HttpError::bad(format!("the body is not JSON: {error}")))?;
    Ok(read)
}

/// What a model wrote, or several such texts: it may have been cut off within a character.
pub(super) fn lossy<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    source: D,
) -> Result<T, D::Error> {
    let raw: &RawValue = Deserialize::deserialize(source)?;
    serde_json::from_str(&without_lone_surrogates(raw.get())).map_err(|error| {
        // Its place in this text is none in the body.
        let message = error.to_string();
        D::Error::custom(message.split(" at line ").next().unwrap_or_default())
    })
}
