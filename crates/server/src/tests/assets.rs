//! Static files as clients receive them: through the middleware and over a connection. The files are those of
//! `tests/dist`.

use crate::config::RelayConfig;
use crate::connections::{self, ConnectionLimits, ServerPhase};
use crate::content_coding::gzip;
use crate::relay::Relay;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use flate2::Compression;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

const PAGE: &str = "/";
const SCRIPT: &str = "/app-0123456789abcdef.js";
const IMAGE: &str = "/icon.png";
/// The OpenAPI document, its page and the style sheet of that page.
const DOCUMENTS: [&str; 3] = ["/client/v4/openapi.json", "/docs/api", "/docs/api.css"];
const GZIP: (&str, &str) = ("accept-encoding", "gzip");

/// A server of the app. It stops when this value is dropped.
struct Server {
    address: SocketAddr,
    _phase: watch::Sender<ServerPhase>,
}

struct TestResponse {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Server {
    async fn start() -> Server {
        // A relay serves the same files and needs no database.
        let relay =
            Relay::open(RelayConfig::new("http://127.0.0.1:9/client/v4", false, (None, None)).unwrap()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (phase, phase_receiver) = watch::channel(ServerPhase::Accepting);
        let metrics = relay.metrics().clone();
        tokio::spawn(connections::serve(
            listener,
            relay.router(),
            ConnectionLimits::default(),
            metrics,
            phase_receiver,
        ));
        Server { address, _phase: phase }
    }

    async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> TestResponse {
        let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let request = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{lines}\r\n", self.address);
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.unwrap();
        TestResponse::read(&bytes)
    }

    async fn get(&self, path: &str, headers: &[(&str, &str)]) -> TestResponse {
        self.send("GET", path, headers).await
    }
}

impl TestResponse {
    fn read(bytes: &[u8]) -> TestResponse {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = std::str::from_utf8(&bytes[..end]).unwrap();
        let (first, lines) = head.split_once("\r\n").unwrap();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.parse::<HeaderName>().unwrap(), value.parse::<HeaderValue>().unwrap())
        };
        let status = first.split(' ').nth(1).unwrap().parse().unwrap();
        TestResponse { status, headers: lines.lines().map(header).collect(), body: bytes[end + 4..].to_vec() }
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn assert_content(&self, encoding: &str, expected: &[u8]) {
        assert_eq!((self.status, self.header("content-encoding")), (200, encoding));
        assert!(self.header("vary").contains("accept-encoding"), "{:?}", self.headers);
        assert_eq!(self.body, expected);
        assert_eq!(self.header("content-length"), expected.len().to_string());
    }
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/dist/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[tokio::test]
async fn content_encoding_follows_accept_encoding() {
    let server = Server::start().await;
    // `Accept-Encoding`, and the encoding of files and of documents, which have no Brotli encoding.
    let cases: [(Option<&str>, &str, &str); 13] = [
        (None, "", ""),
        (Some("gzip"), "gzip", "gzip"),
        (Some("GZip, deflate"), "gzip", "gzip"),
        (Some("gzip, deflate, br"), "br", "gzip"),
        (Some("gzip, br;q=0.9"), "gzip", "gzip"),
        (Some("br"), "br", ""),
        (Some("*"), "br", "gzip"),
        (Some("br;q=0, *"), "gzip", "gzip"),
        (Some("identity"), "", ""),
        (Some("gzip;q=0"), "", ""),
        (Some("gzip;Q=0.000, *;q=0"), "", ""),
        (Some("gzip; q=0"), "", ""),
        (Some("gzip;q=0.5, identity"), "", ""),
    ];
    let encoded = |name: &str, encoding: &str| match encoding {
        "br" => file(&format!("{name}.br")),
        "gzip" => file(&format!("{name}.gz")),
        _ => file(name),
    };
    let files = [(PAGE, "index.html"), ("/index.html", "index.html"), (SCRIPT, "app-0123456789abcdef.js")];
    for (accepted, file_encoding, document_encoding) in cases {
        let headers: Vec<(&str, &str)> = accepted.iter().map(|accepted| ("accept-encoding", *accepted)).collect();
        for (path, name) in files {
            let response = server.get(path, &headers).await;
            response.assert_content(file_encoding, &encoded(name, file_encoding));
        }
        for path in DOCUMENTS {
            let plain = server.get(path, &[]).await.body;
            let expected =
                if document_encoding.is_empty() { plain } else { gzip(&plain, Compression::best()).unwrap().to_vec() };
            server.get(path, &headers).await.assert_content(document_encoding, &expected);
        }
    }
}

#[tokio::test]
async fn head_response_has_the_headers_of_get_and_no_body() {
    let server = Server::start().await;
    for path in [PAGE, SCRIPT, IMAGE].into_iter().chain(DOCUMENTS) {
        for headers in [&[][..], &[GZIP]] {
            let (get, head) = (server.get(path, headers).await, server.send("HEAD", path, headers).await);
            assert_eq!((head.status, head.body.len()), (200, 0), "{path} {headers:?}");
            for name in ["content-type", "content-length", "content-encoding", "cache-control", "etag", "vary"] {
                assert_eq!(head.header(name), get.header(name), "{path} {headers:?}: {name}");
            }
        }
    }
}

#[tokio::test]
async fn known_tag_gets_304_for_its_own_encoding() {
    let server = Server::start().await;
    for path in [PAGE, SCRIPT].into_iter().chain(DOCUMENTS) {
        let plain = server.get(path, &[]).await.header("etag").to_owned();
        let gzipped = server.get(path, &[GZIP]).await.header("etag").to_owned();
        assert_ne!(plain, gzipped, "{path}");
        let weak = format!("W/{gzipped}");
        let list = format!("\"other\",{gzipped} , {plain}");
        let cases = [
            (plain.as_str(), 304, 200),
            (gzipped.as_str(), 200, 304),
            (weak.as_str(), 200, 304),
            (list.as_str(), 304, 304),
            ("*", 304, 304),
            ("\"other\"", 200, 200),
            ("other", 200, 200),
        ];
        for (known, without, with) in cases {
            let known = ("if-none-match", known);
            for (headers, status, tag) in [(&[known][..], without, &plain), (&[GZIP, known], with, &gzipped)] {
                let response = server.get(path, headers).await;
                assert_eq!((response.status, response.header("etag")), (status, tag.as_str()), "{path} {headers:?}");
                assert_eq!(response.body.is_empty(), status == 304, "{path} {headers:?}");
                assert!(response.header("vary").contains("accept-encoding"), "{path} {headers:?}");
                let caching = if path == SCRIPT { "public, max-age=31536000, immutable" } else { "no-cache" };
                assert_eq!(response.header("cache-control"), caching, "{path} {headers:?}");
            }
        }
        let lines = [GZIP, ("if-none-match", "\"other\""), ("if-none-match", &gzipped)];
        assert_eq!(server.get(path, &lines).await.status, 304, "{path}: tags on two lines");
    }
}

#[tokio::test]
async fn types_caching_and_policy_follow_the_file() {
    let server = Server::start().await;
    let cases = [
        (PAGE, "text/html; charset=utf-8", "no-cache", true),
        (SCRIPT, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", true),
        (IMAGE, "image/png", "no-cache", false),
    ];
    for (path, kind, caching, has_policy) in cases {
        for headers in [&[][..], &[GZIP]] {
            let response = server.get(path, headers).await;
            assert_eq!((response.header("content-type"), response.header("cache-control")), (kind, caching), "{path}");
            assert_eq!(response.header("content-security-policy").contains("script-src"), has_policy, "{path}");
            assert_eq!(response.header("content-encoding").is_empty(), headers.is_empty() || path == IMAGE, "{path}");
        }
    }
    let image = server.get(IMAGE, &[GZIP]).await;
    assert_eq!((image.header("vary").contains("accept-encoding"), image.body), (false, file("icon.png")));
    assert_eq!(server.get("/missing.js", &[GZIP]).await.status, 404);
    assert_eq!(server.send("POST", PAGE, &[]).await.status, 404);
}

#[tokio::test]
async fn api_page_has_its_own_policy_in_every_encoding() {
    let server = Server::start().await;
    for headers in [&[][..], &[GZIP]] {
        let page = server.get("/docs/api", headers).await;
        let policy = page.header("content-security-policy");
        assert!(policy.contains("style-src 'self'") && !policy.contains("script-src"), "{policy}");
        assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
        let document = server.get("/client/v4/openapi.json", headers).await;
        assert_eq!(document.header("content-type"), "application/json; charset=UTF-8");
    }
}
