//! Upstreams, and relays in front of them.

use crate::app::{Answer, answer};
use crate::contract::{RELAYS, check_own};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use zonewright_server::{Relay, RelayConfig, RelayPace};

/// Any identifier.
pub(super) const ID: &str = "0123456789abcdef0123456789abcdef";
/// What callers of [`Front::call`] sign with.
pub(super) const TOKEN: &str = "Bearer hush-of-the-caller";
/// What is kept on the server by [`Front::keeping`].
pub(super) const KEPT: &str = "hush-of-the-server";
/// What people log in with at [`Front::keeping`].
pub(crate) const PASSPHRASE: &str = "hush of the people";

/// A relay.
pub(crate) struct Front {
    pub(crate) router: Router,
    /// Its document.
    pub(crate) document: &'static Value,
}

impl Front {
    /// Callers bring their credentials.
    pub(crate) fn passing(upstream: &str) -> Front {
        Front::with(upstream, (None, None), |_| {})
    }

    /// The credentials stay on the server.
    pub(crate) fn keeping(upstream: &str) -> Front {
        Front::with(upstream, (Some(KEPT), Some(PASSPHRASE)), |_| {})
    }

    pub(crate) fn with(
        upstream: &str,
        kept: (Option<&str>, Option<&str>),
        change: impl FnOnce(&mut RelayPace),
    ) -> Front {
        let mut config = RelayConfig::new(&format!("{upstream}/client/v4"), false, kept).unwrap();
        change(&mut config.pace);
        let document = &RELAYS[usize::from(kept.0.is_some())];
        Front { router: Relay::open(config).unwrap().router(), document }
    }

    /// What is answered; what the relay answers itself is as its document says.
    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let (method, uri) = (request.method().clone(), request.uri().to_string());
        let answer = answer(&self.router, request).await;
        check_own(self.document, &method, &uri, &answer);
        answer
    }

    /// A call of the interface with a token; `/z` stands for a zone.
    pub(crate) async fn call(&self, method: &str, path: &str, body: impl Into<Body>) -> Answer {
        self.send(request(method, path, &[("authorization", TOKEN)], body)).await
    }
}

/// A request to the interface.
pub(super) fn request(method: &str, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Request<Body> {
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

/// Serves a router on a free port and gives its address.
pub(crate) async fn listen(router: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

/// A request as it came in at an upstream.
#[derive(Clone, Debug)]
pub(super) struct Got {
    pub(super) method: Method,
    /// Path and query.
    pub(super) address: String,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}

/// An upstream that takes down what it is sent.
pub(super) struct Recorder {
    pub(super) address: String,
    got: Arc<Mutex<Vec<Got>>>,
}

impl Recorder {
    /// Answers with an empty success.
    pub(super) async fn start() -> Recorder {
        Recorder::answering(|_| success(Value::Null)).await
    }

    pub(super) async fn answering(answer: impl Fn(&Got) -> Response + Clone + Send + Sync + 'static) -> Recorder {
        let got: Arc<Mutex<Vec<Got>>> = Arc::default();
        let kept = Arc::clone(&got);
        let handler = async move |request: Request<Body>| {
            let (parts, body) = request.into_parts();
            let body = to_bytes(body, usize::MAX).await.unwrap();
            let one = Got {
                method: parts.method,
                address: parts.uri.to_string(),
                headers: parts.headers,
                body: String::from_utf8(body.to_vec()).unwrap(),
            };
            let response = answer(&one);
            kept.lock().unwrap().push(one);
            response
        };
        Recorder { address: listen(Router::new().fallback(handler)).await, got }
    }

    /// What came in so far, which is forgotten.
    pub(super) fn take(&self) -> Vec<Got> {
        std::mem::take(&mut self.got.lock().unwrap())
    }

    /// Method and address of what came in so far, which is forgotten.
    pub(super) fn calls(&self) -> Vec<String> {
        self.take().iter().map(|got| format!("{} {}", got.method, got.address)).collect()
    }
}

/// An envelope with this result.
pub(super) fn success(result: Value) -> Response {
    let body = json!({"result": result, "success": true, "errors": [], "messages": []});
    (StatusCode::OK, [("content-type", "application/json")], body.to_string()).into_response()
}

/// What a hostile upstream does with a connection after it has read the head of the request.
pub(crate) enum Deed {
    /// Writes this and closes the connection.
    Say(Vec<u8>),
    /// Writes this and keeps the connection open.
    Hold(Vec<u8>),
    /// Writes this and then bytes without an end.
    Flood(Vec<u8>),
    /// Writes this a byte at a time, with this pause.
    Trickle(Vec<u8>, Duration),
}

/// An upstream that does the same to every connection; gives its address and how many there were.
pub(crate) async fn hostile(deed: Deed) -> (String, Arc<Mutex<usize>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (deed, count) = (Arc::new(deed), Arc::new(Mutex::new(0)));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            *counted.lock().unwrap() += 1;
            tokio::spawn(serve(stream, Arc::clone(&deed)));
        }
    });
    (address, count)
}

async fn serve(mut stream: TcpStream, deed: Arc<Deed>) {
    let mut head = vec![0; 4096];
    let _ = stream.read(&mut head).await;
    // What cannot be written any more was not wanted any more.
    match &*deed {
        Deed::Say(bytes) => {
            let _ = stream.write_all(bytes).await;
        }
        Deed::Hold(bytes) => {
            let _ = stream.write_all(bytes).await;
            std::future::pending::<()>().await;
        }
        Deed::Flood(bytes) => {
            let _ = stream.write_all(bytes).await;
            while stream.write_all(&[b' '; 65_536]).await.is_ok() {}
        }
        Deed::Trickle(bytes, pause) => {
            for byte in bytes {
                if stream.write_all(&[*byte]).await.is_err() {
                    return;
                }
                tokio::time::sleep(*pause).await;
            }
        }
    }
}
