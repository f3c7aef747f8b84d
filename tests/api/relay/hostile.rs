//! Upstreams that are broken or worse: each gets a clear answer here, in time, with nothing sent twice.

use super::harness::{Deed, Front, Recorder, TOKEN, hostile, request, success};
use serde_json::json;
use std::io::Write;
use std::time::{Duration, Instant};
use zonewright_server::RelayPace;

const BODY: &str = r#"[{"expression": "ssl"}]"#;

fn quick(pace: &mut RelayPace) {
    pace.whole = Duration::from_millis(400);
    pace.question = Duration::from_millis(50);
    pace.connect = Duration::from_millis(300);
    pace.answer_bytes = 10_000;
}

fn front(upstream: &str) -> Front {
    Front::with(upstream, (None, None), quick)
}

/// A read is 502, a write too and says that nobody knows what it did.
async fn both_fail(deed: impl Fn() -> Deed, status: u16, code: u64, said: &str) {
    for (method, body) in [("GET", ""), ("POST", BODY)] {
        let (upstream, count) = hostile(deed()).await;
        let begun = Instant::now();
        let answer = front(&upstream).call(method, "/z/filters", body).await;
        answer.assert_errors(status, &[(code, "")]);
        assert!(answer.message().contains(said), "{}", answer.message());
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        let is_write = method == "POST";
        assert_eq!(answer.message().contains("UNKNOWN"), is_write, "{}", answer.message());
        let told = answer.headers.get("x-should-retry").map(|value| value.to_str().unwrap());
        assert_eq!(told, is_write.then_some("false"));
        assert!(!answer.headers.contains_key("set-cookie") && !answer.headers.contains_key("location"));
        // A write asks for the plan first; nothing is sent twice.
        assert_eq!(*count.lock().unwrap(), if is_write { 2 } else { 1 });
    }
}

fn whole(head: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend(body);
    bytes
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let target = Recorder::start().await;
    for status in ["301 Moved", "302 Found", "303 See Other", "304 Not Modified", "307 Temporary", "308 Permanent"] {
        for place in [format!("{}/client/v4/zones", target.address), "/client/v4/user".to_owned()] {
            let head = format!("{status}\r\nlocation: {place}\r\nset-cookie: a=b");
            both_fail(|| Deed::Say(whole(&head, b"")), 502, 10502, "redirects are not followed").await;
        }
    }
    assert!(target.take().is_empty());
}

#[tokio::test]
async fn what_is_no_json_object_is_not_passed_on() {
    for body in
        [&b"<html>hello</html>"[..], b"", b"[]", b"\"x\"", b"{\"a\":1}{}", b"{\"a\":", b"\xff\xfe", b"{\"a\": NaN}"]
    {
        for status in ["200 OK", "403 Forbidden", "500 Oops"] {
            let head = format!("{status}\r\ncontent-type: text/html");
            both_fail(|| Deed::Say(whole(&head, body)), 502, 10502, "no JSON object").await;
        }
    }
    let deep = format!("{{\"a\":{}}}", "[".repeat(9_000));
    both_fail(|| Deed::Say(whole("200 OK", deep.as_bytes())), 502, 10502, "no JSON object").await;
}

#[tokio::test]
async fn endless_and_too_large_answers_are_cut() {
    let chunked = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffff\r\n".to_vec();
    both_fail(|| Deed::Flood(chunked.clone()), 502, 10502, "more than 10000 bytes").await;
    let open = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n".to_vec();
    both_fail(|| Deed::Flood(open.clone()), 502, 10502, "more than 10000 bytes").await;
    let announced = b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n".to_vec();
    both_fail(|| Deed::Hold(announced.clone()), 502, 10502, "more than 10000 bytes").await;
    let heads = b"HTTP/1.1 200 OK\r\nx: ".to_vec();
    both_fail(|| Deed::Flood(heads.clone()), 502, 10502, "broke off").await;
}

#[tokio::test]
async fn packed_answers_are_not_unpacked() {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&vec![b' '; 5 << 20]).unwrap();
    let bomb = packer.finish().unwrap();
    for encoding in ["gzip", "br", "deflate", "identity, gzip"] {
        let head = format!("200 OK\r\ncontent-type: application/json\r\ncontent-encoding: {encoding}");
        both_fail(|| Deed::Say(whole(&head, &bomb)), 502, 10502, "packed").await;
    }
}

#[tokio::test]
async fn slow_answers_are_not_waited_for() {
    let said = "did not answer in time";
    both_fail(|| Deed::Hold(Vec::new()), 504, 10506, said).await;
    both_fail(|| Deed::Hold(b"HTTP/1.1 200 OK\r\ncontent-le".to_vec()), 504, 10506, said).await;
    both_fail(|| Deed::Hold(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".to_vec()), 504, 10506, said).await;
    let answer = whole("200 OK", b"{\"success\": true}");
    both_fail(|| Deed::Trickle(answer.clone(), Duration::from_millis(30)), 504, 10506, said).await;
}

#[tokio::test]
async fn cut_and_broken_answers() {
    for bytes in [
        &b""[..],
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"a\"",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"\x16\x03\x01\x02\x00",
        b"SSH-2.0-OpenSSH\r\n",
    ] {
        both_fail(|| Deed::Say(bytes.to_vec()), 502, 10502, "broke off").await;
    }
    both_fail(
        || Deed::Say(b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n".to_vec()),
        502,
        10502,
        "",
    )
    .await;
}

#[tokio::test]
async fn an_upstream_that_is_not_there_was_sent_nothing() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nowhere = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    for (method, body) in [("GET", ""), ("POST", BODY)] {
        let answer = front(&nowhere).call(method, "/z/filters", body).await;
        answer.assert_errors(502, &[(10502, "")]);
        assert!(answer.message().contains("nothing was sent") && !answer.message().contains("UNKNOWN"));
        assert!(!answer.headers.contains_key("x-should-retry"));
    }
}

#[tokio::test]
async fn too_many_requests_at_once_wait_and_are_turned_away() {
    let (upstream, count) = hostile(Deed::Hold(Vec::new())).await;
    let front = Front::with(&upstream, (None, None), |pace| {
        quick(pace);
        pace.at_once = 2;
        pace.connect = Duration::from_millis(100);
    });
    let call = || front.call("GET", "/zones", "");
    let answers = tokio::join!(call(), call(), call());
    let mut statuses = [answers.0.status, answers.1.status, answers.2.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [503, 504, 504]);
    let turned_away = [&answers.0, &answers.1, &answers.2].into_iter().find(|answer| answer.status == 503).unwrap();
    turned_away.assert_errors(503, &[(10505, "")]);
    assert_eq!(turned_away.headers["retry-after"], "5");
    assert_eq!(*count.lock().unwrap(), 2);
}

#[tokio::test]
async fn after_a_bad_answer_the_next_is_good() {
    let calls = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let upstream = Recorder::answering(move |_| {
        if calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 0 {
            axum::response::IntoResponse::into_response("oops")
        } else {
            success(json!([]))
        }
    })
    .await;
    let front = front(&upstream.address);
    assert_eq!(front.call("GET", "/zones", "").await.status, 502);
    let answer = front.send(request("GET", "/zones", &[("authorization", TOKEN)], "")).await;
    assert_eq!(answer.status, 200);
}
