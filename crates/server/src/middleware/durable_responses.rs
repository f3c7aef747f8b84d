//! Delays responses until the writes that their requests have read are durable.

use crate::error::Error;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use zonewright_store::await_observed_commits;

/// Delays the response to a change until the commits of all writes that the request has read are durable. Requests with
/// a safe method do not see uncommitted writes. If such a commit fails, the response is its error.
pub(crate) async fn delay_until_durable(request: Request, next: Next) -> Response {
    if request.method().is_safe() {
        return next.run(request).await;
    }
    await_observed_commits(next.run(request)).await.unwrap_or_else(|error| Error::from(error).into_response())
}
