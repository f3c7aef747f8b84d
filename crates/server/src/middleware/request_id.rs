//! A name for each request, so that an answer, a line of the log and an entry of the audit log can be brought
//! together. Clients of such services show the header in their errors (observed).

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;
use zonewright_store::new_id;

/// The header of every answer.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("cf-ray");

/// Sixteen hexadecimal digits, made here: what a client sends is not trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RequestId(pub(crate) Arc<str>);

/// Gives the request its name and puts it into the answer, unless the answer has the name that an upstream gave.
pub(crate) async fn give(mut request: Request, next: Next) -> Response {
    // Without random numbers the request is answered all the same, only without a name.
    let id = new_id().unwrap_or_default();
    let id: Arc<str> = id.get(..16).unwrap_or_default().into();
    request.extensions_mut().insert(RequestId(Arc::clone(&id)));
    let mut response = next.run(request).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().entry(HEADER).or_insert(value);
    }
    response
}
