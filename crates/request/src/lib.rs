//! What people have in hand of a request, as the [`Record`] that an expression is evaluated on.
//!
//! ```
//! use zonewright_expression::{Record, Value};
//! use zonewright_request::{Kind, read};
//!
//! let mut record = Record::default();
//! let reading = read(b"curl https://example.com/a.JPG?b=c", &mut record)?;
//! assert_eq!(reading.kind, Kind::Curl);
//! assert_eq!(record.get("http.request.uri.path.extension"), Some(&Value::Text(b"jpg".to_vec())));
//! # Ok::<(), zonewright_request::Error>(())
//! ```
//!
//! [`read`] finds out by itself what a text is: fields as JSON ([`json`]), an HTTP request as it goes
//! over the wire ([`http`]), a curl command line ([`curl`]), a HAR file ([`har`]), or a bare URL. All
//! but the first become a [`Request`], which [`Request::write`] turns into fields (`derive.rs` says
//! which, and what was decided where the documentation is silent).
//!
//! What the record gives already stays: give what is known better first, then read the request.
//! Nothing here panics, and the work is linear in the text.

pub mod curl;
mod derive;
mod error;
mod given;
pub mod har;
pub mod http;
pub mod json;
mod lists;
mod request;
pub mod secrets;
mod url;

pub use error::Error;
pub use given::{Given, outcome_name, truth_name};
pub use lists::{given_twice, list_items, list_name, lists, set_lists};
pub use request::{Header, Request, Response};

use std::collections::BTreeSet;
use zonewright_expression::Record;

/// Longest text of a request, in bytes.
pub const MOST_BYTES: usize = 4 * 1024 * 1024;

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A JSON object of fields with their values.
    Fields,
    /// An HTTP request as it goes over the wire.
    Http,
    /// A curl command line.
    Curl,
    /// A HAR file, an entry of one, or the request of an entry.
    Har,
    /// An address, as it stands in a browser.
    Url,
}

impl Kind {
    /// The name used in JSON and options.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Fields => "fields",
            Kind::Http => "http",
            Kind::Curl => "curl",
            Kind::Har => "har",
            Kind::Url => "url",
        }
    }
}

/// What was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What the text was taken for.
    pub kind: Kind,
    /// The request, unless the text gave fields.
    pub request: Option<Request>,
    /// What was assumed or left out, one sentence each.
    pub notes: Vec<String>,
}

/// Reads a text of any kind and gives the record the fields that follow from it; of a HAR file, the
/// first entry.
///
/// # Errors
/// When the text is of no kind, or wrong in its kind. The record may have some of the fields then.
pub fn read(text: &[u8], record: &mut Record) -> Result<Reading, Error> {
    let kind = detect(text).ok_or_else(|| unreadable(text))?;
    read_as(kind, text, record)
}

/// Reads a text of a known kind, as [`read`] does.
///
/// # Errors
/// When the text is wrong in its kind. The record may have some of the fields then.
pub fn read_as(kind: Kind, text: &[u8], record: &mut Record) -> Result<Reading, Error> {
    let request = match kind {
        Kind::Fields => {
            let mut read = Record::default();
            json::fields(utf8(text)?, &mut read)?;
            give_new(&read, record);
            return Ok(Reading { kind, request: None, notes: Vec::new() });
        }
        Kind::Http => http::parse(text)?,
        Kind::Curl => curl::parse(utf8(text)?)?,
        Kind::Har => har::entry(utf8(text)?, 0)?,
        Kind::Url => url::get(utf8(text)?.trim())?,
    };
    let notes = request.write(record);
    Ok(Reading { kind, request: Some(request), notes })
}

/// Gives the record the fields of another one that it does not have yet.
fn give_new(from: &Record, record: &mut Record) {
    let had: BTreeSet<&str> = record.fields().map(|(name, _)| name).collect();
    for (name, value) in from.fields().filter(|(name, _)| !had.contains(name)) {
        let set = match value {
            Some(value) => record.set(name, value.clone()),
            None => record.set_absent(name),
        };
        debug_assert!(set.is_ok(), "{set:?}");
    }
}

/// What a text is, by its look; `None` when it looks like nothing of all this.
pub fn detect(text: &[u8]) -> Option<Kind> {
    let text = text.trim_ascii_start();
    let first_line = text.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
    let first_word = first_line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    match text.first()? {
        b'{' if har::looks_like(text) => Some(Kind::Har),
        b'{' => Some(Kind::Fields),
        _ if curl::looks_like(first_line) => Some(Kind::Curl),
        b':' => Some(Kind::Http),
        _ if url::has_scheme(first_word) => (text.trim_ascii_end() == first_word).then_some(Kind::Url),
        _ => http::looks_like(first_line).then_some(Kind::Http),
    }
}

fn unreadable(text: &[u8]) -> Error {
    let start = text.trim_ascii_start();
    let error = Error::new("neither JSON fields, an HTTP request, a curl command, a HAR file nor a URL");
    if start.is_empty() {
        return Error::new("the request is empty");
    }
    if start.starts_with(b"fetch(") || start.starts_with(b"await fetch(") {
        return error.with_help("this is a call of `fetch`: choose “Copy as cURL” in the browser instead");
    }
    if start.starts_with(b"$session") || start.starts_with(b"Invoke-") {
        return error.with_help("this is PowerShell: choose “Copy as cURL” in the browser instead");
    }
    error.with_help("an HTTP request begins with a line such as `GET /path HTTP/1.1`, a curl command with `curl`")
}

pub(crate) fn utf8(text: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(text).map_err(|error| Error::new("not UTF-8 text: invalid byte").at(text, error.valid_up_to()))
}

pub(crate) fn within(text: &[u8], most: usize) -> Result<(), Error> {
    if text.len() > most {
        return Err(Error::new(format!("{} bytes are too many, at most {most} are read", text.len())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]
    use super::*;

    #[test]
    fn kinds_are_known_by_their_look() {
        let cases: &[(&str, Option<Kind>)] = &[
            ("{\"ip.src\": \"192.0.2.1\"}", Some(Kind::Fields)),
            ("{}", Some(Kind::Fields)),
            ("\n  {\"log\": {\"entries\": []}}", Some(Kind::Har)),
            ("{\"request\": {\"method\": \"GET\", \"url\": \"https://a.example/\"}}", Some(Kind::Har)),
            ("{\"method\": \"GET\", \"url\": \"https://a.example/\"}", Some(Kind::Har)),
            ("GET / HTTP/1.1\r\nHost: a.example", Some(Kind::Http)),
            ("get /", Some(Kind::Http)),
            ("hello /there", None),
            ("wget https://a.example", None),
            ("PROPFIND /a HTTP/1.1", Some(Kind::Http)),
            ("POST https://a.example/ HTTP/2", Some(Kind::Http)),
            (":authority: a.example\n:method: GET", Some(Kind::Http)),
            ("curl https://a.example", Some(Kind::Curl)),
            ("$ curl -I a.example", Some(Kind::Curl)),
            ("curl.exe ^\"https://a.example^\"", Some(Kind::Curl)),
            ("https://a.example/b", Some(Kind::Url)),
            ("https://a.example/b and more", None),
            ("curly words", None),
            ("ip.src eq 192.0.2.1", None),
            ("fetch(\"https://a.example\")", None),
            ("", None),
            ("  \n", None),
        ];
        for (text, expected) in cases {
            assert_eq!(detect(text.as_bytes()), *expected, "{text}");
        }
    }

    #[test]
    fn what_was_given_before_stays() {
        let mut record = Record::default();
        json::fields("{\"ssl\": false, \"http.referer\": null}", &mut record).unwrap();
        read(b"{\"ssl\": true, \"http.referer\": \"a\"}", &mut record).unwrap();
        read(b"GET /a HTTP/1.1\nHost: a.example\nReferer: b", &mut record).unwrap();
        assert_eq!(record.get("ssl"), Some(&zonewright_expression::Value::Boolean(false)));
        assert_eq!(record.get("http.referer"), None);
        assert_eq!(
            record.get("http.request.full_uri"),
            Some(&zonewright_expression::Value::Text(b"http://a.example/a".to_vec()))
        );
    }

    #[test]
    fn what_is_assumed_or_changed_is_said() {
        let https = "the request does not say whether the connection is encrypted: `https` is assumed";
        let path = "the path `/a/../%62` is `/b` in the fields, as zones normalize it; the `raw.` ones have it as sent";
        let cases: [(&str, &str, &[&str]); 7] = [
            ("GET /b HTTP/1.1\nHost: a.example", "{}", &[https]),
            ("GET /b HTTP/1.1\nHost: a.example", "{\"ssl\": true}", &[]),
            ("https://a.example/b?c=../%62", "{}", &[]),
            ("https://a.example/a/../%62?c", "{}", &[path]),
            ("https://a.example/a/../%62?c", "{\"http.request.uri.path\": \"/c\"}", &[]),
            ("GET /a/../%62 HTTP/1.1\nHost: a.example", "{}", &[https, path]),
            ("{\"method\": \"GET\", \"url\": \"https://a.example/a/../%62\"}", "{}", &[path]),
        ];
        for (text, fields, expected) in cases {
            let mut record = Record::default();
            json::fields(fields, &mut record).unwrap();
            assert_eq!(read(text.as_bytes(), &mut record).unwrap().notes, expected, "{text} {fields}");
        }
    }

    #[test]
    fn texts_of_no_kind_say_what_is_read() {
        for (text, part) in [("", "empty"), ("fetch(1)", "neither"), ("ssl", "neither"), ("\u{0}", "neither")] {
            let error = read(text.as_bytes(), &mut Record::default()).unwrap_err();
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn cut_and_changed_texts_are_answered() {
        let samples: [&[u8]; 6] = [
            b"{\"http.request.headers\": {\"a\": [\"b\", {\"base64\": \"/w==\"}]}, \"ip.src\": \"::1\", \"ssl\": true}",
            b"POST https://a.example:1/b/../c?d=e#f HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n\r\na\r\n--x--",
            b":authority: a\n:path: /%4\nTransfer-Encoding: chunked\nContent-Length: 3\n\n3\r\nabc\r\n0",
            b"curl 'https://a.example/\\[x' -H 'a: b' -d @c --data-urlencode 'a=b' $'\\ud83e\\udd80\\x4' -F a=b -G --path-as-is \\\n -b a=b | jq",
            b"curl ^\"https://a.example^\" ^\n -H ^\"a: ^\\^\"b^\" --json ^\"{}^\"",
            b"{\"startedDateTime\": \"2026-11-21T21:51:00.123+01:00\", \"request\": {\"method\": \"GET\", \"url\": \"https://a.example/?b\"}}",
        ];
        for sample in samples {
            for at in 0..sample.len() {
                let _ = read(&sample[..at], &mut Record::default());
                for byte in *b"\0\n \"'\\%:;=@^$[{/\xff" {
                    let mut changed = sample.to_vec();
                    changed[at] = byte;
                    let _ = read(&changed, &mut Record::default());
                    changed.remove(at);
                    let _ = read(&changed, &mut Record::default());
                }
            }
        }
    }
}
