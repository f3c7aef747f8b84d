//! Splits absolute URLs into their parts.
//!
//! The path and the query of a [`ParsedUrl`] are never normalized, because fields need the bytes that the client sends.

use crate::error::{Error, shorten};
use crate::request::Request;

/// The parts of an absolute URL.
pub(crate) struct ParsedUrl<'a> {
    pub(crate) https: bool,
    /// The user information before `@`.
    pub(crate) user: Option<&'a str>,
    /// Host, and the port unless it is the default of the scheme: the value of `Host`.
    pub(crate) authority: String,
    pub(crate) port: u16,
    /// Path and query, without the fragment.
    pub(crate) target: String,
}

/// Returns whether a word begins with a scheme of HTTP or WebSocket.
pub(crate) fn has_scheme(word: &[u8]) -> bool {
    let starts_with =
        |scheme: &str| word.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme.as_bytes()));
    ["http://", "https://", "ws://", "wss://"].into_iter().any(starts_with)
}

pub(crate) fn parse(text: &str) -> Result<ParsedUrl<'_>, Error> {
    let invalid = |reason: &str| Error::new(format!("invalid URL `{}`: {reason}", shorten(text)));
    let (scheme, rest) = text.split_once("://").ok_or_else(|| invalid("it has no `://`"))?;
    let https = match scheme.to_ascii_lowercase().as_str() {
        "https" | "wss" => true,
        "http" | "ws" => false,
        _ => return Err(invalid("only `http` and `https` are supported")),
    };
    if let Some(c) = text.chars().find(|c| c.is_whitespace() || c.is_control()) {
        return Err(invalid(&format!("it contains a {}", if c == ' ' { "space" } else { "control character" })));
    }
    let rest = rest.split('#').next().unwrap_or_default();
    let end = rest.find(['/', '?', '\\']).unwrap_or(rest.len());
    let (authority, target) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    let (name, port) = split_port(host).ok_or_else(|| invalid("the port must be a number from 1 to 65535"))?;
    if name.is_empty() {
        return Err(invalid("it has no host"));
    }
    let default_port = if https { 443 } else { 80 };
    let authority = if port.is_some_and(|port| port != default_port) { host.to_owned() } else { name.to_owned() };
    let target = if target.starts_with('?') || target.is_empty() { format!("/{target}") } else { target.to_owned() };
    Ok(ParsedUrl { https, user, authority, port: port.unwrap_or(default_port), target })
}

/// Splits a hostname and a port. Returns `None` if the text after the colon is not a port.
pub(crate) fn split_port(host: &str) -> Option<(&str, Option<u16>)> {
    // The colons of an IPv6 address are inside brackets.
    match host.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
        None => Some((host, None)),
        Some((name, "")) => Some((name, None)),
        Some((name, port)) => port.parse().ok().filter(|port| *port > 0).map(|port| (name, Some(port))),
    }
}

/// Returns the `GET` request for a URL. Its only header is `Host`.
pub(crate) fn get_request(text: &str) -> Result<Request, Error> {
    crate::check_size(text.as_bytes(), crate::MAX_INPUT_BYTES)?;
    let url = parse(text)?;
    let mut request = Request {
        method: "GET".to_owned(),
        https: Some(url.https),
        port: Some(url.port),
        target: url.target.into_bytes(),
        body: Some(Vec::new()),
        ..Request::default()
    };
    request.add_host_header(&url.authority);
    Ok(request)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;

    #[test]
    fn urls_are_split_into_parts() {
        let cases = [
            ("https://a.example", "https a.example 443 /"),
            ("HTTP://A.example:80/b?c#d", "http A.example 80 /b?c"),
            ("https://a.example:8443?x=/y", "https a.example:8443 8443 /?x=/y"),
            ("http://u:p@a.example:443/", "http a.example:443 443 /"),
            ("https://[2001:db8::1]/", "https [2001:db8::1] 443 /"),
            ("https://[2001:db8::1]:444/#", "https [2001:db8::1]:444 444 /"),
            ("wss://a.example:/chat//x/../y", "https a.example 443 /chat//x/../y"),
        ];
        for (text, expected) in cases {
            let url = parse(text).unwrap();
            let scheme = if url.https { "https" } else { "http" };
            assert_eq!(format!("{scheme} {} {} {}", url.authority, url.port, url.target), expected, "{text}");
        }
    }

    #[test]
    fn invalid_urls_are_rejected_with_the_reason() {
        let cases = [
            ("a.example", "`://`"),
            ("ftp://a.example", "only `http`"),
            ("https:///b", "no host"),
            ("https://:80/", "no host"),
            ("https://a.example:99999/", "the port"),
            ("https://a.example:0/", "the port"),
            ("https://a.example/b c", "a space"),
            ("https://a.example/\u{1b}", "control character"),
        ];
        for (text, part) in cases {
            let error = parse(text).map(|_| ()).unwrap_err();
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }
}
