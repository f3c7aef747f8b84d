//! How many bodies of lines are read at a time, of all callers and of one account: each holds some MiB of lines for as
//! long as its client takes to send it, and nobody may keep the others waiting (assumption bodies-of-lines).

use super::config::Pace;
use crate::error::Error;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Who may read a body.
pub(crate) struct Turns {
    all: Arc<Semaphore>,
    /// By account, of those that send something now.
    accounts: Mutex<HashMap<String, Weak<Semaphore>>>,
    of_account: usize,
    patience: Duration,
}

/// The right to read one body, until it is dropped.
pub(crate) struct Turn {
    _account: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Turns {
    pub(crate) fn new(pace: &Pace) -> Turns {
        let (all, accounts) = (Arc::new(Semaphore::new(pace.bodies)), Mutex::default());
        Turns { all, accounts, of_account: pace.bodies_of_account, patience: pace.turn }
    }

    /// Waits for a turn, for a bounded time. An account waits for its own bodies first, so that its many take no place
    /// among those of others.
    pub(crate) async fn take(&self, account: &str) -> Result<Turn, Error> {
        let own = self.of(account);
        let turn = timeout(self.patience, async {
            let account = own.acquire_owned().await.ok()?;
            let all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some(Turn { _account: account, _all: all })
        });
        turn.await.ok().flatten().ok_or(Error::TooManyBodies)
    }

    fn of(&self, account: &str) -> Arc<Semaphore> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = accounts.get(account).and_then(Weak::upgrade) {
            return own;
        }
        accounts.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(self.of_account));
        accounts.insert(account.to_owned(), Arc::downgrade(&own));
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_account_leaves_room_for_others() {
        let turn = Duration::from_millis(20);
        let turns = Turns::new(&Pace { bodies: 3, bodies_of_account: 2, turn, ..Pace::default() });
        let first = turns.take("a").await.unwrap();
        let _second = turns.take("a").await.unwrap();
        assert!(matches!(turns.take("a").await, Err(Error::TooManyBodies)));
        let third = turns.take("b").await.unwrap();
        assert!(matches!(turns.take("c").await, Err(Error::TooManyBodies)), "there are three");
        drop(first);
        turns.take("a").await.unwrap();
        drop(third);
        turns.take("c").await.unwrap();
        assert_eq!(turns.accounts.lock().unwrap().len(), 2, "who sends nothing is forgotten");
    }
}
