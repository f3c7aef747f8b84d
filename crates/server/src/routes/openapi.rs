//! `/openapi.json`, `/docs/api`: the document of the interface, for programs and for people. Both are for everybody:
//! they say nothing of anybody.

use crate::openapi;
use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse;

/// What the page may do: be dressed by its own style, nothing else.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Asked for again after an update of the service.
const CACHING: (HeaderName, &str) = (CACHE_CONTROL, "no-cache");

/// Gives this document: the interface as OpenAPI 3.1.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Ours",
    security(()),
    responses((status = 200, description = "The document", body = Value))
)]
pub(crate) async fn json() -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json"), CACHING], openapi::text())
}

/// The same as a page.
pub(crate) async fn page() -> impl IntoResponse {
    let headers = [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, POLICY), CACHING];
    (headers, openapi::page())
}

/// How the page looks.
pub(crate) async fn style() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/css; charset=utf-8"), CACHING], openapi::STYLE)
}
