use super::super::batch::Unreadable;
use super::super::config::LogPushConfig;
use super::super::spool::{Appended, FrameBuilder, Usage};
use super::*;
use crate::app::make_database;
use crate::database::Storage;
use serde_json::json;
use zonewright_api::logpush::JobSettings;

/// A worker of job 1 with a line to deliver, whose process has lost its claim on the spool.
struct Suspended {
    worker: Worker,
    recipe: Recipe,
    start: Position,
    end: Position,
    _orders: watch::Sender<Order>,
    _folder: tempfile::TempDir,
}

impl Suspended {
    async fn new() -> Suspended {
        let folder = tempfile::TempDir::new().unwrap();
        let storage = Storage::default();
        let database = make_database(folder.path(), &storage).unwrap();
        let store = Store::open(&database, &storage).await.unwrap();
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
        let recipe = Recipe::new(&settings, &config.pace, 0).unwrap();
        let writer = Writer::new(&config).unwrap();
        let target = writer.target(&recipe.destination).unwrap();
        // The worker tries once and ends.
        let (orders, receiver) = watch::channel(Order::Finish);
        let worker = Worker {
            job: 1,
            spool,
            identity: "folder".into(),
            lease: Lease::ended(&store),
            store,
            writer,
            target,
            pace: config.pace.clone(),
            counts: Counts::default(),
            orders: receiver,
            failing: None,
        };
        Suspended { worker, recipe, start, end, _orders: orders, _folder: folder }
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
    assert!(!suspended.worker.deliver(parcel, &suspended.recipe).await);
    assert_eq!(suspended.worker.spool.cursor(1), Some(Cursor::at(suspended.start)));
}

#[tokio::test]
async fn worker_without_the_lease_moves_no_cursor() {
    let mut suspended = Suspended::new().await;
    let parcel = suspended.parcel(0);
    assert!(!suspended.worker.deliver(parcel, &suspended.recipe).await);
    assert_eq!(suspended.worker.spool.cursor(1), Some(Cursor::at(suspended.start)));
}
