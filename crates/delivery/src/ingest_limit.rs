//! Limits how many bodies of lines are read concurrently, in total and for each client. A body holds some MiB for as
//! long as its client takes to send it, and no client may block the others (assumption bodies-of-lines).

use crate::config::DeliveryLimits;
use crate::error::Error;
use crate::quota::Quota;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// The permits to read bodies.
pub struct IngestLimit {
    all: Arc<Semaphore>,
    clients: Quota,
    patience: Duration,
}

/// A permit to read one body; dropping it releases it.
pub struct IngestPermit {
    _client: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl IngestLimit {
    /// Creates the limits that the configuration sets.
    pub fn new(limits: &DeliveryLimits) -> IngestLimit {
        let (all, clients) = (
            Arc::new(Semaphore::new(limits.max_concurrent_bodies)),
            Quota::new(limits.max_concurrent_bodies_per_account),
        );
        IngestLimit { all, clients, patience: limits.ingest_permit_timeout }
    }

    /// Waits for a permit, for a bounded time. It acquires a permit of the client's quota first, so that waiting bodies
    /// of one client hold no permit that others could use. A canceled wait holds no permit.
    pub async fn acquire(&self, client: &str) -> Result<IngestPermit, Error> {
        let own = self.clients.get(client);
        let permit = timeout(self.patience, async {
            let client = own.acquire_owned().await.ok()?;
            let all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some(IngestPermit { _client: client, _all: all })
        });
        permit.await.ok().flatten().ok_or(Error::TooManyBodies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_client_leaves_permits_to_others() {
        let turn = Duration::from_millis(20);
        let limit = IngestLimit::new(&DeliveryLimits {
            max_concurrent_bodies: 3,
            max_concurrent_bodies_per_account: 2,
            ingest_permit_timeout: turn,
            ..DeliveryLimits::default()
        });
        let first = limit.acquire("a").await.unwrap();
        let _second = limit.acquire("a").await.unwrap();
        assert!(matches!(limit.acquire("a").await, Err(Error::TooManyBodies)));
        let third = limit.acquire("b").await.unwrap();
        assert!(matches!(limit.acquire("c").await, Err(Error::TooManyBodies)), "there are three");
        drop(first);
        limit.acquire("a").await.unwrap();
        drop(third);
        limit.acquire("c").await.unwrap();
        assert_eq!(limit.clients.len(), 2, "idle clients are forgotten");
    }
}
