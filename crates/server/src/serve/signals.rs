//! Signals that end the process.

/// SIGINT and SIGTERM. Before [`Signals::listen`] they end the process immediately.
pub(super) struct Signals {
    #[cfg(unix)]
    signals: Vec<tokio::signal::unix::Signal>,
}

impl Signals {
    #[cfg(unix)]
    pub(super) fn listen() -> Signals {
        use tokio::signal::unix::{SignalKind, signal};
        // If a handler cannot be installed, the signal ends the process immediately, which is acceptable.
        let kinds = [SignalKind::interrupt(), SignalKind::terminate()];
        Signals { signals: kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect() }
    }

    #[cfg(not(unix))]
    pub(super) fn listen() -> Signals {
        Signals {}
    }

    /// Waits for the next signal.
    pub(super) async fn next(&mut self) {
        #[cfg(unix)]
        std::future::poll_fn(|context| {
            let received = self.signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if received { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
        #[cfg(not(unix))]
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
