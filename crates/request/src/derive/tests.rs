//! Tests the derived fields of whole requests.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use crate::{http, json};
use serde_json::{Value as Json, json};
use zonewright_expression::Record;

/// Returns the derived fields of a raw request whose names have the prefix, as JSON.
fn fields(text: &str, prefix: &str) -> Json {
    let mut record = Record::default();
    http::parse(text.as_bytes()).unwrap().write_fields(&mut record);
    let all = json::record_to_json(&record);
    Json::Object(all.into_iter().filter(|(name, _)| name.starts_with(prefix)).collect())
}

#[test]
fn url_fields_are_derived() {
    let text = "get /a/%2e./B.TAR.Gz?x=1&y&x=%32&=&&z=a=b HTTP/1.1\nHost: Example.com:8443";
    let found = fields(text, "");
    let expected = json!({
        "http.request.method": "GET",
        "http.host": "Example.com",
        "cf.edge.server_port": 8443,
        "ssl": true,
        "http.request.version": "HTTP/1.1",
        "http.request.uri": "/B.TAR.Gz?x=1&y&x=%32&=&&z=a=b",
        "http.request.full_uri": "https://Example.com:8443/B.TAR.Gz?x=1&y&x=%32&=&&z=a=b",
        "http.request.uri.path": "/B.TAR.Gz",
        "http.request.uri.path.basename": "B.TAR.Gz",
        "http.request.uri.path.extension": "gz",
        "http.request.uri.query": "x=1&y&x=%32&=&&z=a=b",
        "http.request.uri.args": {"x": ["1", "%32"], "y": [""], "": [""], "z": ["a=b"]},
        "http.request.uri.args.names": ["x", "y", "x", "", "z"],
        "http.request.uri.args.values": ["1", "", "%32", "", "a=b"],
        "raw.http.request.uri.path": "/a/%2e./B.TAR.Gz",
        "raw.http.request.uri": "/a/%2e./B.TAR.Gz?x=1&y&x=%32&=&&z=a=b",
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&found[name], value, "{name}");
    }
    assert_eq!(fields("GET / HTTP/1.1", "http.request.full_uri"), json!({}));
    assert_eq!(fields("GET / HTTP/1.1", "http.host"), json!({}));
}

#[test]
fn host_field_preserves_bytes_that_are_not_utf8() {
    for text in [b"GET / HTTP/1.1\nHost: \xffa".as_slice(), b"GET / HTTP/1.1\nHost: \xffa:8443"] {
        let mut record = Record::default();
        http::parse(text).unwrap().write_fields(&mut record);
        assert_eq!(json::record_to_json(&record)["http.host"], json!({"base64": "/2E="}));
    }
}

#[test]
fn header_fields_are_derived() {
    let text = "GET / HTTP/2\nHost: a.example\nX-A: 1\nx-a: 2\nCookie: a%20b=%31; c; a b = x=y \nCookie: d=e\n\
                Accept-Language: de;q=0.5, fr, en-GB;q=0.8,*;q=0.1, it;q=0\nX-Forwarded-For: 192.0.2.1\n\
                X-Forwarded-For: 192.0.2.2";
    let found = fields(text, "http.");
    assert_eq!(found["http.request.headers"]["x-a"], json!(["1", "2"]));
    assert_eq!(found["http.request.headers.names"][1], "X-A");
    assert_eq!(found["http.request.headers.values"][2], "2");
    assert_eq!(found["http.request.headers.truncated"], false);
    assert_eq!(found["http.cookie"], "a%20b=%31; c; a b = x=y; d=e");
    assert_eq!(found["http.request.cookies"], json!({"a b": ["%31", "x=y"], "c": [""], "d": ["e"]}));
    assert_eq!(found["http.request.accepted_languages"], json!(["fr", "en-GB", "de"]));
    assert_eq!(found["http.x_forwarded_for"], "192.0.2.1, 192.0.2.2");
    assert_eq!((&found["http.user_agent"], &found["http.referer"]), (&json!(""), &json!("")));
    assert_eq!(found["http.request.version"], "HTTP/2");
}

#[test]
fn form_body_fields_are_derived() {
    let text = "POST / HTTP/1.1\nContent-Type: application/x-www-form-urlencoded; charset=utf-8\n\na=%31&b=&a=+2";
    let found = fields(text, "http.request.body");
    assert_eq!(found["http.request.body.raw"], "a=%31&b=&a=+2");
    assert_eq!(found["http.request.body.size"], 13);
    assert_eq!(found["http.request.body.truncated"], false);
    assert_eq!(found["http.request.body.form"], json!({"a": ["%31", "+2"], "b": [""]}));
    assert_eq!(found["http.request.body.form.names"], json!(["a", "b", "a"]));
    assert_eq!(found["http.request.body.form.values"], json!(["%31", "", "+2"]));
    assert_eq!(found["http.request.body.multipart"], json!({}));
    assert_eq!(found.get("http.request.body.mime"), None);
    let none = fields("GET / HTTP/1.1", "http.request.body");
    assert_eq!((&none["http.request.body.raw"], &none["http.request.body.form"]), (&json!(""), &json!({})));
}

#[test]
fn multipart_body_fields_are_derived() {
    let text = "POST / HTTP/1.1\nContent-Type: multipart/form-data; boundary=\"x y\"\n\npreamble\r\n--x y\r\n\
                Content-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n2\r\n--x y\r\n\
                Content-Disposition: form-data; name=\"f\"; filename=\"C:\\b \\\"c.txt\"\r\nContent-Type: text/plain\r\n\
                Content-Transfer-Encoding: binary\r\n\r\nhello\r\n--x y\r\n\r\nno name\r\n--x y--\r\nafter";
    let found = fields(text, "http.request.body.multipart");
    let field = |name: &str| found[format!("http.request.body.multipart{name}")].clone();
    assert_eq!(field(""), json!({"a": ["1\r\n2"], "f": ["hello"]}));
    assert_eq!(field(".names"), json!([["a"], ["f"], []]));
    assert_eq!(field(".filenames"), json!([[], ["C:\\b \"c.txt"], []]));
    assert_eq!(field(".content_types"), json!([[], ["text/plain"], []]));
    assert_eq!(field(".content_transfer_encodings"), json!([[], ["binary"], []]));
    assert_eq!(field(".content_dispositions")[0], json!(["form-data; name=\"a\""]));
    assert_eq!(field(".values"), json!(["1\r\n2", "hello", "no name"]));
}

#[test]
fn derived_fields_match_schema_types() {
    let mut request = http::parse(b"GET http://a.example/ HTTP/3\n\n").unwrap();
    request.received_at_ms = Some(-1);
    request.server_ip = Some([192, 0, 2, 1].into());
    request.response = Some(crate::Response { status: 200, headers: request.headers.clone() });
    for (name, value) in request.derive_fields(false) {
        let mut record = Record::default();
        assert_eq!(record.set(name, value), Ok(()), "{name}");
    }
    let mut record = Record::default();
    request.write_fields(&mut record);
    let found = json::record_to_json(&record);
    assert_eq!(found["http.request.timestamp.msec"], 999);
    assert_eq!(found["http.request.timestamp.sec"], -1);
    assert_eq!(found["cf.edge.client_tcp"], false);
    assert_eq!(found["http.request.full_uri"], "http://a.example/");
}
