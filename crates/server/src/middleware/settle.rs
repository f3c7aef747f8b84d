//! Answers a request only after everything that it has read is durable.

use crate::error::Error;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use zonewright_store::settled;

/// Delays the answer to a change until the commits are done whose writes it has read. Requests that only read do not
/// see uncommitted writes.
pub(crate) async fn settle(request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    settled(next.run(request)).await.unwrap_or_else(|error| Error::from(error).into_response())
}
