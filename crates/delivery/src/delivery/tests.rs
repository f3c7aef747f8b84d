use super::*;
use crate::testing::FixedJobs;
use serde_json::json;
use std::process::Command;
use std::sync::mpsc;
use zonewright_api::logpush::Job;

const DATASET: &str = "http_requests";

fn owner() -> OwnerKey {
    OwnerKey::from_folder("zone-z").unwrap()
}

fn job(id: u64) -> Job {
    let job = json!({"id": id, "dataset": DATASET, "enabled": true, "destination_conf": "file:///logs"});
    serde_json::from_value(job).unwrap()
}

async fn open(folder: &Path, jobs: &Arc<FixedJobs>) -> Delivery {
    let config = LogPushConfig { file_root: Some(folder.join("files")), ..LogPushConfig::default() };
    let (jobs, config) = (Arc::clone(jobs) as Arc<dyn JobSource>, Arc::new(config));
    Delivery::open(folder, "folder".to_owned(), jobs, config, DeliveryMetrics::default()).await.unwrap()
}

/// Returns whether a lookup of the spool ends within this time, whatever it finds.
fn lookup_ends_within(delivery: &Delivery, time: Duration) -> bool {
    let (delivery, (done, result)) = (delivery.clone(), mpsc::channel());
    std::thread::spawn(move || done.send(delivery.spool(&owner(), DATASET).is_some()));
    result.recv_timeout(time).is_ok()
}

/// A cursor file that is a pipe stands for a slow disk: opening the spool blocks until the cursor arrives in the pipe.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn spool_lookup_does_not_wait_while_a_refresh_opens_a_spool() {
    let folder = tempfile::TempDir::new().unwrap();
    let jobs = Arc::new(FixedJobs::default());
    let delivery = open(folder.path(), &jobs).await;
    let spool = folder.path().join("spool/zone-z").join(DATASET);
    std::fs::create_dir_all(&spool).unwrap();
    assert!(Command::new("mkfifo").arg(spool.join("job-1")).status().unwrap().success());
    jobs.set(vec![(owner(), job(1))]);
    let refreshed = tokio::spawn({
        let delivery = delivery.clone();
        async move { delivery.refresh().await }
    });
    // Opening the pipe for writing waits until the refresh reads it.
    let cursor = spool.join("job-1");
    let pipe = tokio::task::spawn_blocking(move || std::fs::File::options().write(true).open(cursor));
    let pipe = pipe.await.unwrap().unwrap();
    assert!(lookup_ends_within(&delivery, Duration::from_secs(5)), "the lookup waits for the disk");
    drop(pipe);
    refreshed.await.unwrap();
    assert!(delivery.spool(&owner(), DATASET).is_some());
}

#[tokio::test]
async fn spool_exists_from_the_first_enabled_job_to_the_last() {
    let folder = tempfile::TempDir::new().unwrap();
    let jobs = Arc::new(FixedJobs::default());
    let delivery = open(folder.path(), &jobs).await;
    let files = folder.path().join("spool/zone-z").join(DATASET);
    assert!(delivery.spool(&owner(), DATASET).is_none());
    jobs.set(vec![(owner(), job(1)), (owner(), job(2))]);
    delivery.refresh().await;
    assert_eq!(delivery.spool(&owner(), DATASET).unwrap().attached_jobs(), [1, 2]);
    jobs.set(vec![(owner(), job(2))]);
    delivery.refresh().await;
    assert_eq!(delivery.spool(&owner(), DATASET).unwrap().attached_jobs(), [2]);
    jobs.set(Vec::new());
    delivery.refresh().await;
    assert!(delivery.spool(&owner(), DATASET).is_none() && !files.exists());
}
