//! Connections for the reads that every request needs. With SQLite nothing can happen to a connection to a file, so
//! there it is neither tested nor given back by a task: both cost as much as a read itself.

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Connection};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedMappedMutexGuard, OwnedMutexGuard};
use tokio::time::timeout;

/// A connection to a file; nothing when it is closed.
type Kept = Arc<Mutex<Option<AnyConnection>>>;

/// Clones share the connections.
#[derive(Clone)]
pub(super) struct Readers {
    pool: AnyPool,
    /// None with a server: there the pool has them.
    kept: Arc<[Kept]>,
    next: Arc<AtomicUsize>,
    /// How long is waited for one.
    wait: Duration,
}

/// A connection that reads.
pub(super) enum Reader {
    Pooled(PoolConnection<Any>),
    Kept(OwnedMappedMutexGuard<Option<AnyConnection>, AnyConnection>),
}

impl Readers {
    /// With so many connections of its own, made by the pool.
    pub(super) async fn open(pool: AnyPool, own: u32, wait: Duration) -> Result<Readers, sqlx::Error> {
        let mut kept = Vec::new();
        for _ in 0..own {
            kept.push(Arc::new(Mutex::new(Some(pool.acquire().await?.detach()))));
        }
        Ok(Readers { pool, kept: kept.into(), next: Arc::default(), wait })
    }

    /// A connection that is free, or will be.
    pub(super) async fn reader(&self) -> Result<Reader, sqlx::Error> {
        let free = self.kept.iter().find_map(|kept| Arc::clone(kept).try_lock_owned().ok());
        let turn = self.next.fetch_add(1, Ordering::Relaxed).checked_rem(self.kept.len());
        let guard = match (free, turn.and_then(|turn| self.kept.get(turn))) {
            (_, None) => return self.pool.acquire().await.map(Reader::Pooled),
            (Some(guard), _) => guard,
            (None, Some(kept)) => {
                timeout(self.wait, Arc::clone(kept).lock_owned()).await.map_err(|_| sqlx::Error::PoolTimedOut)?
            }
        };
        OwnedMutexGuard::try_map(guard, Option::as_mut).map(Reader::Kept).map_err(|_| sqlx::Error::PoolClosed)
    }

    /// Ends all connections.
    pub(super) async fn close(&self) {
        for kept in &*self.kept {
            if let Some(connection) = kept.lock().await.take() {
                let _ = connection.close().await;
            }
        }
        self.pool.close().await;
    }
}

impl Deref for Reader {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        match self {
            Reader::Pooled(connection) => connection,
            Reader::Kept(connection) => connection,
        }
    }
}

impl DerefMut for Reader {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        match self {
            Reader::Pooled(connection) => connection,
            Reader::Kept(connection) => connection,
        }
    }
}
