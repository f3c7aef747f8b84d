//! Absolute addresses, taken apart and not changed: what a client sends is what counts, not what an
//! address would be in its standard form.

use crate::error::{Error, short};
use crate::request::Request;

/// An address, taken apart.
pub(crate) struct Url<'a> {
    pub(crate) https: bool,
    /// What stands before `@`.
    pub(crate) user: Option<&'a str>,
    /// Host, and the port when it is not the scheme's own: what clients send as `Host`.
    pub(crate) authority: String,
    pub(crate) port: u16,
    /// Path and query, without the fragment.
    pub(crate) target: String,
}

/// Whether the word begins as an address of the web.
pub(crate) fn has_scheme(word: &[u8]) -> bool {
    let begins =
        |scheme: &str| word.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme.as_bytes()));
    ["http://", "https://", "ws://", "wss://"].into_iter().any(begins)
}

/// Takes an address apart.
pub(crate) fn split(text: &str) -> Result<Url<'_>, Error> {
    let wrong = |what: &str| Error::new(format!("`{}` is no address: {what}", short(text)));
    let (scheme, rest) = text.split_once("://").ok_or_else(|| wrong("it has no `://`"))?;
    let https = match scheme.to_ascii_lowercase().as_str() {
        "https" | "wss" => true,
        "http" | "ws" => false,
        _ => return Err(wrong("only `http` and `https` are known")),
    };
    if let Some(blank) = text.chars().find(|c| c.is_whitespace() || c.is_control()) {
        return Err(wrong(&format!("it has a {} in it", if blank == ' ' { "blank" } else { "control character" })));
    }
    let rest = rest.split('#').next().unwrap_or_default();
    let end = rest.find(['/', '?', '\\']).unwrap_or(rest.len());
    let (authority, target) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    let (name, port) = split_port(host).ok_or_else(|| wrong("its port is no number from 1 to 65535"))?;
    if name.is_empty() {
        return Err(wrong("it has no host"));
    }
    let own = if https { 443 } else { 80 };
    let authority = if port.is_some_and(|port| port != own) { host.to_owned() } else { name.to_owned() };
    let target = if target.starts_with('?') || target.is_empty() { format!("/{target}") } else { target.to_owned() };
    Ok(Url { https, user, authority, port: port.unwrap_or(own), target })
}

/// Host name and port; `None` when what stands behind the colon is no port.
pub(crate) fn split_port(host: &str) -> Option<(&str, Option<u16>)> {
    // The colons of an IPv6 address stand between brackets.
    match host.rsplit_once(':').filter(|(_, port)| !port.contains(']')) {
        None => Some((host, None)),
        Some((name, "")) => Some((name, None)),
        Some((name, port)) => port.parse().ok().filter(|port| *port > 0).map(|port| (name, Some(port))),
    }
}

/// The request that a browser sends for an address.
pub(crate) fn get(text: &str) -> Result<Request, Error> {
    crate::within(text.as_bytes(), crate::MOST_BYTES)?;
    let url = split(text)?;
    let mut request = Request {
        method: "GET".to_owned(),
        https: Some(url.https),
        port: Some(url.port),
        target: url.target.into_bytes(),
        body: Some(Vec::new()),
        ..Request::default()
    };
    request.add_host(&url.authority);
    Ok(request)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail")]
    use super::*;

    #[test]
    fn addresses_are_taken_apart() {
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
            let url = split(text).unwrap();
            let scheme = if url.https { "https" } else { "http" };
            assert_eq!(format!("{scheme} {} {} {}", url.authority, url.port, url.target), expected, "{text}");
        }
    }

    #[test]
    fn wrong_addresses_say_why() {
        let cases = [
            ("a.example", "`://`"),
            ("ftp://a.example", "only `http`"),
            ("https:///b", "no host"),
            ("https://:80/", "no host"),
            ("https://a.example:99999/", "its port"),
            ("https://a.example:0/", "its port"),
            ("https://a.example/b c", "a blank"),
            ("https://a.example/\u{1b}", "control character"),
        ];
        for (text, part) in cases {
            let error = split(text).map(|_| ()).unwrap_err();
            assert!(error.message.contains(part), "{text}: {error}");
        }
    }
}
