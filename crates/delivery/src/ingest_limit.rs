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
    total: Arc<Semaphore>,
    clients: Quota,
    timeout: Duration,
}

/// A permit to read one body; dropping it releases it.
pub struct IngestPermit {
    _client: OwnedSemaphorePermit,
    _total: OwnedSemaphorePermit,
}

impl IngestLimit {
    /// Creates the limits that the configuration sets.
    pub fn new(limits: &DeliveryLimits) -> IngestLimit {
        let (total, clients) = (
            Arc::new(Semaphore::new(limits.max_concurrent_bodies)),
            Quota::new(limits.max_concurrent_bodies_per_client),
        );
        IngestLimit { total, clients, timeout: limits.ingest_permit_timeout }
    }

    /// Waits for a permit, for a bounded time. It acquires a permit of the client's quota first, so that waiting bodies
    /// of one client hold no permit that others could use. A canceled wait holds no permit.
    pub async fn acquire(&self, client: &str) -> Result<IngestPermit, Error> {
        let client_permits = self.clients.get(client);
        let permit = timeout(self.timeout, async {
            let client = client_permits.acquire_owned().await.ok()?;
            let total = Arc::clone(&self.total).acquire_owned().await.ok()?;
            Some(IngestPermit { _client: client, _total: total })
        });
        permit.await.ok().flatten().ok_or(Error::TooManyBodies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_client_leaves_permits_to_others() {
        let permit_timeout = Duration::from_millis(20);
        let limit = IngestLimit::new(&DeliveryLimits {
            max_concurrent_bodies: 3,
            max_concurrent_bodies_per_client: 2,
            ingest_permit_timeout: permit_timeout,
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
