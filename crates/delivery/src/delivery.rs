//! The delivery pipeline: the spools, the workers of the enabled jobs, and their shared state.
//!
//! Start with [`Delivery`]. Ownership and cancellation:
//!
//! - [`Delivery`] owns the spools and the supervisor, which owns the workers. A worker is a task that owns its batch.
//!   It alone moves the cursor of its job. A request may use a spool after a refresh has removed it from the map of
//!   spools.
//! - [`Delivery::refresh`] makes the workers match the enabled jobs. One refresh runs at a time, under the supervisor's
//!   lock. It runs in its own task, so a canceled caller does not leave it half done. Its disk work is on blocking
//!   threads, without the lock of the map of spools. A spool enters the map after the cursor of its first job is
//!   durable.
//! - A caller that changed a job awaits `refresh`. An ingest request awaits [`Delivery::refresh_if_changed`], which
//!   refreshes only if jobs changed since the last refresh or a job is blocked. A job is blocked while its cursor
//!   cannot be written. Neither call waits for a destination: only the successor of an outdated worker waits for the
//!   end of that worker.
//! - Dropping the last clone ends the background task and the workers. [`Delivery::stop`] first lets workers deliver
//!   what they have gathered, for a bounded time.
//!
//! Invariant: a refresh that begins without the lease starts no worker and discards no cursor.

mod spool_directories;
mod supervisor;

use crate::config::LogPushConfig;
use crate::egress;
use crate::error::{Error, OpenError};
use crate::ingest_limit::{IngestLimit, IngestPermit};
use crate::job_source::{JobSource, OwnerKey};
use crate::metrics::DeliveryMetrics;
use crate::spool::{Spool, SpoolUsage};
use crate::writer::DestinationWriter;
use spool_directories::open_spools;
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

/// The maximum number of body chunks that are decompressed and appended concurrently. A permit is held only while a
/// chunk that has arrived is processed, never while a client sends.
const UNPACK_PERMITS: usize = 8;

/// The interval at which a refresh runs even without a known change.
const REFRESH_INTERVAL: Duration = Duration::from_secs(30);
/// The interval between checks whether another process changed jobs (assumption shared-jobs).
const CHANGE_POLL_INTERVAL: Duration = Duration::from_secs(2);

/// The owner and the dataset of a spool.
type SpoolKey = (OwnerKey, String);

/// The delivery pipeline. Clones share it; dropping the last clone stops it.
#[derive(Clone)]
pub struct Delivery(Arc<Inner>);

struct Inner {
    config: Arc<LogPushConfig>,
    jobs: Arc<dyn JobSource>,
    writer: DestinationWriter,
    /// The directory of all spools.
    folder: PathBuf,
    /// The identity of the data directory.
    identity: Arc<str>,
    /// The revision of the jobs that the workers run; -1 before the first refresh, and while a job is blocked.
    revision: AtomicI64,
    /// Spools of enabled jobs in which the cursor of a job cannot be written.
    blocked: PlainMutex<BTreeSet<SpoolKey>>,
    usage: Arc<SpoolUsage>,
    /// The spools of enabled jobs. Only a refresh changes the map. It holds this lock for one change or one copy of the
    /// map, never during a disk operation, because requests take the lock on async threads.
    spools: RwLock<BTreeMap<SpoolKey, Arc<Spool>>>,
    supervisor: Mutex<Supervisor>,
    ingest_limit: IngestLimit,
    unpack_permits: Semaphore,
    metrics: DeliveryMetrics,
}

impl Delivery {
    /// Opens the spools in the data directory and starts a worker for each enabled job.
    pub async fn open(
        data: &Path,
        identity: String,
        jobs: Arc<dyn JobSource>,
        config: Arc<LogPushConfig>,
        metrics: DeliveryMetrics,
    ) -> Result<Delivery, OpenError> {
        let folder = data.join("spool");
        let usage = Arc::new(SpoolUsage::new(config.max_spool_bytes));
        let writer = DestinationWriter::new(&config).map_err(|error| OpenError::Client(egress::root_cause(&error)))?;
        let opened = {
            let (folder, usage) = (folder.clone(), Arc::clone(&usage));
            tokio::task::spawn_blocking(move || open_spools(&folder, &usage)).await.map_err(io::Error::other)
        };
        let spools = opened.and_then(|spools| spools).map_err(|error| OpenError::Path(folder.clone(), error))?;
        let (spools, supervisor) = (RwLock::new(spools), Mutex::default());
        let (ingest_limit, unpack_permits) = (IngestLimit::new(&config.limits), Semaphore::new(UNPACK_PERMITS));
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
            metrics,
        }));
        delivery.refresh().await;
        tokio::spawn(refresh_periodically(Arc::downgrade(&delivery.0)));
        Ok(delivery)
    }

    /// Returns the configuration.
    pub fn config(&self) -> &LogPushConfig {
        &self.0.config
    }

    /// Returns the spool of an owner and a dataset; `None` if no enabled job reads it. It never waits for the disk, so
    /// async code may call it.
    pub fn spool(&self, owner: &OwnerKey, dataset: &str) -> Option<Arc<Spool>> {
        let spools = self.0.spools.read().unwrap_or_else(PoisonError::into_inner);
        spools.get(&(owner.clone(), dataset.to_owned())).cloned()
    }

    /// Returns whether the budget of the spools has this many bytes left.
    pub fn has_capacity(&self, bytes: u64) -> bool {
        self.0.usage.has_capacity(bytes)
    }

    /// Returns the size of all spools in bytes. A segment counts until every job has delivered all of its lines.
    pub fn spool_bytes(&self) -> u64 {
        self.0.usage.bytes()
    }

    /// Returns the metrics of log push.
    pub fn metrics(&self) -> &DeliveryMetrics {
        &self.0.metrics
    }

    /// Waits, for a bounded time, for a permit to read one more body of lines of this client.
    pub async fn acquire_ingest_permit(&self, client: &str) -> Result<IngestPermit, Error> {
        self.0.ingest_limit.acquire(client).await
    }

    /// Waits for a permit to decompress a chunk that has arrived.
    pub async fn acquire_unpack_permit(&self) -> Option<SemaphorePermit<'_>> {
        self.0.unpack_permits.acquire().await.ok()
    }

    /// Writes one small object to a destination. `name` includes the directory, and the name of a gzip body ends in
    /// `.gz`. The error is a message for people, without secrets.
    pub async fn upload(&self, destination: &Destination, name: &str, body: Vec<u8>) -> Result<(), String> {
        let (writer, destination) = (self.0.writer.clone(), destination.clone());
        let opened = tokio::task::spawn_blocking(move || writer.open_sink(&destination)).await;
        let sink = opened.map_err(|error| error.to_string())??;
        let put = self.0.writer.put(&sink, name, body.into());
        let timed_out = |_| "the destination timed out".to_owned();
        tokio::time::timeout(self.0.config.limits.upload_timeout, put).await.map_err(timed_out)?
    }

    /// Makes the workers match the enabled jobs in the job source, and logs an error if the jobs cannot be read. A
    /// caller that created, changed or deleted a job must await this. Lines that arrive afterwards are for the changed
    /// jobs.
    pub async fn refresh(&self) {
        let delivery = self.clone();
        // In its own task, so that a canceled caller does not leave it half done.
        let refreshed = tokio::spawn(async move {
            match delivery.reconcile_now().await {
                Ok(failures) => delivery.report(failures).await,
                Err(error) => tracing::error!("cannot read the log push jobs: {error}"),
            }
        });
        let _ = refreshed.await;
    }

    /// Refreshes the workers if jobs changed since the last refresh, or if a job is blocked. Lines that arrive
    /// afterwards are for the jobs as of this call, or later. It waits for the database and the disk, never for a
    /// destination. Fails if this process does not hold the lease.
    pub async fn refresh_if_changed(&self) -> Result<(), Error> {
        self.check_lease()?;
        if self.0.jobs.revision().await.map_err(Error::Jobs)? == self.0.revision.load(Ordering::Acquire) {
            return Ok(());
        }
        let delivery = self.clone();
        match tokio::spawn(async move { delivery.reconcile_now().await }).await {
            Ok(refreshed) => {
                let (failures, delivery) = (refreshed.map_err(Error::Jobs)?, self.clone());
                tokio::spawn(async move { delivery.report(failures).await });
                Ok(())
            }
            Err(error) => Err(Error::Task(error)),
        }
    }

    /// Returns an error if this process does not hold the lease on its spools. Reading a body may take minutes, so a
    /// request calls this before each [`Spool::append`], and after [`Spool::commit`] before it acknowledges the lines.
    /// A process that another process has replaced never holds the lease again.
    pub fn check_lease(&self) -> Result<(), Error> {
        if self.0.jobs.holds_lease() { Ok(()) } else { Err(Error::NoLease) }
    }

    /// Returns an error if an enabled job reads these lines but they would not be retained for it. Call it after
    /// [`Delivery::refresh_if_changed`].
    pub fn check_cursor_writable(&self, owner: &OwnerKey, dataset: &str) -> Result<(), Error> {
        let blocked = self.0.blocked.lock().unwrap_or_else(PoisonError::into_inner);
        if blocked.contains(&(owner.clone(), dataset.to_owned())) {
            return Err(Error::Unwritable(io::Error::other("the cursor of this job cannot be written")));
        }
        Ok(())
    }
}

/// Restarts workers that ended. Applies changes by other processes, and changes whose caller was canceled before
/// [`Delivery::refresh`].
async fn refresh_periodically(inner: Weak<Inner>) {
    let mut last = Instant::now();
    loop {
        tokio::time::sleep(CHANGE_POLL_INTERVAL).await;
        let Some(inner) = inner.upgrade() else { return };
        let delivery = Delivery(inner);
        if last.elapsed() >= REFRESH_INTERVAL {
            last = Instant::now();
            delivery.refresh().await;
        } else {
            // Another process or the command line may have changed jobs. An error is ignored because the next pass
            // tries again.
            let _ = delivery.refresh_if_changed().await;
        }
    }
}

#[cfg(test)]
mod tests;
