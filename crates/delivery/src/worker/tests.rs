use super::*;
use crate::batch::Unreadable;
use crate::config::LogPushConfig;
use crate::spool::{Appended, FrameBuilder, Usage};
use crate::testing::LostLease;
use serde_json::json;
use zonewright_api::logpush::JobSettings;

/// A worker of job 1 with a line to deliver, whose process has lost the lease on the spool.
struct Suspended {
    worker: Worker,
    spec: JobSpec,
    start: Position,
    end: Position,
    _orders: watch::Sender<Order>,
    _folder: tempfile::TempDir,
}

impl Suspended {
    async fn new() -> Suspended {
        let folder = tempfile::TempDir::new().unwrap();
        let spool = Arc::new(Spool::open(folder.path().join("spool"), Arc::new(Usage::new(1 << 20))).unwrap());
        let start = spool.admit(1).unwrap();
        let mut frame = FrameBuilder::default();
        frame.push(b"{}");
        let Appended::At(end) = spool.append(&frame.finish(0)).unwrap() else { panic!("the line is not retained") };
        spool.commit(end).unwrap();
        let files = Some(folder.path().join("files"));
        let config = Arc::new(LogPushConfig { files, ..LogPushConfig::default() });
        let settings: JobSettings =
            serde_json::from_value(json!({"dataset": "http_requests", "destination_conf": "file:///a"})).unwrap();
        let spec = JobSpec::new(&settings, &config.pace, 0).unwrap();
        let writer = Writer::new(&config).unwrap();
        let target = writer.target(&spec.destination).unwrap();
        // With this order the worker tries once and ends.
        let (orders, receiver) = watch::channel(Order::Finish);
        let worker = Worker {
            job: 1,
            spool,
            identity: "folder".into(),
            jobs: Arc::new(LostLease),
            writer,
            target,
            pace: config.pace.clone(),
            counts: Counts::default(),
            orders: receiver,
            failing: None,
        };
        Suspended { worker, spec, start, end, _orders: orders, _folder: folder }
    }

    fn parcel(&self, records: u64) -> Parcel {
        let (first, next, unreadable) = (self.start, self.end, Unreadable::default());
        Parcel { body: Vec::new(), records, unreadable, start: 0, end: 0, first, next }
    }
}

#[tokio::test]
async fn worker_without_the_lease_plans_no_batch() {
    let mut suspended = Suspended::new().await;
    let parcel = suspended.parcel(1);
    assert!(!suspended.worker.deliver(parcel, &suspended.spec).await);
    assert_eq!(suspended.worker.spool.cursor(1), Some(Cursor::at(suspended.start)));
}

#[tokio::test]
async fn worker_without_the_lease_moves_no_cursor() {
    let mut suspended = Suspended::new().await;
    let parcel = suspended.parcel(0);
    assert!(!suspended.worker.deliver(parcel, &suspended.spec).await);
    assert_eq!(suspended.worker.spool.cursor(1), Some(Cursor::at(suspended.start)));
}
