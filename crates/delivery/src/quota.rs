//! Per-client quota on a shared resource: a semaphore for each client, created on demand.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::Semaphore;

/// The semaphores of the clients that hold or await permits.
pub struct Quota {
    permits_per_client: usize,
    clients: Mutex<HashMap<String, Weak<Semaphore>>>,
}

impl Quota {
    /// Creates a quota with this many permits for each client.
    pub fn new(permits_per_client: usize) -> Quota {
        Quota { permits_per_client, clients: Mutex::default() }
    }

    /// Returns the semaphore of a client. Adding a client drops the semaphores that are no longer used.
    pub fn get(&self, client: &str) -> Arc<Semaphore> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(semaphore) = clients.get(client).and_then(Weak::upgrade) {
            return semaphore;
        }
        clients.retain(|_, semaphore| semaphore.strong_count() > 0);
        let semaphore = Arc::new(Semaphore::new(self.permits_per_client));
        clients.insert(client.to_owned(), Arc::downgrade(&semaphore));
        semaphore
    }

    /// Returns the number of known clients.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.clients.lock().unwrap().len()
    }
}
