//! `/openapi.json` and `/docs/api`: the OpenAPI document and its page. Neither needs credentials, because they contain
//! no data of accounts. An extension of the request has the [`Document`] of the server.

use crate::openapi::{BASE, Document, STYLESHEET, with_prefix};
use axum::Extension;
use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse;
use std::sync::LazyLock;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The content security policy: the page may load its style sheet and nothing else.
const CONTENT_SECURITY_POLICY_VALUE: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Browsers revalidate the document, because an update of the service changes it.
const NO_CACHE: (HeaderName, &str) = (CACHE_CONTROL, "no-cache");

/// Returns the routes below the path of the API.
pub(crate) fn api_routes<S: Clone + Send + Sync + 'static>() -> OpenApiRouter<S> {
    with_prefix(BASE, [routes!(document_json)])
}

/// Returns this document: the API as OpenAPI 3.1.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Operations",
    security(()),
    responses((status = 200, description = "The document", body = Value))
)]
pub(crate) async fn document_json(Extension(document): Extension<&'static LazyLock<Document>>) -> impl IntoResponse {
    ([(CONTENT_TYPE, "application/json"), NO_CACHE], document.text())
}

/// Returns this document as a web page.
#[utoipa::path(
    get,
    path = "/docs/api",
    tag = "Operations",
    security(()),
    responses((status = 200, description = "The page", body = String, content_type = "text/html"))
)]
pub(crate) async fn document_page(Extension(document): Extension<&'static LazyLock<Document>>) -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY_VALUE),
        NO_CACHE,
    ];
    (headers, document.page())
}

/// Serves the style sheet of the page.
pub(crate) async fn stylesheet() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/css; charset=utf-8"), NO_CACHE], STYLESHEET)
}
