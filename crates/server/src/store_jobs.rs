//! Implements the delivery's [`JobSource`] with the jobs of the store.

use async_trait::async_trait;
use zonewright_api::logpush::Job;
use zonewright_delivery::{JobSource, JobSourceError, OwnerKey};
use zonewright_store::{Lease, Owner, Store, format_millis, now};

/// The jobs of a store, for the process that holds the lease on a data directory.
pub(crate) struct StoreJobs {
    pub(crate) store: Store,
    pub(crate) lease: Lease,
}

/// Returns the key of an owner in the delivery, which is also the name of a directory.
pub(crate) fn owner_key(owner: &Owner) -> OwnerKey {
    match owner {
        Owner::Zone(id) => OwnerKey::new("zone", id),
        Owner::Account(id) => OwnerKey::new("account", id),
    }
}

#[async_trait]
impl JobSource for StoreJobs {
    async fn revision(&self) -> Result<i64, JobSourceError> {
        Ok(self.store.job_revision().await?)
    }

    async fn enabled_jobs(&self) -> Result<Vec<(OwnerKey, Job)>, JobSourceError> {
        let jobs = self.store.enabled_jobs().await?;
        Ok(jobs.into_iter().map(|(owner, job)| (owner_key(&owner), job)).collect())
    }

    fn holds_lease(&self) -> bool {
        self.lease.is_held()
    }

    async fn record_delivered(&self, job: u64, until_ms: u64) -> Result<(), JobSourceError> {
        Ok(self.store.record_job_delivered(job, &format_millis(until_ms)).await?)
    }

    async fn record_failed(&self, job: u64, problem: &str) -> Result<(), JobSourceError> {
        Ok(self.store.record_job_failed(job, &now(), problem).await?)
    }

    async fn disable(&self, job: u64, problem: &str) -> Result<(), JobSourceError> {
        Ok(self.store.disable_job(job, &now(), problem).await?)
    }
}
