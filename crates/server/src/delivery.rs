//! Log push that pushes: lines come in (`intake.rs`), wait on disk (`spool.rs`), and go to the
//! destinations of the jobs (`worker.rs`), each job at its own pace.
//!
//! A line that was accepted is delivered at least once to every job that was enabled then and still is:
//! it is on disk before the answer, and a cursor moves only after the destination took what lies before
//! it. The assumptions under "Log push" in ARCHITECTURE.md say what happens at the edges.

mod batch;
mod config;
mod counts;
mod folders;
mod intake;
mod net;
mod recipe;
mod spool;
mod worker;
mod writer;

pub use config::{LogPushConfig, Pace};
pub(crate) use counts::Counts;
pub(crate) use intake::{Broken, Intake, Lines, Problem};
pub(crate) use spool::{Appended, Position, Spool};
pub(crate) use writer::is_delivered;

use crate::auth::Owner;
use crate::clock;
use crate::error::Error;
use crate::lease::Lease;
use crate::serve::ServeError;
use crate::store::{Failure, Store};
use folders::{folder_name, open_all};
use recipe::Recipe;
use spool::Usage;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex as PlainMutex, PoisonError, RwLock, Weak};
use std::time::Duration;
use tokio::sync::{Mutex, Semaphore, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use worker::{Order, Worker};
use writer::Writer;
use zonewright_api::logpush::{Job, JobSettings};
use zonewright_logpush::Destination;

/// How many bodies are read at the same time; each holds up to some MiB of lines.
const INTAKES: usize = 8;

/// How often the workers are compared with the jobs without being asked.
const FRESH: Duration = Duration::from_secs(30);
/// How often is looked whether another process has changed jobs (assumption shared-jobs).
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
    intakes: Semaphore,
    counts: Counts,
}

#[derive(Default)]
struct Workers {
    running: BTreeMap<u64, Running>,
    /// No worker is started any more.
    over: bool,
}

struct Running {
    /// As [`what_counts`] has them.
    settings: JobSettings,
    orders: watch::Sender<Order>,
    task: JoinHandle<()>,
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
        let intakes = Semaphore::new(INTAKES);
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
            intakes,
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

    /// Allows to read one more body.
    pub(crate) async fn intake(&self) -> Option<tokio::sync::SemaphorePermit<'_>> {
        self.0.intakes.acquire().await.ok()
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
        let refreshed = tokio::spawn(async move { delivery.refresh_now().await }).await;
        if let Ok(Err(error)) = refreshed {
            tracing::error!("the jobs cannot be read: {error}");
        }
    }

    /// Makes the workers those of the jobs, if another process has changed jobs. What comes in after it is for the
    /// jobs as they were when it was called, or later.
    pub(crate) async fn follow(&self) -> Result<(), Error> {
        if !self.0.lease.is_held() {
            return Err(Error::Unavailable(Failure::Away));
        }
        if self.0.store.job_changes().await? == self.0.changes.load(Ordering::Acquire) {
            return Ok(());
        }
        let delivery = self.clone();
        match tokio::spawn(async move { delivery.refresh_now().await }).await {
            Ok(refreshed) => Ok(refreshed?),
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

    async fn refresh_now(&self) -> Result<(), sqlx::Error> {
        let mut workers = self.0.workers.lock().await;
        if workers.over {
            return Ok(());
        }
        // Before the jobs: a change in between is met again.
        let changes = self.0.store.job_changes().await?;
        let jobs = self.0.store.enabled_jobs().await?;
        let same = |id: u64, running: &Running| {
            let job = jobs.iter().find(|(_, job)| job.id == id);
            !running.task.is_finished() && job.is_some_and(|(_, job)| what_counts(&job.settings) == running.settings)
        };
        let changed: Vec<u64> =
            workers.running.iter().filter(|(id, running)| !same(**id, running)).map(|(id, _)| *id).collect();
        let leaving: Vec<Running> = changed.iter().filter_map(|id| workers.running.remove(id)).collect();
        for running in &leaving {
            running.orders.send_replace(Order::Leave);
        }
        for running in leaving {
            let _ = running.task.await;
        }
        // What cannot be delivered now may be later, as when the service was started with other options.
        let wanted: Vec<u64> = jobs.iter().filter(|(_, job)| may_be_delivered(job)).map(|(_, job)| job.id).collect();
        let delivery = self.clone();
        let _ = tokio::task::spawn_blocking(move || delivery.dismiss_others(&wanted)).await;
        let mut ready = Vec::new();
        for (owner, job) in jobs {
            if workers.running.contains_key(&job.id) {
                ready.push((owner, job, None));
                continue;
            }
            match self.prepare(&job) {
                Ok(parts) => ready.push((owner, job, Some(parts))),
                Err(problem) => self.failed(&job, &problem).await,
            }
        }
        let mut blocked = BTreeSet::new();
        for (owner, job, parts) in ready {
            let Some((recipe, target)) = parts else { continue };
            let id = job.id;
            match self.admit(&owner, &job).await {
                Ok((spool, start)) => {
                    let (orders, receiver) = watch::channel(Order::Work);
                    let (store, writer) = (self.0.store.clone(), self.0.writer.clone());
                    let (pace, counts) = (self.0.config.pace.clone(), self.0.counts.clone());
                    let (identity, lease) = (Arc::clone(&self.0.identity), self.0.lease.clone());
                    let worker = Worker {
                        job: id,
                        spool,
                        identity,
                        lease,
                        store,
                        writer,
                        target,
                        pace,
                        counts,
                        orders: receiver,
                        failing: None,
                    };
                    let task = tokio::spawn(worker.run(recipe, start));
                    workers.running.insert(id, Running { settings: what_counts(&job.settings), orders, task });
                }
                Err(error) => {
                    self.failed(&job, &format!("the service cannot keep its lines: {error}")).await;
                    blocked.insert((owner, job.settings.dataset));
                }
            }
        }
        let changes = if blocked.is_empty() { changes } else { -1 };
        *self.0.blocked.lock().unwrap_or_else(PoisonError::into_inner) = blocked;
        self.0.changes.store(changes, Ordering::Release);
        Ok(())
    }

    fn prepare(&self, job: &Job) -> Result<(Recipe, writer::Target), String> {
        let seed = getrandom::u64().unwrap_or(job.id);
        let recipe = Recipe::new(&job.settings, &self.0.config.pace, seed)?;
        let target = self.0.writer.target(&recipe.destination)?;
        Ok((recipe, target))
    }

    async fn failed(&self, job: &Job, problem: &str) {
        if let Err(error) = self.0.store.job_failed(job.id, &clock::now(), problem).await {
            tracing::error!("job {}: its failure could not be noted: {error}", job.id);
        }
    }

    /// The spool of a job, which reads it from now on.
    async fn admit(&self, owner: &Owner, job: &Job) -> io::Result<(Arc<Spool>, Position)> {
        let key = (owner.clone(), job.settings.dataset.clone());
        let (delivery, id) = (self.clone(), job.id);
        let admitted = tokio::task::spawn_blocking(move || {
            let mut spools = delivery.0.spools.write().unwrap_or_else(PoisonError::into_inner);
            if let Some(spool) = spools.get(&key) {
                return Ok((Arc::clone(spool), spool.admit(id)?));
            }
            let folder = delivery.0.folder.join(folder_name(&key.0)).join(&key.1);
            let spool = Arc::new(Spool::open(folder, Arc::clone(&delivery.0.usage))?);
            let start = spool.admit(id)?;
            spools.insert(key, Arc::clone(&spool));
            Ok((spool, start))
        });
        admitted.await.map_err(io::Error::other)?
    }

    /// Forgets the cursors of all jobs but these, and spools that nobody reads.
    fn dismiss_others(&self, jobs: &[u64]) {
        let mut spools = self.0.spools.write().unwrap_or_else(PoisonError::into_inner);
        spools.retain(|key, spool| {
            for job in spool.readers().into_iter().filter(|job| !jobs.contains(job)) {
                if let Err(error) = spool.dismiss(job) {
                    tracing::error!("the place of job {job} cannot be forgotten: {error}");
                }
            }
            let wanted = !spool.readers().is_empty();
            if !wanted {
                let removed = spool
                    .dismiss(0)
                    .and_then(|()| spool::remove(&self.0.folder.join(folder_name(&key.0)).join(&key.1)));
                if let Err(error) = removed {
                    tracing::error!("lines that nobody wants cannot be removed: {error}");
                }
            }
            wanted
        });
    }

    /// Lets every job deliver what it has gathered, for a bounded time, and ends.
    pub(crate) async fn stop(&self) {
        let running = {
            let mut workers = self.0.workers.lock().await;
            workers.over = true;
            std::mem::take(&mut workers.running)
        };
        for worker in running.values() {
            worker.orders.send_replace(Order::Finish);
        }
        let end = Instant::now() + self.0.config.pace.farewell;
        for (_, mut worker) in running {
            if timeout_at(end, &mut worker.task).await.is_err() {
                worker.orders.send_replace(Order::Leave);
                worker.task.abort();
                let _ = worker.task.await;
            }
        }
    }
}

/// The settings of a job that its worker goes by: a change of others is none for it.
fn what_counts(settings: &JobSettings) -> JobSettings {
    JobSettings { name: None, kind: String::new(), filter_attack_traffic: None, ..settings.clone() }
}

fn may_be_delivered(job: &Job) -> bool {
    !Destination::read(&job.settings.destination_conf).is_ok_and(|destination| !is_delivered(&destination))
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
        } else if delivery.0.store.is_shared() {
            // What fails is tried again.
            let _ = delivery.follow().await;
        }
    }
}
