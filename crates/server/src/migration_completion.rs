//! The background task that completes migrations: after a delay it disables the previous managed rules of a zone
//! (assumption migration-delay).

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use zonewright_store::Store;

/// Maximum interval between two checks for due migrations, in case a notification is lost.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Completes migrations. Dropping it aborts the task.
pub(crate) struct MigrationTask {
    /// Time from the request of a migration to its completion.
    pub(crate) delay: Duration,
    wakeup: Arc<Notify>,
    task: JoinHandle<()>,
}

impl MigrationTask {
    /// Starts the task. It first completes the migrations that became due while the service was not running.
    ///
    /// `holder` names this process in the lease. After a crash, other processes wait at most `lease_term` until the
    /// lease expires.
    pub(crate) fn start(store: Store, delay: Duration, holder: String, lease_term: Duration) -> MigrationTask {
        let wakeup = Arc::new(Notify::new());
        let task = tokio::spawn(run(store, Arc::clone(&wakeup), holder, lease_term));
        MigrationTask { delay, wakeup, task }
    }

    /// Notifies the task that a migration may be pending.
    pub(crate) fn notify(&self) {
        self.wakeup.notify_one();
    }
}

impl Drop for MigrationTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn run(store: Store, wakeup: Arc<Notify>, holder: String, lease_term: Duration) {
    loop {
        let wait = match store.complete_migrations(&holder, lease_term).await {
            Ok(next) => next.unwrap_or(POLL_INTERVAL).min(POLL_INTERVAL),
            Err(error) if error.is_closed() => return,
            Err(error) => {
                tracing::error!("cannot complete the pending migrations: {error}");
                POLL_INTERVAL
            }
        };
        // The timeout covers a request that was canceled after its commit and before its notification.
        let _ = tokio::time::timeout(wait, wakeup.notified()).await;
    }
}
