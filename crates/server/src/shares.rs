//! What one of many may have of something that is for all: so that nobody keeps out the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::sync::Semaphore;

/// The shares of those who have something now, by name.
pub(crate) struct Shares {
    of_one: usize,
    all: Mutex<HashMap<String, Weak<Semaphore>>>,
}

impl Shares {
    /// Each may have this much.
    pub(crate) fn new(of_one: usize) -> Shares {
        Shares { of_one, all: Mutex::default() }
    }

    /// The share of this one.
    pub(crate) fn of(&self, name: &str) -> Arc<Semaphore> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = all.get(name).and_then(Weak::upgrade) {
            return own;
        }
        all.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(self.of_one));
        all.insert(name.to_owned(), Arc::downgrade(&own));
        own
    }

    /// How many have something.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.all.lock().unwrap().len()
    }
}
