//! The request log and the request metrics. They contain the template of the route, never the path itself, so that
//! identifiers, queries and other input of clients do not appear in them.

use super::Middleware;
use crate::metrics::RequestLabels;
use crate::middleware::request_id;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, Response};
use axum::middleware::Next;
use std::sync::Arc;
use std::time::Instant;

/// The template of requests that match no route.
const UNMATCHED_ROUTE: &str = "unmatched";

/// Measures a request, logs it and counts it.
pub(crate) async fn log_request(
    State(middleware): State<Arc<Middleware>>,
    request: Request,
    next: Next,
) -> Response<axum::body::Body> {
    let start = Instant::now();
    let method = method_label(request.method());
    let matched = request.extensions().get::<MatchedPath>();
    let route: Arc<str> = matched.map_or(UNMATCHED_ROUTE, MatchedPath::as_str).into();
    let response = next.run(request).await;
    let duration = start.elapsed();
    let status = response.status().as_u16();
    let request_id = response.headers().get(request_id::REQUEST_ID_HEADER).and_then(|id| id.to_str().ok());
    tracing::info!(
        target: "zonewright_server::requests",
        method,
        route = &*route,
        status,
        duration_ms = duration.as_micros() as f64 / 1000.0,
        request_id,
        "request"
    );
    middleware.metrics.record_request(RequestLabels { method, route, status }, duration);
    response
}

/// Returns the method as a name from a fixed set.
fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}
