//! Upstreams, and relays in front of them.

use crate::app::{TestResponse, send_request};
use crate::contract::{RELAYS, check_relay_response};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use zonewright_server::{Relay, RelayConfig, RelayLimits};

/// An arbitrary ID.
pub(super) const ID: &str = "0123456789abcdef0123456789abcdef";
/// The token of requests of [`TestRelay::call`].
pub(crate) const TOKEN: &str = "Bearer hush-of-the-caller";
/// The credentials that the relay stores in [`TestRelay::with_stored_credentials`].
pub(super) const STORED_CREDENTIALS: &str = "hush-of-the-server";
/// The passphrase of [`TestRelay::with_stored_credentials`].
pub(crate) const PASSPHRASE: &str = "hush of the people";

/// A relay.
pub(crate) struct TestRelay {
    pub(crate) router: Router,
    /// Its OpenAPI document.
    pub(crate) document: &'static Value,
}

impl TestRelay {
    /// A relay in pass-through mode: clients send their credentials.
    pub(crate) fn with_client_credentials(upstream: &str) -> TestRelay {
        TestRelay::with_limits(upstream, (None, None), |_| {})
    }

    /// A relay in stored-credentials mode.
    pub(crate) fn with_stored_credentials(upstream: &str) -> TestRelay {
        TestRelay::with_limits(upstream, (Some(STORED_CREDENTIALS), Some(PASSPHRASE)), |_| {})
    }

    /// A relay whose limits `configure` changes. `stored` is the stored credentials and the passphrase, if any.
    pub(crate) fn with_limits(
        upstream: &str,
        stored: (Option<&str>, Option<&str>),
        configure: impl FnOnce(&mut RelayLimits),
    ) -> TestRelay {
        let mut config = RelayConfig::new(&format!("{upstream}/client/v4"), false, stored).unwrap();
        configure(&mut config.limits);
        let document = &RELAYS[usize::from(stored.0.is_some())];
        TestRelay { router: Relay::open(config).unwrap().router(), document }
    }

    /// Sends a request; responses of the relay itself must match its document.
    pub(crate) async fn send(&self, request: Request<Body>) -> TestResponse {
        let (method, uri) = (request.method().clone(), request.uri().to_string());
        let response = send_request(&self.router, request).await;
        check_relay_response(self.document, &method, &uri, &response);
        response
    }

    /// Sends a request with [`TOKEN`]; [`request`] defines the short paths.
    pub(crate) async fn call(&self, method: &str, path: &str, body: impl Into<Body>) -> TestResponse {
        self.send(request(method, path, &[("authorization", TOKEN)], body)).await
    }
}

/// A request to the API, or to the relay itself if the path starts with `/relay`. In `path`, `/z/` stands for the zone
/// [`ID`], and the prefix `/client/v4` is omitted.
pub(crate) fn request(method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request<Body> {
    let path = match path.strip_prefix("/z/") {
        Some(rest) => format!("/client/v4/zones/{ID}/{rest}"),
        None if path.starts_with("/relay") => path.to_owned(),
        None => format!("/client/v4{path}"),
    };
    let mut builder = Request::builder().method(method).uri(path).header("host", "127.0.0.1:1");
    for (name, value) in headers {
        builder = builder.header(*name, *value);
    }
    builder.body(body.into()).unwrap()
}

/// Serves a router on a free port and returns its URL.
pub(crate) async fn listen(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

/// A request as the upstream received it.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    pub(super) method: Method,
    pub(super) path_and_query: String,
    pub(crate) headers: HeaderMap,
    pub(super) body: String,
}

/// An upstream that records requests.
pub(crate) struct RecordingUpstream {
    pub(crate) address: String,
    received: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl RecordingUpstream {
    /// Responds with an empty success.
    pub(super) async fn start() -> RecordingUpstream {
        RecordingUpstream::with_handler(|_| success(Value::Null)).await
    }

    /// Responds with the result of `respond`.
    pub(crate) async fn with_handler(
        respond: impl Fn(&ReceivedRequest) -> Response + Clone + Send + Sync + 'static,
    ) -> RecordingUpstream {
        let received: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let recorded = Arc::clone(&received);
        let handler = async move |request: Request<Body>| {
            let (parts, body) = request.into_parts();
            let body = to_bytes(body, usize::MAX).await.unwrap();
            let request = ReceivedRequest {
                method: parts.method,
                path_and_query: parts.uri.to_string(),
                headers: parts.headers,
                body: String::from_utf8(body.to_vec()).unwrap(),
            };
            let response = respond(&request);
            recorded.lock().unwrap().push(request);
            response
        };
        RecordingUpstream { address: listen(Router::new().fallback(handler)).await, received }
    }

    /// Returns and clears the recorded requests.
    pub(crate) fn drain_requests(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut self.received.lock().unwrap())
    }

    /// Returns and clears method and path of the recorded requests.
    pub(super) fn drain_calls(&self) -> Vec<String> {
        self.drain_requests()
            .iter()
            .map(|received| format!("{} {}", received.method, received.path_and_query))
            .collect()
    }
}

/// An envelope with this result.
pub(crate) fn success(result: Value) -> Response {
    let body = json!({"result": result, "success": true, "errors": [], "messages": []});
    (StatusCode::OK, [("content-type", "application/json")], body.to_string()).into_response()
}

/// The behavior of a hostile upstream after it has read the head of a request.
pub(crate) enum UpstreamBehavior {
    /// Writes this and closes the connection.
    Say(Vec<u8>),
    /// Writes this and keeps the connection open.
    Hold(Vec<u8>),
    /// Writes this and then an endless stream of bytes.
    Flood(Vec<u8>),
    /// Writes this one byte at a time, with this pause.
    Trickle(Vec<u8>, Duration),
}

/// Starts an upstream with this behavior on every connection. Returns its URL and the number of connections.
pub(crate) async fn start_hostile_upstream(behavior: UpstreamBehavior) -> (String, Arc<Mutex<usize>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (behavior, count) = (Arc::new(behavior), Arc::new(Mutex::new(0)));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            *counted.lock().unwrap() += 1;
            tokio::spawn(serve(stream, Arc::clone(&behavior)));
        }
    });
    (address, count)
}

async fn serve(mut stream: TcpStream, behavior: Arc<UpstreamBehavior>) {
    let mut head = vec![0; 4096];
    let _ = stream.read(&mut head).await;
    // The client may close the connection; then the write fails.
    match &*behavior {
        UpstreamBehavior::Say(bytes) => {
            let _ = stream.write_all(bytes).await;
        }
        UpstreamBehavior::Hold(bytes) => {
            let _ = stream.write_all(bytes).await;
            std::future::pending::<()>().await;
        }
        UpstreamBehavior::Flood(bytes) => {
            let _ = stream.write_all(bytes).await;
            while stream.write_all(&[b' '; 65_536]).await.is_ok() {}
        }
        UpstreamBehavior::Trickle(bytes, pause) => {
            for byte in bytes {
                if stream.write_all(&[*byte]).await.is_err() {
                    return;
                }
                tokio::time::sleep(*pause).await;
            }
        }
    }
}
