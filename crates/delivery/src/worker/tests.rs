use super::*;
use crate::batch::SkippedLines;
use crate::config::LogPushConfig;
use crate::spool::{AppendOutcome, FrameBuilder, SpoolUsage};
use crate::testing::LostLease;
use serde_json::json;
use std::sync::atomic::Ordering;
use zonewright_api::logpush::JobSettings;

/// A worker of job 1 with a line to deliver, whose process has lost the lease on the spool.
struct WorkerWithoutLease {
    worker: Worker,
    jobs: Arc<LostLease>,
    spec: JobSpec,
    start: Position,
    end: Position,
    _commands: watch::Sender<WorkerCommand>,
    _folder: tempfile::TempDir,
}

impl WorkerWithoutLease {
    async fn new() -> WorkerWithoutLease {
        let folder = tempfile::TempDir::new().unwrap();
        let spool = Arc::new(Spool::open(folder.path().join("spool"), Arc::new(SpoolUsage::new(1 << 20))).unwrap());
        let start = spool.attach_job(1).unwrap();
        let mut frame = FrameBuilder::default();
        frame.push(b"{}");
        let AppendOutcome::Appended(end) = spool.append(&frame.finish(0)).unwrap() else {
            panic!("the line is not retained")
        };
        spool.commit(end).unwrap();
        let files = Some(folder.path().join("files"));
        let config = Arc::new(LogPushConfig { file_root: files, ..LogPushConfig::default() });
        let settings: JobSettings =
            serde_json::from_value(json!({"dataset": "http_requests", "destination_conf": "file:///a"})).unwrap();
        let spec = JobSpec::new(&settings, &config.limits, 0).unwrap();
        let writer = DestinationWriter::new(&config).unwrap();
        let sink = writer.open_sink(&spec.destination).unwrap();
        let jobs = Arc::new(LostLease::default());
        // With this command the worker tries once and ends.
        let (sender, receiver) = watch::channel(WorkerCommand::Finish);
        let worker = Worker {
            job: 1,
            spool,
            identity: "folder".into(),
            jobs: Arc::clone(&jobs) as Arc<dyn JobSource>,
            writer,
            sink,
            limits: config.limits.clone(),
            metrics: DeliveryMetrics::default(),
            commands: receiver,
            failing_since: None,
        };
        WorkerWithoutLease { worker, jobs, spec, start, end, _commands: sender, _folder: folder }
    }

    fn sealed_batch(&self, records: u64) -> SealedBatch {
        let (first, next, unreadable) = (self.start, self.end, SkippedLines::default());
        SealedBatch {
            body: Vec::new(),
            records,
            unreadable,
            first_received_ms: 0,
            last_received_ms: 0,
            start: first,
            next,
        }
    }
}

#[tokio::test]
async fn worker_without_the_lease_plans_no_batch() {
    let mut suspended = WorkerWithoutLease::new().await;
    let batch = suspended.sealed_batch(1);
    assert!(!suspended.worker.deliver(batch, &suspended.spec).await);
    assert_eq!(suspended.worker.spool.cursor(1), Some(Cursor::at(suspended.start)));
}

#[tokio::test]
async fn worker_without_the_lease_moves_no_cursor() {
    let mut suspended = WorkerWithoutLease::new().await;
    let batch = suspended.sealed_batch(0);
    assert!(!suspended.worker.deliver(batch, &suspended.spec).await);
    assert_eq!(suspended.worker.spool.cursor(1), Some(Cursor::at(suspended.start)));
}

#[tokio::test]
async fn worker_without_the_lease_records_no_failure_and_disables_no_job() {
    for records in [0, 1] {
        let mut suspended = WorkerWithoutLease::new().await;
        suspended.worker.limits.disable_after = Duration::ZERO;
        suspended.worker.failing_since = Some(Instant::now());
        let batch = suspended.sealed_batch(records);
        assert!(!suspended.worker.deliver(batch, &suspended.spec).await);
        assert_eq!(suspended.jobs.recorded_results.load(Ordering::Relaxed), 0, "{records}");
        assert_eq!(suspended.worker.failing_since, None, "the wait for the lease counts as a failure");
    }
}
