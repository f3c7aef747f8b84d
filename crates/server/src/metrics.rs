//! Metrics for Prometheus. Labels have values from fixed sets (route templates, known methods, statuses), so that no
//! client can create new label values.
//!
//! Start with [`Metrics`].

use axum::http::StatusCode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::sync::Arc;
use std::time::Duration;
use zonewright_delivery::DeliveryMetrics;
use zonewright_store::TransactionObserver;

/// Upper bounds of the histogram buckets in seconds: a lookup takes a millisecond, a large batch takes seconds.
const BUCKET_BOUNDS_SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// The labels of a completed request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct RequestLabels {
    pub(crate) method: &'static str,
    /// Template of the path.
    pub(crate) route: Arc<str>,
    pub(crate) status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabel {
    route: Arc<str>,
}

/// The outcome of a request to the relay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(crate) enum RelayOutcome {
    /// Not sent: the relay rejected it.
    Rejected,
    /// The upstream reported success.
    Success,
    /// The upstream rejected it.
    ClientError,
    /// The upstream failed.
    ServerError,
    /// Not sent: connecting to the upstream failed.
    Unreachable,
    /// The upstream did not respond in time.
    Timeout,
    /// The response of the upstream cannot be forwarded.
    InvalidResponse,
}

impl RelayOutcome {
    /// Returns the outcome for the status of a response.
    pub(crate) fn from_status(status: StatusCode) -> RelayOutcome {
        if status.is_server_error() {
            RelayOutcome::ServerError
        } else if status.is_client_error() {
            RelayOutcome::ClientError
        } else {
            RelayOutcome::Success
        }
    }
}

/// The labels of a request to the relay.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RelayLabels {
    /// Template of the documented path after its owner.
    route: &'static str,
    outcome: RelayOutcome,
}

/// All metrics. Clones share the counters.
#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabel, Histogram, fn() -> Histogram>,
    connections: Gauge,
    /// Requests beyond the rate limit.
    pub(crate) rate_limited: Counter,
    transactions: Histogram,
    /// Counters of log push.
    pub(crate) log_push: DeliveryMetrics,
    spool_bytes: Gauge,
    pending_migrations: Gauge,
    relayed: Family<RelayLabels, Counter>,
    upstream_duration: Histogram,
}

impl Metrics {
    /// Returns the metrics of the service.
    pub(crate) fn for_service() -> Metrics {
        Metrics::new(|metrics, registry| metrics.register_service(registry))
    }

    /// Returns the metrics of the relay.
    pub(crate) fn for_relay() -> Metrics {
        Metrics::new(|metrics, registry| metrics.register_relay(registry))
    }

    fn new(register: impl FnOnce(&Metrics, &mut Registry)) -> Metrics {
        let mut registry = Registry::with_prefix("zonewright");
        let mut metrics = Metrics {
            registry: Arc::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(duration_histogram),
            connections: Gauge::default(),
            rate_limited: Counter::default(),
            transactions: duration_histogram(),
            log_push: DeliveryMetrics::default(),
            spool_bytes: Gauge::default(),
            pending_migrations: Gauge::default(),
            relayed: Family::default(),
            upstream_duration: duration_histogram(),
        };
        metrics.register_common(&mut registry);
        register(&metrics, &mut registry);
        metrics.registry = Arc::new(registry);
        metrics
    }

    fn register_common(&self, registry: &mut Registry) {
        registry.register("http_requests", "Completed HTTP requests", self.requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time from the request headers to the response headers",
            Unit::Seconds,
            self.durations.clone(),
        );
        registry.register("http_connections", "Open HTTP connections", self.connections.clone());
        registry.register("http_requests_limited", "Requests rejected by the rate limit", self.rate_limited.clone());
    }

    fn register_service(&self, registry: &mut Registry) {
        registry.register_with_unit(
            "store_transaction",
            "Duration of write transactions",
            Unit::Seconds,
            self.transactions.clone(),
        );
        registry.register("log_push_lines", "Log lines by outcome", self.log_push.lines.clone());
        registry.register(
            "log_push_deliveries",
            "Batch delivery attempts by outcome",
            self.log_push.deliveries.clone(),
        );
        let help = "Log lines on disk that wait for delivery";
        registry.register_with_unit("log_push_spool", help, Unit::Bytes, self.spool_bytes.clone());
        let help = "Zones with a pending migration";
        registry.register("migrations_pending", help, self.pending_migrations.clone());
    }

    fn register_relay(&self, registry: &mut Registry) {
        registry.register("relay_requests", "Relayed requests by outcome", self.relayed.clone());
        registry.register_with_unit(
            "relay_upstream_duration",
            "Time from sending a request to receiving the complete response of the upstream",
            Unit::Seconds,
            self.upstream_duration.clone(),
        );
    }

    /// Counts a request to the relay.
    pub(crate) fn record_relayed(&self, route: &'static str, outcome: RelayOutcome) {
        self.relayed.get_or_create(&RelayLabels { route, outcome }).inc();
    }

    /// Records the duration of a request to the upstream.
    pub(crate) fn record_upstream_duration(&self, duration: Duration) {
        self.upstream_duration.observe(duration.as_secs_f64());
    }

    /// Counts a request and records its duration.
    pub(crate) fn record_request(&self, request: RequestLabels, duration: Duration) {
        let route = RouteLabel { route: Arc::clone(&request.route) };
        self.requests.get_or_create(&request).inc();
        self.durations.get_or_create(&route).observe(duration.as_secs_f64());
    }

    /// Counts a connection until the returned guard is dropped.
    pub(crate) fn track_connection(&self) -> OpenConnection {
        self.connections.inc();
        OpenConnection(self.connections.clone())
    }

    /// Sets the gauges that are read only when metrics are requested.
    pub(crate) fn set_gauges(&self, spool_bytes: u64, pending_migrations: u64) {
        self.spool_bytes.set(saturating_i64(spool_bytes));
        self.pending_migrations.set(saturating_i64(pending_migrations));
    }

    /// Returns all metrics in the text format of OpenMetrics.
    pub(crate) fn encode(&self) -> Result<String, std::fmt::Error> {
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &self.registry)?;
        Ok(text)
    }

    /// Returns an observer that records the duration of store transactions.
    pub(crate) fn transaction_observer(&self) -> TransactionObserver {
        let transactions = self.transactions.clone();
        Arc::new(move |duration| transactions.observe(duration.as_secs_f64()))
    }
}

fn duration_histogram() -> Histogram {
    Histogram::new(BUCKET_BOUNDS_SECONDS)
}

/// Counts an open connection until it is dropped.
pub(crate) struct OpenConnection(Gauge);

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

fn saturating_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
