//! Secrets of destinations appear in no log, and in no response except the job itself.

use super::harness::{DeliveryHarness, line};
use axum::http::Method;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tracing_subscriber::fmt::MakeWriter;
use zonewright_logpush::destination::Scheme;

/// A marker in every secret, and in nothing else.
pub(crate) const SECRET_MARKER: &str = "hush";

/// URLs of every scheme; `{}` is a receiver that echoes the request. No host name resolves.
pub(crate) const DESTINATIONS: [&str; 14] = [
    "s3://bucket/a?region=eu-1&access-key-id=hush1key23&secret-access-key=hush2secret&endpoint={}",
    "s3://bucket/a?region=eu-1&access-key-id=hush1key23&secret-access-key=hush2secret&endpoint=nowhere.invalid",
    "r2://bucket/a?account-id=0a1b&access-key-id=hush1key23&secret-access-key=hush2secret",
    "gs://bucket/a/{DATE}",
    "azure://account.blob.nowhere.invalid/container/a?sv=2022-11-02&sig=hush1%2Bsig%3D",
    "http://{}/in?token=hush1token&header_Authorization=Basic%20hush2token",
    "https://nowhere.invalid/in?token=hush1token&header_X-Token=hush2%20token",
    "https://log-api.newrelic.com.nowhere.invalid/log/v1?Api-Key=hush1apikey&format=cloudflare",
    "datadog://nowhere.invalid/api/v2/logs?header_DD-API-KEY=hush1ddkey&ddsource=cloudflare&service=a&host=b",
    "splunk://nowhere.invalid:8088/services/collector/raw?channel=f4f6f4d2-7a0e-4f0e-9c3c-5e2f6a2b1c0d\
     &insecure-skip-verify=true&sourcetype=cloudflare:json&header_Authorization=Splunk%20hush1splunk",
    "sumo://nowhere.invalid/receiver/v1/http/hush1sumocode==",
    "bq://projects/a/datasets/b/tables/c?credentials=base64:hush1credentials",
    "kinesis://stream?region=eu-1&access-key-id=hush1key23&secret-access-key=hush2secret",
    "ibmcl://a.ingress.eu-de.logs.cloud.ibm.com/logs/v1/singles?ibm_api_key=hush1ibmkey",
];

#[test]
fn destinations_have_every_scheme() {
    let remote = Scheme::ALL.iter().filter(|scheme| **scheme != Scheme::File);
    let missing: Vec<_> =
        remote.filter(|scheme| !DESTINATIONS.iter().any(|url| url.starts_with(&format!("{scheme}://")))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Captures the log.
#[derive(Clone, Default)]
struct LogCapture(Arc<Mutex<Vec<u8>>>);

impl Write for LogCapture {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for LogCapture {
    type Writer = LogCapture;

    fn make_writer(&self) -> LogCapture {
        self.clone()
    }
}

/// Rejects every request, and echoes it completely.
async fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut buffer = vec![0; 4096];
            let length = stream.read(&mut buffer).await.unwrap_or(0);
            let body = format!("<Error><Code>hush1key23</Code>{}</Error>", String::from_utf8_lossy(&buffer[..length]));
            let head =
                format!("HTTP/1.1 403 hush2secret\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
            let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
        }
    });
    address
}

/// A response without the member that may contain secrets: the destination of a job.
fn without_address(mut response: Value) -> String {
    if let Some(job) = response["result"].as_object_mut() {
        job.remove("destination_conf");
    }
    response.to_string()
}

/// Misspelled variants of the URL.
fn misspelled_urls(address: &str) -> Vec<String> {
    let mut invalid = vec![
        format!("x{address}"),
        address.replace("://", ":/"),
        address.replacen('?', "", 1),
        address.replacen('?', "/{HOUR}?", 1),
        address.replace('=', ""),
        address.replace("%2", "%zz"),
        address.replace('?', "@x?"),
        format!("{address} "),
        format!("{address}&header_Host=hush3&header_=hush4&header_x\n=hush5&regoin=hush6"),
    ];
    if let Some((base, query)) = address.split_once('?') {
        let pairs: Vec<&str> = query.split('&').collect();
        for missing in 0..pairs.len() {
            let rest = [&pairs[..missing], &pairs[missing + 1..]].concat();
            invalid.push(format!("{base}?{}", rest.join("&")));
        }
    }
    invalid
}

async fn exercise_all_endpoints(harness: &DeliveryHarness, address: &str) -> Vec<String> {
    let mut responses = Vec::new();
    let mut call = async |method: Method, path: &str, body: Value| {
        let response = harness.send(harness.request(method, path).body(body.to_string().into()).unwrap()).await;
        responses.push(format!("{path} {address}: {}", without_address(response.body.clone())));
        response
    };
    for conf in [address.to_owned()].into_iter().chain(misspelled_urls(address)) {
        let body = json!({"destination_conf": conf});
        call(Method::POST, "/validate/destination/exists", body.clone()).await;
        if conf != address {
            let created = call(Method::POST, "/jobs", body.clone()).await;
            if let Some(id) = created.body["result"]["id"].as_u64() {
                // Some misspelled URLs are valid.
                harness.delete(id).await;
            }
            call(Method::POST, "/validate/destination", body.clone()).await;
        }
        call(Method::POST, "/ownership/validate", json!({"destination_conf": conf, "ownership_challenge": "x"})).await;
    }
    // Destinations on the Internet are not contacted.
    if address.starts_with("r2") {
        return responses;
    }
    call(Method::POST, "/validate/destination", json!({"destination_conf": address})).await;
    call(Method::POST, "/ownership", json!({"destination_conf": address})).await;
    let job = json!({"destination_conf": address});
    call(Method::POST, "/jobs", json!({"destination_conf": address, "ownership_challenge": "x"})).await;
    let id = harness.create_job(job).await;
    harness.ingest(&line("a", "us")).await;
    harness.wait_for_job(id, |job| !job["last_error"].is_null()).await;
    call(Method::GET, &format!("/jobs/{id}"), json!(null)).await;
    call(Method::PUT, &format!("/jobs/{id}"), json!({"name": "?", "filter": "{", "kind": "x"})).await;
    call(Method::PUT, &format!("/jobs/{id}"), json!({"destination_conf": format!("{address}&access-key-id=hush7")}))
        .await;
    harness.delete(id).await;
    responses
}

/// Set in the separate process that runs the test.
const ISOLATED_PROCESS_ENV: &str = "ZONEWRIGHT_TEST_ALONE";

/// Runs in a separate process, because the log subscriber is global and would affect other tests.
#[test]
fn destination_secrets_leak_nowhere() {
    if std::env::var_os(ISOLATED_PROCESS_ENV).is_some() {
        return look_for_secrets();
    }
    let this = std::thread::current().name().unwrap().to_owned();
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    let output = again.args(["--exact", &this, "--nocapture"]).env(ISOLATED_PROCESS_ENV, "1").output().unwrap();
    let message = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{message}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(message.contains("1 passed"), "{this} is not the name of a test: {message}");
}

fn look_for_secrets() {
    let log = LogCapture::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone());
    let dispatch = tracing::Dispatch::new(subscriber.finish());
    let here = tracing::dispatcher::set_default(&dispatch);
    // The other threads of this runtime run only blocking work.
    let of_threads = dispatch.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .on_thread_start(move || std::mem::forget(tracing::dispatcher::set_default(&of_threads)))
        .build()
        .unwrap();
    let responses = runtime.block_on(async {
        // Validation contacts the destination; jobs are stored anyway.
        let harness = DeliveryHarness::start(|config| config.test_destination = false).await;
        let echo = echo().await;
        let mut responses = Vec::new();
        for address in DESTINATIONS {
            responses.extend(exercise_all_endpoints(&harness, &address.replace("{}", &echo)).await);
        }
        responses
    });
    drop(here);
    let log = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    for captured in ["TRACE", "zonewright_delivery::worker: job ", "hyper"] {
        assert!(log.contains(captured), "{captured} is not in {} bytes", log.len());
    }
    for line in log.lines().chain(responses.iter().map(String::as_str)) {
        let response_text = line.split_once(": {").map_or(line, |(_, response)| response);
        assert!(!response_text.contains(SECRET_MARKER), "{line}");
    }
}
