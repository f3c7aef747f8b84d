//! Measures log push from the request to the file: lines per second and peak memory, at one and ten times the load.
//!
//! The benchmark prints its results and fails only when lines are missing, because the speed depends on the disk.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a benchmark may fail"
)]

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use flate2::read::MultiGzDecoder;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};
use tower::ServiceExt;
use zonewright_delivery::{DeliveryLimits, LogPushConfig};
use zonewright_server::{App, MIGRATION_DELAY};

/// Lines of one request.
const LINES_PER_REQUEST: usize = 1000;
const CLIENTS: usize = 4;

#[tokio::main]
async fn main() {
    // The arguments that `cargo bench` passes are ignored, because they are for other benchmark harnesses.
    for requests in [100, 1000] {
        run(requests).await;
    }
}

async fn run(requests: usize) {
    let folder = tempfile::TempDir::new().unwrap();
    let files = folder.path().join("files");
    std::fs::create_dir(&files).unwrap();
    let limits = DeliveryLimits { batch_interval: Duration::from_secs(1), ..DeliveryLimits::default() };
    let config =
        LogPushConfig { file_root: Some(files.clone()), max_spool_bytes: 4 << 30, limits, ..LogPushConfig::default() };
    let (app, demo) = App::open_with_log_push(&folder.path().join("data"), "", config, MIGRATION_DELAY).await.unwrap();
    let (router, demo) = (app.router(), demo.unwrap());
    let base = format!("/client/v4/zones/{}/logpush", demo.zone_id);
    let filter = json!({"where": {"key": "EdgeResponseStatus", "operator": "geq", "value": 500}}).to_string();
    let fields = ["ClientIP", "ClientRequestHost", "ClientRequestURI", "EdgeResponseStatus", "RayID"];
    let job = json!({
        "dataset": "http_requests", "enabled": true, "destination_conf": "file:///out", "filter": filter,
        "output_options": {"field_names": fields},
    });
    send(&router, &demo.token, &format!("{base}/jobs"), job.to_string()).await;

    let body: String = (0..LINES_PER_REQUEST).map(log_line).collect();
    let expected = requests * (0..LINES_PER_REQUEST).filter(|number| number % 4 == 0).count();
    let begin = Instant::now();
    let clients = (0..CLIENTS).map(|client| {
        let (router, token, body) = (router.clone(), demo.token.clone(), body.clone());
        let address = format!("{base}/ingest/http_requests");
        tokio::spawn(async move {
            for _ in (client..requests).step_by(CLIENTS) {
                send(&router, &token, &address, body.clone()).await;
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.unwrap();
    }
    let accept_time = begin.elapsed();
    while begin.elapsed() < Duration::from_secs(600) && count_delivered_lines(&files) < expected {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let delivery_time = begin.elapsed();
    assert_eq!(count_delivered_lines(&files), expected);
    app.close().await;
    let lines = requests * LINES_PER_REQUEST;
    println!(
        "{lines} lines of {} bytes, a quarter of them match the filter: accepted {:.0} lines/s, delivered {:.0} lines/s \
         (the last batch waits a second), {} MiB of memory at most",
        body.len() / LINES_PER_REQUEST,
        per_second(lines, accept_time),
        per_second(lines, delivery_time),
        peak_memory_kib() / 1024,
    );
}

fn log_line(number: usize) -> String {
    let status = if number.is_multiple_of(4) { 503 } else { 200 };
    let line = json!({
        "ClientIP": format!("192.0.2.{}", number % 256), "ClientCountry": "us", "ClientRequestHost": "www.example.com",
        "ClientRequestMethod": "GET", "ClientRequestURI": format!("/products/{number}?page={}", number % 7),
        "ClientRequestUserAgent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "EdgeStartTimestamp": 1_700_000_000_000_000_000_u64 + number as u64, "EdgeResponseStatus": status,
        "EdgeResponseBytes": number * 17, "RayID": format!("{number:016x}"), "CacheCacheStatus": "dynamic",
    });
    format!("{line}\n")
}

async fn send(router: &Router, token: &str, address: &str, body: String) {
    let request = Request::post(address).header("host", "localhost").header("authorization", format!("Bearer {token}"));
    let response = router.clone().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
    let status = response.status();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    assert!(status.is_success(), "{:#}", serde_json::from_slice::<Value>(&bytes).unwrap());
}

/// Counts the lines of all delivered files.
fn count_delivered_lines(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder.join("out")).into_iter().flatten();
    let paths =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "gz"));
    paths.map(|path| BufReader::new(MultiGzDecoder::new(std::fs::File::open(path).unwrap())).lines().count()).sum()
}

#[allow(clippy::cast_precision_loss)]
fn per_second(lines: usize, time: Duration) -> f64 {
    lines as f64 / time.as_secs_f64()
}

/// Returns the peak resident memory in KiB, or 0 where the system does not report it.
fn peak_memory_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
