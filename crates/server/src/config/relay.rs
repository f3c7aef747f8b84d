//! Where the relay leads, and whose credentials it uses.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use reqwest::Url;
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

/// The path that addresses of such services end with (`zone-security-service` §9 rule 1).
const BASE: &str = "/client/v4";
/// Shortest passphrase in characters: it is all that stands before the kept credentials.
const SHORTEST_PASSPHRASE: usize = 12;
/// Longest passphrase in bytes.
const LONGEST_PASSPHRASE: usize = 1_024;

pub(crate) const EMAIL: HeaderName = HeaderName::from_static("x-auth-email");
pub(crate) const KEY: HeaderName = HeaderName::from_static("x-auth-key");

/// Where the relay leads, whose credentials it uses, and its bounds.
#[derive(Clone, Debug)]
pub struct RelayConfig {
    /// The upstream's address up to `/client/v4`, without a slash at its end.
    pub(crate) upstream: Url,
    /// What is kept here; none: every caller brings credentials.
    pub(crate) keeper: Option<Keeper>,
    /// Bounds.
    pub pace: RelayPace,
}

/// Credentials that stay on the server, and what opens them.
#[derive(Clone)]
pub(crate) struct Keeper {
    /// The headers that carry the credentials.
    pub(crate) headers: HeaderMap,
    /// What people log in with.
    pub(crate) passphrase: String,
}

// Written by hand so that no log line can ever hold a secret.
impl fmt::Debug for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Bounds of the relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayPace {
    /// How long the upstream may take to take the connection.
    pub connect: Duration,
    /// How long the upstream may take for a whole answer.
    pub whole: Duration,
    /// How long it may take for what only helps to judge a request.
    pub question: Duration,
    /// Most bytes of an answer.
    pub answer_bytes: usize,
    /// Most requests at once; others wait, and are turned away after `connect`.
    pub at_once: usize,
    /// How long the plan of a zone is taken to stay as it was.
    pub plan_age: Duration,
    /// How long a session lives without a request.
    pub idle: Duration,
    /// How long a session lives at most.
    pub session: Duration,
    /// Most sessions; one more ends the one that was used least recently.
    pub sessions: usize,
    /// Most wrong passphrases in a minute, of all callers together.
    pub attempts: usize,
}

impl Default for RelayPace {
    fn default() -> Self {
        // What asks and what is sent fit together into the half minute that the app waits.
        RelayPace {
            connect: Duration::from_secs(5),
            whole: Duration::from_secs(20),
            question: Duration::from_secs(3),
            answer_bytes: 8 << 20,
            at_once: 32,
            plan_age: Duration::from_secs(300),
            idle: Duration::from_secs(30 * 60),
            session: Duration::from_secs(12 * 60 * 60),
            sessions: 100,
            attempts: 10,
        }
    }
}

/// Why there is no such relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongRelay {
    /// The upstream is no address.
    Address(String),
    /// The upstream would be spoken to without encryption.
    Plain,
    /// The credentials have another form.
    Credentials,
    /// The passphrase is too short or too long.
    Passphrase,
    /// There are credentials without a passphrase, or the reverse.
    Half,
}

impl fmt::Display for WrongRelay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongRelay::Address(reason) => write!(f, "the upstream of the relay is wrong: {reason}"),
            WrongRelay::Plain => f.write_str(
                "the upstream of the relay is http://, so credentials would be sent in the clear: use https://, or \
                 allow it with --relay-allow-http",
            ),
            WrongRelay::Credentials => f.write_str(
                "the credentials of the relay have to be one line: a token, or an e-mail address, a blank and a key",
            ),
            WrongRelay::Passphrase => write!(
                f,
                "the passphrase of the relay has to be one line of at least {SHORTEST_PASSPHRASE} characters and at \
                 most {LONGEST_PASSPHRASE} bytes"
            ),
            WrongRelay::Half => {
                f.write_str("a relay that keeps credentials needs both credentials and a passphrase to log in with")
            }
        }
    }
}

impl std::error::Error for WrongRelay {}

impl RelayConfig {
    /// A relay to this upstream. It has to be `https://…/client/v4`; `http://` is for loopback addresses, and
    /// for others when it is allowed. `kept` are the credentials that stay on the server and the passphrase
    /// that people log in with, both as they stand in their files; without either, callers bring their own.
    pub fn new(upstream: &str, allow_http: bool, kept: (Option<&str>, Option<&str>)) -> Result<Self, WrongRelay> {
        let upstream = address(upstream, allow_http)?;
        let keeper = match kept {
            (None, None) => None,
            (Some(credentials), Some(passphrase)) => Some(Keeper {
                headers: credential_headers(credentials).ok_or(WrongRelay::Credentials)?,
                passphrase: one_line(passphrase).filter(|text| is_passphrase(text)).ok_or(WrongRelay::Passphrase)?,
            }),
            _ => return Err(WrongRelay::Half),
        };
        Ok(RelayConfig { upstream, keeper, pace: RelayPace::default() })
    }

    /// The address of the upstream, for people; it holds no secret.
    pub fn upstream(&self) -> &str {
        self.upstream.as_str()
    }
}

fn address(text: &str, allow_http: bool) -> Result<Url, WrongRelay> {
    let wrong = |reason: &str| WrongRelay::Address(reason.to_owned());
    let mut url = Url::parse(text.trim()).map_err(|error| WrongRelay::Address(error.to_string()))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it may not hold a user or a password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it may not have a query or a fragment"));
    }
    let host = url.host_str().ok_or_else(|| wrong("it has no host"))?;
    match url.scheme() {
        "https" => {}
        "http" if allow_http || is_loopback(host) => {}
        "http" => return Err(WrongRelay::Plain),
        _ => return Err(wrong("it has to begin with https://")),
    }
    let path = url.path().trim_end_matches('/').to_owned();
    if !path.ends_with(BASE) {
        return Err(wrong("it has to end with /client/v4"));
    }
    url.set_path(&path);
    Ok(url)
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The text of a file that has one line.
fn one_line(text: &str) -> Option<String> {
    let line = text.trim_end_matches(['\r', '\n']);
    (!line.chars().any(char::is_control)).then(|| line.to_owned())
}

fn is_passphrase(text: &str) -> bool {
    text.chars().count() >= SHORTEST_PASSPHRASE && text.len() <= LONGEST_PASSPHRASE
}

/// The headers for a token, or for an e-mail address and a key.
fn credential_headers(text: &str) -> Option<HeaderMap> {
    let line = one_line(text)?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    if !words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_graphic())) {
        return None;
    }
    let mut headers = HeaderMap::new();
    match words.as_slice() {
        [token] => headers.insert(header::AUTHORIZATION, hidden(&format!("Bearer {token}"))?),
        [email, key] if email.contains('@') => {
            headers.insert(EMAIL, hidden(email)?);
            headers.insert(KEY, hidden(key)?)
        }
        _ => return None,
    };
    Some(headers)
}

/// A header that libraries do not log.
fn hidden(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upstreams() {
        let address =
            |text, allow| RelayConfig::new(text, allow, (None, None)).map(|config| config.upstream.to_string());
        for (text, allow, expected) in [
            ("https://api.example.com/client/v4", false, Some("https://api.example.com/client/v4")),
            (" https://api.example.com:8443/a/client/v4/ ", false, Some("https://api.example.com:8443/a/client/v4")),
            ("https://192.168.1.2/client/v4", false, Some("https://192.168.1.2/client/v4")),
            ("http://127.0.0.1:8787/client/v4", false, Some("http://127.0.0.1:8787/client/v4")),
            ("http://[::1]:8787/client/v4", false, Some("http://[::1]:8787/client/v4")),
            ("http://localhost/client/v4", false, Some("http://localhost/client/v4")),
            ("http://api.example.com/client/v4", true, Some("http://api.example.com/client/v4")),
            ("http://api.example.com/client/v4", false, None),
            ("http://localhost.example.com/client/v4", false, None),
            ("http://2130706433.example/client/v4", false, None),
            ("https://user@api.example.com/client/v4", false, None),
            ("https://:pass@api.example.com/client/v4", false, None),
            ("https://api.example.com/client/v4?a=b", false, None),
            ("https://api.example.com/client/v4#a", false, None),
            ("https://api.example.com/", false, None),
            ("https://api.example.com/client/v4/zones", false, None),
            ("ftp://api.example.com/client/v4", true, None),
            ("file:///client/v4", true, None),
            ("api.example.com/client/v4", false, None),
            ("", false, None),
        ] {
            assert_eq!(address(text, allow).ok().as_deref(), expected, "{text}");
        }
        assert_eq!(address("http://a.example/client/v4", false), Err(WrongRelay::Plain));
    }

    #[test]
    fn what_is_kept_has_a_form_and_is_not_shown() {
        let kept = |credentials, passphrase| {
            RelayConfig::new("https://api.example.com/client/v4", false, (credentials, passphrase))
        };
        let good = "a long passphrase\n";
        for (credentials, passphrase, expected) in [
            (Some("hushtoken\n"), Some(good), None),
            (Some("a@b.example hushkey\r\n"), Some(good), None),
            (Some("hushtoken"), Some("éééééééééééé"), None),
            (Some("hushtoken"), None, Some(WrongRelay::Half)),
            (None, Some(good), Some(WrongRelay::Half)),
            (Some(""), Some(good), Some(WrongRelay::Credentials)),
            (Some("a b"), Some(good), Some(WrongRelay::Credentials)),
            (Some("a@b c d"), Some(good), Some(WrongRelay::Credentials)),
            (Some("a\nb"), Some(good), Some(WrongRelay::Credentials)),
            (Some("tökën"), Some(good), Some(WrongRelay::Credentials)),
            (Some("hushtoken"), Some("short"), Some(WrongRelay::Passphrase)),
            (Some("hushtoken"), Some("two lines of\nthem"), Some(WrongRelay::Passphrase)),
        ] {
            assert_eq!(kept(credentials, passphrase).err(), expected, "{credentials:?} {passphrase:?}");
        }
        let shown = format!("{:?}", kept(Some("hushtoken"), Some("hush passphrase")).unwrap());
        assert!(!shown.contains("hush"), "{shown}");
        let headers = kept(Some("a@b.example hushkey"), Some(good)).unwrap().keeper.unwrap().headers;
        assert!(headers.values().all(HeaderValue::is_sensitive) && headers.len() == 2);
    }
}
