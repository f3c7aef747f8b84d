//! Connections: their number, their timeouts and their graceful shutdown.
//!
//! A slow client costs a socket and some kilobytes for a limited time. The headers of every request, including the next
//! one on a keep-alive connection, have to arrive within [`ConnectionLimits::header_timeout`]. A write fails when the
//! client reads nothing for [`ConnectionLimits::write_timeout`]. Bodies have separate timeouts (`request.rs`,
//! `routes/logpush_ingest.rs`).
//!
//! [`serve`] owns the listener and a semaphore with one permit for each connection. Each connection is a spawned task
//! that holds its permit until it ends. Stopping drops the listener and waits for all permits.

mod stream;

use crate::metrics::Metrics;
use crate::middleware::Peer;
use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use stream::WriteTimeoutStream;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

/// Maximum number of headers of a request.
const MAX_HEADERS: usize = 100;
/// Maximum number of bytes of a request's first line and headers.
const MAX_HEADER_BYTES: usize = 64 << 10;
/// Pause after an accept failed for lack of memory or file descriptors.
const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);
/// File descriptors that are reserved for the database, the spool and deliveries.
const RESERVED_FILE_DESCRIPTORS: usize = 256;

/// Limits of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Maximum number of connections. Further connections wait until one ends.
    pub max_connections: usize,
    /// Timeout of the headers of a request, from when the connection is ready for them.
    pub header_timeout: Duration,
    /// Time for which a write may make no progress.
    pub write_timeout: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        ConnectionLimits {
            max_connections: 10_000,
            header_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
        }
    }
}

impl ConnectionLimits {
    /// Returns these limits, with fewer connections if this process may not open enough files. Logs a warning then.
    pub(crate) fn within_open_file_limit(self) -> ConnectionLimits {
        let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
        let Some(files) = parse_open_file_limit(&limits) else { return self };
        let max_connections = self.max_connections.min(files.saturating_sub(RESERVED_FILE_DESCRIPTORS).max(files / 2));
        if max_connections < self.max_connections {
            tracing::warn!(
                "this process can open {files} files, so it accepts {max_connections} connections at a time instead of \
                 {}",
                self.max_connections
            );
        }
        ConnectionLimits { max_connections, ..self }
    }
}

/// Returns the soft limit of open files in the format of `/proc/self/limits`.
fn parse_open_file_limit(limits: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The state of the server. [`ServerPhase::Draining`] is final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ServerPhase {
    /// Connections are accepted.
    Accepting,
    /// No connections are accepted, and open ones end after their current request.
    Draining,
}

/// Accepts and serves connections until the phase is [`ServerPhase::Draining`] and the last connection has ended.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    metrics: Metrics,
    mut phase: watch::Receiver<ServerPhase>,
) {
    let max_connections = u32::try_from(limits.max_connections).unwrap_or(u32::MAX);
    let slots = Arc::new(Semaphore::new(max_connections as usize));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        // A client that has closed its sending side still receives the response.
        .half_close(true)
        .max_headers(MAX_HEADERS)
        .max_header_size(MAX_HEADER_BYTES);
    loop {
        let accepted = async {
            let permit = Arc::clone(&slots).acquire_owned().await.ok()?;
            Some((listener.accept().await, permit))
        };
        let accepted = tokio::select! {
            accepted = accepted => accepted,
            () = wait_for_drain(&mut phase) => break,
        };
        let Some((accepted, permit)) = accepted else { break };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                back_off_after_accept_error(&error).await;
                continue;
            }
        };
        let (router, builder, phase) = (router.clone(), builder.clone(), phase.clone());
        let connection_guard = metrics.track_connection();
        tokio::spawn(async move {
            serve_connection(stream, peer, router, &builder, limits, phase).await;
            drop((connection_guard, permit));
        });
    }
    drop(listener);
    let _ = slots.acquire_many(max_connections).await;
}

/// Waits until the phase is [`ServerPhase::Draining`], or the sender of phases was dropped.
async fn wait_for_drain(phase: &mut watch::Receiver<ServerPhase>) {
    let _ = phase.wait_for(|phase| *phase == ServerPhase::Draining).await;
}

/// Handles a failed accept. A connection that the client aborted needs nothing; other errors cause a pause.
async fn back_off_after_accept_error(error: &io::Error) {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::error!("cannot accept a connection: {error}");
        tokio::time::sleep(ACCEPT_BACKOFF).await;
    }
}

/// Serves all requests of one connection.
async fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    builder: &http1::Builder,
    limits: ConnectionLimits,
    mut phase: watch::Receiver<ServerPhase>,
) {
    // Responses are written whole, so Nagle's algorithm would only delay their last segment.
    let _ = stream.set_nodelay(true);
    let has_request = AtomicBool::new(false);
    let service = service_fn(|mut request: Request<Incoming>| {
        has_request.store(true, Ordering::Relaxed);
        request.extensions_mut().insert(Peer(peer));
        router.clone().oneshot(request)
    });
    let io = TokioIo::new(WriteTimeoutStream::new(stream, limits.write_timeout));
    let mut connection = pin!(builder.serve_connection(io, service));
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = wait_for_drain(&mut phase) => {
            // A connection that has sent no request yet has no response to wait for.
            if !has_request.load(Ordering::Relaxed) {
                return;
            }
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!("a connection was closed with an error: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_file_limit_is_read_from_the_limits_of_the_process() {
        let limits = "Limit   Soft Limit   Hard Limit   Units\nMax open files            1024                 524288               files     \n";
        assert_eq!(parse_open_file_limit(limits), Some(1024));
        assert_eq!(parse_open_file_limit("Max open files unlimited"), None);
        assert_eq!(parse_open_file_limit(""), None);
    }
}
