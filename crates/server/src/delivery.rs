//! Log push that pushes: lines come in (`intake.rs`), wait on disk (`spool.rs`), and go to the
//! destinations of the jobs (`worker.rs`), each job at its own pace.
//!
//! A line that was accepted is delivered at least once to every job that was enabled then and still is:
//! it is on disk before the answer, and a cursor moves only after the destination took what lies before
//! it. The assumptions under "Log push" in ARCHITECTURE.md say what happens at the edges.

mod batch;
mod config;
mod counts;
mod crew;
mod folders;
mod intake;
mod net;
mod recipe;
mod spool;
mod turns;
mod worker;
mod writer;

pub use config::{LogPushConfig, OwnBucket, Pace};
pub(crate) use counts::Counts;
pub(crate) use intake::{Broken, Intake, Lines, Problem};
pub(crate) use spool::{Appended, Position, Spool};
pub(crate) use turns::Turn;
pub(crate) use writer::{is_delivered, undelivered};

use crate::auth::Owner;
use crate::error::Error;
use crate::lease::Lease;
use crate::serve::ServeError;
use crate::store::{Failure, Store};
use crew::Workers;
use folders::open_all;
use spool::Usage;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex as PlainMutex, PoisonError, RwLock, Weak};
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore, SemaphorePermit};
use tokio::time::Instant;
use turns::Turns;
use writer::Writer;
use zonewright_logpush::Destination;

/// How many pieces of bodies are unpacked and written at the same time. None of that waits for a client.
const WORK: usize = 8;

/// How often the workers are compared with the jobs without being asked.
const FRESH: Duration = Duration::from_secs(30);
/// How often is looked whether another process, as the command line, has changed jobs (assumption shared-jobs).
const LOOK: Duration = Duration::from_secs(2);

/// Whose lines of which dataset.
type Key = (Owner, String);

/// Everything that delivers. Clones share it; when the last one is dropped, work ends.
#[derive(Clone)]
pub(crate) struct Delivery(Arc<Inner>);

struct Inner {
    config: Arc<LogPushConfig>,
    store: Store,
    writer: Writer,
    /// Of all spools.
    folder: PathBuf,
    /// Of the data folder.
    identity: Arc<str>,
    /// On the data folder.
    lease: Lease,
    /// The changes of jobs that the workers go by; -1 before the first, and while something is blocked.
    changes: AtomicI64,
    /// What an enabled job wants and cannot be kept for it, as its place cannot be written.
    blocked: PlainMutex<BTreeSet<Key>>,
    usage: Arc<Usage>,
    spools: RwLock<BTreeMap<Key, Arc<Spool>>>,
    workers: Mutex<Workers>,
    turns: Turns,
    work: Semaphore,
    counts: Counts,
}

impl Delivery {
    /// Opens what waits in the data folder and puts the enabled jobs to work.
    pub(crate) async fn open(
        data: &Path,
        identity: String,
        lease: Lease,
        store: Store,
        config: Arc<LogPushConfig>,
        counts: Counts,
    ) -> Result<Delivery, ServeError> {
        let folder = data.join("spool");
        let usage = Arc::new(Usage::new(config.spool_bytes));
        let writer = Writer::new(&config).map_err(|error| ServeError::Client(net::reason(&error)))?;
        let found = {
            let (folder, usage) = (folder.clone(), Arc::clone(&usage));
            tokio::task::spawn_blocking(move || open_all(&folder, &usage)).await.map_err(io::Error::other)
        };
        let spools = found.and_then(|found| found).map_err(|error| ServeError::Data(folder.clone(), error))?;
        let (spools, workers) = (RwLock::new(spools), Mutex::default());
        let (turns, work) = (Turns::new(&config.pace), Semaphore::new(WORK));
        let (identity, changes) = (identity.into(), AtomicI64::new(-1));
        let delivery = Delivery(Arc::new(Inner {
            config,
            store,
            writer,
            folder,
            identity,
            lease,
            changes,
            blocked: PlainMutex::default(),
            usage,
            spools,
            workers,
            turns,
            work,
            counts,
        }));
        delivery.refresh().await;
        tokio::spawn(keep_fresh(Arc::downgrade(&delivery.0)));
        Ok(delivery)
    }

    /// What it may do.
    pub(crate) fn config(&self) -> &LogPushConfig {
        &self.0.config
    }

    /// Where lines wait; nothing when no enabled job wants them.
    pub(crate) fn spool(&self, owner: &Owner, dataset: &str) -> Option<Arc<Spool>> {
        let spools = self.0.spools.read().unwrap_or_else(PoisonError::into_inner);
        spools.get(&(owner.clone(), dataset.to_owned())).cloned()
    }

    /// Whether this many bytes of lines more may wait.
    pub(crate) fn has_room(&self, bytes: u64) -> bool {
        self.0.usage.has_room(bytes)
    }

    /// Bytes of lines that wait for their delivery.
    pub(crate) fn waiting_bytes(&self) -> u64 {
        self.0.usage.bytes()
    }

    /// What became of lines and batches.
    pub(crate) fn counts(&self) -> &Counts {
        &self.0.counts
    }

    /// Allows to read one more body of lines of this account.
    pub(crate) async fn turn(&self, account: &str) -> Result<Turn, Error> {
        self.0.turns.take(account).await
    }

    /// Allows to work on a piece of a body that is there already.
    pub(crate) async fn work(&self) -> Option<SemaphorePermit<'_>> {
        self.0.work.acquire().await.ok()
    }

    /// Writes one small object to a destination; `name` has its folder, and one that ends in `.gz` is
    /// gzip. The error says why it could not be written, for people and without secrets.
    pub(crate) async fn upload(&self, destination: &Destination, name: &str, body: Vec<u8>) -> Result<(), String> {
        let target = self.0.writer.target(destination)?;
        let put = self.0.writer.put(&target, name, body.into());
        let late = |_| "the destination took too long".to_owned();
        tokio::time::timeout(self.0.config.pace.upload, put).await.map_err(late)?
    }

    /// Makes the workers those of the enabled jobs, as the store has them. To be called, and waited for,
    /// after a job was created, changed or deleted: lines that come in after it are for the jobs as they
    /// are then.
    pub(crate) async fn refresh(&self) {
        let delivery = self.clone();
        // On its own, so that a caller who goes away does not leave it half done.
        let refreshed = tokio::spawn(async move {
            match delivery.refresh_now().await {
                Ok(failures) => delivery.note(failures).await,
                Err(error) => tracing::error!("the jobs cannot be read: {error}"),
            }
        });
        let _ = refreshed.await;
    }

    /// Makes the workers those of the jobs, if another process has changed jobs. What comes in after it is for the
    /// jobs as they were when it was called, or later. It waits for the database and the disk, never for a destination.
    pub(crate) async fn follow(&self) -> Result<(), Error> {
        if !self.0.lease.is_held() {
            return Err(Error::Unavailable(Failure::Away));
        }
        if self.0.store.job_changes().await? == self.0.changes.load(Ordering::Acquire) {
            return Ok(());
        }
        let delivery = self.clone();
        match tokio::spawn(async move { delivery.refresh_now().await }).await {
            Ok(refreshed) => {
                let (failures, delivery) = (refreshed?, self.clone());
                tokio::spawn(async move { delivery.note(failures).await });
                Ok(())
            }
            Err(error) => Err(Error::Internal(error.into())),
        }
    }

    /// Refuses lines that an enabled job wants and that would not be kept for it. To be asked after
    /// [`Delivery::follow`].
    pub(crate) fn takes(&self, owner: &Owner, dataset: &str) -> Result<(), Error> {
        let blocked = self.0.blocked.lock().unwrap_or_else(PoisonError::into_inner);
        if blocked.contains(&(owner.clone(), dataset.to_owned())) {
            return Err(Error::Unwritable(io::Error::other("the place of a job cannot be written")));
        }
        Ok(())
    }
}

/// Starts again what ended by itself, and makes up for a caller who went away before [`Delivery::refresh`].
async fn keep_fresh(inner: Weak<Inner>) {
    let mut last = Instant::now();
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(inner) = inner.upgrade() else { return };
        let delivery = Delivery(inner);
        if last.elapsed() >= FRESH {
            last = Instant::now();
            delivery.refresh().await;
        } else {
            // Another process, or the command line. What fails is tried again.
            let _ = delivery.follow().await;
        }
    }
}
