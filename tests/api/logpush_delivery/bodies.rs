//! Request bodies with log lines.

use super::harness::{DeliveryHarness, line, lines};
use axum::body::{Body, Bytes};
use axum::http::Method;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::StreamExt;
use futures_util::stream::{pending, repeat};
use serde_json::json;
use std::io::{self, Write};
use std::time::{Duration, Instant};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn compressed_and_plain_bodies_report_rejected_lines() {
    let harness = DeliveryHarness::start(|_| {}).await;
    harness.create_job(json!({"destination_conf": "file:///a"})).await;
    let body = format!("{}[]\n\n{}nonsense\n{}", line("a", "us"), line("b", "us"), line("c", "us").trim());
    for (encoding, body) in [("Identity", body.clone().into_bytes()), ("gzip", gzip(body.as_bytes()))] {
        let request = harness.request(Method::POST, "/ingest/http_requests").header("content-encoding", encoding);
        let response = harness.send(request.body(body.into()).unwrap()).await;
        assert_eq!(response.status, 200);
        let result = &response.body["result"];
        assert_eq!((&result["accepted"], &result["rejected"]), (&json!(3), &json!(2)));
        let problems = [json!({"line": 2, "message": "the line is not a JSON object"}), result["problems"][1].clone()];
        assert_eq!(result["problems"], json!(problems));
        assert_eq!(result["problems"][1]["line"], json!(5));
    }
    harness.wait_until(|harness| (harness.ray_ids("a") == ["a", "a", "b", "b", "c", "c"]).then_some(())).await;
}

#[tokio::test]
async fn oversized_or_corrupt_bodies_are_rejected() {
    let harness = DeliveryHarness::start(|config| {
        (config.limits.max_body_bytes, config.limits.max_decompressed_bytes) = (1 << 20, 8 << 20)
    })
    .await;
    harness.create_job(json!({"destination_conf": "file:///a"})).await;
    let bomb = gzip(&vec![b' '; 20 << 20]);
    let large = gzip(lines(3000).repeat(60).as_bytes());
    assert!(large.len() < 1 << 20, "{}", large.len());
    let cases = [
        ("gzip", bomb, 400, 10015, "compression ratio"),
        ("gzip", large, 413, 10413, "8388608"),
        ("gzip", b"no gzip".to_vec(), 400, 10015, "not valid gzip"),
        ("br", Vec::new(), 400, 10015, "`br`"),
        ("identity", vec![b'\n'; 2 << 20], 413, 10413, "1048576"),
    ];
    for (encoding, body, status, code, message) in cases {
        let request = harness.request(Method::POST, "/ingest/http_requests").header("content-encoding", encoding);
        let response = harness.send(request.body(body.into()).unwrap()).await;
        response.assert_errors(status, &[(code, "")]);
        assert!(response.message().contains(message), "{}", response.message());
    }
}

#[tokio::test]
async fn body_rejected_midway_reports_the_accepted_lines() {
    let harness = DeliveryHarness::start(|config| config.limits.max_decompressed_bytes = 8 << 20).await;
    harness.create_job(json!({"destination_conf": "file:///a"})).await;
    let compressed = gzip(lines(3000).repeat(60).as_bytes());
    let broken = [&gzip(lines(3000).repeat(40).as_bytes())[..], b"no gzip"].concat();
    for (body, status, code) in [(compressed, 413, 10413), (broken, 400, 10015)] {
        let request = harness.request(Method::POST, "/ingest/http_requests").header("content-encoding", "gzip");
        let response = harness.send(request.body(body.into()).unwrap()).await;
        response.assert_errors(status, &[(code, "")]);
        let message = response.message();
        assert!(message.contains("; the first ") && message.ends_with("JSON objects were accepted"), "{message}");
    }
}

#[tokio::test]
async fn line_with_a_lone_surrogate_is_rejected() {
    let harness = DeliveryHarness::start(|_| {}).await;
    harness.create_job(json!({"destination_conf": "file:///a"})).await;
    let body = format!("{}\n{}", r#"{"RayID":"x","ClientIP":"\ud800"}"#, line("a", "us"));
    let response =
        harness.send(harness.request(Method::POST, "/ingest/http_requests").body(body.into()).unwrap()).await;
    assert_eq!((&response.body["result"]["accepted"], &response.body["result"]["rejected"]), (&json!(1), &json!(1)));
    harness.wait_until(|harness| (harness.ray_ids("a") == ["a"]).then_some(())).await;
}

#[tokio::test]
async fn ingest_requires_credentials_and_a_dataset_of_the_scope() {
    let harness = DeliveryHarness::start(|_| {}).await;
    let send = async |path: &str, token: bool| {
        let mut request = harness.request(Method::POST, "/").uri(format!("/client/v4{path}"));
        if !token {
            request.headers_mut().unwrap().remove("authorization");
        }
        harness.send(request.body(line("a", "us").into()).unwrap()).await
    };
    let (zone, account) = (harness.request(Method::GET, "/ingest"), harness.account());
    let zone = zone.uri_ref().unwrap().path().trim_start_matches("/client/v4").to_owned();
    assert_eq!(send(&format!("{zone}/http_requests"), true).await.status, 200);
    assert_eq!(send(&format!("/accounts/{account}/logpush/ingest/audit_logs"), true).await.status, 200);
    assert_eq!(send(&format!("{zone}/http_requests"), false).await.status, 400);
    assert_eq!(send(&format!("{zone}/nothing"), true).await.status, 404);
    send(&format!("{zone}/audit_logs"), true).await.assert_errors(400, &[(10015, "")]);
    send(&format!("/accounts/{account}/logpush/ingest/http_requests"), true).await.assert_errors(400, &[(10015, "")]);
}

#[tokio::test]
async fn full_spool_returns_429_until_space_is_freed() {
    let harness = DeliveryHarness::start(|config| config.max_spool_bytes = 20_000).await;
    let job = harness.create_job(json!({"destination_conf": "http://127.0.0.1:9/"})).await;
    let mut accepted = 0;
    let rejection = loop {
        let request = harness.request(Method::POST, "/ingest/http_requests").body(lines(20).into()).unwrap();
        let response = harness.send(request).await;
        if response.status != 200 {
            break response;
        }
        accepted += 20;
        assert!(accepted < 1000, "the spool never fills");
    };
    rejection.assert_errors(429, &[(10429, "")]);
    assert!(rejection.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() > 0);
    harness.update(job, json!({"destination_conf": "file:///a"})).await;
    harness.wait_until(|harness| (harness.ray_ids("a").len() == accepted).then_some(())).await;
    harness
        .wait_until(|harness| harness.spool_files().iter().all(|file| file.extension().is_none()).then_some(()))
        .await;
    harness.ingest(&lines(20)).await;
}

/// A body of lines without an end: a byte arrives at this interval, or never.
fn slow(harness: &DeliveryHarness, every: Option<Duration>) -> axum::http::Request<Body> {
    let body = match every {
        None => Body::from_stream(pending::<io::Result<Bytes>>()),
        Some(every) => Body::from_stream(repeat(every).then(async |every| {
            tokio::time::sleep(every).await;
            io::Result::Ok(Bytes::from_static(b"\n"))
        })),
    };
    harness.request(Method::POST, "/ingest/http_requests").body(body).unwrap()
}

#[tokio::test]
async fn slow_bodies_do_not_delay_other_clients() {
    let harness = DeliveryHarness::start(|config| config.limits.max_concurrent_bodies_per_client = 20).await;
    harness.create_job(json!({"destination_conf": "file:///a"})).await;
    let stalled = futures_util::future::join_all((0..16).map(|_| harness.send(slow(&harness, None))));
    let others = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let start = Instant::now();
        harness.ingest(&lines(10)).await;
        start.elapsed()
    };
    let time = tokio::select! {
        _ = stalled => panic!("an incomplete body got a response"),
        time = others => time,
    };
    assert!(time < Duration::from_secs(6), "{time:?}");
}

#[tokio::test]
async fn concurrent_ingest_over_the_limit_is_429() {
    let change = |config: &mut zonewright_delivery::LogPushConfig| {
        (config.limits.max_concurrent_bodies_per_client, config.limits.ingest_permit_timeout) =
            (2, Duration::from_millis(100));
    };
    let harness = DeliveryHarness::start(change).await;
    let stalled = futures_util::future::join_all((0..2).map(|_| harness.send(slow(&harness, None))));
    let another = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        harness.send(harness.request(Method::POST, "/ingest/http_requests").body(lines(1).into()).unwrap()).await
    };
    let response = tokio::select! {
        _ = stalled => panic!("an incomplete body got a response"),
        response = another => response,
    };
    response.assert_errors(429, &[(10429, "")]);
    assert_eq!(response.headers["retry-after"], "5");
    harness.ingest(&lines(1)).await;
}

#[tokio::test]
async fn trickling_body_times_out() {
    let harness = DeliveryHarness::start(|config| config.limits.slow_start = Duration::from_millis(500)).await;
    let start = Instant::now();
    let response = harness.send(slow(&harness, Some(Duration::from_millis(20)))).await;
    response.assert_errors(408, &[(10408, "")]);
    assert!((400..5_000).contains(&start.elapsed().as_millis()), "{:?}", start.elapsed());
}
