//! The relay: serves the app and forwards the documented paths to a real upstream, because browsers may not call the
//! upstream from another site. It is off by default; its routes replace those of the service.
//!
//! A request passes these modules in the order of [`forward`](mod@forward):
//!
//! - [`route_match`] finds its path in the [`route_table`].
//! - [`origin`] and [`session_routes`] check the client.
//! - [`validate`] validates the body with the engine; [`upstream_lookup`] looks up the current state at the upstream.
//! - [`upstream`] sends the request.

mod forward;
mod origin;
mod route_match;
mod route_table;
mod session;
mod session_routes;
mod upstream;
mod upstream_lookup;
mod validate;

use crate::config::relay::RelayConfig;
use crate::error::{Error, route_not_found};
use crate::metrics::Metrics;
use crate::middleware::{self, Middleware, MiddlewareConfig};
use crate::openapi::{self, Document, ServerKind};
use crate::router;
use crate::routes::{monitoring, openapi as document};
use crate::serve_error::ServeError;
use crate::{assets, error};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{any, get};
use axum::{Extension, Router};
use session::{PassphraseCheck, Sessions};
use session_routes::CredentialGuard;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use upstream::Upstream;
use upstream_lookup::PlanCache;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// A relay. Clones share it.
#[derive(Clone)]
pub struct Relay(Arc<RelayState>);

struct RelayState {
    upstream: Upstream,
    plans: PlanCache,
    stored_credentials: Option<StoredCredentials>,
    middleware: Arc<Middleware>,
    metrics: Metrics,
    stopping: AtomicBool,
}

/// Credentials that stay on the server.
struct StoredCredentials {
    headers: HeaderMap,
    guard: CredentialGuard,
}

impl Relay {
    /// Creates a relay. Sends nothing to the upstream.
    pub fn open(config: RelayConfig) -> Result<Relay, ServeError> {
        Relay::open_with_middleware(MiddlewareConfig { metrics: true, ..MiddlewareConfig::default() }, config)
    }

    /// Creates a relay like [`Relay::open`], with a configuration of the middleware.
    pub(crate) fn open_with_middleware(middleware: MiddlewareConfig, config: RelayConfig) -> Result<Relay, ServeError> {
        let metrics = Metrics::for_relay();
        let middleware = Arc::new(Middleware::new(middleware, metrics.clone()));
        let stored_credentials = config.stored_credentials.clone().map(|stored| StoredCredentials {
            headers: stored.headers,
            guard: CredentialGuard {
                passphrase: PassphraseCheck::new(&stored.passphrase, &config.limits),
                sessions: Sessions::new(config.limits.clone()),
            },
        });
        let upstream = Upstream::new(config).map_err(|error| ServeError::Relay(error.to_string()))?;
        let stopping = AtomicBool::new(false);
        Ok(Relay(Arc::new(RelayState {
            upstream,
            plans: PlanCache::default(),
            stored_credentials,
            middleware,
            metrics,
            stopping,
        })))
    }

    /// Returns the router with all paths of the relay.
    pub fn router(&self) -> Router {
        let (own_routes, _document) = own_routes().merge(document::api_routes()).split_for_parts();
        let routes = own_routes
            .route("/docs/api.css", get(document::stylesheet))
            .route("/client/v4", any(forward::forward))
            .route("/client/v4/", any(forward::forward))
            .route("/client/v4/{*rest}", any(forward::forward))
            .fallback(assets::serve)
            .method_not_allowed_fallback(error::method_not_allowed)
            .layer(Extension(document_for(self.stored_credentials().is_some())));
        middleware::apply(routes, &self.0.middleware).with_state(self.clone())
    }

    /// Returns the router of health and metrics, for the monitoring address.
    pub(crate) fn monitoring_router(&self) -> Router {
        Router::new()
            .route("/healthz", get(monitoring::health))
            .route("/readyz", get(ready))
            .route("/metrics", get(async |State(relay): State<Relay>| monitoring::metrics_text(relay.metrics())))
            .with_state(self.clone())
    }

    /// Makes the relay not ready from now on.
    pub(crate) fn set_stopping(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    fn upstream(&self) -> &Upstream {
        &self.0.upstream
    }

    fn config(&self) -> &RelayConfig {
        self.0.upstream.config()
    }

    fn plans(&self) -> &PlanCache {
        &self.0.plans
    }

    fn stored_credentials(&self) -> Option<&StoredCredentials> {
        self.0.stored_credentials.as_ref()
    }
}

/// The document of a relay whose clients send their credentials.
static PASS_THROUGH_DOCUMENT: LazyLock<Document> = LazyLock::new(|| build_document(ServerKind::PassThroughRelay));
/// The document of a relay that stores the credentials.
static CREDENTIAL_DOCUMENT: LazyLock<Document> = LazyLock::new(|| build_document(ServerKind::CredentialRelay));

fn build_document(server: ServerKind) -> Document {
    Document::new(server, router::api().into_openapi(), own_routes().merge(document::api_routes()).into_openapi())
}

fn document_for(stores_credentials: bool) -> &'static LazyLock<Document> {
    if stores_credentials { &CREDENTIAL_DOCUMENT } else { &PASS_THROUGH_DOCUMENT }
}

/// Returns the OpenAPI document of a relay that stores the credentials, or of a relay whose clients send them.
pub fn relay_openapi(stores_credentials: bool) -> &'static str {
    &document_for(stores_credentials).text().text
}

/// Returns the relay's own operations: health, metrics, sessions and the page of the document.
pub(crate) fn own_routes() -> OpenApiRouter<Relay> {
    let routes = OpenApiRouter::new()
        .routes(routes!(monitoring::health))
        .routes(routes!(ready))
        .routes(routes!(metrics_on_main_listener))
        .routes(routes!(session_routes::session_status, session_routes::log_in, session_routes::log_out))
        .routes(routes!(document::document_page));
    openapi::mark_outside_api(routes)
}

/// Readiness probe of the relay.
///
/// The relay is ready unless it is shutting down; the upstream is not checked (assumption relay-health).
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
async fn ready(State(relay): State<Relay>) -> (StatusCode, &'static str) {
    if relay.0.stopping.load(Ordering::Relaxed) {
        (StatusCode::SERVICE_UNAVAILABLE, "the relay is shutting down\n")
    } else {
        (StatusCode::OK, "ok\n")
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
    )
)]
async fn metrics_on_main_listener(State(relay): State<Relay>, request: Request) -> Result<Response, Error> {
    if relay.0.middleware.has_metrics_for(&request) {
        monitoring::metrics_text(relay.metrics())
    } else {
        Err(route_not_found(request.uri()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::{HeaderName, Request, header};
    use tower::ServiceExt;

    #[tokio::test]
    async fn other_origins_read_without_the_cookie_and_never_write() {
        const PAGE: &str = "https://app.example.com";
        let stored_credentials = (Some("hush-of-the-server"), Some("hush of the people"));
        let config = RelayConfig::new("http://127.0.0.1:9/client/v4", false, stored_credentials).unwrap();
        let middleware = MiddlewareConfig { allow_origins: vec![PAGE.parse().unwrap()], ..MiddlewareConfig::default() };
        let relay = Relay::open_with_middleware(middleware, config).unwrap();
        let send = async |method: &str, headers: &[(HeaderName, &str)]| {
            let request = Request::builder().method(method).uri("/relay/session").header(header::ORIGIN, PAGE);
            let request = headers.iter().fold(request, |request, (name, value)| request.header(name, *value));
            let body = Body::from(r#"{"passphrase": "hush of the people"}"#);
            relay.router().oneshot(request.header(header::HOST, "localhost").body(body).unwrap()).await.unwrap()
        };
        let json = (header::CONTENT_TYPE, "application/json");
        for (method, headers, status) in [
            ("GET", vec![], StatusCode::OK),
            ("OPTIONS", vec![(header::ACCESS_CONTROL_REQUEST_METHOD, "POST")], StatusCode::OK),
            ("POST", vec![json], StatusCode::FORBIDDEN),
            ("DELETE", vec![], StatusCode::FORBIDDEN),
        ] {
            let response = send(method, &headers).await;
            assert_eq!(response.status(), status, "{method}");
            assert_eq!(response.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN], PAGE, "{method}");
            assert!(!response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_CREDENTIALS), "{method}");
            assert!(!response.headers().contains_key(header::SET_COOKIE), "{method}");
        }
    }
}
