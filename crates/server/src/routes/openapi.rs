//! `/openapi.json` and `/docs/api`: the OpenAPI document and its page. Neither needs credentials, because they contain
//! no data of accounts. Handlers get the [`Document`] of the server from an extension of the request, and serve it like
//! a file of the web app, with an entity tag and compression.

use crate::assets::{GzipCache, serve_content};
use crate::error::Error;
use crate::openapi::{API_PATH, Document, HashedText, STYLESHEET, prefix_paths};
use axum::Extension;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use std::sync::LazyLock;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The content security policy: the page may load its style sheet and nothing else.
const CONTENT_SECURITY_POLICY_VALUE: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the routes below the path of the API.
pub(crate) fn api_routes<S: Clone + Send + Sync + 'static>() -> OpenApiRouter<S> {
    prefix_paths(API_PATH, [routes!(document_json)])
}

/// Returns this document: the API as OpenAPI 3.1.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Operations",
    security(()),
    responses(
        (status = 200, description = "The document", body = Value),
        (status = 304, description = "The client has the current version"),
    )
)]
pub(crate) async fn document_json(
    Extension(document): Extension<&'static LazyLock<Document>>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    serve_text("openapi.json", document.text(), &headers).await
}

/// Returns this document as a web page.
#[utoipa::path(
    get,
    path = "/docs/api",
    tag = "Operations",
    security(()),
    responses(
        (status = 200, description = "The page", body = String, content_type = "text/html"),
        (status = 304, description = "The client has the current version"),
    )
)]
pub(crate) async fn document_page(
    Extension(document): Extension<&'static LazyLock<Document>>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let mut response = serve_text("api.html", document.page(), &headers).await?;
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_SECURITY_POLICY_VALUE));
    Ok(response)
}

/// Serves the style sheet of the page.
pub(crate) async fn stylesheet(headers: HeaderMap) -> Result<Response, Error> {
    static HASHED_STYLESHEET: LazyLock<HashedText> = LazyLock::new(|| STYLESHEET.to_owned().into());
    serve_text("api.css", &HASHED_STYLESHEET, &headers).await
}

/// Serves a text; its name determines the content type.
async fn serve_text(name: &str, content: &'static HashedText, headers: &HeaderMap) -> Result<Response, Error> {
    static CACHE: LazyLock<GzipCache> = LazyLock::new(GzipCache::default);
    serve_content(&CACHE, name, content.text.as_bytes().into(), content.hash, headers).await
}
