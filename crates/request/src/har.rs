//! Parses HAR, the format in which browsers export requests and responses.
//!
//! [`list_entries`] summarizes the entries; [`read_entry`] parses one of them into a [`Request`], and [`read_entries`]
//! all of them.

use crate::error::Error;
use crate::request::{Header, Request, Response, check_header_limits};
use crate::{check_size, http, url};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Deserialize;
use std::net::IpAddr;

/// Maximum size of a file, in bytes. Response bodies, which are not retained, make up most of a file.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// A summary of an entry, for a list from which a user chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntrySummary {
    /// Method.
    pub method: String,
    /// URL of the request.
    pub url: String,
    /// Status code of the response; 0 if there is none.
    pub status: i64,
}

/// Lists the entries of a file in their order. A text that is a single entry or request has one entry.
///
/// # Errors
/// Returns an error if the text is not HAR.
pub fn list_entries(text: &str) -> Result<Vec<EntrySummary>, Error> {
    Ok(parse_entries(text)?.iter().map(summarize).collect())
}

fn summarize(entry: &HarEntry) -> EntrySummary {
    EntrySummary {
        method: entry.request.method.clone(),
        url: entry.request.url.clone(),
        status: entry.response.as_ref().map_or(0, |response| response.status),
    }
}

/// An entry with its request, or with the error of its URL or its headers.
pub type ReadEntry = (EntrySummary, Result<Request, Error>);

/// Reads all entries of a file in their order.
///
/// # Errors
/// Returns an error if the text is not HAR.
pub fn read_entries(text: &str) -> Result<Vec<ReadEntry>, Error> {
    let read = |entry: HarEntry| (summarize(&entry), to_request(entry));
    Ok(parse_entries(text)?.into_iter().map(read).collect())
}

/// Reads the request and the response of the entry with this index, from 0.
///
/// # Errors
/// Returns an error if the text is not HAR, has no such entry, or the URL of the entry is invalid.
pub fn read_entry(text: &str, index: usize) -> Result<Request, Error> {
    let entries = parse_entries(text)?;
    let count = entries.len();
    let entry = entries.into_iter().nth(index).ok_or_else(|| {
        Error::new(match count {
            0 => "the file has no entries".to_owned(),
            1 => format!("there is no entry {index}; the only entry is 0"),
            _ => format!("there is no entry {index}; the entries are 0 to {}", count - 1),
        })
    })?;
    to_request(entry)
}

/// Returns whether a JSON text has the members of HAR, rather than fields.
pub(crate) fn looks_like_har(text: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct TopLevelMembers {
        log: Option<serde::de::IgnoredAny>,
        request: Option<serde::de::IgnoredAny>,
        method: Option<serde::de::IgnoredAny>,
        url: Option<serde::de::IgnoredAny>,
    }
    if let Ok(members) = serde_json::from_slice::<TopLevelMembers>(text) {
        let is_request = members.method.is_some() && members.url.is_some();
        return members.log.is_some() || members.request.is_some() || is_request;
    }
    // For invalid JSON, the first member decides.
    let first = text.get(1..).unwrap_or_default().trim_ascii_start();
    [&b"\"log\""[..], b"\"request\"", b"\"startedDateTime\""].iter().any(|name| first.starts_with(name))
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct HarFile {
    log: HarLog,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct HarLog {
    entries: Vec<HarEntry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct HarEntry {
    started_date_time: Option<String>,
    request: HarRequest,
    response: Option<HarResponse>,
    #[serde(rename = "serverIPAddress")]
    server_ip_address: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct HarRequest {
    method: String,
    url: String,
    #[serde(default)]
    http_version: String,
    #[serde(default)]
    headers: Vec<NameValue>,
    #[serde(default)]
    cookies: Vec<NameValue>,
    post_data: Option<PostData>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct HarResponse {
    #[serde(default)]
    status: i64,
    #[serde(default)]
    headers: Vec<NameValue>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct NameValue {
    name: String,
    #[serde(default)]
    value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct PostData {
    mime_type: Option<String>,
    text: Option<String>,
    encoding: Option<String>,
    #[serde(default)]
    params: Vec<NameValue>,
}

/// Parses a file, a single entry, or the request of an entry.
fn parse_entries(text: &str) -> Result<Vec<HarEntry>, Error> {
    check_size(text.as_bytes(), MAX_BYTES)?;
    let trimmed = text.trim_start();
    let has = |name: &str| serde_json::from_str::<Members>(trimmed).is_ok_and(|members| members.has(name));
    let json_error = |error: serde_json::Error| Error::from_json(&error, text);
    if has("log") {
        Ok(serde_json::from_str::<HarFile>(text).map_err(json_error)?.log.entries)
    } else if has("request") {
        Ok(vec![serde_json::from_str(text).map_err(json_error)?])
    } else {
        let request = serde_json::from_str(text).map_err(json_error)?;
        Ok(vec![HarEntry { started_date_time: None, request, response: None, server_ip_address: None }])
    }
}

#[derive(Deserialize)]
struct Members {
    log: Option<serde::de::IgnoredAny>,
    request: Option<serde::de::IgnoredAny>,
}

impl Members {
    fn has(&self, name: &str) -> bool {
        if name == "log" { self.log.is_some() } else { self.request.is_some() }
    }
}

fn to_request(entry: HarEntry) -> Result<Request, Error> {
    let url = url::parse(&entry.request.url)?;
    let version = http::parse_version(&entry.request.http_version);
    let mut request = Request {
        method: entry.request.method.clone(),
        https: Some(url.https),
        port: Some(url.port),
        target: url.target.clone().into_bytes(),
        version,
        headers: to_headers(entry.request.headers),
        received_at_ms: entry.started_date_time.as_deref().and_then(parse_timestamp_ms),
        server_ip: entry.server_ip_address.as_deref().and_then(parse_ip),
        ..Request::default()
    };
    request.add_host_header(&url.authority);
    if !entry.request.cookies.is_empty() {
        let cookies: Vec<String> =
            entry.request.cookies.iter().map(|cookie| format!("{}={}", cookie.name, cookie.value)).collect();
        request.add_default_header("Cookie", cookies.join("; "));
    }
    request.body = read_body(entry.request.post_data, &mut request);
    check_header_limits(&request.headers).map_err(|(_, error)| error)?;
    if let Some(response) = entry.response.filter(|response| response.status > 0) {
        request.response = Some(Response { status: response.status, headers: to_headers(response.headers) });
    }
    Ok(request)
}

/// Converts headers, without the pseudo-headers of HTTP/2 and HTTP/3, which repeat the URL and the method.
fn to_headers(headers: Vec<NameValue>) -> Vec<Header> {
    let headers = headers.into_iter().filter(|header| !header.name.starts_with(':'));
    headers.map(|header| Header { name: header.name, value: header.value.trim().as_bytes().to_owned() }).collect()
}

fn read_body(data: Option<PostData>, request: &mut Request) -> Option<Vec<u8>> {
    let Some(data) = data else {
        let length = request.header("content-length").map(<[u8]>::to_owned);
        if length.is_some_and(|length| length != b"0") {
            request.add_note("the file does not contain the body");
            return None;
        }
        return Some(Vec::new());
    };
    if let Some(mime_type) = data.mime_type.filter(|mime_type| !mime_type.is_empty()) {
        request.add_default_header("Content-Type", mime_type);
    }
    match data.text {
        Some(text) if data.encoding.as_deref() == Some("base64") => match BASE64_STANDARD.decode(&text) {
            Ok(bytes) => Some(bytes),
            Err(_) => {
                request.add_note("the body is not valid Base64, so it is unknown");
                None
            }
        },
        Some(text) if !text.is_empty() || data.params.is_empty() => Some(text.into_bytes()),
        _ => {
            let pairs: Vec<String> = data.params.iter().map(|pair| format!("{}={}", pair.name, pair.value)).collect();
            Some(pairs.join("&").into_bytes())
        }
    }
}

/// Parses an IP address. Some browsers write IPv6 addresses in brackets.
fn parse_ip(text: &str) -> Option<IpAddr> {
    text.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Parses a timestamp such as `2026-11-21T20:51:00.123+01:00` into milliseconds since 1970.
fn parse_timestamp_ms(text: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let rest = text.get(19..)?;
    let zone_start = rest.find(['Z', 'z', '+', '-'])?;
    let (fraction, zone) = rest.split_at_checked(zone_start)?;
    let digits: String = fraction.trim_start_matches('.').chars().chain("000".chars()).take(3).collect();
    let offset = match zone.get(..1)? {
        "Z" | "z" => 0,
        sign => {
            let (hours, minutes) = (zone.get(1..3)?.parse::<i64>().ok()?, zone.get(4..6)?.parse::<i64>().ok()?);
            (hours * 60 + minutes) * if sign == "-" { -60 } else { 60 }
        }
    };
    // Days since 1970 in the Gregorian calendar. Years begin in March, so a leap day is the last day of a year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468;
    Some((days * 86_400 + hour * 3600 + minute * 60 + second - offset) * 1000 + digits.parse::<i64>().ok()?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;
    use serde_json::{Value as Json, json};
    use zonewright_expression::Record;

    fn file() -> Json {
        json!({"log": {"version": "1.2", "creator": {"name": "x"}, "entries": [
            {
                "startedDateTime": "2026-11-21T21:51:00.123+01:00", "time": 3, "serverIPAddress": "[2001:db8::1]",
                "request": {
                    "method": "POST", "url": "https://a.example/b?c=d#e", "httpVersion": "h2",
                    "headers": [
                        {"name": ":authority", "value": "a.example"}, {"name": "X-A", "value": " b "},
                    ],
                    "cookies": [{"name": "s", "value": "1"}],
                    "queryString": [{"name": "c", "value": "d"}],
                    "postData": {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "x", "value": "y"}]},
                },
                "response": {
                    "status": 404, "headers": [{"name": "Content-Type", "value": "Text/HTML; charset=utf-8"}],
                    "content": {"size": 5, "text": "hello"},
                },
            },
            {"request": {"method": "GET", "url": "http://b.example/"}, "response": {"status": 0}},
        ]}})
    }

    #[test]
    fn entry_is_converted_to_record() {
        let mut record = Record::default();
        read_entry(&file().to_string(), 0).unwrap().write_fields(&mut record);
        let found = crate::json::record_to_json(&record);
        let expected = json!({
            "http.host": "a.example",
            "http.request.uri": "/b?c=d",
            "http.request.version": "HTTP/2",
            "http.request.cookies": {"s": ["1"]},
            "http.request.headers": {
                "host": ["a.example"], "x-a": ["b"], "cookie": ["s=1"],
                "content-type": ["application/x-www-form-urlencoded"],
            },
            "http.request.body.form": {"x": ["y"]},
            "http.response.code": 404,
            "http.response.content_type.media_type": "text/html",
            "http.request.timestamp.sec": 1_795_294_260,
            "http.request.timestamp.msec": 123,
            "cf.edge.server_ip": "2001:db8::1",
            "ssl": true,
        });
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(&found[name], value, "{name}");
        }
    }

    #[test]
    fn entry_with_an_invalid_url_does_not_hide_the_others() {
        let mut file = file();
        file["log"]["entries"][0]["request"]["url"] = json!("nowhere");
        let entries = read_entries(&file.to_string()).unwrap();
        let read: Vec<_> = entries.iter().map(|(summary, request)| (summary.url.as_str(), request.is_ok())).collect();
        assert_eq!(read, [("nowhere", false), ("http://b.example/", true)]);
        assert!(read_entries("{").is_err());
    }

    #[test]
    fn files_entries_and_requests_are_parsed() {
        let file = file();
        let all = list_entries(&file.to_string()).unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].url.as_str(), all[0].status, all[1].status), ("https://a.example/b?c=d#e", 404, 0));
        let entry = file["log"]["entries"][0].clone();
        assert_eq!(list_entries(&entry.to_string()).unwrap(), [all[0].clone()]);
        assert_eq!(list_entries(&entry["request"].to_string()).unwrap()[0].method, "POST");
    }

    #[test]
    fn har_errors_name_member_and_position() {
        let text = file().to_string();
        let cases = [
            (text.as_str(), 2, "there is no entry 2; the entries are 0 to 1"),
            (r#"{"log": {"entries": []}}"#, 0, "the file has no entries"),
            (r#"{"log": {}}"#, 0, "line 1, column 10: `log`: missing field `entries`"),
            (
                r#"{"log": {"entries": [{"request": {"method": 5}}]}}"#,
                0,
                "line 1, column 45: `log.entries[0].request.method`: invalid type: integer `5`",
            ),
            (
                "{\"log\": {\"entries\": [\n{\"request\": {\"method\": \"G\\\"{\", \"url\": \"https://a.example\", \"headers\": [{\"name\": \"a\"}, 7]}}]}}",
                0,
                "line 2, column 87: `log.entries[0].request.headers[1]`: invalid type: integer `7`, expected an object",
            ),
            (r#"{"request": []}"#, 0, "line 1, column 14: `request`: invalid"),
            (r#"{"method": "GET", "url": "about:blank"}"#, 0, "invalid URL `about:blank`"),
            ("{\"log\": {", 0, "line 1, column 9: invalid JSON: EOF"),
        ];
        for (text, index, expected) in cases {
            let error = read_entry(text, index).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        let huge = json!({"method": "GET", "url": "https://a.example", "headers": [{"name": "A", "value": "b".repeat(300_000)}]});
        assert!(read_entry(&huge.to_string(), 0).unwrap_err().message.starts_with("headers too large at `A`"));
    }

    #[test]
    fn timestamps_are_parsed_to_milliseconds() {
        let cases = [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29T12:00:00.5Z", Some(951_825_600_500)),
            ("2026-01-01T00:00:00.000-05:30", Some(1_767_245_400_000)),
            ("yesterday", None),
            ("2026-01-01T00:00:00", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_timestamp_ms(text), expected, "{text}");
        }
    }
}
