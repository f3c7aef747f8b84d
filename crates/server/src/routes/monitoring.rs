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

/// Liveness probe.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "Operations",
    security(()),
    responses((status = 200, description = "The process is alive", body = String, content_type = "text/plain"))
)]
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// Readiness probe of the service.
///
/// The service is ready if the database responds, the data directory is writable, and the service is not shutting down.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "Operations",
    security(()),
    responses(
        (status = 200, description = "Ready", body = String, content_type = "text/plain"),
        (status = 503, description = "Not ready; the body is the reason", body = String, content_type = "text/plain"),
    )
)]
pub(crate) async fn ready(State(app): State<App>) -> (StatusCode, String) {
    match app.readiness.check(&app.store).await {
        Ok(()) => (StatusCode::OK, "ok\n".to_owned()),
        Err(reason) => (StatusCode::SERVICE_UNAVAILABLE, format!("{reason}\n")),
    }
}

/// Returns metrics to clients on this machine.
///
/// The response has the OpenMetrics format, which Prometheus reads (assumption metrics).
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "Operations",
    security(()),
    responses(
        (status = 200, description = "The metrics", body = String, content_type = "application/openmetrics-text"),
        (status = 404, description = "7003 and 7000: metrics have a separate address, or the client is on another machine"),
        (status = 503, description = "10503: the database is unavailable or busy"),
    )
)]
pub(crate) async fn metrics(State(app): State<App>, request: Request) -> Result<Response, Error> {
    if !app.middleware.has_metrics_for(&request) {
        return Err(route_not_found(request.uri()));
    }
    metrics_on_monitoring_listener(State(app)).await
}

/// Serves `/metrics` on a separate address.
pub(crate) async fn metrics_on_monitoring_listener(State(app): State<App>) -> Result<Response, Error> {
    app.metrics.set_gauges(app.delivery.spool_bytes(), app.store.count_pending_migrations().await?);
    metrics_text(&app.metrics)
}

/// Returns the response with the metrics.
pub(crate) fn metrics_text(metrics: &Metrics) -> Result<Response, Error> {
    let text = metrics.encode().map_err(|error| Error::Internal(error.into()))?;
    Ok(([(CONTENT_TYPE, METRICS_FORMAT)], text).into_response())
}
