//! Bodies: reads bytes with limits of size and time, and parses JSON.

use crate::blocking::run_blocking;
use crate::error::Error;
use crate::{body_budget, encoding};
use axum::body::{BodyDataStream, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_LENGTH;
use futures_util::StreamExt;
use serde_json::Value;
use std::time::Duration;
use tokio::time::{Instant, timeout};
use zonewright_api::{ErrorObject, error_code, json};
use zonewright_store::Principal;

/// Maximum body in bytes: the largest quota of rules, each with an expression of the maximum length (assumption
/// batch-limits).
pub(crate) const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;
/// Maximum number of JSON values in a body: several times as many as the largest quotas of rules need (assumption
/// body-values).
const MAX_JSON_VALUES: usize = 100_000;
/// Bytes up to which parsing JSON is faster than moving it to another thread and back.
const INLINE_PARSE_MAX_BYTES: usize = 32 << 10;
/// Timeout of a whole body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Time for which the client of a body that uses the memory budget may lag behind [`MIN_BYTES_PER_SECOND`]. Other
/// requests wait for the budget for the same time.
const MAX_STALL: Duration = Duration::from_secs(5);
/// Minimum rate of a body that uses the memory budget, in bytes per second.
const MIN_BYTES_PER_SECOND: u32 = 16 << 10;

/// The body as JSON. The content type is ignored, because clients of the real API send various types.
pub(crate) struct JsonBody(pub(crate) Value);

impl<S: Sync> FromRequest<S> for JsonBody {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let OptionalJsonBody(body) = OptionalJsonBody::from_request(request, state).await?;
        body.map(JsonBody).ok_or_else(|| Error::BadJson("it is empty".to_owned()))
    }
}

/// The body as JSON, or `None` if it is empty: clients send DELETE requests without a body.
pub(crate) struct OptionalJsonBody(pub(crate) Option<Value>);

impl<S: Sync> FromRequest<S> for OptionalJsonBody {
    type Rejection = Error;

    async fn from_request(request: Request, _: &S) -> Result<Self, Error> {
        encoding::check_content_headers(request.headers())?;
        let bytes = read_body(request, MAX_BODY_BYTES).await?;
        Ok(OptionalJsonBody(if bytes.is_empty() { None } else { Some(parse_json(bytes).await?) }))
    }
}

/// Parses a body as JSON. Rejects repeated members.
pub(crate) async fn parse_json(bytes: Bytes) -> Result<Value, Error> {
    body_budget::reserve_json(json_memory_estimate(&bytes)).await?;
    if bytes.len() <= INLINE_PARSE_MAX_BYTES { parse(&bytes) } else { run_blocking(move || parse(&bytes)).await? }
}

fn parse(bytes: &[u8]) -> Result<Value, Error> {
    if bytes.is_empty() {
        return Err(Error::BadJson("it is empty".to_owned()));
    }
    let text = encoding::decode_utf8(bytes)?;
    json::parse_bounded(text, MAX_JSON_VALUES).map_err(|error| match error.duplicate {
        None if error.has_too_many_values => Error::TooManyValues(MAX_JSON_VALUES),
        None => Error::BadJson(error.to_string()),
        Some(pointer) => {
            Error::Invalid(vec![ErrorObject::new(error_code::WRONG_SHAPE, error.message).with_pointer(pointer)])
        }
    })
}

/// Returns an upper bound of the memory that a body takes as JSON, in bytes. It is the size of the text plus, for each
/// value, the measured size of an object with one member, the largest kind of value.
fn json_memory_estimate(bytes: &[u8]) -> usize {
    const BYTES_PER_VALUE: usize = 400;
    let values = bytes.iter().filter(|byte| matches!(byte, b'{' | b'[' | b',')).count();
    bytes.len() + values.min(MAX_JSON_VALUES) * BYTES_PER_VALUE
}

/// Reads a body of at most `max_bytes` bytes. Fails if it does not arrive in time.
pub(crate) async fn read_body(request: Request, max_bytes: usize) -> Result<Bytes, Error> {
    read_body_with_timeout(request, max_bytes, BODY_TIMEOUT, MAX_STALL).await
}

async fn read_body_with_timeout(
    request: Request,
    max_bytes: usize,
    body_timeout: Duration,
    max_stall: Duration,
) -> Result<Bytes, Error> {
    let announced_bytes = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    // The body is rejected before any of it is read, so that a client that sends `Expect: 100-continue` fails early.
    if announced_bytes.is_some_and(|length: u64| length > max_bytes as u64) {
        return Err(Error::BodyTooLarge(max_bytes));
    }
    let account = request.extensions().get::<Principal>().map(|principal| principal.account_id.clone());
    let body =
        PacedBody { stream: request.into_body().into_data_stream(), length: 0, max_stall, stall_budget: max_stall };
    timeout(body_timeout, collect_chunks(body, max_bytes, account.as_deref())).await.unwrap_or(Err(Error::BodyTimeout))
}

/// The chunks of a body. Once the body uses the memory budget, its client has to send at a minimum rate.
struct PacedBody {
    stream: BodyDataStream,
    /// Number of bytes that have arrived.
    length: usize,
    max_stall: Duration,
    /// Time for which the client may still delay the next chunk.
    stall_budget: Duration,
}

impl PacedBody {
    async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        let start = Instant::now();
        let uses_budget = self.length > body_budget::FREE_BYTES;
        let next = match self.stream.next() {
            next if uses_budget => timeout(self.stall_budget, next).await.map_err(|_| Error::BodyTimeout)?,
            next => next.await,
        };
        let Some(chunk) = next.transpose().map_err(|error| Error::BadJson(format!("it is incomplete: {error}")))?
        else {
            return Ok(None);
        };
        self.length += chunk.len();
        if uses_budget {
            let earned = Duration::from_secs(chunk.len() as u64) / MIN_BYTES_PER_SECOND;
            self.stall_budget = self.max_stall.min(self.stall_budget.saturating_sub(start.elapsed()) + earned);
        }
        Ok(Some(chunk))
    }
}

async fn collect_chunks(mut body: PacedBody, max_bytes: usize, account: Option<&str>) -> Result<Bytes, Error> {
    // Most bodies arrive in one chunk, which is returned without a copy.
    let (mut first, mut buffer) = (Bytes::new(), Vec::new());
    while let Some(chunk) = body.next().await? {
        if body.length > max_bytes {
            return Err(Error::BodyTooLarge(max_bytes));
        }
        body_budget::reserve_bytes(account, body.length).await?;
        if first.is_empty() {
            first = chunk;
            continue;
        }
        if buffer.is_empty() {
            buffer.extend_from_slice(&first);
        }
        buffer.extend_from_slice(&chunk);
    }
    Ok(if buffer.is_empty() { first } else { buffer.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::StatusCode;
    use axum::response::IntoResponse;

    #[tokio::test]
    async fn body_that_never_arrives_times_out() {
        let never = Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
        let error = read_body_with_timeout(Request::new(never), MAX_BODY_BYTES, Duration::from_millis(1), MAX_STALL)
            .await
            .unwrap_err();
        let response = error.into_response();
        assert_eq!(response.status(), StatusCode::REQUEST_TIMEOUT);
        let body = axum::body::to_bytes(response.into_body(), 1_000).await.unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["errors"][0]["code"], error_code::REQUEST_TIMEOUT);
    }

    #[tokio::test]
    async fn large_body_must_arrive_at_the_minimum_rate() {
        const TENTH: Duration = Duration::from_millis(100);
        // Delay in tenths of a second and number of bytes of each chunk.
        let steady = |bytes| [vec![(0, 40 << 10)], vec![(1, bytes); 8]].concat();
        let cases = [
            (vec![(0, 40 << 10), (10, 1)], false),
            (vec![(0, 20 << 10), (10, 1)], true),
            (steady(4 << 10), true),
            (steady(100), false),
        ];
        for (chunks, is_in_time) in cases {
            let body = futures_util::stream::iter(chunks.clone()).then(|(tenths, bytes)| async move {
                tokio::time::sleep(TENTH * tenths).await;
                Ok::<_, std::io::Error>(Bytes::from(vec![b' '; bytes]))
            });
            let request = Request::new(Body::from_stream(body));
            let read = read_body_with_timeout(request, MAX_BODY_BYTES, 100 * TENTH, 5 * TENTH).await;
            assert_eq!(read.is_ok(), is_in_time, "{chunks:?}");
        }
    }
}
