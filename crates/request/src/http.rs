//! An HTTP request as it goes over the wire, or as a browser shows its headers.
//!
//! Read are LF and CRLF, every form of target, `HTTP/2` and `HTTP/3` as version and the pseudo-headers
//! of these (`:authority`). What is often left out in a sketch may be: the version, the `Host` header,
//! the empty line at the end.

use crate::error::{Error, short};
use crate::request::{Header, Request, within_limits};
use crate::{MOST_BYTES, url, within};

/// Reads a request.
///
/// A body goes to the end of the text. One line break at the end does not belong to it, unless
/// `Content-Length` says so.
///
/// # Errors
/// When a line of the head is malformed, or the head or the text is too large; the error names the line.
pub fn parse(text: &[u8]) -> Result<Request, Error> {
    within(text, MOST_BYTES)?;
    let mut lines = Lines { rest: text, number: 0 };
    let mut request = Request::default();
    let first = loop {
        match lines.next() {
            None => return Err(Error::new("the request is empty")),
            Some(line) if line.trim_ascii().is_empty() => {}
            Some(line) => break line,
        }
    };
    let mut pseudo = Pseudo::default();
    let mut numbers = Vec::new();
    // Of two hosts, the one in the target counts.
    let mut host_in_target = false;
    if first.starts_with(b":") {
        pseudo.read(first).map_err(|error| error.on_line(lines.number))?;
    } else {
        request_line(first, &mut request).map_err(|error| error.on_line(lines.number))?;
        host_in_target = !request.headers.is_empty();
        numbers.extend(request.headers.iter().map(|_| lines.number));
    }
    let mut body = None;
    while let Some(line) = lines.next() {
        if line.is_empty() {
            body = Some(lines.rest);
            break;
        }
        let number = lines.number;
        if line.starts_with(b":") {
            pseudo.read(line).map_err(|error| error.on_line(number))?;
        } else {
            let header = header(line).map_err(|error| error.on_line(number))?;
            if !(host_in_target && header.name.eq_ignore_ascii_case("host")) {
                request.headers.push(header);
                numbers.push(number);
            }
        }
    }
    within_limits(&request.headers).map_err(|(index, error)| match numbers.get(index) {
        Some(number) => error.on_line(*number),
        None => error,
    })?;
    pseudo.fill(&mut request)?;
    set_body(body.unwrap_or_default(), &mut request);
    Ok(request)
}

/// Methods by which a first line is known without a version.
const METHODS: [&str; 10] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PURGE"];

/// Whether a line could be the first of a request.
pub(crate) fn looks_like(line: &[u8]) -> bool {
    let words: Vec<&[u8]> = line.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).take(3).collect();
    // Any two words could be a method and a path: without a version, only known methods are taken for one.
    let known = |method: &[u8]| METHODS.iter().any(|known| method.eq_ignore_ascii_case(known.as_bytes()));
    let (method, target) = match words.as_slice() {
        [method, target] if known(method) => (method, target),
        [method, target, version] if version.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/")) => {
            (method, target)
        }
        _ => return false,
    };
    let authority = method.eq_ignore_ascii_case(b"CONNECT") || *target == b"*";
    method.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'-')
        && (target.starts_with(b"/") || url::has_scheme(target) || authority)
}

struct Lines<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> Lines<'a> {
    /// The next line without its line break.
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

fn request_line(line: &[u8], request: &mut Request) -> Result<(), Error> {
    let shown = || short(&String::from_utf8_lossy(line));
    let words: Vec<&[u8]> = line.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).collect();
    let (method, target) = match words.as_slice() {
        [method, target] => (method, target),
        [method, target, version] => {
            request.version = Some(version_of(&String::from_utf8_lossy(version)).ok_or_else(|| {
                let version = short(&String::from_utf8_lossy(version));
                Error::new(format!("`{version}` is no version of HTTP"))
                    .with_help("the first line ends in `HTTP/1.0`, `HTTP/1.1`, `HTTP/2`, `HTTP/3` or the target")
            })?);
            (method, target)
        }
        [_, .., last] if last.starts_with(b"HTTP/") => {
            return Err(Error::new("a blank in the target").with_help("write `%20` for a blank"));
        }
        _ => return Err(Error::new(format!("expected `METHOD /path HTTP/1.1`, found `{}`", shown()))),
    };
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    if !method.iter().all(is_token) {
        return Err(Error::new(format!("`{}` is no method", short(&String::from_utf8_lossy(method)))));
    }
    request.method = String::from_utf8_lossy(method).into_owned();
    set_target(target, request)
}

/// A target in any of its four forms.
fn set_target(target: &[u8], request: &mut Request) -> Result<(), Error> {
    let text = String::from_utf8_lossy(target);
    if let Some(control) = target.iter().find(|byte| byte.is_ascii_control()) {
        return Err(Error::new(format!("the byte {control:#04x} in the target"))
            .with_help("write it as `%` and two hex digits"));
    }
    if url::has_scheme(target) {
        let url = url::split(&text)?;
        request.https = Some(url.https);
        request.port = Some(url.port);
        request.target = url.target.into_bytes();
        request.add_host(&url.authority);
    } else if request.method.eq_ignore_ascii_case("CONNECT") {
        let (_, port) = url::split_port(&text).ok_or_else(|| Error::new(format!("`{}` has no port", short(&text))))?;
        request.port = port;
        request.add_host(&text);
    } else if target.starts_with(b"/") || target == b"*" {
        let end = target.iter().position(|byte| *byte == b'#').unwrap_or(target.len());
        if end < target.len() {
            request.note("what stands behind `#` in the target was left out: it is never sent");
        }
        request.target = target.get(..end).unwrap_or(target).to_owned();
    } else {
        return Err(Error::new(format!("the target `{}` does not begin with `/`", short(&text))));
    }
    Ok(())
}

/// The label of a version that is spelled in any of the ways that clients and browsers do.
pub(crate) fn version_of(text: &str) -> Option<&'static str> {
    match text.to_ascii_lowercase().as_str() {
        "http/1.0" => Some("HTTP/1.0"),
        "http/1.1" => Some("HTTP/1.1"),
        "http/2" | "http/2.0" | "h2" => Some("HTTP/2"),
        "http/3" | "http/3.0" | "h3" => Some("HTTP/3"),
        _ => None,
    }
}

fn header(line: &[u8]) -> Result<Header, Error> {
    let shown = short(&String::from_utf8_lossy(line));
    if line.first().is_some_and(u8::is_ascii_whitespace) {
        return Err(
            Error::new("a header begins with a blank").with_help("a header has one line, without a blank before it")
        );
    }
    let mut slots = [httparse::EMPTY_HEADER];
    let ended = [line, b"\r\n\r\n"].concat();
    match httparse::parse_headers(&ended, &mut slots) {
        Ok(httparse::Status::Complete((_, [header]))) => {
            Ok(Header { name: header.name.to_owned(), value: header.value.trim_ascii().to_owned() })
        }
        Err(httparse::Error::HeaderValue) => Err(Error::new(format!("a control character in the header `{shown}`"))),
        _ => Err(Error::new(format!("expected `name: value`, found `{shown}`"))
            .with_help("an empty line stands between the headers and the body")),
    }
}

/// What HTTP/2 and HTTP/3 have instead of a first line.
#[derive(Default)]
struct Pseudo {
    seen: bool,
    authority: Option<String>,
    scheme: Option<String>,
    method: Option<String>,
    path: Option<Vec<u8>>,
}

impl Pseudo {
    fn read(&mut self, line: &[u8]) -> Result<(), Error> {
        let header = header(line.get(1..).unwrap_or_default())?;
        let text = String::from_utf8_lossy(&header.value).into_owned();
        self.seen = true;
        match header.name.as_str() {
            "authority" => self.authority = Some(text),
            "scheme" => self.scheme = Some(text),
            "method" => self.method = Some(text),
            "path" => self.path = Some(header.value),
            other => return Err(Error::new(format!("`:{}` is no pseudo-header", short(other)))),
        }
        Ok(())
    }

    fn fill(self, request: &mut Request) -> Result<(), Error> {
        if !self.seen {
            return Ok(());
        }
        if let Some(method) = self.method {
            request.method = method;
        } else if request.method.is_empty() {
            request.method = "GET".to_owned();
            request.note("no `:method` is given: `GET` is assumed");
        }
        if let Some(path) = self.path {
            set_target(&path, request)?;
        } else if request.target.is_empty() {
            request.target = b"/".to_vec();
            request.note("no `:path` is given: `/` is assumed");
        }
        if let Some(scheme) = self.scheme {
            request.https = Some(scheme.eq_ignore_ascii_case("https"));
        }
        if let Some(authority) = self.authority {
            request.add_host(&authority);
        }
        Ok(())
    }
}

fn set_body(text: &[u8], request: &mut Request) {
    let length =
        request.header("content-length").and_then(|value| std::str::from_utf8(value).ok()?.parse::<usize>().ok());
    let chunked = request.header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case(b"chunked"));
    if chunked && let Some(body) = unchunk(text) {
        request.body = Some(body);
        return;
    }
    let bare = text.strip_suffix(b"\n").map(|text| text.strip_suffix(b"\r").unwrap_or(text)).unwrap_or(text);
    let body = match length {
        Some(length) if length <= text.len() => text.get(..length).unwrap_or(text),
        _ => bare,
    };
    if let Some(length) = length.filter(|length| !(bare.len()..=text.len()).contains(length)) {
        request.note(format!("`Content-Length` is {length}, but the text has a body of {} bytes", bare.len()));
    }
    request.body = Some(body.to_owned());
}

/// The body that was sent in chunks; `None` when it was not.
fn unchunk(mut text: &[u8]) -> Option<Vec<u8>> {
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

    /// The request in one line: method, target, version, scheme, headers, body.
    fn shown(text: &str) -> String {
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
    fn every_form_of_a_request_is_read() {
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
                assert_eq!(shown(text), expected, "{text}");
            }
        }
    }

    #[test]
    fn problems_name_the_line() {
        let cases = [
            ("", "the request is empty"),
            ("GET", "line 1: expected `METHOD /path HTTP/1.1`, found `GET`"),
            ("GET /a b HTTP/1.1", "line 1: a blank in the target"),
            ("GET / HTTP/4", "line 1: `HTTP/4` is no version of HTTP"),
            ("GET a HTTP/1.1", "line 1: the target `a` does not begin with `/`"),
            ("G@T / HTTP/1.1", "line 1: `G@T` is no method"),
            ("\nGET / HTTP/1.1\nHost a.example", "line 3: expected `name: value`, found `Host a.example`"),
            ("GET / HTTP/1.1\nA: b\n c", "line 3: a header begins with a blank"),
            ("GET / HTTP/1.1\nA: \u{0}", "line 2: a control character in the header"),
            ("GET / HTTP/1.1\n:status: 5", "line 2: `:status` is no pseudo-header"),
            ("GET http://:x/ HTTP/1.1", "line 1: `http://:x/` is no address"),
        ];
        for (text, expected) in cases {
            let error = parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn too_much_is_refused_where_it_begins() {
        let many = format!("GET / HTTP/1.1\n{}", "a: b\n".repeat(2000));
        assert_eq!(
            parse(many.as_bytes()).unwrap_err().to_string(),
            "line 1002: `a` is one header too many, at most 1000 are read"
        );
        let large = format!("GET / HTTP/1.1\nA: b\nCookie: {}\n", "c".repeat(300_000));
        assert_eq!(
            parse(large.as_bytes()).unwrap_err().to_string(),
            "line 3: with `Cookie` the headers are larger than 262144 bytes"
        );
        assert!(parse(&vec![b'a'; MOST_BYTES + 1]).is_err());
    }
}
