use super::*;
use async_trait::async_trait;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;
use zonewright_api::logpush::Job;
use zonewright_delivery::{DeliveryMetrics, JobSource, JobSourceError, LogPushConfig, OwnerKey};

const DATASET: &str = "http_requests";

fn owner() -> Owner {
    Owner::Zone("z".to_owned())
}

/// One enabled job, and a lease that a test can take away.
struct LeasedJobs {
    has_lease: AtomicBool,
}

#[async_trait]
impl JobSource for LeasedJobs {
    async fn revision(&self) -> Result<i64, JobSourceError> {
        Ok(0)
    }

    async fn enabled_jobs(&self) -> Result<Vec<(OwnerKey, Job)>, JobSourceError> {
        let job = json!({"id": 1, "dataset": DATASET, "enabled": true, "destination_conf": "file:///logs"});
        Ok(vec![(owner_key(&owner()), serde_json::from_value(job)?)])
    }

    fn holds_lease(&self) -> bool {
        self.has_lease.load(Ordering::Relaxed)
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

/// A body that is being read by a process with a lease.
struct LeasedIngest {
    jobs: Arc<LeasedJobs>,
    ingest: IngestState,
    _folder: TempDir,
}

impl LeasedIngest {
    async fn start() -> LeasedIngest {
        let folder = TempDir::new().unwrap();
        let jobs = Arc::new(LeasedJobs { has_lease: AtomicBool::new(true) });
        let config = LogPushConfig { file_root: Some(folder.path().join("files")), ..LogPushConfig::default() };
        let (source, metrics) = (Arc::clone(&jobs) as Arc<dyn JobSource>, DeliveryMetrics::default());
        let opened = Delivery::open(folder.path(), "folder".to_owned(), source, Arc::new(config), metrics).await;
        let dataset = Dataset::from_name(DATASET).unwrap();
        let target = IngestTarget { delivery: opened.unwrap(), owner: owner(), dataset };
        assert!(target.spool().is_some());
        let appender = FrameAppender { target, last_append: None, accepted_lines: 0, refusal: None };
        let ingest = IngestState { decoder: BodyDecoder::new(false, 1 << 20), appender };
        LeasedIngest { jobs, ingest, _folder: folder }
    }
}

#[tokio::test]
async fn lease_lost_while_the_body_arrives_appends_no_lines() {
    let LeasedIngest { jobs, ingest, _folder } = LeasedIngest::start().await;
    let (ingest, result) = ingest.push(Bytes::from_static(b"{}\n"));
    assert!(result.is_ok());
    jobs.has_lease.store(false, Ordering::Relaxed);
    let (ingest, result) = ingest.finish();
    assert!(matches!(result, Err(Error::SpoolLeaseNotHeld)), "{result:?}");
    assert!(ingest.appender.last_append.is_none() && ingest.appender.accepted_lines == 0);
}

#[tokio::test]
async fn lease_lost_after_an_append_acknowledges_no_lines() {
    let LeasedIngest { jobs, ingest, _folder } = LeasedIngest::start().await;
    let (ingest, _) = ingest.push(Bytes::from_static(b"{}\n"));
    let (ingest, result) = ingest.finish();
    assert!(result.is_ok() && ingest.appender.accepted_lines == 1);
    jobs.has_lease.store(false, Ordering::Relaxed);
    let committed = ingest.appender.commit();
    assert!(matches!(committed, Err(Error::SpoolLeaseNotHeld)), "{committed:?}");
    let error = ingest.partial_error(Error::BodyTimeout).await;
    assert!(matches!(error, Error::BodyTimeout), "the error has the number of lines: {error:?}");
}
