//! Parses HTTP requests, curl commands, HAR files, URLs and JSON fields into a [`Record`].
//!
//! ```
//! use zonewright_expression::{Record, Value};
//! use zonewright_request::{InputFormat, read_input};
//!
//! let mut record = Record::default();
//! let input = read_input(b"curl https://example.com/a.JPG?b=c", &mut record)?;
//! assert_eq!(input.format, InputFormat::Curl);
//! assert_eq!(record.get("http.request.uri.path.extension"), Some(&Value::Text(b"jpg".to_vec())));
//! # Ok::<(), zonewright_request::Error>(())
//! ```
//!
//! [`read_input`] detects the format: fields as JSON ([`json`]), a raw HTTP request ([`http`]), a curl
//! command line ([`curl`]), a HAR file ([`har`]), or a bare URL. Every format except JSON fields becomes a
//! [`Request`], from which [`Request::write_fields`] derives fields. `derive.rs` lists the decisions that this
//! requires where the documentation is silent.
//!
//! Reading a request never overwrites a field that the record already has, so set explicit fields first.
//! Parsing never panics, and its work is linear in the size of the input.
//!
//! The modules in reading order:
//!
//! - `request`: the parsed [`Request`].
//! - `error`: the parse error of all formats.
//! - `url`: the parts of a URL.
//! - [`http`]: raw HTTP requests.
//! - [`curl`]: curl commands.
//! - [`har`]: HAR files.
//! - `derive`: the fields of a request, and [`change_path`], [`change_query`] and [`change_headers`].
//! - [`json`]: field values as JSON.
//! - `lists`: named lists as JSON.
//! - `input`: [`RequestInput`], which combines fields, lists and a request.
//! - [`secrets`]: secrets and personal data in a text that is shared.

pub mod curl;
mod derive;
mod error;
pub mod har;
pub mod http;
mod input;
pub mod json;
mod lists;
mod request;
pub mod secrets;
mod url;

pub use derive::rewrite::{Change, change_headers, change_path, change_query};
pub use error::Error;
pub use input::{RequestInput, outcome_name, truth_name};
pub use lists::{duplicate_list_error, parse_list_items, parse_list_name, parse_lists, set_lists};
pub use request::{Header, Request, Response};

use std::collections::BTreeSet;
use zonewright_diagnostic::group_digits;
use zonewright_expression::Record;

/// Maximum size of an input that is not a HAR file, in bytes.
pub const MAX_INPUT_BYTES: usize = 4 * 1024 * 1024;

/// A format in which a request can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// A JSON object of field values.
    Fields,
    /// A raw HTTP request.
    Http,
    /// A curl command line.
    Curl,
    /// A HAR file, a HAR entry, or the request of a HAR entry.
    Har,
    /// An absolute URL.
    Url,
}

impl InputFormat {
    /// Returns the name used in JSON and options.
    pub fn name(self) -> &'static str {
        match self {
            InputFormat::Fields => "fields",
            InputFormat::Http => "http",
            InputFormat::Curl => "curl",
            InputFormat::Har => "har",
            InputFormat::Url => "url",
        }
    }
}

/// The result of [`read_input`].
#[derive(Clone, Debug)]
pub struct ParsedInput {
    /// The detected or requested format.
    pub format: InputFormat,
    /// The request; `None` for JSON fields.
    pub request: Option<Request>,
    /// Notes: sentences about assumptions, and about ignored or changed parts of the input.
    pub notes: Vec<String>,
}

/// Detects the format of an input, parses it, and sets the fields that the record does not have yet.
/// It reads only the first entry of a HAR file.
///
/// # Errors
/// Returns an error if the format is unknown or the input is malformed. Some fields may have been set.
pub fn read_input(text: &[u8], record: &mut Record) -> Result<ParsedInput, Error> {
    let format = detect_format(text).ok_or_else(|| unknown_format_error(text))?;
    read_input_as(format, text, record)
}

/// Parses an input of a known format, as [`read_input`] does.
///
/// # Errors
/// Returns an error if the input is malformed. Some fields may have been set.
pub fn read_input_as(format: InputFormat, text: &[u8], record: &mut Record) -> Result<ParsedInput, Error> {
    let request = match format {
        InputFormat::Fields => {
            let mut fields = Record::default();
            json::parse_fields(parse_utf8(text)?, &mut fields)?;
            set_missing_fields(&fields, record);
            return Ok(ParsedInput { format, request: None, notes: Vec::new() });
        }
        InputFormat::Http => http::parse(text)?,
        InputFormat::Curl => curl::parse_curl(parse_utf8(text)?)?,
        InputFormat::Har => har::read_entry(parse_utf8(text)?, 0)?,
        InputFormat::Url => url::get_request(parse_utf8(text)?.trim())?,
    };
    let notes = request.write_fields(record);
    Ok(ParsedInput { format, request: Some(request), notes })
}

/// Copies the fields that the record does not have yet.
fn set_missing_fields(source: &Record, record: &mut Record) {
    let existing: BTreeSet<&str> = record.fields().map(|(name, _)| name).collect();
    for (name, value) in source.fields().filter(|(name, _)| !existing.contains(name)) {
        let result = match value {
            Some(value) => record.set(name, value.clone()),
            None => record.set_absent(name),
        };
        debug_assert!(result.is_ok(), "{result:?}");
    }
}

/// Detects the format from the start of the input. Returns `None` if the input looks like no known format.
pub fn detect_format(text: &[u8]) -> Option<InputFormat> {
    let text = text.trim_ascii_start();
    let first_line = text.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
    let first_word = first_line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    match text.first()? {
        b'{' if har::looks_like_har(text) => Some(InputFormat::Har),
        b'{' => Some(InputFormat::Fields),
        _ if curl::looks_like_curl(first_line) => Some(InputFormat::Curl),
        b':' => Some(InputFormat::Http),
        _ if url::has_scheme(first_word) => (text.trim_ascii_end() == first_word).then_some(InputFormat::Url),
        _ => http::looks_like_http(first_line).then_some(InputFormat::Http),
    }
}

fn unknown_format_error(text: &[u8]) -> Error {
    let start = text.trim_ascii_start();
    let error = Error::new("expected JSON fields, an HTTP request, a curl command, a HAR file, or a URL");
    if start.is_empty() {
        return Error::new("the request is empty");
    }
    if start.starts_with(b"fetch(") || start.starts_with(b"await fetch(") {
        return error.with_help("this is a `fetch` call; use “Copy as cURL” in the browser instead");
    }
    if start.starts_with(b"$session") || start.starts_with(b"Invoke-") {
        return error.with_help("this is a PowerShell command; use “Copy as cURL” in the browser instead");
    }
    error.with_help("start an HTTP request with a line such as `GET /path HTTP/1.1`, and a curl command with `curl`")
}

pub(crate) fn parse_utf8(text: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(text)
        .map_err(|error| Error::new("invalid UTF-8: unexpected byte").at_offset(text, error.valid_up_to()))
}

pub(crate) fn check_size(text: &[u8], max_bytes: usize) -> Result<(), Error> {
    if text.len() > max_bytes {
        let (bytes, max_bytes) = (group_digits(text.len()), group_digits(max_bytes));
        return Err(Error::new(format!("the input has {bytes} bytes; the limit is {max_bytes}")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may fail")]
    use super::*;

    #[test]
    fn input_format_is_detected_from_its_start() {
        let cases: &[(&str, Option<InputFormat>)] = &[
            ("{\"ip.src\": \"192.0.2.1\"}", Some(InputFormat::Fields)),
            ("{}", Some(InputFormat::Fields)),
            ("\n  {\"log\": {\"entries\": []}}", Some(InputFormat::Har)),
            ("{\"request\": {\"method\": \"GET\", \"url\": \"https://a.example/\"}}", Some(InputFormat::Har)),
            ("{\"method\": \"GET\", \"url\": \"https://a.example/\"}", Some(InputFormat::Har)),
            ("GET / HTTP/1.1\r\nHost: a.example", Some(InputFormat::Http)),
            ("get /", Some(InputFormat::Http)),
            ("hello /there", None),
            ("wget https://a.example", None),
            ("PROPFIND /a HTTP/1.1", Some(InputFormat::Http)),
            ("POST https://a.example/ HTTP/2", Some(InputFormat::Http)),
            (":authority: a.example\n:method: GET", Some(InputFormat::Http)),
            ("curl https://a.example", Some(InputFormat::Curl)),
            ("$ curl -I a.example", Some(InputFormat::Curl)),
            ("curl.exe ^\"https://a.example^\"", Some(InputFormat::Curl)),
            ("https://a.example/b", Some(InputFormat::Url)),
            ("https://a.example/b and more", None),
            ("curly words", None),
            ("ip.src eq 192.0.2.1", None),
            ("fetch(\"https://a.example\")", None),
            ("", None),
            ("  \n", None),
        ];
        for (text, expected) in cases {
            assert_eq!(detect_format(text.as_bytes()), *expected, "{text}");
        }
    }

    #[test]
    fn read_input_preserves_existing_fields() {
        let mut record = Record::default();
        json::parse_fields("{\"ssl\": false, \"http.referer\": null}", &mut record).unwrap();
        read_input(b"{\"ssl\": true, \"http.referer\": \"a\"}", &mut record).unwrap();
        read_input(b"GET /a HTTP/1.1\nHost: a.example\nReferer: b", &mut record).unwrap();
        assert_eq!(record.get("ssl"), Some(&zonewright_expression::Value::Boolean(false)));
        assert_eq!(record.get("http.referer"), None);
        assert_eq!(
            record.get("http.request.full_uri"),
            Some(&zonewright_expression::Value::Text(b"http://a.example/a".to_vec()))
        );
    }

    #[test]
    fn assumptions_and_changes_are_noted() {
        let https = "the request does not say whether the connection is encrypted, so `https` is assumed";
        let path =
            "fields have the normalized path `/b` instead of `/a/../%62`; `raw.` fields have the path as it was sent";
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
            json::parse_fields(fields, &mut record).unwrap();
            assert_eq!(read_input(text.as_bytes(), &mut record).unwrap().notes, expected, "{text} {fields}");
        }
    }

    #[test]
    fn unknown_format_error_lists_formats() {
        for (text, part) in [("", "empty"), ("fetch(1)", "HAR file"), ("ssl", "HAR file"), ("\u{0}", "HAR file")] {
            let error = read_input(text.as_bytes(), &mut Record::default()).unwrap_err();
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn truncated_or_mutated_input_never_panics() {
        let samples: [&[u8]; 6] = [
            b"{\"http.request.headers\": {\"a\": [\"b\", {\"base64\": \"/w==\"}]}, \"ip.src\": \"::1\", \"ssl\": true}",
            b"POST https://a.example:1/b/../c?d=e#f HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n\r\na\r\n--x--",
            b":authority: a\n:path: /%4\nTransfer-Encoding: chunked\nContent-Length: 3\n\n3\r\nabc\r\n0",
            b"curl 'https://a.example/\\[x' -H 'a: b' -d @c --data-urlencode 'a=b' $'\\ud83e\\udd80\\x4' -F a=b -G --path-as-is \\\n -b a=b | jq",
            b"curl ^\"https://a.example^\" ^\n -H ^\"a: ^\\^\"b^\" --json ^\"{}^\"",
            b"{\"startedDateTime\": \"2026-11-21T21:51:00.123+01:00\", \"request\": {\"method\": \"GET\", \"url\": \"https://a.example/?b\"}}",
        ];
        for sample in samples {
            for offset in 0..sample.len() {
                let _ = read_input(&sample[..offset], &mut Record::default());
                for byte in *b"\0\n \"'\\%:;=@^$[{/\xff" {
                    let mut changed = sample.to_vec();
                    changed[offset] = byte;
                    let _ = read_input(&changed, &mut Record::default());
                    changed.remove(offset);
                    let _ = read_input(&changed, &mut Record::default());
                }
            }
        }
    }
}
