//! Slow, misbehaving or numerous clients, through real sockets.

use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use zonewright_server::{Config, ConnectionLimits, LogConfig, serve};

/// A service on a real socket.
struct Service {
    address: String,
    task: JoinHandle<()>,
    folder: TempDir,
}

impl Drop for Service {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Service {
    async fn start(limits: ConnectionLimits) -> Service {
        let folder = TempDir::new().unwrap();
        let listen = "127.0.0.1:0".parse().unwrap();
        let log = LogConfig { filter: "warn".parse().unwrap(), ..LogConfig::default() };
        let data = folder.path().to_owned();
        let config = Config { listen, data_dir: data, connections: limits, log, ..Config::default() };
        let task = tokio::spawn(async move { serve(config).await.unwrap() });
        let address = address(folder.path()).await;
        Service { address, task, folder }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).await.unwrap()
    }

    /// The response to these bytes, up to the end of the connection.
    async fn exchange(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect().await;
        stream.write_all(bytes).await.unwrap();
        read_to_end(&mut stream).await
    }

    async fn assert_responsive(&self) {
        let response = self.exchange(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
        assert!(response.starts_with("HTTP/1.1 200 OK\r\n"), "{response}");
    }
}

async fn address(folder: &Path) -> String {
    for _ in 0..400 {
        if let Ok(text) = std::fs::read_to_string(folder.join("demo-credentials.json")) {
            let file: serde_json::Value = serde_json::from_str(&text).unwrap();
            let url = file["base_url"].as_str().unwrap();
            return url.trim_start_matches("http://").trim_end_matches("/client/v4").to_owned();
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the service did not start in ten seconds");
}

/// Reads until the other end closes or resets the connection.
async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let reading = async {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = stream.read(&mut buffer).await {
            bytes.extend_from_slice(&buffer[..read]);
        }
    };
    tokio::time::timeout(Duration::from_secs(20), reading).await.expect("the connection is closed");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn short_timeouts() -> ConnectionLimits {
    ConnectionLimits { header_timeout: Duration::from_secs(1), ..ConnectionLimits::default() }
}

#[tokio::test]
async fn header_timeout_closes_the_connection() {
    let service = Service::start(short_timeouts()).await;
    let start = Instant::now();
    let mut silent = service.connect().await;
    let mut slow = service.connect().await;
    slow.write_all(b"GET /healthz HTTP/1.1\r\nhost: local").await.unwrap();
    let mut keep_alive = service.connect().await;
    keep_alive.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    for stream in [&mut silent, &mut slow] {
        let response = read_to_end(stream).await;
        assert!(!response.contains("200 OK"), "{response}");
    }
    assert!(
        read_to_end(&mut keep_alive).await.ends_with("ok\n"),
        "the request is answered, and the idle connection is closed"
    );
    assert!((1..10).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());

    // A byte at intervals does not extend the timeout.
    let mut dripping = service.connect().await;
    let start = Instant::now();
    for _ in 0..100 {
        if dripping.write_all(b"x").await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    service.assert_responsive().await;
}

#[tokio::test]
async fn oversized_or_malformed_requests_are_rejected() {
    let service = Service::start(ConnectionLimits::default()).await;
    let long_header = format!("GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: {}\r\n\r\n", "a".repeat(100_000));
    let many_headers = format!("GET /healthz HTTP/1.1\r\nhost: localhost\r\n{}\r\n", "x: y\r\n".repeat(101));
    let address = format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "a".repeat(70_000));
    for (request, statuses) in [(long_header, &["431 "][..]), (many_headers, &["431 "]), (address, &["414 ", "431 "])] {
        let response = service.exchange(request.as_bytes()).await;
        let status = response.strip_prefix("HTTP/1.1 ").unwrap_or_default();
        assert!(statuses.iter().any(|expected| status.starts_with(expected)), "{response}");
    }
    for nonsense in ["\r\n\r\n\0\0", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}\0\u{5}hello"] {
        let response = service.exchange(nonsense.as_bytes()).await;
        assert!(response.starts_with("HTTP/1.1 400 "), "{nonsense:?}: {response}");
    }
    service.assert_responsive().await;
}

#[tokio::test]
async fn half_closed_idle_connection_is_closed() {
    let service = Service::start(ConnectionLimits::default()).await;
    let start = Instant::now();
    for prefix in ["", "GET /", "POST /client/v4/zones HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n["] {
        let mut stream = service.connect().await;
        stream.write_all(prefix.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        read_to_end(&mut stream).await;
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    service.assert_responsive().await;
}

#[tokio::test]
async fn connections_over_the_limit_wait_for_a_permit() {
    let service = Service::start(ConnectionLimits { max_connections: 3, ..short_timeouts() }).await;
    let mut idle = Vec::new();
    for _ in 0..10 {
        idle.push(service.connect().await);
    }
    let start = Instant::now();
    service.assert_responsive().await;
    assert!((2..15).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[tokio::test]
async fn write_timeout_closes_an_unread_connection() {
    let limits = ConnectionLimits { write_timeout: Duration::from_secs(1), ..ConnectionLimits::default() };
    let service = Service::start(limits).await;
    let mut stream = service.connect().await;
    // Many concurrent requests, whose responses fill every buffer on the way.
    let request = b"GET /client/v4/nonsense HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(1000);
    let start = Instant::now();
    let writing = async { while stream.write_all(&request).await.is_ok() {} };
    tokio::time::timeout(Duration::from_secs(30), writing).await.expect("the connection is cut");
    assert!(start.elapsed() >= Duration::from_secs(1));
    service.assert_responsive().await;
}

#[tokio::test]
async fn half_closed_client_still_gets_its_response() {
    let service = Service::start(ConnectionLimits::default()).await;
    for (request, status) in [
        ("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n", "200"),
        ("GET /client/v4/zones HTTP/1.1\r\nhost: localhost\r\n\r\n", "400"),
        ("POST /client/v4/filters/validate-expr HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}", "400"),
    ] {
        let mut stream = service.connect().await;
        stream.write_all(request.as_bytes()).await.unwrap();
        stream.shutdown().await.unwrap();
        let response = read_to_end(&mut stream).await;
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {response}");
    }
    service.assert_responsive().await;
}

#[tokio::test]
async fn missing_or_duplicate_host_in_http_1_1_is_400() {
    let service = Service::start(short_timeouts()).await;
    for (head, status) in [
        ("GET /healthz HTTP/1.1\r\n", "400"),
        ("GET /healthz HTTP/1.0\r\n", "200"),
        ("GET /healthz HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n", "400"),
    ] {
        let response = service.exchange(format!("{head}connection: close\r\n\r\n").as_bytes()).await;
        assert!(response.contains(&format!(" {status} ")), "{head}: {response}");
    }
}

#[tokio::test]
async fn oversized_content_length_is_413_before_the_body_is_sent() {
    let service = Service::start(ConnectionLimits::default()).await;
    let file = std::fs::read_to_string(service.folder.path().join("demo-credentials.json")).unwrap();
    let file: serde_json::Value = serde_json::from_str(&file).unwrap();
    let token = file["token"].as_str().unwrap();
    for extra_header in ["", "expect: 100-continue\r\n"] {
        let head = format!(
            "POST /client/v4/filters/validate-expr HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
             content-length: 99999999\r\n{extra_header}\r\n"
        );
        let mut stream = service.connect().await;
        stream.write_all(head.as_bytes()).await.unwrap();
        let start = Instant::now();
        let response = read_to_end(&mut stream).await;
        assert!(response.starts_with("HTTP/1.1 413 "), "{response}");
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    }
}
