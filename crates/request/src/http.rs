//! Parses a raw HTTP request, or request headers in the form that browsers display.
//!
//! [`parse`] accepts LF and CRLF, every form of request target, and the versions and pseudo-headers of HTTP/2
//! and HTTP/3 (`:authority`). The version, the `Host` header and the final empty line are optional.

use crate::error::{Error, shorten};
use crate::request::{Header, Request, check_header_limits};
use crate::{MAX_INPUT_BYTES, check_size, url};

/// Parses a request.
///
/// The body extends to the end of the text, without a final line break. `Content-Length` may include the
/// line break.
///
/// # Errors
/// Returns an error if the head is malformed, or if the head or the input is too large.
pub fn parse(text: &[u8]) -> Result<Request, Error> {
    check_size(text, MAX_INPUT_BYTES)?;
    let mut lines = LineReader { rest: text, number: 0 };
    let mut request = Request::default();
    let first = loop {
        match lines.next() {
            None => return Err(Error::new("the request is empty")),
            Some(line) if line.trim_ascii().is_empty() => {}
            Some(line) => break line,
        }
    };
    let mut pseudo_headers = PseudoHeaders::default();
    let mut header_lines = Vec::new();
    // A host in the target takes precedence over the `Host` header.
    let mut has_host_in_target = false;
    if first.starts_with(b":") {
        pseudo_headers.parse_line(first).map_err(|error| error.at_line(lines.number))?;
    } else {
        parse_request_line(first, &mut request).map_err(|error| error.at_line(lines.number))?;
        has_host_in_target = !request.headers.is_empty();
        header_lines.extend(request.headers.iter().map(|_| lines.number));
    }
    let mut body = None;
    while let Some(line) = lines.next() {
        if line.is_empty() {
            body = Some(lines.rest);
            break;
        }
        let number = lines.number;
        if line.starts_with(b":") {
            pseudo_headers.parse_line(line).map_err(|error| error.at_line(number))?;
        } else {
            let header = parse_header(line).map_err(|error| error.at_line(number))?;
            if !(has_host_in_target && header.name.eq_ignore_ascii_case("host")) {
                request.headers.push(header);
                header_lines.push(number);
            }
        }
    }
    check_header_limits(&request.headers).map_err(|(index, error)| match header_lines.get(index) {
        Some(number) => error.at_line(*number),
        None => error,
    })?;
    pseudo_headers.apply_to(&mut request)?;
    set_body(body.unwrap_or_default(), &mut request);
    Ok(request)
}

/// Methods that identify a request line without a version.
const KNOWN_METHODS: [&str; 10] =
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PURGE"];

/// Returns whether a line looks like the first line of a request.
pub(crate) fn looks_like_http(line: &[u8]) -> bool {
    let words: Vec<&[u8]> = line.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).take(3).collect();
    // Any two words could be a method and a path, so a line without a version needs a known method.
    let is_known = |method: &[u8]| KNOWN_METHODS.iter().any(|known| method.eq_ignore_ascii_case(known.as_bytes()));
    let (method, target) = match words.as_slice() {
        [method, target] if is_known(method) => (method, target),
        [method, target, version] if version.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/")) => {
            (method, target)
        }
        _ => return false,
    };
    let is_special_target = method.eq_ignore_ascii_case(b"CONNECT") || *target == b"*";
    method.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-')
        && (target.starts_with(b"/") || url::has_scheme(target) || is_special_target)
}

struct LineReader<'a> {
    rest: &'a [u8],
    /// The number of the last line that was read, from 1.
    number: usize,
}

impl<'a> LineReader<'a> {
    /// Returns the next line without its line break.
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|byte| *byte == b'\n').unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest.get(1..).unwrap_or_default();
        self.number += 1;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

fn parse_request_line(line: &[u8], request: &mut Request) -> Result<(), Error> {
    let excerpt = || shorten(&String::from_utf8_lossy(line));
    let words: Vec<&[u8]> = line.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).collect();
    let (method, target) = match words.as_slice() {
        [method, target] => (method, target),
        [method, target, version] => {
            request.version = Some(parse_version(&String::from_utf8_lossy(version)).ok_or_else(|| {
                let version = shorten(&String::from_utf8_lossy(version));
                Error::new(format!("unknown HTTP version `{version}`"))
                    .with_help("write `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`, or omit the version")
            })?);
            (method, target)
        }
        [_, .., last] if last.starts_with(b"HTTP/") => {
            return Err(Error::new("space in the request target").with_help("write a space as `%20`"));
        }
        _ => return Err(Error::new(format!("expected `METHOD /path HTTP/1.1`, found `{}`", excerpt()))),
    };
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    if !method.iter().all(is_token) {
        return Err(Error::new(format!("invalid method `{}`", shorten(&String::from_utf8_lossy(method)))));
    }
    request.method = String::from_utf8_lossy(method).into_owned();
    set_target(target, request)
}

/// Sets the target from any of its four forms (RFC 9112, section 3.2).
fn set_target(target: &[u8], request: &mut Request) -> Result<(), Error> {
    let text = String::from_utf8_lossy(target);
    if let Some(control) = target.iter().find(|byte| byte.is_ascii_control()) {
        return Err(Error::new(format!("control character {control:#04x} in the request target"))
            .with_help("write it as `%` and two hexadecimal digits"));
    }
    if url::has_scheme(target) {
        let url = url::parse(&text)?;
        request.https = Some(url.https);
        request.port = Some(url.port);
        request.target = url.target.into_bytes();
        request.add_host_header(&url.authority);
    } else if request.method.eq_ignore_ascii_case("CONNECT") {
        let (_, port) =
            url::split_port(&text).ok_or_else(|| Error::new(format!("`{}` has no valid port", shorten(&text))))?;
        request.port = port;
        request.add_host_header(&text);
    } else if target.starts_with(b"/") || target == b"*" {
        let end = target.iter().position(|byte| *byte == b'#').unwrap_or(target.len());
        if end < target.len() {
            request.add_note("the fragment after `#` was ignored, because clients never send it");
        }
        request.target = target.get(..end).unwrap_or(target).to_owned();
    } else {
        return Err(Error::new(format!("the request target `{}` does not begin with `/`", shorten(&text))));
    }
    Ok(())
}

/// Parses an HTTP version in the spellings of clients and browsers.
pub(crate) fn parse_version(text: &str) -> Option<&'static str> {
    match text.to_ascii_lowercase().as_str() {
        "http/1.0" => Some("HTTP/1.0"),
        "http/1.1" => Some("HTTP/1.1"),
        "http/2" | "http/2.0" | "h2" => Some("HTTP/2"),
        "http/3" | "http/3.0" | "h3" => Some("HTTP/3"),
        _ => None,
    }
}

fn parse_header(line: &[u8]) -> Result<Header, Error> {
    let excerpt = shorten(&String::from_utf8_lossy(line));
    if line.first().is_some_and(u8::is_ascii_whitespace) {
        return Err(Error::new("whitespace before a header")
            .with_help("write each header on one line, without leading whitespace"));
    }
    let mut slots = [httparse::EMPTY_HEADER];
    let terminated = [line, b"\r\n\r\n"].concat();
    match httparse::parse_headers(&terminated, &mut slots) {
        Ok(httparse::Status::Complete((_, [header]))) => {
            Ok(Header { name: header.name.to_owned(), value: header.value.trim_ascii().to_owned() })
        }
        Err(httparse::Error::HeaderValue) => Err(Error::new(format!("control character in the header `{excerpt}`"))),
        _ => Err(Error::new(format!("expected `name: value`, found `{excerpt}`"))
            .with_help("separate the headers and the body with an empty line")),
    }
}

/// The pseudo-headers of HTTP/2 and HTTP/3, which replace the request line.
#[derive(Default)]
struct PseudoHeaders {
    is_present: bool,
    authority: Option<String>,
    scheme: Option<String>,
    method: Option<String>,
    path: Option<Vec<u8>>,
}

impl PseudoHeaders {
    fn parse_line(&mut self, line: &[u8]) -> Result<(), Error> {
        let header = parse_header(line.get(1..).unwrap_or_default())?;
        let text = String::from_utf8_lossy(&header.value).into_owned();
        self.is_present = true;
        match header.name.as_str() {
            "authority" => self.authority = Some(text),
            "scheme" => self.scheme = Some(text),
            "method" => self.method = Some(text),
            "path" => self.path = Some(header.value),
            other => return Err(Error::new(format!("unknown pseudo-header `:{}`", shorten(other)))),
        }
        Ok(())
    }

    fn apply_to(self, request: &mut Request) -> Result<(), Error> {
        if !self.is_present {
            return Ok(());
        }
        if let Some(method) = self.method {
            request.method = method;
        } else if request.method.is_empty() {
            request.method = "GET".to_owned();
            request.add_note("there is no `:method`, so `GET` is assumed");
        }
        if let Some(path) = self.path {
            set_target(&path, request)?;
        } else if request.target.is_empty() {
            request.target = b"/".to_vec();
            request.add_note("there is no `:path`, so `/` is assumed");
        }
        if let Some(scheme) = self.scheme {
            request.https = Some(scheme.eq_ignore_ascii_case("https"));
        }
        if let Some(authority) = self.authority {
            request.add_host_header(&authority);
        }
        Ok(())
    }
}

fn set_body(text: &[u8], request: &mut Request) {
    let length =
        request.header("content-length").and_then(|value| std::str::from_utf8(value).ok()?.parse::<usize>().ok());
    let is_chunked = request.header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case(b"chunked"));
    if is_chunked && let Some(body) = decode_chunked(text) {
        request.body = Some(body);
        return;
    }
    let trimmed = text.strip_suffix(b"\n").map(|text| text.strip_suffix(b"\r").unwrap_or(text)).unwrap_or(text);
    let body = match length {
        Some(length) if length <= text.len() => text.get(..length).unwrap_or(text),
        _ => trimmed,
    };
    if let Some(length) = length.filter(|length| !(trimmed.len()..=text.len()).contains(length)) {
        request.add_note(format!("`Content-Length` is {length}, but the body has {} bytes", trimmed.len()));
    }
    request.body = Some(body.to_owned());
}

/// Decodes the chunked transfer coding. Returns `None` if the body does not consist of chunks.
fn decode_chunked(mut text: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let httparse::Status::Complete((start, size)) = httparse::parse_chunk_size(text).ok()? else { return None };
        let size = usize::try_from(size).ok()?;
        if size == 0 {
            return Some(body);
        }
        let end = start.checked_add(size)?;
        body.extend_from_slice(text.get(start..end)?);
        text = text.get(end..)?;
        text = text.strip_prefix(b"\r\n").or_else(|| text.strip_prefix(b"\n"))?;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;

    /// Formats a request on one line: method, target, version, scheme, headers, body.
    fn parse_and_show(text: &str) -> String {
        let request = parse(text.as_bytes()).unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let headers: Vec<String> =
            request.headers.iter().map(|header| format!("{}={}", header.name, text(&header.value))).collect();
        let scheme = match request.https {
            None => "-",
            Some(true) => "https",
            Some(false) => "http",
        };
        let version = request.version.unwrap_or("-");
        let body = text(request.body.as_deref().unwrap_or_default());
        format!("{} {} {version} {scheme} [{}] {body:?}", request.method, text(&request.target), headers.join(", "))
    }

    #[test]
    fn every_request_form_is_parsed() {
        let cases = [
            ("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", "GET / HTTP/1.1 - [Host=a.example] \"\""),
            ("GET / HTTP/1.1\nHost: a.example", "GET / HTTP/1.1 - [Host=a.example] \"\""),
            ("\n\nGET /a?b#c\n", "GET /a?b - - [] \"\""),
            ("GET http://a.example:81/b HTTP/1.0\n", "GET /b HTTP/1.0 http [Host=a.example:81] \"\""),
            ("GET https://a.example HTTP/2\nHost: b.example", "GET / HTTP/2 https [Host=a.example] \"\""),
            ("CONNECT a.example:443 HTTP/1.1", "CONNECT  HTTP/1.1 - [Host=a.example:443] \"\""),
            ("OPTIONS * HTTP/3", "OPTIONS * HTTP/3 - [] \"\""),
            ("POST / HTTP/1.1\n\na=b\n", "POST / HTTP/1.1 - [] \"a=b\""),
            ("POST / HTTP/1.1\n\na\r\n\r\nb", "POST / HTTP/1.1 - [] \"a\\r\\n\\r\\nb\""),
            ("POST / HTTP/1.1\nContent-Length: 4\n\na=b\n", "POST / HTTP/1.1 - [Content-Length=4] \"a=b\\n\""),
            ("POST / HTTP/1.1\nContent-Length: 3\n\na=b\n", "POST / HTTP/1.1 - [Content-Length=3] \"a=b\""),
            (
                "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n3\r\na=b\r\n0\r\n\r\n",
                "POST / HTTP/1.1 - [Transfer-Encoding=chunked] \"a=b\"",
            ),
            (
                "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\na=b",
                "POST / HTTP/1.1 - [Transfer-Encoding=chunked] \"a=b\"",
            ),
            (
                ":authority: a.example\n:method: PUT\n:path: /p?q\n:scheme: https\naccept: */*",
                "PUT /p?q - https [Host=a.example, accept=*/*] \"\"",
            ),
            ("GET /é HTTP/1.1\nX-Ä: b", "error"),
            ("GET / HTTP/1.1\nA:b\nEmpty:\nB:  é  ", "GET / HTTP/1.1 - [A=b, Empty=, B=é] \"\""),
        ];
        for (text, expected) in cases {
            if expected == "error" {
                assert!(parse(text.as_bytes()).is_err(), "{text}");
            } else {
                assert_eq!(parse_and_show(text), expected, "{text}");
            }
        }
    }

    #[test]
    fn errors_name_the_line() {
        let cases = [
            ("", "the request is empty"),
            ("GET", "line 1: expected `METHOD /path HTTP/1.1`, found `GET`"),
            ("GET /a b HTTP/1.1", "line 1: space in the request target"),
            ("GET / HTTP/4", "line 1: unknown HTTP version `HTTP/4`"),
            ("GET a HTTP/1.1", "line 1: the request target `a` does not begin with `/`"),
            ("G@T / HTTP/1.1", "line 1: invalid method `G@T`"),
            ("\nGET / HTTP/1.1\nHost a.example", "line 3: expected `name: value`, found `Host a.example`"),
            ("GET / HTTP/1.1\nA: b\n c", "line 3: whitespace before a header"),
            ("GET / HTTP/1.1\nA: \u{0}", "line 2: control character in the header"),
            ("GET / HTTP/1.1\n:status: 5", "line 2: unknown pseudo-header `:status`"),
            ("GET http://:x/ HTTP/1.1", "line 1: invalid URL `http://:x/`"),
        ];
        for (text, expected) in cases {
            let error = parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn headers_beyond_a_limit_are_rejected_at_their_line() {
        let many = format!("GET / HTTP/1.1\n{}", "a: b\n".repeat(2000));
        assert_eq!(
            parse(many.as_bytes()).unwrap_err().to_string(),
            "line 1002: too many headers at `a`; the limit is 1,000"
        );
        let large = format!("GET / HTTP/1.1\nA: b\nCookie: {}\n", "c".repeat(300_000));
        assert_eq!(
            parse(large.as_bytes()).unwrap_err().to_string(),
            "line 3: headers too large at `Cookie`; the limit is 262,144 bytes"
        );
        assert!(parse(&vec![b'a'; MAX_INPUT_BYTES + 1]).is_err());
    }
}
