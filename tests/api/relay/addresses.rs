//! Undocumented paths are answered by the relay and never forwarded; forwarded requests reach only the upstream.

use super::harness::{ID, RecordingUpstream, TOKEN, TestRelay, listen, request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

#[tokio::test]
async fn undocumented_paths_and_methods_are_not_forwarded() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    for path in [
        "",
        "/",
        "/user/tokens",
        "/accounts/",
        "/zones/",
        "/zones/not-an-id/filters",
        "/zones/0123456789ABCDEF0123456789ABCDEF/filters",
        "/z/dns_records",
        "/z/settings/ssl",
        "/z/purge_cache",
        "/z/filters/",
        "/z/filters/..",
        "/z/filters/../../../user",
        "/z/filters/%2e%2e/%2e%2e/user",
        "/z/filters%2f..%2f..",
        "/z/filters/%30123456789abcdef0123456789abcdef",
        "/z//filters",
        "//evil.example/client/v4/zones",
        "/z/filters@evil.example",
        "/z/filters;a=b",
        "/z/logpush/ingest/http_requests",
        "/z/rulesets/phases/unheard_of/entrypoint",
        "/z/logpush/datasets/unheard_of/fields",
        "/z/firewall/waf/packages/0123456789abcdef0123456789abcdef/rules/a%2fb",
    ] {
        for method in ["GET", "POST", "DELETE"] {
            let response = relay.call(method, path, "").await;
            response.assert_errors(404, &[(7003, ""), (7000, "")]);
        }
    }
    for (method, path) in [
        ("POST", "/zones"),
        ("DELETE", "/zones/0123456789abcdef0123456789abcdef"),
        ("OPTIONS", "/z/filters"),
        ("TRACE", "/z/filters"),
        ("PATCH", "/z/filters"),
        ("POST", "/z/waf_migration/check"),
        ("PURGE", "/z/filters"),
    ] {
        relay.call(method, path, "").await.assert_errors(405, &[(10405, "")]);
    }
    assert_eq!(upstream.drain_calls(), Vec::<String>::new());
}

#[tokio::test]
async fn paths_outside_client_v4_serve_the_app_and_are_not_forwarded() {
    let upstream = RecordingUpstream::start().await;
    let relay = TestRelay::with_client_credentials(&upstream.address);
    for (path, status) in [("/", 200), ("/healthz", 200), ("/client", 404), ("/client/v5/zones", 404), ("/relay", 404)]
    {
        let mut request = request("GET", "/zones", &[("authorization", TOKEN)], "");
        *request.uri_mut() = path.parse().unwrap();
        let response = relay.send(request).await;
        assert_eq!(response.status, status, "{path}");
        assert_eq!(response.headers["x-content-type-options"], "nosniff");
    }
    assert!(upstream.drain_requests().is_empty());
}

/// Request targets that no HTTP library produces, over a real socket.
#[tokio::test]
async fn absolute_and_malformed_targets_reach_only_the_upstream() {
    let upstream = RecordingUpstream::start().await;
    let relay = listen(TestRelay::with_client_credentials(&upstream.address).router).await;
    let host = relay.trim_start_matches("http://").to_owned();
    let exchange = async |target: &str, more: &str| {
        let mut stream = TcpStream::connect(&host).await.unwrap();
        let head =
            format!("{target} HTTP/1.1\r\nhost: {host}\r\nauthorization: {TOKEN}\r\nconnection: close\r\n{more}\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response).await;
        String::from_utf8_lossy(&response).chars().skip(9).take(3).collect::<String>()
    };
    // The host of an absolute target takes precedence.
    for target in ["http://evil.example/client/v4/zones", "http://user:pass@evil.example/client/v4/zones"] {
        assert_eq!(exchange(&format!("GET {target}"), "").await, "421");
    }
    assert_eq!(exchange(&format!("GET http://{host}/client/v4/zones"), "").await, "200");
    assert_eq!(exchange(&format!("GET http://user:pass@{host}/client/v4/zones/{ID}"), "").await, "200");
    assert_eq!(upstream.drain_calls(), ["GET /client/v4/zones".to_owned(), format!("GET /client/v4/zones/{ID}")]);
    for (target, more) in [
        ("CONNECT evil.example:443", ""),
        ("GET http://evil.example/zones", ""),
        ("GET /client/v4/zones\\..\\user", ""),
        ("GET /client/v4/../v4/zones", ""),
        ("GET /client/v4/zones/../user", ""),
        ("OPTIONS *", ""),
        ("GET /client/v4/zones", "transfer-encoding: chunked\r\ncontent-length: 5\r\n"),
        ("GET /client/v4/zones", "host: evil.example\r\n"),
    ] {
        let status = exchange(target, more).await;
        if status != "200" {
            assert!(status.starts_with('4') || status.is_empty(), "{target}: {status}");
        }
    }
    // Every accepted request went to a documented path of the upstream.
    for call in upstream.drain_calls() {
        assert_eq!(call, "GET /client/v4/zones");
    }
}
