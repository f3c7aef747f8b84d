//! The fields that follow from a request.
//!
//! Decided where the documentation leaves a choice:
//! - **host**: `http.host` is the name in the `Host` header, as it was sent and without a port.
//! - **empty-headers**: the fields of one header (`http.user_agent`, `http.referer`, `http.cookie`,
//!   `http.x_forwarded_for`) are empty when the request has no such header (observed: `eq ""` is how
//!   people find such requests). In `http.request.headers` the name is missing.
//! - **repeated-headers**: of several such headers the field has all, joined as HTTP joins them.
//! - **normalized**: `http.request.uri` and what is made of its path are normalized as zones do it by
//!   default (`uri.rs`), and a note says so where that changes the path; `raw.` fields are as sent.
//! - **https**: a text that does not say whether the connection is encrypted is taken for `https`, and
//!   a note says so; when the record gives `ssl`, that counts.
//! - **body**: a body is never cut, so `http.request.body.truncated` is false. Fields of a form are
//!   empty for a body that is no form. The body's MIME type is not guessed.
//!
//! What depends on the network (address, country, scores, TLS, identifiers) does not follow from a
//! request and is not given.

mod body;
mod multipart;
mod uri;

use crate::request::{Header, Request};
use percent_encoding::percent_decode;
use std::collections::{BTreeMap, BTreeSet};
use zonewright_expression::{Record, Value};

impl Request {
    /// Gives the record every field that follows from the request and that it does not have yet. Says
    /// what was assumed, left out or changed, one sentence each.
    pub fn write(&self, record: &mut Record) -> Vec<String> {
        let given: BTreeSet<&str> = record.fields().map(|(name, _)| name).collect();
        let mut notes = self.notes.clone();
        if self.https.is_none() && !given.contains("ssl") {
            notes.push("the request does not say whether the connection is encrypted: `https` is assumed".to_owned());
        }
        if !given.contains("http.request.uri.path") {
            notes.extend(uri::change(&self.target));
        }
        let https = match record.get("ssl") {
            Some(Value::Boolean(ssl)) => *ssl,
            _ => self.https.unwrap_or(true),
        };
        for (name, value) in self.fields(https) {
            if !given.contains(name) {
                // The names and types are the schema's own: a test sets every one of them.
                let set = record.set(name, value);
                debug_assert!(set.is_ok(), "{set:?}");
            }
        }
        notes
    }

    fn fields(&self, https: bool) -> Fields {
        let mut fields = Fields::default();
        let host = self.header("host");
        fields.text("http.request.method", self.method.to_ascii_uppercase());
        fields.put("ssl", Value::Boolean(https));
        if let Some(host) = host {
            let text = String::from_utf8_lossy(host);
            // Counted from the end, where a port has no strange bytes: a name keeps its own.
            let port = crate::url::split_port(&text).map_or(0, |(name, _)| text.len() - name.len());
            fields.text("http.host", host.get(..host.len().saturating_sub(port)).unwrap_or(host));
        }
        uri::write(&self.target, https, host, &mut fields);
        headers(&self.headers, &REQUEST_HEADERS, &mut fields);
        self.write_single_headers(&mut fields);
        self.write_connection(https, &mut fields);
        if let Some(body) = &self.body {
            let mime = self.header("content-type").unwrap_or_default();
            body::write(body, mime, &mut fields);
        }
        if let Some(response) = &self.response {
            fields.put("http.response.code", Value::Integer(response.status));
            headers(&response.headers, &RESPONSE_HEADERS, &mut fields);
            let media = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-type"));
            let media = media.map_or(&b""[..], |header| body::media_type(&header.value));
            fields.text("http.response.content_type.media_type", media.to_ascii_lowercase());
        }
        fields
    }

    fn write_single_headers(&self, fields: &mut Fields) {
        fields.text("http.user_agent", self.joined("user-agent", b", "));
        fields.text("http.referer", self.joined("referer", b", "));
        fields.text("http.x_forwarded_for", self.joined("x-forwarded-for", b", "));
        let cookie = self.joined("cookie", b"; ");
        fields.put("http.request.cookies", grouped(&cookies(&cookie)));
        fields.text("http.cookie", cookie);
        let languages = languages(&self.joined("accept-language", b","));
        fields.put("http.request.accepted_languages", texts(languages.iter().map(Vec::as_slice)));
    }

    fn write_connection(&self, https: bool, fields: &mut Fields) {
        if let Some(version) = self.version {
            fields.text("http.request.version", version);
            fields.put("cf.edge.client_tcp", Value::Boolean(version != "HTTP/3"));
        }
        let host = self.header("host").map(String::from_utf8_lossy);
        let in_host = host.as_deref().and_then(crate::url::split_port).and_then(|(_, port)| port);
        let port = self.port.or(in_host).unwrap_or(if https { 443 } else { 80 });
        fields.put("cf.edge.server_port", Value::Integer(port.into()));
        if let Some(address) = self.server {
            fields.put("cf.edge.server_ip", Value::Ip(address));
        }
        if let Some(time) = self.time {
            fields.put("http.request.timestamp.sec", Value::Integer(time.div_euclid(1000)));
            fields.put("http.request.timestamp.msec", Value::Integer(time.rem_euclid(1000)));
        }
    }

    /// All values of a header with something between.
    fn joined(&self, name: &str, between: &[u8]) -> Vec<u8> {
        let same = |header: &&Header| header.name.eq_ignore_ascii_case(name);
        let values: Vec<&[u8]> = self.headers.iter().filter(same).map(|header| header.value.as_slice()).collect();
        values.join(between)
    }
}

/// Fields with their values, in the order they were found.
#[derive(Default)]
struct Fields(Vec<(&'static str, Value)>);

impl Fields {
    fn put(&mut self, name: &'static str, value: Value) {
        self.0.push((name, value));
    }

    fn text(&mut self, name: &'static str, text: impl AsRef<[u8]>) {
        self.put(name, Value::Text(text.as_ref().to_owned()));
    }

    /// A map with the fields of its names and of its values, both in order.
    fn pairs(&mut self, [map, names, values]: [&'static str; 3], pairs: &[Pair<'_>]) {
        self.put(map, grouped(pairs));
        self.put(names, texts(pairs.iter().map(|(name, _)| &**name)));
        self.put(values, texts(pairs.iter().map(|(_, value)| *value)));
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

fn text(bytes: &[u8]) -> Value {
    Value::Text(bytes.to_owned())
}

fn texts<'a>(all: impl Iterator<Item = &'a [u8]>) -> Value {
    Value::Array(all.map(text).collect())
}

/// The values of each name, in order.
fn grouped(pairs: &[Pair<'_>]) -> Value {
    let mut groups: BTreeMap<Vec<u8>, Vec<Value>> = BTreeMap::new();
    for (name, value) in pairs {
        groups.entry(name.to_vec()).or_default().push(text(value));
    }
    Value::Map(groups.into_iter().map(|(name, values)| (name, Value::Array(values))).collect())
}

/// The pairs of `a=1&b=2`, with nothing decoded; one without `=` has an empty value.
fn form_pairs(text: &[u8]) -> Vec<Pair<'_>> {
    let pieces = text.split(|byte| *byte == b'&').filter(|piece| !piece.is_empty());
    pieces.map(pair).map(|(name, value)| (name.into(), value)).collect()
}

fn pair(piece: &[u8]) -> (&[u8], &[u8]) {
    let end = piece.iter().position(|byte| *byte == b'=').unwrap_or(piece.len());
    (piece.get(..end).unwrap_or(piece), piece.get(end + 1..).unwrap_or_default())
}

/// Cookies in order: names decoded, values as they are (documented).
fn cookies(header: &[u8]) -> Vec<Pair<'_>> {
    let pieces = header.split(|byte| *byte == b';').map(<[u8]>::trim_ascii).filter(|piece| !piece.is_empty());
    let decoded = |piece| {
        let (name, value) = pair(piece);
        (percent_decode(name.trim_ascii_end()).into(), value.trim_ascii_start())
    };
    pieces.map(decoded).collect()
}

/// The language tags, the most wanted first; `*` and what is not wanted at all are left out.
fn languages(header: &[u8]) -> Vec<Vec<u8>> {
    let mut weighed: Vec<(u32, Vec<u8>)> = Vec::new();
    for range in header.split(|byte| *byte == b',') {
        let mut parts = range.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        let tag = parts.next().unwrap_or_default();
        let weight = parts.find_map(|part| part.strip_prefix(b"q=").or_else(|| part.strip_prefix(b"Q=")));
        // Weights have at most three decimals: thousandths say them exactly.
        let thousandths = match weight.map(|text| String::from_utf8_lossy(text).parse::<f64>()) {
            None => 1000,
            Some(Ok(weight)) if (0.0..=1.0).contains(&weight) => (weight * 1000.0).round() as u32,
            Some(_) => 0,
        };
        if !tag.is_empty() && tag != b"*" && thousandths > 0 {
            weighed.push((thousandths, tag.to_owned()));
        }
    }
    weighed.sort_by(|(left, _), (right, _)| right.cmp(left));
    weighed.into_iter().map(|(_, tag)| tag).collect()
}

const REQUEST_HEADERS: [&str; 4] = [
    "http.request.headers",
    "http.request.headers.names",
    "http.request.headers.values",
    "http.request.headers.truncated",
];
const RESPONSE_HEADERS: [&str; 4] = [
    "http.response.headers",
    "http.response.headers.names",
    "http.response.headers.values",
    "http.response.headers.truncated",
];

/// The map has names in lower case, the array has them as they were sent (documented).
fn headers(headers: &[Header], [map, names, values, truncated]: &[&'static str; 4], fields: &mut Fields) {
    let lower: Vec<Pair<'_>> = headers
        .iter()
        .map(|header| (header.name.to_ascii_lowercase().into_bytes().into(), header.value.as_slice()))
        .collect();
    fields.put(map, grouped(&lower));
    fields.put(names, texts(headers.iter().map(|header| header.name.as_bytes())));
    fields.put(values, texts(headers.iter().map(|header| header.value.as_slice())));
    fields.put(truncated, Value::Boolean(false));
}

#[cfg(test)]
mod tests;
