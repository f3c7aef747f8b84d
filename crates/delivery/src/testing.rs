//! A job source for tests.

use crate::job_source::{JobSource, JobSourceError, OwnerKey};
use async_trait::async_trait;
use zonewright_api::logpush::Job;

/// A source without jobs whose process has lost the lease on its spools.
pub(crate) struct LostLease;

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

    async fn delivered(&self, _job: u64, _until_ms: u64) -> Result<(), JobSourceError> {
        Ok(())
    }

    async fn failed(&self, _job: u64, _problem: &str) -> Result<(), JobSourceError> {
        Ok(())
    }

    async fn disable(&self, _job: u64, _problem: &str) -> Result<(), JobSourceError> {
        Ok(())
    }
}
