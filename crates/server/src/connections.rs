//! Connections: how many there may be, how long they may do nothing, and how they end.
//!
//! A client that is slow costs a socket and some kilobytes, for a bounded time: a request has to have its headers
//! within [`ConnectionLimits::header_time`], also the next one on a connection that is kept; an answer has to be
//! taken, and bodies have times of their own (`request.rs`, `routes/logpush_ingest.rs`).

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
use stream::Bounded;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

/// Most headers of a request.
const MOST_HEADERS: usize = 100;
/// Most bytes of a request's first line and headers.
const MOST_HEADER_BYTES: usize = 64 << 10;
/// How long nothing is accepted after that failed for want of memory or files.
const PAUSE: Duration = Duration::from_millis(100);
/// Files that are left for the database, the spool and deliveries.
const OTHER_FILES: usize = 256;

/// Bounds of connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Most at a time; others wait until one ends.
    pub most: usize,
    /// How long the headers of a request may take, counted from when the connection could take it.
    pub header_time: Duration,
    /// How long a client may take nothing of its answer.
    pub write_time: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        ConnectionLimits { most: 10_000, header_time: Duration::from_secs(30), write_time: Duration::from_secs(30) }
    }
}

impl ConnectionLimits {
    /// These, with no more connections than this process may have files.
    pub(crate) fn within_files(self) -> ConnectionLimits {
        let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
        let Some(files) = open_files(&limits) else { return self };
        let most = self.most.min(files.saturating_sub(OTHER_FILES).max(files / 2));
        if most < self.most {
            tracing::warn!(
                "this process may open {files} files: it takes {most} connections at a time instead of {}",
                self.most
            );
        }
        ConnectionLimits { most, ..self }
    }
}

/// The soft limit of open files, as `/proc/self/limits` has it.
fn open_files(limits: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Whether to go on; [`Phase::Stop`] is for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Connections are taken.
    Open,
    /// None are taken any more, and those that are there end with the request they are at.
    Stop,
}

/// Serves connections until it is told to stop and the last one has ended.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    metrics: Metrics,
    mut phase: watch::Receiver<Phase>,
) {
    let most = u32::try_from(limits.most).unwrap_or(u32::MAX);
    let room = Arc::new(Semaphore::new(most as usize));
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        // Who has said everything may still be told the answer.
        .half_close(true)
        .max_headers(MOST_HEADERS)
        .max_header_size(MOST_HEADER_BYTES);
    loop {
        let accepted = async {
            let permit = Arc::clone(&room).acquire_owned().await.ok()?;
            Some((listener.accept().await, permit))
        };
        let accepted = tokio::select! {
            accepted = accepted => accepted,
            () = stopped(&mut phase) => break,
        };
        let Some((accepted, permit)) = accepted else { break };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                refused(&error).await;
                continue;
            }
        };
        let (router, builder, phase) = (router.clone(), builder.clone(), phase.clone());
        let open = metrics.connection();
        tokio::spawn(async move {
            converse(stream, peer, router, &builder, limits, phase).await;
            drop((open, permit));
        });
    }
    drop(listener);
    let _ = room.acquire_many(most).await;
}

/// Waits until connections have to end.
async fn stopped(phase: &mut watch::Receiver<Phase>) {
    let _ = phase.wait_for(|phase| *phase == Phase::Stop).await;
}

/// After a connection that could not be taken: one that went away at once is nothing, everything else needs time.
async fn refused(error: &io::Error) {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::error!("a connection cannot be taken: {error}");
        tokio::time::sleep(PAUSE).await;
    }
}

/// Everything on one connection.
async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    builder: &http1::Builder,
    limits: ConnectionLimits,
    mut phase: watch::Receiver<Phase>,
) {
    // Answers are written whole; waiting for more of them only delays the last part.
    let _ = stream.set_nodelay(true);
    let begun = AtomicBool::new(false);
    let service = service_fn(|mut request: Request<Incoming>| {
        begun.store(true, Ordering::Relaxed);
        request.extensions_mut().insert(Peer(peer));
        router.clone().oneshot(request)
    });
    let io = TokioIo::new(Bounded::new(stream, limits.write_time));
    let mut connection = pin!(builder.serve_connection(io, service));
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = stopped(&mut phase) => {
            // Without a request there is nothing to wait for.
            if !begun.load(Ordering::Relaxed) {
                return;
            }
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!("a connection ended: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_open_files() {
        let limits = "Limit   Soft Limit   Hard Limit   Units\nMax open files            1024                 524288               files     \n";
        assert_eq!(open_files(limits), Some(1024));
        assert_eq!(open_files("Max open files unlimited"), None);
        assert_eq!(open_files(""), None);
    }
}
