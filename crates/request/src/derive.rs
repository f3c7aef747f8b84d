//! Derives fields from a [`Request`].
//!
//! Decisions where the documentation leaves a choice:
//! - **host**: `http.host` is the name in the `Host` header, as it was sent and without a port.
//! - **empty-headers**: the fields of one header (`http.user_agent`, `http.referer`, `http.cookie`,
//!   `http.x_forwarded_for`) are empty if the request does not have the header (observed: expressions use
//!   `eq ""` to match such requests). `http.request.headers` does not have the name.
//! - **repeated-headers**: the fields of one header join the values of repeated headers as HTTP does.
//! - **normalized**: `http.request.uri` and the fields of its path are normalized as zones do by default
//!   (`uri.rs`). A note reports a path that normalization changes. `raw.` fields have the path as it was sent.
//! - **https**: if neither the request nor the field `ssl` of the record states whether the connection is
//!   encrypted, `https` is assumed, with a note.
//! - **body**: a body is never truncated, so `http.request.body.truncated` is false. The fields of a form
//!   are empty for any other body. The MIME type of the body is not detected.
//!
//! Fields that only the network knows (the client's address and country, scores, details of TLS, identifiers) are never
//! derived.

mod body;
mod multipart;
pub(crate) mod rewrite;
mod uri;

use crate::request::{Header, Request};
use percent_encoding::percent_decode;
use std::collections::{BTreeMap, BTreeSet};
use zonewright_diagnostic::sort_by;
use zonewright_expression::{Record, Value};

impl Request {
    /// Sets every derived field that the record does not have yet. Returns notes about assumptions, and
    /// about ignored or changed parts of the input.
    pub fn write_fields(&self, record: &mut Record) -> Vec<String> {
        let existing: BTreeSet<&str> = record.fields().map(|(name, _)| name).collect();
        let mut notes = self.notes.clone();
        if self.https.is_none() && !existing.contains("ssl") {
            notes
                .push("the request does not say whether the connection is encrypted, so `https` is assumed".to_owned());
        }
        if !existing.contains("http.request.uri.path") {
            notes.extend(uri::normalization_note(&self.target));
        }
        let https = match record.get("ssl") {
            Some(Value::Boolean(ssl)) => *ssl,
            _ => self.https.unwrap_or(true),
        };
        for (name, value) in self.derive_fields(https) {
            if !existing.contains(name) {
                // A test sets every field, so the names and types match the schema.
                let result = record.set(name, value);
                debug_assert!(result.is_ok(), "{result:?}");
            }
        }
        notes
    }

    fn derive_fields(&self, https: bool) -> Fields {
        let mut fields = Fields::default();
        let host = self.header("host");
        fields.push_text("http.request.method", self.method.to_ascii_uppercase());
        fields.push("ssl", Value::Boolean(https));
        if let Some(host) = host {
            let text = String::from_utf8_lossy(host);
            // A lossy conversion may change the length of the name, but not of the port, which is at the end.
            let port_bytes = crate::url::split_port(&text).map_or(0, |(name, _)| text.len() - name.len());
            fields.push_text("http.host", host.get(..host.len().saturating_sub(port_bytes)).unwrap_or(host));
        }
        uri::write_uri_fields(&self.target, https, host, &mut fields);
        push_headers(&self.headers, &REQUEST_HEADER_FIELDS, &mut fields);
        self.write_single_headers(&mut fields);
        self.write_connection(https, &mut fields);
        if let Some(body) = &self.body {
            let content_type = self.header("content-type").unwrap_or_default();
            body::write_body_fields(body, content_type, &mut fields);
        }
        if let Some(response) = &self.response {
            fields.push("http.response.code", Value::Integer(response.status));
            push_headers(&response.headers, &RESPONSE_HEADER_FIELDS, &mut fields);
            let header = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-type"));
            let media_type = header.map_or(&b""[..], |header| body::media_type(&header.value));
            fields.push_text("http.response.content_type.media_type", media_type.to_ascii_lowercase());
        }
        fields
    }

    fn write_single_headers(&self, fields: &mut Fields) {
        fields.push_text("http.user_agent", self.join_header_values("user-agent", b", "));
        fields.push_text("http.referer", self.join_header_values("referer", b", "));
        fields.push_text("http.x_forwarded_for", self.join_header_values("x-forwarded-for", b", "));
        let cookie = self.join_header_values("cookie", b"; ");
        fields.push("http.request.cookies", group_by_name(&parse_cookies(&cookie)));
        fields.push_text("http.cookie", cookie);
        let languages = parse_accepted_languages(&self.join_header_values("accept-language", b","));
        fields.push("http.request.accepted_languages", text_array(languages.iter().map(Vec::as_slice)));
    }

    fn write_connection(&self, https: bool, fields: &mut Fields) {
        if let Some(version) = self.version {
            fields.push_text("http.request.version", version);
            fields.push("cf.edge.client_tcp", Value::Boolean(version != "HTTP/3"));
        }
        let host = self.header("host").map(String::from_utf8_lossy);
        let port_of_host = host.as_deref().and_then(crate::url::split_port).and_then(|(_, port)| port);
        let port = self.port.or(port_of_host).unwrap_or(if https { 443 } else { 80 });
        fields.push("cf.edge.server_port", Value::Integer(port.into()));
        if let Some(address) = self.server_ip {
            fields.push("cf.edge.server_ip", Value::Ip(address));
        }
        if let Some(milliseconds) = self.received_at_ms {
            fields.push("http.request.timestamp.sec", Value::Integer(milliseconds.div_euclid(1000)));
            fields.push("http.request.timestamp.msec", Value::Integer(milliseconds.rem_euclid(1000)));
        }
    }

    /// Joins the values of all headers with a name.
    fn join_header_values(&self, name: &str, separator: &[u8]) -> Vec<u8> {
        let has_name = |header: &&Header| header.name.eq_ignore_ascii_case(name);
        let values: Vec<&[u8]> = self.headers.iter().filter(has_name).map(|header| header.value.as_slice()).collect();
        values.join(separator)
    }
}

/// Fields with their values, in the order in which they were derived.
#[derive(Default)]
struct Fields(Vec<(&'static str, Value)>);

impl Fields {
    fn push(&mut self, name: &'static str, value: Value) {
        self.0.push((name, value));
    }

    fn push_text(&mut self, name: &'static str, text: impl AsRef<[u8]>) {
        self.push(name, Value::Text(text.as_ref().to_owned()));
    }

    /// Pushes a map, the array of its names, and the array of its values, in the order of the pairs.
    fn push_map(&mut self, [map, names, values]: [&'static str; 3], pairs: &[Pair<'_>]) {
        self.push(map, group_by_name(pairs));
        self.push(names, text_array(pairs.iter().map(|(name, _)| &**name)));
        self.push(values, text_array(pairs.iter().map(|(_, value)| *value)));
    }
}

impl IntoIterator for Fields {
    type Item = (&'static str, Value);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// A name with a value.
type Pair<'a> = (std::borrow::Cow<'a, [u8]>, &'a [u8]);

fn text_value(bytes: &[u8]) -> Value {
    Value::Text(bytes.to_owned())
}

fn text_array<'a>(texts: impl Iterator<Item = &'a [u8]>) -> Value {
    Value::Array(texts.map(text_value).collect())
}

/// Returns a map from each name to its values, in order.
fn group_by_name(pairs: &[Pair<'_>]) -> Value {
    let mut groups: BTreeMap<Vec<u8>, Vec<Value>> = BTreeMap::new();
    for (name, value) in pairs {
        groups.entry(name.to_vec()).or_default().push(text_value(value));
    }
    Value::Map(groups.into_iter().map(|(name, values)| (name, Value::Array(values))).collect())
}

/// Parses the pairs of `a=1&b=2` without decoding them. A name without `=` has an empty value.
fn parse_form_pairs(text: &[u8]) -> Vec<Pair<'_>> {
    let pairs = text.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty());
    pairs.map(split_pair).map(|(name, value)| (name.into(), value)).collect()
}

fn split_pair(pair: &[u8]) -> (&[u8], &[u8]) {
    let end = pair.iter().position(|byte| *byte == b'=').unwrap_or(pair.len());
    (pair.get(..end).unwrap_or(pair), pair.get(end + 1..).unwrap_or_default())
}

/// Parses cookies in order. Names are decoded, values are not (documented).
fn parse_cookies(header: &[u8]) -> Vec<Pair<'_>> {
    let cookies = header.split(|byte| *byte == b';').map(<[u8]>::trim_ascii).filter(|cookie| !cookie.is_empty());
    let parse = |cookie| {
        let (name, value) = split_pair(cookie);
        (percent_decode(name.trim_ascii_end()).into(), value.trim_ascii_start())
    };
    cookies.map(parse).collect()
}

/// Parses language tags and sorts them by weight, highest first. `*` and tags of weight 0 are skipped.
fn parse_accepted_languages(header: &[u8]) -> Vec<Vec<u8>> {
    let mut tags: Vec<(u32, Vec<u8>)> = Vec::new();
    for range in header.split(|byte| *byte == b',') {
        let mut parts = range.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        let tag = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| part.strip_prefix(b"q=").or_else(|| part.strip_prefix(b"Q=")));
        // Weights have at most three decimals, so an integer of thousandths is exact.
        let thousandths = match weight.map(|text| String::from_utf8_lossy(text).parse::<f64>()) {
            None => 1000,
            Some(Ok(weight)) if (0.0..=1.0).contains(&weight) => (weight * 1000.0).round() as u32,
            Some(_) => 0,
        };
        if !tag.is_empty() && tag != b"*" && thousandths > 0 {
            tags.push((thousandths, tag.to_owned()));
        }
    }
    sort_by(&mut tags, |(left, _), (right, _)| right.cmp(left));
    tags.into_iter().map(|(_, tag)| tag).collect()
}

const REQUEST_HEADER_FIELDS: [&str; 4] = [
    "http.request.headers",
    "http.request.headers.names",
    "http.request.headers.values",
    "http.request.headers.truncated",
];
const RESPONSE_HEADER_FIELDS: [&str; 4] = [
    "http.response.headers",
    "http.response.headers.names",
    "http.response.headers.values",
    "http.response.headers.truncated",
];

/// Pushes the fields of all headers. Names are lowercase in the map and as sent in the array (documented).
fn push_headers(headers: &[Header], [map, names, values, truncated]: &[&'static str; 4], fields: &mut Fields) {
    let lowercase: Vec<Pair<'_>> = headers
        .iter()
        .map(|header| (header.name.to_ascii_lowercase().into_bytes().into(), header.value.as_slice()))
        .collect();
    fields.push(map, group_by_name(&lowercase));
    fields.push(names, text_array(headers.iter().map(|header| header.name.as_bytes())));
    fields.push(values, text_array(headers.iter().map(|header| header.value.as_slice())));
    fields.push(truncated, Value::Boolean(false));
}

#[cfg(test)]
mod tests;
