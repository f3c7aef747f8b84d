//! How many bodies of lines are read at a time, of all callers and of one account: each holds some MiB of lines for as
//! long as its client takes to send it, and nobody may keep the others waiting (assumption bodies-of-lines).

use super::config::Pace;
use crate::error::Error;
use crate::shares::Shares;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Who may read a body.
pub(crate) struct Turns {
    all: Arc<Semaphore>,
    accounts: Shares,
    patience: Duration,
}

/// The right to read one body, until it is dropped.
pub(crate) struct Turn {
    _account: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Turns {
    pub(crate) fn new(pace: &Pace) -> Turns {
        let (all, accounts) = (Arc::new(Semaphore::new(pace.bodies)), Shares::new(pace.bodies_of_account));
        Turns { all, accounts, patience: pace.turn }
    }

    /// Waits for a turn, for a bounded time. An account waits for its own bodies first, so that its many take no place
    /// among those of others.
    pub(crate) async fn take(&self, account: &str) -> Result<Turn, Error> {
        let own = self.accounts.of(account);
        let turn = timeout(self.patience, async {
            let account = own.acquire_owned().await.ok()?;
            let all = Arc::clone(&self.all).acquire_owned().await.ok()?;
            Some(Turn { _account: account, _all: all })
        });
        turn.await.ok().flatten().ok_or(Error::TooManyBodies)
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
        assert_eq!(turns.accounts.len(), 2, "who sends nothing is forgotten");
    }
}
