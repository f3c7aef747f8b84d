//! A claim in the database that one process has, as on its spool: no other process works on it.
//!
//! The database in the data folder is one process's anyway, by the lock of the folder; there a claim is always held.

use crate::error::Error;
use crate::secret::new_id;
use crate::store::Store;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

/// A claim that is renewed as long as it lives. Clones share it.
#[derive(Clone)]
pub struct Lease(Option<Arc<Shared>>);

struct Shared {
    claim: Claim,
    renewal: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Clone)]
struct Claim {
    store: Store,
    name: String,
    holder: String,
    term: Duration,
    /// Until when nobody else can have it.
    until: Arc<Mutex<Instant>>,
}

impl Lease {
    /// Claims `name`, waiting for the end of a claim that is not renewed any more. Nothing when another process has
    /// it and renews it.
    ///
    /// The lock of the data folder is held: whoever held the claim on this machine before has ended.
    pub async fn take(store: &Store, name: &str, term: Duration) -> Result<Option<Lease>, Error> {
        if !store.is_shared() {
            return Ok(Some(Lease(None)));
        }
        let machine = machine();
        let random = new_id()?;
        let holder = format!("{machine}/{random}");
        let kin = if machine.is_empty() { String::new() } else { format!("{machine}/") };
        let last = Instant::now() + term + term / 2;
        loop {
            let begun = Instant::now();
            if store.take_lease(name, &holder, term, &kin).await? {
                let (name, until) = (name.to_owned(), Arc::new(Mutex::new(begun + term)));
                let claim = Claim { store: store.clone(), name, holder, term, until };
                let renewal = Mutex::new(Some(tokio::spawn(claim.clone().renew())));
                return Ok(Some(Lease(Some(Arc::new(Shared { claim, renewal })))));
            }
            if begun >= last {
                return Ok(None);
            }
            sleep(term / 10).await;
        }
    }

    /// Whether the claim holds.
    pub fn is_held(&self) -> bool {
        let held = |shared: &Arc<Shared>| *shared.claim.until() > Instant::now();
        self.0.as_ref().is_none_or(held)
    }

    /// Gives it back, so that another process need not wait.
    pub async fn give_back(&self) {
        let Some(shared) = &self.0 else { return };
        shared.end();
        let claim = &shared.claim;
        *claim.until() = Instant::now();
        if let Err(error) = claim.store.give_lease_back(&claim.name, &claim.holder).await {
            tracing::warn!("the claim {} could not be given back, it ends by itself: {error}", claim.name);
        }
    }
}

impl Shared {
    fn end(&self) {
        if let Some(task) = self.renewal.lock().unwrap_or_else(PoisonError::into_inner).take() {
            task.abort();
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.end();
    }
}

impl Claim {
    fn until(&self) -> std::sync::MutexGuard<'_, Instant> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn renew(self) {
        loop {
            sleep(self.term / 3).await;
            let begun = Instant::now();
            match self.store.take_lease(&self.name, &self.holder, self.term, "").await {
                Ok(true) => *self.until() = begun + self.term,
                Ok(false) => {
                    *self.until() = begun;
                    tracing::error!("another process has taken {}: this one has to be started again", self.name);
                    return;
                }
                Err(error) if error.is_closed() => return,
                Err(error) => tracing::warn!("the claim {} could not be renewed: {error}", self.name),
            }
        }
    }
}

/// What names this machine since its start; empty when nothing does.
fn machine() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").map(|id| id.trim().to_owned());
    name.unwrap_or_else(|error| {
        tracing::warn!("the start of this machine has no name ({error}): after a crash, claims are waited for");
        String::new()
    })
}
