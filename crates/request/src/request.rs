//! A request, as the texts describe it: only what they say.

use crate::error::{Error, short};
use std::net::IpAddr;

/// Most headers of a request.
pub(crate) const MOST_HEADERS: usize = 1000;
/// Most bytes of all header names and values together.
pub(crate) const MOST_HEADER_BYTES: usize = 256 * 1024;

/// A header, as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Its name, in the letters it was sent in.
    pub name: String,
    /// Its value, without white space around it.
    pub value: Vec<u8>,
}

/// A request, as a text describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// Method, in the letters it was sent in.
    pub method: String,
    /// Whether the connection is encrypted, if the text says so.
    pub https: Option<bool>,
    /// The port that the client connects to, if the text says so.
    pub port: Option<u16>,
    /// Path and query, as they were sent.
    pub target: Vec<u8>,
    /// `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`, if the text says so.
    pub version: Option<&'static str>,
    /// Headers in order, `Host` among them when the text names the host anywhere.
    pub headers: Vec<Header>,
    /// The body; `None` when it is not in the text.
    pub body: Option<Vec<u8>>,
    /// When it arrived, in milliseconds since 1970.
    pub time: Option<i64>,
    /// The address that the client connected to.
    pub server: Option<IpAddr>,
    /// The answer, if the text has one.
    pub response: Option<Response>,
    /// What was assumed or left out, one sentence each.
    pub notes: Vec<String>,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// Status code.
    pub status: i64,
    /// Headers in order.
    pub headers: Vec<Header>,
}

impl Request {
    /// The first value of a header; letter case does not count.
    pub fn header(&self, name: &str) -> Option<&[u8]> {
        self.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value.as_slice())
    }

    pub(crate) fn add(&mut self, name: &str, value: impl Into<Vec<u8>>) {
        self.headers.push(Header { name: name.to_owned(), value: value.into() });
    }

    /// Adds a header that the client sends by itself unless it was told another.
    pub(crate) fn add_default(&mut self, name: &str, value: impl Into<Vec<u8>>) {
        if self.header(name).is_none() {
            self.add(name, value);
        }
    }

    /// Puts `Host` before all headers, unless there is one.
    pub(crate) fn add_host(&mut self, host: &str) {
        if self.header("host").is_none() {
            self.headers.insert(0, Header { name: "Host".to_owned(), value: host.into() });
        }
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }
}

/// The index of the header at which there are too many or too large ones, and what to say.
pub(crate) fn within_limits(headers: &[Header]) -> Result<(), (usize, Error)> {
    let mut bytes = 0;
    for (index, header) in headers.iter().enumerate() {
        bytes += header.name.len() + header.value.len();
        let name = short(&header.name);
        if index >= MOST_HEADERS {
            return Err((
                index,
                Error::new(format!("`{name}` is one header too many, at most {MOST_HEADERS} are read")),
            ));
        }
        if bytes > MOST_HEADER_BYTES {
            let problem = format!("with `{name}` the headers are larger than {MOST_HEADER_BYTES} bytes");
            return Err((index, Error::new(problem)));
        }
    }
    Ok(())
}
