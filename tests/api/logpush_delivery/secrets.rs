//! What a destination has that is nobody's business appears in no log and in no answer but in the job itself.

use super::harness::{Bench, line};
use axum::http::Method;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tracing_subscriber::fmt::MakeWriter;

/// In every secret, and in nothing else.
pub(crate) const MARK: &str = "hush";

/// Addresses of every scheme; `{}` is a receiver that says back what it got. No name leads anywhere.
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

/// All that is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Log;

    fn make_writer(&self) -> Log {
        self.clone()
    }
}

/// Refuses every request, and says back all of it.
async fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut got = vec![0; 4096];
            let length = stream.read(&mut got).await.unwrap_or(0);
            let body = format!("<Error><Code>hush1key23</Code>{}</Error>", String::from_utf8_lossy(&got[..length]));
            let head =
                format!("HTTP/1.1 403 hush2secret\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
            let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
        }
    });
    address
}

/// An answer without what is meant to hold secrets: the address of a job that was read or kept.
fn without_address(mut answer: Value) -> String {
    if let Some(job) = answer["result"].as_object_mut() {
        job.remove("destination_conf");
    }
    answer.to_string()
}

/// The address as somebody writes it who makes a mistake.
fn mistakes(address: &str) -> Vec<String> {
    let mut wrong = vec![
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
    if let Some((place, query)) = address.split_once('?') {
        let pairs: Vec<&str> = query.split('&').collect();
        for missing in 0..pairs.len() {
            let rest = [&pairs[..missing], &pairs[missing + 1..]].concat();
            wrong.push(format!("{place}?{}", rest.join("&")));
        }
    }
    wrong
}

async fn try_all(bench: &Bench, address: &str) -> Vec<String> {
    let mut answers = Vec::new();
    let mut call = async |method: Method, path: &str, body: Value| {
        let answer = bench.send(bench.request(method, path).body(body.to_string().into()).unwrap()).await;
        answers.push(format!("{path} {address}: {}", without_address(answer.body.clone())));
        answer
    };
    for conf in [address.to_owned()].into_iter().chain(mistakes(address)) {
        let body = json!({"destination_conf": conf});
        call(Method::POST, "/validate/destination/exists", body.clone()).await;
        if conf != address {
            let made = call(Method::POST, "/jobs", body.clone()).await;
            if let Some(id) = made.body["result"]["id"].as_u64() {
                // Some mistakes are none.
                bench.delete(id).await;
            }
            call(Method::POST, "/validate/destination", body.clone()).await;
        }
        call(Method::POST, "/ownership/validate", json!({"destination_conf": conf, "ownership_challenge": "x"})).await;
    }
    // What would be sent over the Internet is not tried.
    if address.starts_with("r2") {
        return answers;
    }
    call(Method::POST, "/validate/destination", json!({"destination_conf": address})).await;
    call(Method::POST, "/ownership", json!({"destination_conf": address})).await;
    let job = json!({"destination_conf": address});
    call(Method::POST, "/jobs", json!({"destination_conf": address, "ownership_challenge": "x"})).await;
    let id = bench.job(job).await;
    bench.ingest(&line("a", "us")).await;
    bench.settled(id, |job| !job["last_error"].is_null()).await;
    call(Method::GET, &format!("/jobs/{id}"), json!(null)).await;
    call(Method::PUT, &format!("/jobs/{id}"), json!({"name": "?", "filter": "{", "kind": "x"})).await;
    call(Method::PUT, &format!("/jobs/{id}"), json!({"destination_conf": format!("{address}&access-key-id=hush7")}))
        .await;
    bench.delete(id).await;
    answers
}

/// Set in the process that has the test for itself.
const ALONE: &str = "ZONEWRIGHT_TEST_ALONE";

/// In a process of its own: what is logged is decided for a whole process, and other tests have no use for it.
#[test]
fn secrets_of_destinations_appear_nowhere() {
    if std::env::var_os(ALONE).is_some() {
        return look_for_secrets();
    }
    let this = std::thread::current().name().unwrap().to_owned();
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    let output = again.args(["--exact", &this, "--nocapture"]).env(ALONE, "1").output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.contains("1 passed"), "{this} is no name of a test: {told}");
}

fn look_for_secrets() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(log.clone());
    let dispatch = tracing::Dispatch::new(subscriber.finish());
    let here = tracing::dispatcher::set_default(&dispatch);
    // Threads for work that blocks are this runtime's only others.
    let of_threads = dispatch.clone();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .on_thread_start(move || std::mem::forget(tracing::dispatcher::set_default(&of_threads)))
        .build()
        .unwrap();
    let answers = runtime.block_on(async {
        // A destination is tried when it is asked about; jobs are kept all the same.
        let bench = Bench::start(|config| config.test_destination = false).await;
        let echo = echo().await;
        let mut answers = Vec::new();
        for address in DESTINATIONS {
            answers.extend(try_all(&bench, &address.replace("{}", &echo)).await);
        }
        answers
    });
    drop(here);
    let log = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    for captured in ["TRACE", "zonewright_server::delivery::worker: job ", "hyper"] {
        assert!(log.contains(captured), "{captured} is not in {} bytes", log.len());
    }
    for line in log.lines().chain(answers.iter().map(String::as_str)) {
        let shown = line.split_once(": {").map_or(line, |(_, answer)| answer);
        assert!(!shown.contains(MARK), "{line}");
    }
}
