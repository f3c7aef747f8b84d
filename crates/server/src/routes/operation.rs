//! `/healthz`, `/readyz` and `/metrics`: monitoring for operators. The responses have no envelope.

use crate::app::App;
use crate::error::{Error, route_not_found};
use crate::metrics::Metrics;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

/// Content type of the metrics.
const METRICS_FORMAT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Says that the process lives.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "It lives", body = String, content_type = "text/plain"))
)]
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// Says whether the service can do its work.
///
/// The database answers, lines can be kept, and it is not stopping.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "Operation",
    security(()),
    responses(
        (status = 200, description = "It can", body = String, content_type = "text/plain"),
        (status = 503, description = "It cannot; the reason in words", body = String, content_type = "text/plain"),
    )
)]
pub(crate) async fn ready(State(app): State<App>) -> (StatusCode, String) {
    match app.readiness.check(&app.store).await {
        Ok(()) => (StatusCode::OK, "ok\n".to_owned()),
        Err(reason) => (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n")),
    }
}

/// Gives what was counted, to those on this machine.
///
/// The answer is for Prometheus (assumption metrics).
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "Operation",
    security(()),
    responses(
        (status = 200, description = "All of them", body = String, content_type = "application/openmetrics-text"),
        (status = 404, description = "7003 and 7000: metrics have an address of their own, or somebody on another machine asks"),
        (status = 503, description = "10503: the database is away or busy"),
    )
)]
pub(crate) async fn metrics(State(app): State<App>, request: Request) -> Result<Response, Error> {
    if !app.middleware.has_metrics_for(&request) {
        return Err(route_not_found(request.uri()));
    }
    write_metrics(State(app)).await
}

/// Serves `/metrics` on a separate address.
pub(crate) async fn write_metrics(State(app): State<App>) -> Result<Response, Error> {
    app.metrics.set_gauges(app.delivery.waiting_bytes(), app.store.pending_migrations().await?);
    metrics_text(&app.metrics)
}

/// Returns the response with the metrics.
pub(crate) fn metrics_text(metrics: &Metrics) -> Result<Response, Error> {
    let text = metrics.text().map_err(|error| Error::Internal(error.into()))?;
    Ok(([(CONTENT_TYPE, METRICS_FORMAT)], text).into_response())
}
