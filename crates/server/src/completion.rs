//! What ends migrations: some time after a zone's migration was asked for, its previous managed rules are
//! switched off (assumption migration-delay).

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use zonewright_store::Store;

/// How often is looked whether there is something to complete, when nobody says so.
const LOOK: Duration = Duration::from_secs(5);

/// Completes migrations as long as it lives.
pub(crate) struct Completion {
    /// From the request to its completion.
    pub(crate) delay: Duration,
    news: Arc<Notify>,
    task: JoinHandle<()>,
}

impl Completion {
    /// Begins, with what became due while the service was not running.
    ///
    /// `holder` names this process, and `term` is how long others wait for it when it ends in the middle.
    pub(crate) fn start(store: Store, delay: Duration, holder: String, term: Duration) -> Completion {
        let news = Arc::new(Notify::new());
        let task = tokio::spawn(complete(store, Arc::clone(&news), holder, term));
        Completion { delay, news, task }
    }

    /// Says that a migration may be pending now.
    pub(crate) fn notify(&self) {
        self.news.notify_one();
    }
}

impl Drop for Completion {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn complete(store: Store, news: Arc<Notify>, holder: String, term: Duration) {
    loop {
        let wait = match store.complete_migrations(&holder, term).await {
            Ok(next) => next.unwrap_or(LOOK).min(LOOK),
            Err(error) if error.is_closed() => return,
            Err(error) => {
                tracing::error!("migrations cannot be completed: {error}");
                LOOK
            }
        };
        // A caller who went away may have saved without a word.
        let _ = tokio::time::timeout(wait, news.notified()).await;
    }
}
