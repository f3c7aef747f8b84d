//! Log push from the line that comes in to the object at the destination: what is delivered, when, and
//! what happens when a destination, a body or the service itself fails.

mod bodies;
mod destinations;
mod harness;
mod repeats;
pub(crate) mod secrets;

use harness::{Bench, line, lines};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn exactly_the_lines_that_the_filter_keeps_are_delivered() {
    let bench = Bench::start(|_| {}).await;
    let filter = json!({"where": {"key": "ClientCountry", "operator": "!eq", "value": "ca"}}).to_string();
    let options = json!({"field_names": ["RayID", "ClientCountry"], "batch_prefix": "[\n", "batch_suffix": "]\n"});
    let job = bench
        .job(json!({"filter": filter, "output_options": options, "destination_conf": "file:///logs/{DATE}"}))
        .await;
    let before = bench.get_job(job).await;
    assert_eq!(before["last_complete"], json!(null));
    bench.ingest(&[line("a", "us"), line("b", "ca"), line("c", "de")].concat()).await;
    let objects = bench.objects(1).await;
    let (name, text) = &objects[0];
    assert_eq!(text, "[\n{\"RayID\":\"a\",\"ClientCountry\":\"us\"}\n{\"RayID\":\"c\",\"ClientCountry\":\"de\"}\n]\n");
    let parts: Vec<&str> = name.split('/').collect();
    assert!(parts[0] == "logs" && parts[1].len() == 8 && parts[2].ends_with(".log.gz"), "{name}");
    let after = bench.settled(job, |job| !job["last_complete"].is_null()).await;
    assert_eq!((&after["last_error"], &after["error_message"]), (&json!(null), &json!(null)));
}

#[tokio::test]
async fn every_job_has_its_own_lines_and_pace() {
    let bench = Bench::start(|_| {}).await;
    let keep =
        |country: &str| json!({"where": {"key": "ClientCountry", "operator": "eq", "value": country}}).to_string();
    bench.job(json!({"filter": keep("us"), "destination_conf": "file:///us"})).await;
    bench.job(json!({"filter": keep("de"), "destination_conf": "file:///de"})).await;
    // Nobody listens there.
    bench.job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    for n in 0..20 {
        bench.ingest(&(line(&format!("u{n}"), "us") + &line(&format!("d{n}"), "de"))).await;
    }
    let both = bench.until(|bench| {
        let (us, de) = (bench.rays("us"), bench.rays("de"));
        (us.len() == 20 && de.len() == 20).then_some((us, de))
    });
    let (us, de) = both.await;
    assert!(us.iter().all(|ray| ray.starts_with('u')) && de.iter().all(|ray| ray.starts_with('d')));
}

#[tokio::test]
async fn batches_have_at_most_as_many_records_and_bytes() {
    let bench = Bench::start(|config| config.pace.records = 10).await;
    bench.job(json!({"destination_conf": "file:///a"})).await;
    bench.ingest(&lines(95)).await;
    let objects = bench.objects(10).await;
    let counts: Vec<usize> = objects.iter().map(|(_, text)| text.lines().count()).collect();
    assert_eq!((counts.iter().sum::<usize>(), counts.iter().max()), (95, Some(&10)));

    let bench = Bench::start(|config| config.pace.bytes = 1000).await;
    bench.job(json!({"destination_conf": "file:///a"})).await;
    bench.ingest(&lines(95)).await;
    bench.until(|bench| (bench.rays("a").len() == 95).then_some(())).await;
    assert!(bench.present().iter().all(|(_, text)| text.len() <= 1000));
}

#[tokio::test]
async fn a_job_starts_with_what_comes_after_it_was_enabled() {
    let bench = Bench::start(|_| {}).await;
    let kept = bench.ingest(&line("nobody", "us")).await;
    assert_eq!(kept.body["result"], json!({"accepted": 1, "rejected": 0, "problems": []}));
    assert!(kept.body["messages"][0]["message"].as_str().unwrap().contains("not kept"));
    assert!(!bench.data().join("spool").exists());

    let job = bench.job(json!({"destination_conf": "file:///a"})).await;
    assert_eq!(bench.ingest(&line("first", "us")).await.body["messages"], json!([]));
    bench.until(|bench| (bench.rays("a") == ["first"]).then_some(())).await;
    bench.update(job, json!({"enabled": false})).await;
    bench.ingest(&line("between", "us")).await;
    bench.update(job, json!({"enabled": true})).await;
    bench.ingest(&line("last", "us")).await;
    bench.until(|bench| (bench.rays("a") == ["first", "last"]).then_some(())).await;
    bench.delete(job).await;
    assert_eq!(std::fs::read_dir(bench.data().join("spool")).unwrap().count(), 0, "{:?}", bench.spooled());
}

#[tokio::test]
async fn the_end_of_a_zone_is_soon_the_end_of_its_deliveries() {
    let bench = Bench::start(|_| {}).await;
    let job = bench.job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    bench.ingest(&lines(7)).await;
    bench.settled(job, |job| !job["last_error"].is_null()).await;
    // Not by this service.
    bench.delete_zone().await;
    bench.until(|bench| (std::fs::read_dir(bench.data().join("spool")).unwrap().count() == 0).then_some(())).await;
}

#[tokio::test]
async fn a_change_takes_effect_at_once_and_loses_nothing() {
    let bench = Bench::start(|_| {}).await;
    let job = bench.job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    bench.ingest(&lines(5)).await;
    let failed = bench.settled(job, |job| !job["last_error"].is_null()).await;
    assert!(failed["error_message"].is_string());
    bench.update(job, json!({"destination_conf": "file:///a"})).await;
    bench.until(|bench| (bench.rays("a").len() == 5).then_some(())).await;
    let job = bench.settled(job, |job| job["last_error"].is_null()).await;
    assert!(job["error_message"].is_null() && job["last_complete"].is_string());
}

#[tokio::test]
async fn lines_wait_over_a_restart() {
    let bench = Bench::start(|_| {}).await;
    let job = bench.job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    bench.ingest(&lines(7)).await;
    bench.settled(job, |job| !job["last_error"].is_null()).await;
    let bench = bench.restart().await;
    bench.ingest(&line("later", "us")).await;
    bench.update(job, json!({"destination_conf": "file:///a"})).await;
    bench.until(|bench| (bench.rays("a").len() == 8).then_some(())).await;
}

#[tokio::test]
async fn lines_wait_when_the_service_starts_without_what_their_job_needs() {
    let bench = Bench::start(|config| config.pace.interval = Duration::from_secs(600)).await;
    let job = bench.job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    bench.ingest(&lines(7)).await;
    bench.update(job, json!({"destination_conf": "file:///a"})).await;
    let bench = bench.restart_after(true, |config| config.files = None).await;
    let failed = bench.settled(job, |job| !job["last_error"].is_null()).await;
    assert_eq!(failed["error_message"], json!("this service writes no files"));
    bench.ingest(&line("later", "us")).await;
    let files = bench.files();
    let bench = bench.restart_after(false, |config| {
        config.files = Some(files);
        config.pace.interval = Duration::from_millis(100);
    });
    let bench = bench.await;
    bench.until(|bench| (bench.rays("a").len() == 8).then_some(())).await;
}

#[tokio::test]
async fn a_job_that_could_not_read_its_lines_goes_on_later() {
    let bench = Bench::start(|_| {}).await;
    let job = bench.job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    bench.ingest(&lines(3)).await;
    bench.settled(job, |job| !job["last_error"].is_null()).await;
    let segment = bench.spooled().into_iter().find(|path| path.extension().is_some()).unwrap();
    let aside = bench.data().join("aside");
    std::fs::rename(&segment, &aside).unwrap();
    bench.update(job, json!({"destination_conf": "file:///a"})).await;
    let unread = |job: &Value| job["error_message"].as_str().is_some_and(|text| text.contains("cannot read the lines"));
    bench.settled(job, unread).await;
    std::fs::rename(&aside, &segment).unwrap();
    // Any change looks after all jobs, as the service does by itself now and then.
    bench.update(job, json!({"name": "another"})).await;
    bench.until(|bench| (bench.rays("a").len() == 3).then_some(())).await;
}

#[tokio::test]
async fn the_end_delivers_what_was_gathered() {
    let bench = Bench::start(|config| config.pace.interval = Duration::from_secs(600)).await;
    bench.job(json!({"destination_conf": "file:///a"})).await;
    bench.ingest(&lines(3)).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(bench.rays("a").is_empty());
    let bench = bench.restart().await;
    assert_eq!(bench.rays("a").len(), 3);
}

#[tokio::test]
async fn a_low_frequency_makes_fewer_files() {
    let bench = Bench::start(|_| {}).await;
    bench.job(json!({"destination_conf": "file:///high", "frequency": "high"})).await;
    bench.job(json!({"destination_conf": "file:///low", "frequency": "low"})).await;
    for n in 0..4 {
        bench.ingest(&line(&n.to_string(), "us")).await;
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
    bench.until(|bench| (bench.rays("high").len() == 4 && bench.rays("low").len() == 4).then_some(())).await;
    let files = |folder: &str| bench.present().iter().filter(|(name, _)| name.starts_with(folder)).count();
    assert!(files("low") < files("high"), "{} {}", files("low"), files("high"));
}

#[tokio::test]
async fn part_of_the_lines_is_sampled() {
    let bench = Bench::start(|_| {}).await;
    bench.job(json!({"destination_conf": "file:///a", "output_options": {"sample_rate": 0.5}})).await;
    bench.ingest(&lines(2000)).await;
    let kept = bench.until(|bench| Some(bench.rays("a").len()).filter(|kept| *kept > 0)).await;
    assert!((800..=1200).contains(&kept), "{kept}");
}
