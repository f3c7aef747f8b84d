//! Broken and malicious upstreams: each yields a clear error in time, and nothing is sent twice.

use super::harness::{RecordingUpstream, TOKEN, TestRelay, UpstreamBehavior, request, start_hostile_upstream, success};
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};
use zonewright_server::RelayLimits;

const BODY: &str = r#"[{"expression": "ssl"}]"#;

fn short_timeouts(limits: &mut RelayLimits) {
    limits.response_timeout = Duration::from_millis(400);
    limits.lookup_timeout = Duration::from_millis(50);
    limits.connect_timeout = Duration::from_millis(300);
    limits.max_response_bytes = 10_000;
}

fn test_relay(upstream: &str) -> TestRelay {
    TestRelay::with_limits(upstream, (None, None), short_timeouts)
}

/// Asserts that a read fails with 502, and that a write fails too and reports an unknown outcome.
async fn assert_read_and_write_fail(behavior: impl Fn() -> UpstreamBehavior, status: u16, code: u64, message: &str) {
    for (method, body) in [("GET", ""), ("POST", BODY)] {
        let (upstream, count) = start_hostile_upstream(behavior()).await;
        let start = Instant::now();
        let response = test_relay(&upstream).call(method, "/z/filters", body).await;
        response.assert_errors(status, &[(code, "")]);
        assert!(response.message().contains(message), "{}", response.message());
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
        let is_write = method == "POST";
        assert_eq!(response.message().contains("UNKNOWN"), is_write, "{}", response.message());
        let should_retry = response.headers.get("x-should-retry").map(|value| value.to_str().unwrap());
        assert_eq!(should_retry, is_write.then_some("false"));
        assert!(!response.headers.contains_key("set-cookie") && !response.headers.contains_key("location"));
        // A write requests the plan first; nothing is sent twice.
        assert_eq!(*count.lock().unwrap(), if is_write { 2 } else { 1 });
    }
}

fn response_bytes(head: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend(body);
    bytes
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let target = RecordingUpstream::start().await;
    for status in ["301 Moved", "302 Found", "303 See Other", "304 Not Modified", "307 Temporary", "308 Permanent"] {
        for location in [format!("{}/client/v4/zones", target.address), "/client/v4/user".to_owned()] {
            let head = format!("{status}\r\nlocation: {location}\r\nset-cookie: a=b");
            assert_read_and_write_fail(
                || UpstreamBehavior::Say(response_bytes(&head, b"")),
                502,
                10502,
                "redirects are not followed",
            )
            .await;
        }
    }
    assert!(target.drain_requests().is_empty());
}

#[tokio::test]
async fn non_object_response_is_502() {
    for body in
        [&b"<html>hello</html>"[..], b"", b"[]", b"\"x\"", b"{\"a\":1}{}", b"{\"a\":", b"\xff\xfe", b"{\"a\": NaN}"]
    {
        for status in ["200 OK", "403 Forbidden", "500 Oops"] {
            let head = format!("{status}\r\ncontent-type: text/html");
            assert_read_and_write_fail(
                || UpstreamBehavior::Say(response_bytes(&head, body)),
                502,
                10502,
                "not a JSON object",
            )
            .await;
        }
    }
    let deep = format!("{{\"a\":{}}}", "[".repeat(9_000));
    assert_read_and_write_fail(
        || UpstreamBehavior::Say(response_bytes("200 OK", deep.as_bytes())),
        502,
        10502,
        "not a JSON object",
    )
    .await;
}

#[tokio::test]
async fn endless_and_oversized_responses_are_502() {
    let chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffff\r\n".to_vec();
    assert_read_and_write_fail(|| UpstreamBehavior::Flood(chunked.clone()), 502, 10502, "more than 10000 bytes").await;
    let open = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec();
    assert_read_and_write_fail(|| UpstreamBehavior::Flood(open.clone()), 502, 10502, "more than 10000 bytes").await;
    let announced = b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n".to_vec();
    assert_read_and_write_fail(|| UpstreamBehavior::Hold(announced.clone()), 502, 10502, "more than 10000 bytes").await;
    let heads = b"HTTP/1.1 200 OK\r\nx: ".to_vec();
    assert_read_and_write_fail(|| UpstreamBehavior::Flood(heads.clone()), 502, 10502, "did not complete its response")
        .await;
}

#[tokio::test]
async fn compressed_responses_are_502() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&vec![b' '; 5 << 20]).unwrap();
    let bomb = packer.finish().unwrap();
    for encoding in ["gzip", "br", "deflate", "identity, gzip"] {
        let head = format!("200 OK\r\ncontent-type: application/json\r\ncontent-encoding: {encoding}");
        assert_read_and_write_fail(|| UpstreamBehavior::Say(response_bytes(&head, &bomb)), 502, 10502, "compressed")
            .await;
    }
}

#[tokio::test]
async fn slow_responses_are_504() {
    let message = "did not respond in time";
    assert_read_and_write_fail(|| UpstreamBehavior::Hold(Vec::new()), 504, 10506, message).await;
    assert_read_and_write_fail(
        || UpstreamBehavior::Hold(b"HTTP/1.1 200 OK\r\ncontent-le".to_vec()),
        504,
        10506,
        message,
    )
    .await;
    assert_read_and_write_fail(
        || UpstreamBehavior::Hold(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".to_vec()),
        504,
        10506,
        message,
    )
    .await;
    let response = response_bytes("200 OK", b"{\"success\": true}");
    assert_read_and_write_fail(
        || UpstreamBehavior::Trickle(response.clone(), Duration::from_millis(30)),
        504,
        10506,
        message,
    )
    .await;
}

#[tokio::test]
async fn truncated_and_malformed_responses_are_502() {
    for bytes in [
        &b""[..],
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"a\"",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"\x16\x03\x01\x02\x00",
        b"SSH-2.0-OpenSSH\r\n",
    ] {
        assert_read_and_write_fail(
            || UpstreamBehavior::Say(bytes.to_vec()),
            502,
            10502,
            "did not complete its response",
        )
        .await;
    }
    assert_read_and_write_fail(
        || {
            UpstreamBehavior::Say(
                b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n".to_vec(),
            )
        },
        502,
        10502,
        "",
    )
    .await;
}

#[tokio::test]
async fn unreachable_upstream_reports_that_nothing_was_sent() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nowhere = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for (method, body) in [("GET", ""), ("POST", BODY)] {
        let response = test_relay(&nowhere).call(method, "/z/filters", body).await;
        response.assert_errors(502, &[(10502, "")]);
        assert!(response.message().contains("nothing was sent") && !response.message().contains("UNKNOWN"));
        assert!(!response.headers.contains_key("x-should-retry"));
    }
}

#[tokio::test]
async fn requests_over_the_concurrency_limit_wait_and_get_503() {
    let (upstream, count) = start_hostile_upstream(UpstreamBehavior::Hold(Vec::new())).await;
    let relay = TestRelay::with_limits(&upstream, (None, None), |limits| {
        short_timeouts(limits);
        limits.max_concurrent_requests = 2;
        limits.connect_timeout = Duration::from_millis(100);
    });
    let call = || relay.call("GET", "/zones", "");
    let responses = tokio::join!(call(), call(), call());
    let mut statuses = [responses.0.status, responses.1.status, responses.2.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [503, 504, 504]);
    let rejection =
        [&responses.0, &responses.1, &responses.2].into_iter().find(|response| response.status == 503).unwrap();
    rejection.assert_errors(503, &[(10505, "")]);
    assert_eq!(rejection.headers["retry-after"], "5");
    assert_eq!(*count.lock().unwrap(), 2);
}

#[tokio::test]
async fn relay_recovers_after_a_bad_upstream_response() {
    let calls = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let upstream = RecordingUpstream::with_handler(move |_| {
        if calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0 {
            axum::response::IntoResponse::into_response("oops")
        } else {
            success(json!([]))
        }
    })
    .await;
    let relay = test_relay(&upstream.address);
    assert_eq!(relay.call("GET", "/zones", "").await.status, 502);
    let response = relay.send(request("GET", "/zones", &[("authorization", TOKEN)], "")).await;
    assert_eq!(response.status, 200);
}
