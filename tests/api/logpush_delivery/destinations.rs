//! Destinations that work, and destinations that fail.

use super::harness::{DeliveryHarness, line, lines, ray_ids_in};
use flate2::read::MultiGzDecoder;
use serde_json::json;
use std::io::Read;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request that the receiver got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReceivedRequest {
    pub(super) head: String,
    /// The body as it was sent.
    pub(super) packed: Vec<u8>,
    /// The body, decompressed.
    pub(super) text: String,
}

/// The received requests, in order.
type ReceivedRequests = Arc<Mutex<Vec<ReceivedRequest>>>;

/// Sends the next of these texts as the response to each request, the last one repeatedly; `None` never responds.
/// `endless`, `dripping` and `slow` stand for responses of that kind.
pub(super) async fn receiver(responses: &'static [Option<&'static str>]) -> (SocketAddr, ReceivedRequests) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, received) = (listener.local_addr().unwrap(), ReceivedRequests::default());
    let seen = Arc::clone(&received);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            tokio::spawn(serve(stream, Arc::clone(&seen), responses));
        }
    });
    (address, received)
}

async fn serve(mut stream: TcpStream, received: ReceivedRequests, responses: &'static [Option<&'static str>]) {
    let mut bytes = Vec::new();
    loop {
        let head = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break String::from_utf8(bytes.drain(..end + 4).collect()).unwrap().to_lowercase();
            }
            if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                return;
            }
        };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse().unwrap();
        while bytes.len() < length {
            assert!(stream.read_buf(&mut bytes).await.unwrap() > 0);
        }
        let packed: Vec<u8> = bytes.drain(..length).collect();
        let mut text = String::new();
        MultiGzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
        let count = {
            let mut received = received.lock().unwrap();
            received.push(ReceivedRequest { head, packed, text });
            received.len()
        };
        match responses[(count - 1).min(responses.len() - 1)] {
            Some("endless") => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
                while stream.write_all(&[b'x'; 65536]).await.is_ok() {}
                return;
            }
            Some("dripping") => {
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n").await.unwrap();
                std::future::pending().await
            }
            Some("slow") => {
                tokio::time::sleep(Duration::from_millis(400)).await;
                let _ = stream.write_all(RESPONSE_204.as_bytes()).await;
            }
            Some(response) => stream.write_all(response.as_bytes()).await.unwrap(),
            None => std::future::pending().await,
        }
    }
}

pub(super) const RESPONSE_204: &str = "HTTP/1.1 204 No Content\r\n\r\n";
pub(super) const RESPONSE_500: &str = "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 4\r\n\r\noops";
const RESPONSE_307: &str =
    "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n";

#[tokio::test]
async fn gzip_batch_is_retried_until_2xx() {
    let harness = DeliveryHarness::start(|config| config.limits.initial_backoff = Duration::from_millis(400)).await;
    let (address, received) = receiver(&[Some(RESPONSE_500), Some(RESPONSE_500), Some(RESPONSE_204)]).await;
    let to = format!("http://{address}/in?tags=a%20b&header_Authorization=Bearer%20hunter2hunter2");
    let job = harness.create_job(json!({"destination_conf": to})).await;
    harness.ingest(&lines(3)).await;
    let failed = harness.wait_for_job(job, |job| !job["last_error"].is_null()).await;
    let message = failed["error_message"].as_str().unwrap();
    assert!(message.contains("500") && !message.contains("hunter2"), "{message}");
    let fine = harness.wait_for_job(job, |job| !job["last_complete"].is_null()).await;
    assert_eq!((&fine["last_error"], &fine["error_message"]), (&json!(null), &json!(null)));
    let received = received.lock().unwrap().clone();
    let ReceivedRequest { head, text, .. } = &received[2];
    assert_eq!(ray_ids_in(text), ["0", "1", "2"]);
    assert!(head.starts_with("post /in?tags=a%20b http/1.1"), "{head}");
    for header in
        ["authorization: bearer hunter2hunter2", "content-encoding: gzip", "content-type: text/plain; charset=utf-8"]
    {
        assert!(head.contains(header), "{head}");
    }
}

#[tokio::test]
async fn failing_destination_reports_the_reason_and_loses_nothing() {
    let cases: [(&'static [Option<&'static str>], &str); 4] = [
        (&[Some(RESPONSE_307), Some(RESPONSE_204)], "redirects are not followed"),
        (&[None, Some(RESPONSE_204)], "timed out"),
        (&[Some("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n"), Some(RESPONSE_204)], "403"),
        (&[Some("nonsense\r\n\r\n"), Some(RESPONSE_204)], "invalid HTTP"),
    ];
    for (responses, message) in cases {
        let harness = DeliveryHarness::start(|config| config.limits.initial_backoff = Duration::from_millis(400)).await;
        let (address, received) = receiver(responses).await;
        let job = harness.create_job(json!({"destination_conf": format!("http://{address}/")})).await;
        harness.ingest(&line("a", "us")).await;
        let failed = harness.wait_for_job(job, |job| !job["last_error"].is_null()).await;
        assert!(failed["error_message"].as_str().unwrap().contains(message), "{failed:#}");
        harness.wait_for_job(job, |job| !job["last_complete"].is_null() && job["last_error"].is_null()).await;
        assert_eq!(ray_ids_in(&received.lock().unwrap().last().unwrap().text), ["a"]);
    }
}

#[tokio::test]
async fn endless_response_is_not_read_completely() {
    let harness = DeliveryHarness::start(|_| {}).await;
    let (address, _) = receiver(&[Some("endless")]).await;
    let job = harness.create_job(json!({"destination_conf": format!("http://{address}/")})).await;
    harness.ingest(&line("a", "us")).await;
    harness.wait_for_job(job, |job| !job["last_complete"].is_null()).await;
}

#[tokio::test]
async fn slow_response_body_does_not_repeat_the_upload() {
    let harness = DeliveryHarness::start(|_| {}).await;
    let (address, received) = receiver(&[Some("dripping")]).await;
    let job = harness.create_job(json!({"destination_conf": format!("http://{address}/")})).await;
    harness.ingest(&line("a", "us")).await;
    let job = harness.wait_for_job(job, |job| !job["last_complete"].is_null()).await;
    assert_eq!(job["error_message"], json!(null));
    assert_eq!(received.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn job_change_does_not_repeat_an_upload_in_progress() {
    let changes = [
        json!({"name": "another"}),
        json!({"output_options": {"field_names": ["RayID", "ClientCountry"]}}),
        json!({"enabled": false}),
    ];
    for change in changes {
        let harness = DeliveryHarness::start(|_| {}).await;
        let (address, received) = receiver(&[Some("slow")]).await;
        let job = harness.create_job(json!({"destination_conf": format!("http://{address}/")})).await;
        harness.ingest(&lines(3)).await;
        harness.wait_until(|_| (received.lock().unwrap().len() == 1).then_some(())).await;
        harness.update(job, change.clone()).await;
        harness.wait_for_job(job, |job| !job["last_complete"].is_null()).await;
        if change["enabled"].is_null() {
            harness.ingest(&line("later", "us")).await;
            harness.wait_until(|_| (received.lock().unwrap().len() == 2).then_some(())).await;
            assert_eq!(ray_ids_in(&received.lock().unwrap()[1].text), ["later"]);
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert_eq!(received.lock().unwrap().len(), if change["enabled"].is_null() { 2 } else { 1 }, "{change}");
    }
}

#[tokio::test]
async fn job_change_does_not_wait_for_a_slow_upload() {
    let change = |config: &mut zonewright_delivery::LogPushConfig| {
        (config.limits.upload_timeout, config.limits.shutdown_grace) =
            (Duration::from_secs(60), Duration::from_secs(4));
    };
    let harness = DeliveryHarness::start(change).await;
    let (address, received) = receiver(&[None]).await;
    let job = harness.create_job(json!({"destination_conf": format!("http://{address}/")})).await;
    harness.create_job(json!({"destination_conf": "file:///other"})).await;
    harness.ingest(&lines(3)).await;
    harness.wait_until(|_| (received.lock().unwrap().len() == 1).then_some(())).await;
    let start = Instant::now();
    let others = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        harness.ingest(&line("later", "us")).await;
    };
    tokio::join!(harness.update(job, json!({"destination_conf": "file:///a"})), others);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    // The next worker starts after the upload has ended, with the undelivered lines.
    assert!(harness.ray_ids("a").is_empty());
    harness.wait_until(|harness| (harness.ray_ids("a") == ["0", "1", "2", "later"]).then_some(())).await;
    assert_eq!(received.lock().unwrap().len(), 1);

    // A job that is disabled and enabled again during an upload starts where it was enabled.
    harness.update(job, json!({"destination_conf": format!("http://{address}/")})).await;
    harness.ingest(&line("given-up", "us")).await;
    harness.wait_until(|_| (received.lock().unwrap().len() == 2).then_some(())).await;
    for change in [json!({"enabled": false}), json!({"enabled": true, "destination_conf": "file:///b"})] {
        harness.update(job, change).await;
    }
    harness.ingest(&line("last", "us")).await;
    harness.wait_until(|harness| (harness.ray_ids("b") == ["last"]).then_some(())).await;
}

#[tokio::test]
async fn persistently_failing_job_is_disabled_and_can_be_enabled_again() {
    let harness = DeliveryHarness::start(|config| config.limits.disable_after = Duration::from_secs(1)).await;
    let job = harness.create_job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    harness.ingest(&lines(3)).await;
    let disabled = harness.wait_for_job(job, |job| job["enabled"] == json!(false)).await;
    let message = disabled["error_message"].as_str().unwrap();
    assert!(message.starts_with("the job was disabled after failing for 1s: "), "{message}");
    let logged = harness.audit_log("logpush_job.disable").await;
    let [entry] = logged.body["result"].as_array().unwrap().as_slice() else { panic!("{logged:?}") };
    assert_eq!((&entry["actor"]["type"], &entry["newValueJson"]["enabled"]), (&json!("system"), &json!(false)));
    // Its lines are dropped, because they would occupy the spool of other jobs.
    harness.update(job, json!({"name": "still-disabled"})).await;
    assert!(harness.spool_files().is_empty(), "{:?}", harness.spool_files());
    harness.update(job, json!({"enabled": true, "destination_conf": "file:///a"})).await;
    harness.ingest(&line("later", "us")).await;
    harness.wait_until(|harness| (harness.ray_ids("a") == ["later"]).then_some(())).await;
}

#[tokio::test]
async fn private_addresses_are_blocked() {
    let harness = DeliveryHarness::start(|config| config.allow_private = false).await;
    let (address, received) = receiver(&[Some(RESPONSE_204)]).await;
    let port = address.port();
    let keys = "region=auto&access-key-id=secretid123&secret-access-key=secretkey456";
    let targets = [
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        format!("s3://bucket/a?{keys}&endpoint=127.0.0.1:{port}"),
        format!("s3://bucket/a?{keys}&endpoint=localhost:{port}"),
    ];
    let job = harness.create_job(json!({"destination_conf": targets[0]})).await;
    harness.ingest(&line("a", "us")).await;
    for target in &targets {
        harness.update(job, json!({"enabled": false, "destination_conf": target})).await;
        let before = harness.get_job(job).await["last_error"].clone();
        tokio::time::sleep(Duration::from_millis(1050)).await;
        harness.update(job, json!({"enabled": true})).await;
        harness.ingest(&line("b", "us")).await;
        let failed = harness.wait_for_job(job, |job| job["last_error"] != before && !job["last_error"].is_null()).await;
        let message = failed["error_message"].as_str().unwrap();
        assert!(message.contains("private address") && !message.contains("secret"), "{target}: {message}");
    }
    assert!(received.lock().unwrap().is_empty());
}

#[tokio::test]
async fn bucket_uploads_are_signed() {
    let harness = DeliveryHarness::start(|config| config.limits.initial_backoff = Duration::from_millis(400)).await;
    let denied = "HTTP/1.1 403 Forbidden\r\ncontent-length: 87\r\n\r\n<Error><Code>AccessDenied</Code><Message>no</Message><Key>secretid123</Key></Error>     ";
    let responses: &'static [Option<&'static str>] = Box::leak(Box::new([
        Some(&*denied.to_owned().leak()),
        Some("HTTP/1.1 200 OK\r\netag: \"a\"\r\ncontent-length: 0\r\n\r\n"),
    ]));
    let (address, received) = receiver(responses).await;
    let keys = "region=eu-1&access-key-id=secretid123&secret-access-key=secretkey456";
    let to = format!("s3://bucket/logs/date={{DATE}}?{keys}&endpoint={address}");
    let job = harness.create_job(json!({"destination_conf": to})).await;
    harness.ingest(&lines(2)).await;
    let failed = harness.wait_for_job(job, |job| !job["last_error"].is_null()).await;
    let message = failed["error_message"].as_str().unwrap();
    assert!(message.contains("403") && message.contains("AccessDenied") && !message.contains("secret"), "{message}");
    harness.wait_for_job(job, |job| !job["last_complete"].is_null()).await;
    let received = received.lock().unwrap().clone();
    let ReceivedRequest { head, text, .. } = &received[1];
    assert_eq!(ray_ids_in(text), ["0", "1"]);
    assert!(head.starts_with("put /bucket/logs/date%3d20") && head.contains("credential=secretid123/"), "{head}");
}

#[tokio::test]
async fn undelivered_destinations_are_reported() {
    let harness = DeliveryHarness::start(|config| config.file_root = None).await;
    let cases = [
        (
            "kinesis://stream?region=us-east-1&access-key-id=a&secret-access-key=b",
            "this service does not deliver to kinesis://",
        ),
        ("s3://bucket?region=us-east-1", "no access keys"),
        ("gs://bucket", "--logpush-own-bucket"),
    ];
    for (to, message) in cases {
        let job = harness.create_job(json!({"destination_conf": to})).await;
        let failed = harness.get_job(job).await;
        assert!(failed["error_message"].as_str().unwrap_or_default().contains(message), "{failed:#}");
        harness.delete(job).await;
    }
    assert!(harness.spool_files().is_empty());
}
