//! A batch that is delivered again after a crash: it is byte-identical to the one before.

use super::destinations::{FAILED, FINE, receiver};
use super::harness::{Bench, line, lines, rays_of};
use serde_json::json;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

#[tokio::test]
async fn a_sampled_batch_that_is_delivered_again_is_byte_identical() {
    // Long enough to copy the spool before the batch goes out.
    let bench = Bench::start(|config| config.pace.interval = Duration::from_secs(2)).await;
    bench.job(json!({"destination_conf": "file:///a", "output_options": {"sample_rate": 0.5}})).await;
    bench.ingest(&lines(2000)).await;
    let (files, spool) = (bench.files(), bench.data().join("spool"));
    let (first, copy) = (files.join("a"), bench.data().join("copy"));
    copy_folder(&spool, &copy);
    bench.objects(1).await;
    let delivered = |folder: &Path| -> Vec<(OsString, Vec<u8>)> {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        entries.map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap())).collect()
    };
    let mut before = Vec::new();
    // A crash between the delivery and the cursor's update leaves the spool as it was before.
    let bench = bench
        .restart_after(false, |_| {
            before = delivered(&first);
            std::fs::remove_dir_all(&first).unwrap();
            std::fs::remove_dir_all(&spool).unwrap();
            std::fs::rename(&copy, &spool).unwrap();
        })
        .await;
    bench.objects(1).await;
    assert_eq!(before.len(), 1);
    assert_eq!(delivered(&first), before);
}

#[tokio::test]
async fn a_repeated_batch_excludes_the_lines_that_came_in_after_it() {
    let bench = Bench::start(|_| {}).await;
    // The destination takes the batch and says that it failed, as when its answer is lost.
    let (failing, before) = receiver(&[Some(FAILED)]).await;
    bench.job(json!({"destination_conf": format!("http://{failing}/")})).await;
    bench.ingest(&lines(300)).await;
    bench.until(|_| (!before.lock().unwrap().is_empty()).then_some(())).await;
    bench.ingest(&line("later", "us")).await;
    // Without an end in order, as after a crash. The next service would wait long for more lines.
    let bench = bench.restart_after(true, |config| config.pace.interval = Duration::from_secs(1)).await;
    let attempts = before.lock().unwrap().len();
    bench.until(|_| (before.lock().unwrap().len() > attempts).then_some(())).await;
    let received = before.lock().unwrap().clone();
    assert_eq!(rays_of(&received[0].text).len(), 300);
    assert!(received.iter().all(|request| request.packed == received[0].packed), "{received:#?}");
}

#[tokio::test]
async fn a_changed_job_repeats_the_batch_first_and_then_delivers_later_lines() {
    let bench = Bench::start(|_| {}).await;
    let (failing, before) = receiver(&[Some(FAILED)]).await;
    let job = bench.job(json!({"destination_conf": format!("http://{failing}/")})).await;
    bench.ingest(&lines(5)).await;
    bench.until(|_| (!before.lock().unwrap().is_empty()).then_some(())).await;
    bench.ingest(&line("later", "us")).await;
    let (working, after) = receiver(&[Some(FINE)]).await;
    bench.update(job, json!({"destination_conf": format!("http://{working}/")})).await;
    bench.until(|_| (after.lock().unwrap().len() == 2).then_some(())).await;
    let after = after.lock().unwrap().clone();
    assert_eq!(after[0].packed, before.lock().unwrap()[0].packed);
    assert_eq!(rays_of(&after[1].text), ["later"]);
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
