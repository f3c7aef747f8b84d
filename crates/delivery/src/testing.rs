//! Job sources for tests.

use crate::job_source::{JobSource, JobSourceError, OwnerKey};
use async_trait::async_trait;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use zonewright_api::logpush::Job;

/// A source of fixed enabled jobs, whose process holds the lease. It records nothing.
#[derive(Default)]
pub(crate) struct FixedJobs {
    pub(crate) revision: AtomicI64,
    pub(crate) jobs: Mutex<Vec<(OwnerKey, Job)>>,
}

impl FixedJobs {
    /// Replaces the jobs and changes the revision.
    pub(crate) fn set(&self, jobs: Vec<(OwnerKey, Job)>) {
        *self.jobs.lock().unwrap() = jobs;
        self.revision.fetch_add(1, Ordering::Relaxed);
    }
}

#[async_trait]
impl JobSource for FixedJobs {
    async fn revision(&self) -> Result<i64, JobSourceError> {
        Ok(self.revision.load(Ordering::Relaxed))
    }

    async fn enabled_jobs(&self) -> Result<Vec<(OwnerKey, Job)>, JobSourceError> {
        Ok(self.jobs.lock().unwrap().clone())
    }

    fn holds_lease(&self) -> bool {
        true
    }

    async fn record_delivered(&self, _job: u64, _until_ms: u64) -> Result<(), JobSourceError> {
        Ok(())
    }

    async fn record_failed(&self, _job: u64, _problem: &str) -> Result<(), JobSourceError> {
        Ok(())
    }

    async fn disable(&self, _job: u64, _problem: &str) -> Result<(), JobSourceError> {
        Ok(())
    }
}

/// A source without jobs whose process has lost the lease on its spools. It counts the results that it receives.
#[derive(Default)]
pub(crate) struct LostLease {
    pub(crate) recorded_results: AtomicUsize,
}

impl LostLease {
    fn record(&self) -> Result<(), JobSourceError> {
        self.recorded_results.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

#[async_trait]
impl JobSource for LostLease {
    async fn revision(&self) -> Result<i64, JobSourceError> {
        Ok(0)
    }

    async fn enabled_jobs(&self) -> Result<Vec<(OwnerKey, Job)>, JobSourceError> {
        Ok(Vec::new())
    }

    fn holds_lease(&self) -> bool {
        false
    }

    async fn record_delivered(&self, _job: u64, _until_ms: u64) -> Result<(), JobSourceError> {
        self.record()
    }

    async fn record_failed(&self, _job: u64, _problem: &str) -> Result<(), JobSourceError> {
        self.record()
    }

    async fn disable(&self, _job: u64, _problem: &str) -> Result<(), JobSourceError> {
        self.record()
    }
}
