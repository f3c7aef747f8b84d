//! Encodings of request bodies.

use crate::app::TestApp;
use axum::http::Method;

#[tokio::test]
async fn request_body_must_be_uncompressed_utf8() {
    let app = TestApp::start().await;
    let utf16: Vec<u8> = "[{}]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16_with_bom = [&[0xff, 0xfe][..], &utf16].concat();
    type Case<'a> = (&'static str, &'static str, &'a [u8], u16, u64, &'static str);
    let cases: [Case<'_>; 9] = [
        ("content-encoding", "gzip", b"[]", 415, 10415, "the content encoding `gzip`"),
        ("content-encoding", "br, gzip", b"[]", 415, 10415, "send the body uncompressed"),
        ("content-type", "application/json; charset=utf-16", b"[]", 415, 10415, "the charset `utf-16`"),
        ("content-type", "text/plain; charset=\"ISO-8859-1\"", b"[]", 415, 10415, "send JSON as UTF-8"),
        ("content-type", "application/json", &utf16, 400, 10019, "send UTF-8"),
        ("content-type", "application/json", &utf16_with_bom, 400, 10019, "send UTF-8"),
        ("content-type", "application/json", b"[\"\xff\"]", 400, 10019, "not valid UTF-8"),
        // Accepted encodings: the error is about the empty array.
        ("content-type", "application/json; charset=UTF-8", b"\xef\xbb\xbf[]", 400, 10014, ""),
        ("content-encoding", "identity", b"[]", 400, 10014, ""),
    ];
    for (name, value, body, status, code, message) in cases {
        let mut request = app.request(Method::POST, &app.zone("/filters"), body.to_vec());
        request.headers_mut().insert(name, value.parse().unwrap());
        let response = app.send(request).await;
        assert_eq!((response.status, response.body["errors"][0]["code"].as_u64().unwrap()), (status, code), "{value}");
        assert!(response.message().contains(message), "{value}: {}", response.message());
    }
}
