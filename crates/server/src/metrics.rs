//! What is counted, for Prometheus. Labels come from fixed sets (route templates, known methods, statuses), so that
//! no caller can make them grow.

use crate::App;
use crate::delivery::Counts;
use crate::error::{Error, unknown};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The format of the answer.
const FORMAT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Bounds of the buckets in seconds: a look-up takes one millisecond, a large batch seconds.
const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// A request that was answered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct Answered {
    pub(crate) method: &'static str,
    /// Template of the address.
    pub(crate) route: Arc<str>,
    pub(crate) status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: Arc<str>,
}

/// Everything that is counted. Clones count the same.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    requests: Family<Answered, Counter>,
    durations: Family<Route, Histogram, fn() -> Histogram>,
    connections: Gauge,
    /// Requests that were too many.
    pub(crate) limited: Counter,
    transactions: Histogram,
    /// Of log push.
    pub(crate) log_push: Counts,
    spool_bytes: Gauge,
    pending_migrations: Gauge,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        let mut registry = Registry::with_prefix("zonewright");
        let mut metrics = Metrics {
            registry: Arc::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(seconds),
            connections: Gauge::default(),
            limited: Counter::default(),
            transactions: seconds(),
            log_push: Counts::default(),
            spool_bytes: Gauge::default(),
            pending_migrations: Gauge::default(),
        };
        registry.register("http_requests", "Requests that were answered", metrics.requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "From the headers of a request to those of its answer",
            Unit::Seconds,
            metrics.durations.clone(),
        );
        registry.register("http_connections", "Connections that are open", metrics.connections.clone());
        registry.register("http_requests_limited", "Requests beyond the rate limit", metrics.limited.clone());
        registry.register_with_unit(
            "store_transaction",
            "Transactions that write, from beginning to end",
            Unit::Seconds,
            metrics.transactions.clone(),
        );
        registry.register("log_push_lines", "Log lines by what became of them", metrics.log_push.lines.clone());
        registry.register(
            "log_push_deliveries",
            "Attempts to deliver a batch by how they ended",
            metrics.log_push.deliveries.clone(),
        );
        registry.register_with_unit(
            "log_push_spool",
            "Log lines that wait on disk",
            Unit::Bytes,
            metrics.spool_bytes.clone(),
        );
        registry.register(
            "migrations_pending",
            "Zones whose migration is not complete yet",
            metrics.pending_migrations.clone(),
        );
        metrics.registry = Arc::new(registry);
        metrics
    }

    /// Counts a request.
    pub(crate) fn answered(&self, request: Answered, duration: Duration) {
        let route = Route { route: Arc::clone(&request.route) };
        self.requests.get_or_create(&request).inc();
        self.durations.get_or_create(&route).observe(duration.as_secs_f64());
    }

    /// Counts a connection for as long as it is kept.
    pub(crate) fn connection(&self) -> OpenConnection {
        self.connections.inc();
        OpenConnection(self.connections.clone())
    }

    /// Takes the time of a transaction, until it is dropped.
    pub(crate) fn transaction(&self) -> Stopwatch {
        Stopwatch { histogram: self.transactions.clone(), start: Instant::now() }
    }
}

fn seconds() -> Histogram {
    Histogram::new(SECONDS)
}

/// A connection that is open.
pub(crate) struct OpenConnection(Gauge);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Takes the time of something until it is dropped.
pub(crate) struct Stopwatch {
    histogram: Histogram,
    start: Instant,
}

impl Drop for Stopwatch {
    fn drop(&mut self) {
        self.histogram.observe(self.start.elapsed().as_secs_f64());
    }
}

/// `/metrics` of the address that has everything: only where nobody but this machine can ask
/// (assumption metrics).
pub(crate) async fn here(State(app): State<App>, request: Request) -> Result<Response, Error> {
    if !app.front.has_metrics_for(&request) {
        return Err(unknown(request.uri()));
    }
    show(State(app)).await
}

/// `/metrics` of an address of its own.
pub(crate) async fn show(State(app): State<App>) -> Result<Response, Error> {
    let metrics = &app.metrics;
    metrics.spool_bytes.set(signed(app.delivery.waiting_bytes()));
    metrics.pending_migrations.set(signed(app.store.pending_migrations().await?));
    let mut text = String::new();
    let encoded = prometheus_client::encoding::text::encode(&mut text, &metrics.registry);
    encoded.map_err(|error| Error::Internal(error.into()))?;
    Ok(([(CONTENT_TYPE, FORMAT)], text).into_response())
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
