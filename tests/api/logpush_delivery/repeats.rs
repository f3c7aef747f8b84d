//! A batch that is delivered again after a crash is byte-identical.

use super::destinations::{RESPONSE_204, RESPONSE_500, receiver};
use super::harness::{DeliveryHarness, line, lines, ray_ids_in};
use serde_json::json;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

#[tokio::test]
async fn redelivered_sampled_batch_is_byte_identical() {
    // Long enough to copy the spool before the batch is uploaded.
    let harness = DeliveryHarness::start(|config| config.limits.batch_interval = Duration::from_secs(2)).await;
    harness.create_job(json!({"destination_conf": "file:///a", "output_options": {"sample_rate": 0.5}})).await;
    harness.ingest(&lines(2000)).await;
    let (files, spool) = (harness.file_root(), harness.data_dir().join("spool"));
    let (first, copy) = (files.join("a"), harness.data_dir().join("copy"));
    copy_folder(&spool, &copy);
    harness.wait_for_objects(1).await;
    let delivered = |folder: &Path| -> Vec<(OsString, Vec<u8>)> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        entries.map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap())).collect()
    };
    let mut before = Vec::new();
    // A crash between the delivery and the update of the cursor leaves the spool in its previous state.
    let harness = harness
        .restart_with(false, |_| {
            before = delivered(&first);
            std::fs::remove_dir_all(&first).unwrap();
            std::fs::remove_dir_all(&spool).unwrap();
            std::fs::rename(&copy, &spool).unwrap();
        })
        .await;
    harness.wait_for_objects(1).await;
    assert_eq!(before.len(), 1);
    assert_eq!(delivered(&first), before);
}

#[tokio::test]
async fn redelivered_batch_excludes_later_lines() {
    let harness = DeliveryHarness::start(|_| {}).await;
    // The destination accepts the batch but responds with a failure, as if its response had been lost.
    let (failing, before) = receiver(&[Some(RESPONSE_500)]).await;
    harness.create_job(json!({"destination_conf": format!("http://{failing}/")})).await;
    harness.ingest(&lines(300)).await;
    harness.wait_until(|_| (!before.lock().unwrap().is_empty()).then_some(())).await;
    harness.ingest(&line("later", "us")).await;
    // Without a shutdown, as after a crash. The next service would wait long for more lines.
    let harness = harness.restart_with(true, |config| config.limits.batch_interval = Duration::from_secs(1)).await;
    let attempts = before.lock().unwrap().len();
    harness.wait_until(|_| (before.lock().unwrap().len() > attempts).then_some(())).await;
    let received = before.lock().unwrap().clone();
    assert_eq!(ray_ids_in(&received[0].text).len(), 300);
    assert!(received.iter().all(|request| request.packed == received[0].packed), "{received:#?}");
}

#[tokio::test]
async fn changed_job_redelivers_the_batch_before_later_lines() {
    let harness = DeliveryHarness::start(|_| {}).await;
    let (failing, before) = receiver(&[Some(RESPONSE_500)]).await;
    let job = harness.create_job(json!({"destination_conf": format!("http://{failing}/")})).await;
    harness.ingest(&lines(5)).await;
    harness.wait_until(|_| (!before.lock().unwrap().is_empty()).then_some(())).await;
    harness.ingest(&line("later", "us")).await;
    let (working, after) = receiver(&[Some(RESPONSE_204)]).await;
    harness.update(job, json!({"destination_conf": format!("http://{working}/")})).await;
    harness.wait_until(|_| (after.lock().unwrap().len() == 2).then_some(())).await;
    let after = after.lock().unwrap().clone();
    assert_eq!(after[0].packed, before.lock().unwrap()[0].packed);
    assert_eq!(ray_ids_in(&after[1].text), ["later"]);
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
