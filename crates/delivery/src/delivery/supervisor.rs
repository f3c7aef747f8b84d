//! Supervises the workers: starts them, commands them to stop, and starts their successors.
//!
//! Start with [`Supervisor`] and [`Delivery::reconcile_now`]. The supervisor owns the handles of all workers. An async
//! mutex guards it and is held for a whole pass.
//!
//! A stopping worker may take some seconds, because a destination may still accept the current batch. Only its
//! successor, for the same job, waits for its end. Neither a pass nor a request waits for it.
//!
//! Invariant: a job has at most one worker that runs. The successor reads its cursor only after its predecessor has
//! ended.

use super::Delivery;
use crate::job_source::{JobSourceError, OwnerKey};
use crate::job_spec::JobSpec;
use crate::spool::{self, Spool};
use crate::worker::{Worker, WorkerCommand};
use crate::writer::{self, is_supported};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use zonewright_api::logpush::{Job, JobSettings};
use zonewright_logpush::Destination;

/// The workers of all jobs. The async mutex of [`Delivery`] guards it.
#[derive(Default)]
pub(super) struct Supervisor {
    /// The current worker of each job, by job ID.
    running: BTreeMap<u64, WorkerHandle>,
    /// Workers that were commanded to stop and may not have ended yet, with their job IDs.
    stopping: Vec<(u64, WorkerHandle)>,
    /// Whether the service is shutting down, so that no worker is started any more.
    is_shut_down: bool,
}

/// A running worker, as the supervisor sees it.
struct WorkerHandle {
    /// The settings that the worker runs with, as [`delivery_settings`] returns them.
    settings: JobSettings,
    commands: watch::Sender<WorkerCommand>,
    task: JoinHandle<()>,
    /// A channel that closes when the worker has ended.
    ended: watch::Receiver<()>,
}

/// Jobs that cannot be delivered, with the reason.
pub(super) type JobFailures = Vec<(u64, String)>;

impl Delivery {
    /// Runs one pass: makes the workers match the enabled jobs. Returns the failures, which the caller passes to
    /// [`Delivery::report`] when it may wait for that.
    pub(super) async fn reconcile_now(&self) -> Result<JobFailures, JobSourceError> {
        let mut supervisor = self.0.supervisor.lock().await;
        // Without the lease, another process may own the spools. The next pass with the lease sees the changes.
        if supervisor.is_shut_down || !self.0.jobs.holds_lease() {
            return Ok(Vec::new());
        }
        // The revision is read before the jobs, so that a change in between causes another pass.
        let revision = self.0.jobs.revision().await?;
        let jobs = self.0.jobs.enabled_jobs().await?;
        supervisor.stop_changed_workers(&jobs);
        // A job that cannot be delivered now may be deliverable later, for example after a restart with other options.
        // Its cursor is therefore retained.
        let wanted: Vec<u64> = jobs.iter().filter(|(_, job)| is_deliverable(job)).map(|(_, job)| job.id).collect();
        let delivery = self.clone();
        let _ = tokio::task::spawn_blocking(move || delivery.detach_other_jobs(&wanted)).await;
        let (mut failures, mut blocked) = (Vec::new(), BTreeSet::new());
        for (owner, job) in jobs {
            if supervisor.running.contains_key(&job.id) {
                continue;
            }
            let (spec, sink) = match self.build_job_spec(&job).await {
                Ok(spec_and_sink) => spec_and_sink,
                Err(problem) => {
                    failures.push((job.id, problem));
                    continue;
                }
            };
            match self.attach(&owner, &job).await {
                Ok(spool) => {
                    let predecessor = supervisor.stopping.iter().rfind(|(id, _)| *id == job.id);
                    let predecessor = predecessor.map(|(_, worker)| worker.ended.clone());
                    supervisor.running.insert(job.id, self.spawn_worker(&job, spec, sink, spool, predecessor));
                }
                Err(error) => {
                    failures.push((job.id, format!("the service cannot spool its lines: {error}")));
                    blocked.insert((owner, job.settings.dataset));
                }
            }
        }
        let revision = if blocked.is_empty() { revision } else { -1 };
        *self.0.blocked.lock().unwrap_or_else(PoisonError::into_inner) = blocked;
        self.0.revision.store(revision, Ordering::Release);
        Ok(failures)
    }

    /// Records the failures of a pass in the jobs.
    pub(super) async fn report(&self, failures: JobFailures) {
        for (job, problem) in failures {
            if let Err(error) = self.0.jobs.record_failed(job, &problem).await {
                tracing::error!("job {job}: cannot record the failure: {error}");
            }
        }
    }

    /// Compiles a job and opens its destination on a blocking thread, because a filter may be long and the credentials
    /// of a destination may be in a file. If the pass is canceled, the thread finishes and its result is dropped.
    async fn build_job_spec(&self, job: &Job) -> Result<(JobSpec, writer::Sink), String> {
        let (delivery, settings, id) = (self.clone(), job.settings.clone(), job.id);
        let built = tokio::task::spawn_blocking(move || {
            let inner = &delivery.0;
            let spec = JobSpec::new(&settings, &inner.config.limits, sampling_seed(&inner.identity, id))?;
            let sink = inner.writer.open_sink(&spec.destination)?;
            Ok((spec, sink))
        });
        built.await.map_err(|error| error.to_string())?
    }

    /// Spawns a worker. Its task first waits until the predecessor has ended.
    fn spawn_worker(
        &self,
        job: &Job,
        spec: JobSpec,
        sink: writer::Sink,
        spool: Arc<Spool>,
        predecessor_end: Option<watch::Receiver<()>>,
    ) -> WorkerHandle {
        let (sender, receiver) = watch::channel(WorkerCommand::Run);
        let (alive, ended) = watch::channel(());
        let (jobs, writer) = (Arc::clone(&self.0.jobs), self.0.writer.clone());
        let (limits, metrics) = (self.0.config.limits.clone(), self.0.metrics.clone());
        let identity = Arc::clone(&self.0.identity);
        let worker = Worker {
            job: job.id,
            spool: Arc::clone(&spool),
            identity,
            jobs,
            writer,
            sink,
            limits,
            metrics,
            commands: receiver,
            failing_since: None,
        };
        let id = job.id;
        let task = tokio::spawn(async move {
            let _alive = alive;
            if let Some(mut predecessor_end) = predecessor_end {
                // Nothing is ever sent, so this fails as soon as the sender is dropped.
                while predecessor_end.changed().await.is_ok() {}
            }
            // The cursor is read only now, because the predecessor may have moved it. A job that was detached
            // meanwhile has none.
            let start = tokio::task::spawn_blocking(move || spool.cursor(id)).await;
            if let Ok(Some(cursor)) = start {
                worker.run(spec, cursor).await;
            }
        });
        WorkerHandle { settings: delivery_settings(&job.settings), commands: sender, task, ended }
    }

    /// Returns the spool of a job, and durably creates the job's cursor in it if there is none. Only a pass calls this.
    /// The blocking thread finishes what it has begun, and owns the new spool until the map does.
    async fn attach(&self, owner: &OwnerKey, job: &Job) -> io::Result<Arc<Spool>> {
        let key = (owner.clone(), job.settings.dataset.clone());
        let (delivery, id) = (self.clone(), job.id);
        let attached = tokio::task::spawn_blocking(move || {
            if let Some(spool) = delivery.spool(&key.0, &key.1) {
                spool.attach_job(id)?;
                return Ok(spool);
            }
            let folder = delivery.0.folder.join(key.0.folder()).join(&key.1);
            let spool = Arc::new(Spool::open(folder, Arc::clone(&delivery.0.usage))?);
            spool.attach_job(id)?;
            delivery.0.spools.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&spool));
            Ok(spool)
        });
        attached.await.map_err(io::Error::other)?
    }

    /// Discards the cursors of all jobs except `jobs`, and removes spools without cursors. Only a pass calls this. A
    /// request may still find a spool that is being removed; it stores nothing there, because no cursor is left.
    fn detach_other_jobs(&self, jobs: &[u64]) {
        let spools = self.0.spools.read().unwrap_or_else(PoisonError::into_inner).clone();
        for (key, spool) in spools {
            for job in spool.attached_jobs().into_iter().filter(|job| !jobs.contains(job)) {
                if let Err(error) = spool.detach_job(job) {
                    tracing::error!("job {job}: cannot remove its cursor: {error}");
                }
            }
            if !spool.attached_jobs().is_empty() {
                continue;
            }
            // Job 0 does not exist, so this only removes the remaining segments.
            let removed =
                spool.detach_job(0).and_then(|()| spool::remove(&self.0.folder.join(key.0.folder()).join(&key.1)));
            if let Err(error) = removed {
                // The spool stays in the map, because its bytes are counted. The next pass tries again.
                tracing::error!("cannot remove an unused spool: {error}");
                continue;
            }
            self.0.spools.write().unwrap_or_else(PoisonError::into_inner).remove(&key);
        }
    }

    /// Stops all workers. Each delivers what it has gathered, for a bounded time; then it is canceled. Lines that were
    /// not delivered stay in the spool.
    pub async fn stop(&self) {
        let (running, stopping) = {
            let mut supervisor = self.0.supervisor.lock().await;
            supervisor.is_shut_down = true;
            (std::mem::take(&mut supervisor.running), std::mem::take(&mut supervisor.stopping))
        };
        for worker in running.values() {
            worker.commands.send_replace(WorkerCommand::Finish);
        }
        let end = Instant::now() + self.0.config.limits.shutdown_grace;
        for mut worker in stopping.into_iter().chain(running).map(|(_, worker)| worker) {
            if timeout_at(end, &mut worker.task).await.is_err() {
                worker.commands.send_replace(WorkerCommand::Stop);
                worker.task.abort();
                let _ = worker.task.await;
            }
        }
    }
}

impl Supervisor {
    /// Commands each worker to stop whose job was changed or is no longer enabled. Workers that have ended are replaced
    /// too.
    fn stop_changed_workers(&mut self, jobs: &[(OwnerKey, Job)]) {
        self.stopping.retain(|(_, worker)| !worker.task.is_finished());
        let jobs: BTreeMap<u64, &Job> = jobs.iter().map(|(_, job)| (job.id, job)).collect();
        let is_outdated = |id: &u64, worker: &mut WorkerHandle| {
            let is_unchanged = jobs.get(id).is_some_and(|job| delivery_settings(&job.settings) == worker.settings);
            worker.task.is_finished() || !is_unchanged
        };
        for (id, worker) in self.running.extract_if(.., is_outdated) {
            worker.commands.send_replace(WorkerCommand::Stop);
            self.stopping.push((id, worker));
        }
    }
}

/// Returns the settings that affect deliveries. A change of any other setting does not replace the worker.
fn delivery_settings(settings: &JobSettings) -> JobSettings {
    JobSettings { name: None, kind: String::new(), filter_attack_traffic: None, ..settings.clone() }
}

/// Returns false if this service does not implement deliveries to the job's kind of destination. A malformed
/// destination counts as deliverable, so that its job keeps its cursor.
fn is_deliverable(job: &Job) -> bool {
    !Destination::parse(&job.settings.destination_conf).is_ok_and(|destination| !is_supported(&destination))
}

/// Returns the seed for the sample of a job. It is the same after a restart, so that a batch that is sent again has the
/// same lines. It differs between jobs and data directories, because their lines can have the same positions.
fn sampling_seed(identity: &str, job: u64) -> u64 {
    let hash = Sha256::new().chain_update("sample").chain_update(identity).chain_update(job.to_le_bytes()).finalize();
    hash.iter().take(8).fold(0, |seed, byte| (seed << 8) | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LogPushConfig;
    use crate::metrics::DeliveryMetrics;
    use crate::spool::SpoolUsage;
    use crate::testing::LostLease;

    #[tokio::test]
    async fn spool_that_cannot_be_removed_is_counted_once() {
        let folder = tempfile::TempDir::new().unwrap();
        let (jobs, config) = (Arc::new(LostLease::default()), Arc::new(LogPushConfig::default()));
        let delivery =
            Delivery::open(folder.path(), "folder".to_owned(), jobs, config, DeliveryMetrics::default()).await.unwrap();
        let owner = OwnerKey::new("zone", "z");
        let job = serde_json::json!({"id": 1, "dataset": "http_requests", "destination_conf": "file:///a"});
        let job: Job = serde_json::from_value(job).unwrap();
        let spool = delivery.attach(&owner, &job).await.unwrap();
        let mut frame = crate::spool::FrameBuilder::default();
        frame.push(b"{}");
        spool.append(&frame.finish(0)).unwrap();
        let bytes = delivery.0.usage.bytes();
        assert!(bytes > 0);
        // A directory in place of the segment cannot be removed as a file.
        let segment = folder.path().join("spool/zone-z/http_requests/0000000000000001.lines");
        let away = folder.path().join("away");
        std::fs::rename(&segment, &away).unwrap();
        std::fs::create_dir(&segment).unwrap();
        delivery.detach_other_jobs(&[]);
        std::fs::remove_dir(&segment).unwrap();
        std::fs::rename(&away, &segment).unwrap();
        delivery.attach(&owner, &job).await.unwrap();
        assert_eq!(delivery.0.usage.bytes(), bytes);
        delivery.detach_other_jobs(&[]);
        assert_eq!(delivery.0.usage.bytes(), 0);
        assert!(!segment.exists());
    }

    #[tokio::test]
    async fn process_without_the_lease_leaves_the_spools_alone() {
        let folder = tempfile::TempDir::new().unwrap();
        // Another process runs this job, which the source does not list yet.
        let spool = folder.path().join("spool/zone-z/http_requests");
        Spool::open(spool.clone(), Arc::new(SpoolUsage::new(1 << 20))).unwrap().attach_job(7).unwrap();
        let (jobs, config) = (Arc::new(LostLease::default()), Arc::new(LogPushConfig::default()));
        let opened = Delivery::open(folder.path(), "folder".to_owned(), jobs, config, DeliveryMetrics::default()).await;
        assert!(opened.is_ok());
        assert!(spool.join("job-7").exists());
    }
}
