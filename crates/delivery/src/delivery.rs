//! Everything that delivers: the spools, the workers of the enabled jobs, and what they share.
//!
//! Who owns what:
//!
//! - [`Delivery`] owns the spools and the workers. A worker is a task that owns its batch and its cursor.
//! - [`Delivery::refresh`] makes the workers those of the enabled jobs. One refresh runs at a time (the lock of the
//!   supervisor), in a task of its own, so a caller that is cancelled does not leave it half done.
//! - A caller that changed a job awaits `refresh`; a body of lines awaits [`Delivery::follow`], which refreshes only if
//!   another process has changed a job. Neither waits for a destination: a worker that has to leave ends by itself, and
//!   its successor waits for it.
//! - Dropping the last clone ends the background task and the workers. [`Delivery::stop`] lets workers deliver what they
//!   have gathered, for a bounded time.

mod folders;
mod supervisor;

use crate::config::LogPushConfig;
use crate::counts::Counts;
use crate::error::{Error, OpenError};
use crate::ingest_limit::{IngestLimit, IngestPermit};
use crate::job_source::{JobSource, OwnerKey};
use crate::net;
use crate::spool::{Spool, Usage};
use crate::writer::Writer;
use folders::open_all;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex as PlainMutex, PoisonError, RwLock, Weak};
use std::time::Duration;
use supervisor::Supervisor;
use tokio::sync::{Mutex, Semaphore, SemaphorePermit};
use tokio::time::Instant;
use zonewright_logpush::Destination;

/// How many chunks of bodies are unpacked and written at the same time. No client is waited for meanwhile.
const UNPACK_PERMITS: usize = 8;

/// How often the workers are compared with the jobs without being asked.
const REFRESH_INTERVAL: Duration = Duration::from_secs(30);
/// How often the delivery looks whether another process has changed jobs (assumption shared-jobs).
const FOLLOW_INTERVAL: Duration = Duration::from_secs(2);

/// Whose lines of which dataset.
type Key = (OwnerKey, String);

/// Everything that delivers. Clones share it; when the last one is dropped, work ends.
#[derive(Clone)]
pub struct Delivery(Arc<Inner>);

struct Inner {
    config: Arc<LogPushConfig>,
    jobs: Arc<dyn JobSource>,
    writer: Writer,
    /// Of all spools.
    folder: PathBuf,
    /// Identity of the data folder.
    identity: Arc<str>,
    /// The revision of the jobs that the workers run; -1 before the first refresh, and while a job is blocked.
    revision: AtomicI64,
    /// Streams that an enabled job wants, but whose cursor cannot be written.
    blocked: PlainMutex<BTreeSet<Key>>,
    usage: Arc<Usage>,
    spools: RwLock<BTreeMap<Key, Arc<Spool>>>,
    supervisor: Mutex<Supervisor>,
    ingest_limit: IngestLimit,
    unpack_permits: Semaphore,
    counts: Counts,
}

impl Delivery {
    /// Opens what waits in the data folder and puts the enabled jobs to work.
    pub async fn open(
        data: &Path,
        identity: String,
        jobs: Arc<dyn JobSource>,
        config: Arc<LogPushConfig>,
        counts: Counts,
    ) -> Result<Delivery, OpenError> {
        let folder = data.join("spool");
        let usage = Arc::new(Usage::new(config.spool_bytes));
        let writer = Writer::new(&config).map_err(|error| OpenError::Client(net::reason(&error)))?;
        let found = {
            let (folder, usage) = (folder.clone(), Arc::clone(&usage));
            tokio::task::spawn_blocking(move || open_all(&folder, &usage)).await.map_err(io::Error::other)
        };
        let spools = found.and_then(|found| found).map_err(|error| OpenError::Folder(folder.clone(), error))?;
        let (spools, supervisor) = (RwLock::new(spools), Mutex::default());
        let (ingest_limit, unpack_permits) = (IngestLimit::new(&config.pace), Semaphore::new(UNPACK_PERMITS));
        let (identity, revision) = (identity.into(), AtomicI64::new(-1));
        let delivery = Delivery(Arc::new(Inner {
            config,
            jobs,
            writer,
            folder,
            identity,
            revision,
            blocked: PlainMutex::default(),
            usage,
            spools,
            supervisor,
            ingest_limit,
            unpack_permits,
            counts,
        }));
        delivery.refresh().await;
        tokio::spawn(keep_fresh(Arc::downgrade(&delivery.0)));
        Ok(delivery)
    }

    /// What it may do.
    pub fn config(&self) -> &LogPushConfig {
        &self.0.config
    }

    /// Where lines wait; nothing when no enabled job wants them.
    pub fn spool(&self, owner: &OwnerKey, dataset: &str) -> Option<Arc<Spool>> {
        let spools = self.0.spools.read().unwrap_or_else(PoisonError::into_inner);
        spools.get(&(owner.clone(), dataset.to_owned())).cloned()
    }

    /// Whether this many bytes of lines more may wait.
    pub fn has_room(&self, bytes: u64) -> bool {
        self.0.usage.has_room(bytes)
    }

    /// Bytes of lines that wait for their delivery.
    pub fn waiting_bytes(&self) -> u64 {
        self.0.usage.bytes()
    }

    /// What became of lines and batches.
    pub fn counts(&self) -> &Counts {
        &self.0.counts
    }

    /// Waits for the permit to read one more body of lines of this client, for a bounded time.
    pub async fn ingest_permit(&self, client: &str) -> Result<IngestPermit, Error> {
        self.0.ingest_limit.acquire(client).await
    }

    /// Waits for the permit to unpack a chunk of a body that has arrived.
    pub async fn unpack_permit(&self) -> Option<SemaphorePermit<'_>> {
        self.0.unpack_permits.acquire().await.ok()
    }

    /// Writes one small object to a destination; `name` has its folder, and one that ends in `.gz` is
    /// gzip. The error says why it could not be written, for people and without secrets.
    pub async fn upload(&self, destination: &Destination, name: &str, body: Vec<u8>) -> Result<(), String> {
        let target = self.0.writer.target(destination)?;
        let put = self.0.writer.put(&target, name, body.into());
        let late = |_| "the destination took too long".to_owned();
        tokio::time::timeout(self.0.config.pace.upload, put).await.map_err(late)?
    }

    /// Makes the workers those of the enabled jobs, as the store has them. To be called, and waited for,
    /// after a job was created, changed or deleted: lines that come in after it are for the jobs as they
    /// are then.
    pub async fn refresh(&self) {
        let delivery = self.clone();
        // On its own, so that a caller who goes away does not leave it half done.
        let refreshed = tokio::spawn(async move {
            match delivery.refresh_now().await {
                Ok(failures) => delivery.report(failures).await,
                Err(error) => tracing::error!("the jobs cannot be read: {error}"),
            }
        });
        let _ = refreshed.await;
    }

    /// Makes the workers those of the jobs, if another process has changed jobs. What comes in after it is for the
    /// jobs as they were when it was called, or later. It waits for the database and the disk, never for a destination.
    pub async fn follow(&self) -> Result<(), Error> {
        if !self.0.jobs.holds_lease() {
            return Err(Error::NoLease);
        }
        if self.0.jobs.revision().await.map_err(Error::Jobs)? == self.0.revision.load(Ordering::Acquire) {
            return Ok(());
        }
        let delivery = self.clone();
        match tokio::spawn(async move { delivery.refresh_now().await }).await {
            Ok(refreshed) => {
                let (failures, delivery) = (refreshed.map_err(Error::Jobs)?, self.clone());
                tokio::spawn(async move { delivery.report(failures).await });
                Ok(())
            }
            Err(error) => Err(Error::Task(error)),
        }
    }

    /// Refuses lines that an enabled job wants and that would not be kept for it. To be asked after
    /// [`Delivery::follow`].
    pub fn takes(&self, owner: &OwnerKey, dataset: &str) -> Result<(), Error> {
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
        tokio::time::sleep(FOLLOW_INTERVAL).await;
        let Some(inner) = inner.upgrade() else { return };
        let delivery = Delivery(inner);
        if last.elapsed() >= REFRESH_INTERVAL {
            last = Instant::now();
            delivery.refresh().await;
        } else {
            // Another process, or the command line. What fails is tried again.
            let _ = delivery.follow().await;
        }
    }
}
