//! Log push from ingestion to the object at the destination: the contents and timing of deliveries, and failures of
//! destinations, bodies and the service.

mod bodies;
mod destinations;
mod harness;
mod repeats;
pub(crate) mod secrets;

use harness::{DeliveryHarness, line, lines};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn only_lines_that_match_the_filter_are_delivered() {
    let harness = DeliveryHarness::start(|_| {}).await;
    let filter = json!({"where": {"key": "ClientCountry", "operator": "!eq", "value": "ca"}}).to_string();
    let options = json!({"field_names": ["RayID", "ClientCountry"], "batch_prefix": "[\n", "batch_suffix": "]\n"});
    let job = harness
        .create_job(json!({"filter": filter, "output_options": options, "destination_conf": "file:///logs/{DATE}"}))
        .await;
    let before = harness.get_job(job).await;
    assert_eq!(before["last_complete"], json!(null));
    harness.ingest(&[line("a", "us"), line("b", "ca"), line("c", "de")].concat()).await;
    let objects = harness.wait_for_objects(1).await;
    let (name, text) = &objects[0];
    assert_eq!(text, "[\n{\"RayID\":\"a\",\"ClientCountry\":\"us\"}\n{\"RayID\":\"c\",\"ClientCountry\":\"de\"}\n]\n");
    let parts: Vec<&str> = name.split('/').collect();
    assert!(parts[0] == "logs" && parts[1].len() == 8 && parts[2].ends_with(".log.gz"), "{name}");
    let after = harness.wait_for_job(job, |job| !job["last_complete"].is_null()).await;
    assert_eq!((&after["last_error"], &after["error_message"]), (&json!(null), &json!(null)));
}

#[tokio::test]
async fn jobs_deliver_independently() {
    let harness = DeliveryHarness::start(|_| {}).await;
    let keep =
        |country: &str| json!({"where": {"key": "ClientCountry", "operator": "eq", "value": country}}).to_string();
    harness.create_job(json!({"filter": keep("us"), "destination_conf": "file:///us"})).await;
    harness.create_job(json!({"filter": keep("de"), "destination_conf": "file:///de"})).await;
    // A port without a listener.
    harness.create_job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    for n in 0..20 {
        harness.ingest(&(line(&format!("u{n}"), "us") + &line(&format!("d{n}"), "de"))).await;
    }
    let both = harness.wait_until(|harness| {
        let (us, de) = (harness.ray_ids("us"), harness.ray_ids("de"));
        (us.len() == 20 && de.len() == 20).then_some((us, de))
    });
    let (us, de) = both.await;
    assert!(us.iter().all(|ray| ray.starts_with('u')) && de.iter().all(|ray| ray.starts_with('d')));
}

#[tokio::test]
async fn batches_respect_record_and_byte_limits() {
    let harness = DeliveryHarness::start(|config| config.limits.max_batch_records = 10).await;
    harness.create_job(json!({"destination_conf": "file:///a"})).await;
    harness.ingest(&lines(95)).await;
    let objects = harness.wait_for_objects(10).await;
    let counts: Vec<usize> = objects.iter().map(|(_, text)| text.lines().count()).collect();
    assert_eq!((counts.iter().sum::<usize>(), counts.iter().max()), (95, Some(&10)));

    let harness = DeliveryHarness::start(|config| config.limits.max_batch_bytes = 1000).await;
    harness.create_job(json!({"destination_conf": "file:///a"})).await;
    harness.ingest(&lines(95)).await;
    harness.wait_until(|harness| (harness.ray_ids("a").len() == 95).then_some(())).await;
    assert!(harness.read_objects().iter().all(|(_, text)| text.len() <= 1000));
}

#[tokio::test]
async fn job_delivers_only_lines_after_it_was_enabled() {
    let harness = DeliveryHarness::start(|_| {}).await;
    let response = harness.ingest(&line("nobody", "us")).await;
    assert_eq!(response.body["result"], json!({"accepted": 1, "rejected": 0, "problems": []}));
    assert!(response.body["messages"][0]["message"].as_str().unwrap().contains("not stored"));
    assert!(!harness.data_dir().join("spool").exists());

    let job = harness.create_job(json!({"destination_conf": "file:///a"})).await;
    assert_eq!(harness.ingest(&line("first", "us")).await.body["messages"], json!([]));
    harness.wait_until(|harness| (harness.ray_ids("a") == ["first"]).then_some(())).await;
    harness.update(job, json!({"enabled": false})).await;
    harness.ingest(&line("between", "us")).await;
    harness.update(job, json!({"enabled": true})).await;
    harness.ingest(&line("last", "us")).await;
    harness.wait_until(|harness| (harness.ray_ids("a") == ["first", "last"]).then_some(())).await;
    harness.delete(job).await;
    assert_eq!(std::fs::read_dir(harness.data_dir().join("spool")).unwrap().count(), 0, "{:?}", harness.spool_files());
}

#[tokio::test]
async fn zone_deletion_stops_its_deliveries() {
    let harness = DeliveryHarness::start(|_| {}).await;
    let job = harness.create_job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    harness.ingest(&lines(7)).await;
    harness.wait_for_job(job, |job| !job["last_error"].is_null()).await;
    // Another process deletes the zone.
    harness.delete_zone().await;
    harness
        .wait_until(|harness| (std::fs::read_dir(harness.data_dir().join("spool")).unwrap().count() == 0).then_some(()))
        .await;
}

#[tokio::test]
async fn job_change_takes_effect_immediately_without_loss() {
    let harness = DeliveryHarness::start(|_| {}).await;
    let job = harness.create_job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    harness.ingest(&lines(5)).await;
    let failed = harness.wait_for_job(job, |job| !job["last_error"].is_null()).await;
    assert!(failed["error_message"].is_string());
    harness.update(job, json!({"destination_conf": "file:///a"})).await;
    harness.wait_until(|harness| (harness.ray_ids("a").len() == 5).then_some(())).await;
    let job = harness.wait_for_job(job, |job| job["last_error"].is_null()).await;
    assert!(job["error_message"].is_null() && job["last_complete"].is_string());
}

#[tokio::test]
async fn spooled_lines_survive_a_restart() {
    let harness = DeliveryHarness::start(|_| {}).await;
    let job = harness.create_job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    harness.ingest(&lines(7)).await;
    harness.wait_for_job(job, |job| !job["last_error"].is_null()).await;
    let harness = harness.restart().await;
    harness.ingest(&line("later", "us")).await;
    harness.update(job, json!({"destination_conf": "file:///a"})).await;
    harness.wait_until(|harness| (harness.ray_ids("a").len() == 8).then_some(())).await;
}

#[tokio::test]
async fn spooled_lines_survive_a_start_with_missing_destination_config() {
    let harness = DeliveryHarness::start(|config| config.limits.batch_interval = Duration::from_secs(600)).await;
    let job = harness.create_job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    harness.ingest(&lines(7)).await;
    harness.update(job, json!({"destination_conf": "file:///a"})).await;
    let harness = harness.restart_with(true, |config| config.file_root = None).await;
    let failed = harness.wait_for_job(job, |job| !job["last_error"].is_null()).await;
    assert_eq!(failed["error_message"], json!("this service does not write to files"));
    harness.ingest(&line("later", "us")).await;
    let files = harness.file_root();
    let harness = harness.restart_with(false, |config| {
        config.file_root = Some(files);
        config.limits.batch_interval = Duration::from_millis(100);
    });
    let harness = harness.await;
    harness.wait_until(|harness| (harness.ray_ids("a").len() == 8).then_some(())).await;
}

#[tokio::test]
async fn job_resumes_after_a_spool_read_error() {
    let harness = DeliveryHarness::start(|_| {}).await;
    let job = harness.create_job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    harness.ingest(&lines(3)).await;
    harness.wait_for_job(job, |job| !job["last_error"].is_null()).await;
    let segment = harness.spool_files().into_iter().find(|path| path.extension().is_some()).unwrap();
    let aside = harness.data_dir().join("aside");
    std::fs::rename(&segment, &aside).unwrap();
    harness.update(job, json!({"destination_conf": "file:///a"})).await;
    let unread = |job: &Value| job["error_message"].as_str().is_some_and(|text| text.contains("cannot read the spool"));
    harness.wait_for_job(job, unread).await;
    std::fs::rename(&aside, &segment).unwrap();
    // Any change makes the supervisor check all jobs, which it otherwise does at intervals.
    harness.update(job, json!({"name": "another"})).await;
    harness.wait_until(|harness| (harness.ray_ids("a").len() == 3).then_some(())).await;
}

#[tokio::test]
async fn shutdown_flushes_open_batches() {
    let harness = DeliveryHarness::start(|config| config.limits.batch_interval = Duration::from_secs(600)).await;
    harness.create_job(json!({"destination_conf": "file:///a"})).await;
    harness.ingest(&lines(3)).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(harness.ray_ids("a").is_empty());
    let harness = harness.restart().await;
    assert_eq!(harness.ray_ids("a").len(), 3);
}

#[tokio::test]
async fn low_frequency_creates_fewer_files() {
    let harness = DeliveryHarness::start(|_| {}).await;
    harness.create_job(json!({"destination_conf": "file:///high", "frequency": "high"})).await;
    harness.create_job(json!({"destination_conf": "file:///low", "frequency": "low"})).await;
    for n in 0..4 {
        harness.ingest(&line(&n.to_string(), "us")).await;
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
    harness
        .wait_until(|harness| (harness.ray_ids("high").len() == 4 && harness.ray_ids("low").len() == 4).then_some(()))
        .await;
    let files = |folder: &str| harness.read_objects().iter().filter(|(name, _)| name.starts_with(folder)).count();
    assert!(files("low") < files("high"), "{} {}", files("low"), files("high"));
}

#[tokio::test]
async fn sample_rate_delivers_a_subset() {
    let harness = DeliveryHarness::start(|_| {}).await;
    harness.create_job(json!({"destination_conf": "file:///a", "output_options": {"sample_rate": 0.5}})).await;
    harness.ingest(&lines(2000)).await;
    let delivered_lines = harness
        .wait_until(|harness| Some(harness.ray_ids("a").len()).filter(|delivered_lines| *delivered_lines > 0))
        .await;
    assert!((800..=1200).contains(&delivered_lines), "{delivered_lines}");
}
