//! HAR, the file in which browsers save what they sent and received.

use crate::error::Error;
use crate::request::{Header, Request, Response, within_limits};
use crate::{http, url, within};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Deserialize;
use std::net::IpAddr;

/// Largest file, in bytes. The bodies of answers are most of it, and they are not kept.
pub const MOST_BYTES: usize = 64 * 1024 * 1024;

/// An entry, for a list to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Method.
    pub method: String,
    /// Address.
    pub url: String,
    /// Status of the answer, 0 when there was none.
    pub status: i64,
}

/// The entries of a file, in its order; one for a single entry.
///
/// # Errors
/// When the text is no HAR.
pub fn entries(text: &str) -> Result<Vec<Entry>, Error> {
    let entry = |entry: EntryText| Entry {
        method: entry.request.method,
        url: entry.request.url,
        status: entry.response.map_or(0, |response| response.status),
    };
    Ok(read(text)?.into_iter().map(entry).collect())
}

/// The request of one entry, counted from 0, with its answer.
///
/// # Errors
/// When the text is no HAR, has no such entry, or the entry's address is none.
pub fn entry(text: &str, index: usize) -> Result<Request, Error> {
    let all = read(text)?;
    let count = all.len();
    let entry = all.into_iter().nth(index).ok_or_else(|| {
        Error::new(match count {
            0 => "the file has no entries".to_owned(),
            1 => format!("there is no entry {index}, the file has one, with the number 0"),
            _ => format!("there is no entry {index}, the file has {count}, from 0 on"),
        })
    })?;
    request(entry)
}

/// Whether a JSON text looks like HAR and not like fields: by the members that it begins with.
pub(crate) fn looks_like(text: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Shape {
        log: Option<serde::de::IgnoredAny>,
        request: Option<serde::de::IgnoredAny>,
        method: Option<serde::de::IgnoredAny>,
        url: Option<serde::de::IgnoredAny>,
    }
    if let Ok(shape) = serde_json::from_slice::<Shape>(text) {
        return shape.log.is_some() || shape.request.is_some() || (shape.method.is_some() && shape.url.is_some());
    }
    // A text with a mistake in it is taken for what its first member says.
    let first = text.get(1..).unwrap_or_default().trim_ascii_start();
    [&b"\"log\""[..], b"\"request\"", b"\"startedDateTime\""].iter().any(|name| first.starts_with(name))
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct File {
    log: Log,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Log {
    entries: Vec<EntryText>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct EntryText {
    started_date_time: Option<String>,
    request: RequestText,
    response: Option<ResponseText>,
    #[serde(rename = "serverIPAddress")]
    server_ip_address: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct RequestText {
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
struct ResponseText {
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

/// A file, an entry, or the request of one.
fn read(text: &str) -> Result<Vec<EntryText>, Error> {
    within(text.as_bytes(), MOST_BYTES)?;
    let trimmed = text.trim_start();
    let has = |name: &str| serde_json::from_str::<Members>(trimmed).is_ok_and(|members| members.has(name));
    let wrong = |error: serde_json::Error| Error::of_json(&error, text);
    if has("log") {
        Ok(serde_json::from_str::<File>(text).map_err(wrong)?.log.entries)
    } else if has("request") {
        Ok(vec![serde_json::from_str(text).map_err(wrong)?])
    } else {
        let request = serde_json::from_str(text).map_err(wrong)?;
        Ok(vec![EntryText { started_date_time: None, request, response: None, server_ip_address: None }])
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

fn request(entry: EntryText) -> Result<Request, Error> {
    let url = url::split(&entry.request.url)?;
    let version = http::version_of(&entry.request.http_version);
    let mut request = Request {
        method: entry.request.method.clone(),
        https: Some(url.https),
        port: Some(url.port),
        target: url.target.clone().into_bytes(),
        version,
        headers: headers(entry.request.headers),
        time: entry.started_date_time.as_deref().and_then(milliseconds),
        server: entry.server_ip_address.as_deref().and_then(address),
        ..Request::default()
    };
    request.add_host(&url.authority);
    if !entry.request.cookies.is_empty() {
        let cookies: Vec<String> =
            entry.request.cookies.iter().map(|cookie| format!("{}={}", cookie.name, cookie.value)).collect();
        request.add_default("Cookie", cookies.join("; "));
    }
    request.body = body(entry.request.post_data, &mut request);
    within_limits(&request.headers).map_err(|(_, error)| error)?;
    if let Some(response) = entry.response.filter(|response| response.status > 0) {
        request.response = Some(Response { status: response.status, headers: headers(response.headers) });
    }
    Ok(request)
}

/// Without the pseudo-headers of HTTP/2 and HTTP/3, which say again what the request is.
fn headers(all: Vec<NameValue>) -> Vec<Header> {
    let real = all.into_iter().filter(|header| !header.name.starts_with(':'));
    real.map(|header| Header { name: header.name, value: header.value.trim().as_bytes().to_owned() }).collect()
}

fn body(data: Option<PostData>, request: &mut Request) -> Option<Vec<u8>> {
    let Some(data) = data else {
        let length = request.header("content-length").map(<[u8]>::to_owned);
        if length.is_some_and(|length| length != b"0") {
            request.note("the file does not have the body");
            return None;
        }
        return Some(Vec::new());
    };
    if let Some(mime_type) = data.mime_type.filter(|mime_type| !mime_type.is_empty()) {
        request.add_default("Content-Type", mime_type);
    }
    match data.text {
        Some(text) if data.encoding.as_deref() == Some("base64") => match BASE64_STANDARD.decode(&text) {
            Ok(bytes) => Some(bytes),
            Err(_) => {
                request.note("the body is not Base64, as the file says: it is not known");
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

/// Some browsers write IPv6 addresses between brackets.
fn address(text: &str) -> Option<IpAddr> {
    text.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// The milliseconds since 1970 of `2026-11-21T20:51:00.123+01:00`.
fn milliseconds(text: &str) -> Option<i64> {
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
    // Days since 1970 in the Gregorian calendar, counted in years that begin in March.
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
    fn an_entry_becomes_a_record() {
        let mut record = Record::default();
        entry(&file().to_string(), 0).unwrap().write(&mut record);
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
    fn files_entries_and_requests_are_read() {
        let file = file();
        let all = entries(&file.to_string()).unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].url.as_str(), all[0].status, all[1].status), ("https://a.example/b?c=d#e", 404, 0));
        let one = file["log"]["entries"][0].clone();
        assert_eq!(entries(&one.to_string()).unwrap(), [all[0].clone()]);
        assert_eq!(entries(&one["request"].to_string()).unwrap()[0].method, "POST");
    }

    #[test]
    fn problems_say_what_is_wrong() {
        let text = file().to_string();
        let cases = [
            (text.as_str(), 2, "there is no entry 2, the file has 2, from 0 on"),
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
            (r#"{"method": "GET", "url": "about:blank"}"#, 0, "`about:blank` is no address"),
            ("{\"log\": {", 0, "line 1, column 9: not JSON: EOF"),
        ];
        for (text, index, expected) in cases {
            let error = entry(text, index).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        let huge = json!({"method": "GET", "url": "https://a.example", "headers": [{"name": "A", "value": "b".repeat(300_000)}]});
        assert!(entry(&huge.to_string(), 0).unwrap_err().message.starts_with("with `A` the headers are larger"));
    }

    #[test]
    fn times() {
        let cases = [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29T12:00:00.5Z", Some(951_825_600_500)),
            ("2026-01-01T00:00:00.000-05:30", Some(1_767_245_400_000)),
            ("yesterday", None),
            ("2026-01-01T00:00:00", None),
        ];
        for (text, expected) in cases {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }
}
