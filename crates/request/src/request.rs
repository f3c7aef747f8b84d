//! The parsed [`Request`] of every format. It contains what the input states, and what its client sends by default.

use crate::error::{Error, shorten};
use std::net::IpAddr;
use zonewright_diagnostic::group_digits;

/// Maximum number of headers of a request.
pub(crate) const MAX_HEADERS: usize = 1000;
/// Maximum size of all header names and values together, in bytes.
pub(crate) const MAX_HEADER_BYTES: usize = 256 * 1024;

/// A header as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Name, in its original case.
    pub name: String,
    /// Value, without surrounding whitespace.
    pub value: Vec<u8>,
}

/// A request, before its fields are derived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Method, in its original case.
    pub method: String,
    /// Whether the connection is encrypted, if the input states it.
    pub https: Option<bool>,
    /// The port that the client connects to, if the input states it.
    pub port: Option<u16>,
    /// Path and query, as they were sent.
    pub target: Vec<u8>,
    /// `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`, if the input states it.
    pub version: Option<&'static str>,
    /// Headers in order. They include `Host` if the input names the host anywhere.
    pub headers: Vec<Header>,
    /// The body; `None` if it is unknown.
    pub body: Option<Vec<u8>>,
    /// When the request was received, in milliseconds since 1970.
    pub received_at_ms: Option<i64>,
    /// The IP address that the client connected to.
    pub server_ip: Option<IpAddr>,
    /// The response, if the input has one.
    pub response: Option<Response>,
    /// Notes: sentences about assumptions, and about ignored parts of the input.
    pub notes: Vec<String>,
}

/// The response to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// Status code.
    pub status: i64,
    /// Headers in order.
    pub headers: Vec<Header>,
}

impl Request {
    /// Returns the first value of a header. The name is case-insensitive.
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value.as_slice())
    }

    pub(crate) fn add_header(&mut self, name: &str, value: impl Into<Vec<u8>>) {
        self.headers.push(Header { name: name.to_owned(), value: value.into() });
    }

    /// Adds a header that the client sends by default, unless the request already has a header of that name.
    pub(crate) fn add_default_header(&mut self, name: &str, value: impl Into<Vec<u8>>) {
        if self.header(name).is_none() {
            self.add_header(name, value);
        }
    }

    /// Inserts `Host` before all other headers, unless the request already has that header.
    pub(crate) fn add_host_header(&mut self, host: &str) {
        if self.header("host").is_none() {
            self.headers.insert(0, Header { name: "Host".to_owned(), value: host.into() });
        }
    }

    pub(crate) fn add_note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }
}

/// Checks the number and the size of the headers. An error contains the index of the first header beyond a limit.
pub(crate) fn check_header_limits(headers: &[Header]) -> Result<(), (usize, Error)> {
    let mut bytes = 0;
    for (index, header) in headers.iter().enumerate() {
        bytes += header.name.len() + header.value.len();
        let name = shorten(&header.name);
        if index >= MAX_HEADERS {
            return Err((
                index,
                Error::new(format!("too many headers at `{name}`; the limit is {}", group_digits(MAX_HEADERS))),
            ));
        }
        if bytes > MAX_HEADER_BYTES {
            let message =
                format!("headers too large at `{name}`; the limit is {} bytes", group_digits(MAX_HEADER_BYTES));
            return Err((index, Error::new(message)));
        }
    }
    Ok(())
}
