//! The configuration of the relay: upstream, credentials and limits.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use reqwest::Url;
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

/// The path at the end of the upstream's base URL (`zone-security-service` §9 rule 1).
const API_PATH: &str = "/client/v4";
/// Minimum length of the passphrase in characters. The passphrase alone protects the stored credentials.
const MIN_PASSPHRASE_CHARS: usize = 12;
/// Maximum length of the passphrase in bytes.
const MAX_PASSPHRASE_BYTES: usize = 1_024;

pub(crate) const X_AUTH_EMAIL: HeaderName = HeaderName::from_static("x-auth-email");
pub(crate) const X_AUTH_KEY: HeaderName = HeaderName::from_static("x-auth-key");

/// The configuration of the relay: upstream, credentials and limits.
#[derive(Clone, Debug)]
pub struct RelayConfig {
    /// The upstream's URL up to `/client/v4`, without a trailing slash.
    pub(crate) upstream: Url,
    /// The stored credentials. Without them, every client sends its credentials with each request.
    pub(crate) stored_credentials: Option<StoredCredentialsConfig>,
    /// Limits and timeouts.
    pub limits: RelayLimits,
}

/// Credentials that stay on the server, and the passphrase that gives access to them.
#[derive(Clone)]
pub(crate) struct StoredCredentialsConfig {
    /// The headers that carry the credentials.
    pub(crate) headers: HeaderMap,
    /// The passphrase for logging in.
    pub(crate) passphrase: String,
}

// Written by hand so that no log line can contain a secret.
impl fmt::Debug for StoredCredentialsConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Limits and timeouts of the relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelayLimits {
    /// Timeout of connecting to the upstream.
    pub connect_timeout: Duration,
    /// Timeout of a whole response of the upstream.
    pub response_timeout: Duration,
    /// Timeout of a lookup that only helps to validate a request.
    pub lookup_timeout: Duration,
    /// Maximum size of a response in bytes.
    pub max_response_bytes: usize,
    /// Maximum number of concurrent requests. Further requests wait, and are rejected after `connect_timeout`.
    pub max_concurrent_requests: usize,
    /// Time for which the plan of a zone is cached.
    pub plan_ttl: Duration,
    /// Idle timeout of a session.
    pub session_idle_timeout: Duration,
    /// Maximum lifetime of a session.
    pub session_lifetime: Duration,
    /// Maximum number of sessions. A new session beyond it ends the least recently used session.
    pub max_sessions: usize,
    /// Maximum number of wrong passphrases in a minute, of all clients together.
    pub max_failed_logins_per_minute: usize,
}

impl Default for RelayLimits {
    fn default() -> Self {
        // The lookups and the request together fit into the half minute that the app waits.
        RelayLimits {
            connect_timeout: Duration::from_secs(5),
            response_timeout: Duration::from_secs(20),
            lookup_timeout: Duration::from_secs(3),
            max_response_bytes: 8 << 20,
            max_concurrent_requests: 32,
            plan_ttl: Duration::from_secs(300),
            session_idle_timeout: Duration::from_secs(30 * 60),
            session_lifetime: Duration::from_secs(12 * 60 * 60),
            max_sessions: 100,
            max_failed_logins_per_minute: 10,
        }
    }
}

/// An error in the configuration of a relay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelayConfigError {
    /// The upstream is not a valid URL; the reason.
    Upstream(String),
    /// The connection to the upstream would not be encrypted.
    PlainHttp,
    /// The credentials have an invalid syntax.
    Credentials,
    /// The passphrase is too short or too long.
    Passphrase,
    /// Credentials without a passphrase, or a passphrase without credentials.
    Incomplete,
}

impl fmt::Display for RelayConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RelayConfigError::Upstream(reason) => write!(f, "the upstream of the relay is invalid: {reason}"),
            RelayConfigError::PlainHttp => f.write_str(
                "the upstream of the relay uses http://, which would send credentials unencrypted; use https://, or \
                 pass --relay-allow-http",
            ),
            RelayConfigError::Credentials => f.write_str(
                "the credentials of the relay must be a single line: a token, or an email address and a key separated \
                by a space",
            ),
            RelayConfigError::Passphrase => write!(
                f,
                "the passphrase of the relay must be a single line of at least {MIN_PASSPHRASE_CHARS} characters and at \
                 most {MAX_PASSPHRASE_BYTES} bytes"
            ),
            RelayConfigError::Incomplete => f.write_str(
                "a relay that stores credentials needs both the credentials and a passphrase for logging in",
            ),
        }
    }
}

impl std::error::Error for RelayConfigError {}

impl RelayConfig {
    /// Returns the configuration of a relay to this upstream, which has to be `https://…/client/v4`. `http://` is
    /// accepted for loopback addresses, and for others if `allow_http` is set.
    ///
    /// `stored` has the credentials and the passphrase, as their files contain them. Without both, clients send their
    /// credentials.
    pub fn new(
        upstream: &str,
        allow_http: bool,
        stored: (Option<&str>, Option<&str>),
    ) -> Result<Self, RelayConfigError> {
        let upstream = parse_upstream(upstream, allow_http)?;
        let stored_credentials = match stored {
            (None, None) => None,
            (Some(credentials), Some(passphrase)) => Some(StoredCredentialsConfig {
                headers: credential_headers(credentials).ok_or(RelayConfigError::Credentials)?,
                passphrase: single_line(passphrase)
                    .filter(|text| is_passphrase(text))
                    .ok_or(RelayConfigError::Passphrase)?,
            }),
            _ => return Err(RelayConfigError::Incomplete),
        };
        Ok(RelayConfig { upstream, stored_credentials, limits: RelayLimits::default() })
    }

    /// Returns the URL of the upstream for display. It contains no secret.
    pub fn upstream(&self) -> &str {
        self.upstream.as_str()
    }
}

fn parse_upstream(text: &str, allow_http: bool) -> Result<Url, RelayConfigError> {
    let invalid = |reason: &str| RelayConfigError::Upstream(reason.to_owned());
    let mut url = Url::parse(text.trim()).map_err(|error| RelayConfigError::Upstream(error.to_string()))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(invalid("it must not contain a user name or a password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(invalid("it must not have a query or a fragment"));
    }
    let host = url.host_str().ok_or_else(|| invalid("it has no host"))?;
    match url.scheme() {
        "https" => {}
        "http" if allow_http || is_loopback(host) => {}
        "http" => return Err(RelayConfigError::PlainHttp),
        _ => return Err(invalid("it must begin with https://")),
    }
    let path = url.path().trim_end_matches('/').to_owned();
    if !path.ends_with(API_PATH) {
        return Err(invalid("it must end with /client/v4"));
    }
    url.set_path(&path);
    Ok(url)
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns the text of a file that has one line.
fn single_line(text: &str) -> Option<String> {
    let line = text.trim_end_matches(['\r', '\n']);
    (!line.chars().any(char::is_control)).then(|| line.to_owned())
}

fn is_passphrase(text: &str) -> bool {
    text.chars().count() >= MIN_PASSPHRASE_CHARS && text.len() <= MAX_PASSPHRASE_BYTES
}

/// Returns the headers for a token, or for an email address and a key.
fn credential_headers(text: &str) -> Option<HeaderMap> {
    let line = single_line(text)?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    if !words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_graphic())) {
        return None;
    }
    let mut headers = HeaderMap::new();
    match words.as_slice() {
        [token] => headers.insert(header::AUTHORIZATION, sensitive_header_value(&format!("Bearer {token}"))?),
        [email, key] if email.contains('@') => {
            headers.insert(X_AUTH_EMAIL, sensitive_header_value(email)?);
            headers.insert(X_AUTH_KEY, sensitive_header_value(key)?)
        }
        _ => return None,
    };
    Some(headers)
}

/// Returns a header value that libraries do not log.
fn sensitive_header_value(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upstream_url_needs_tls_unless_it_is_loopback_or_allowed() {
        let upstream =
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
            assert_eq!(upstream(text, allow).ok().as_deref(), expected, "{text}");
        }
        assert_eq!(upstream("http://a.example/client/v4", false), Err(RelayConfigError::PlainHttp));
    }

    #[test]
    fn stored_credentials_are_validated_and_hidden_in_debug_output() {
        let config = |credentials, passphrase| {
            RelayConfig::new("https://api.example.com/client/v4", false, (credentials, passphrase))
        };
        let valid = "a long passphrase\n";
        for (credentials, passphrase, expected) in [
            (Some("hushtoken\n"), Some(valid), None),
            (Some("a@b.example hushkey\r\n"), Some(valid), None),
            (Some("hushtoken"), Some("éééééééééééé"), None),
            (Some("hushtoken"), None, Some(RelayConfigError::Incomplete)),
            (None, Some(valid), Some(RelayConfigError::Incomplete)),
            (Some(""), Some(valid), Some(RelayConfigError::Credentials)),
            (Some("a b"), Some(valid), Some(RelayConfigError::Credentials)),
            (Some("a@b c d"), Some(valid), Some(RelayConfigError::Credentials)),
            (Some("a\nb"), Some(valid), Some(RelayConfigError::Credentials)),
            (Some("tökën"), Some(valid), Some(RelayConfigError::Credentials)),
            (Some("hushtoken"), Some("short"), Some(RelayConfigError::Passphrase)),
            (Some("hushtoken"), Some("two lines of\nthem"), Some(RelayConfigError::Passphrase)),
        ] {
            assert_eq!(config(credentials, passphrase).err(), expected, "{credentials:?} {passphrase:?}");
        }
        let shown = format!("{:?}", config(Some("hushtoken"), Some("hush passphrase")).unwrap());
        assert!(!shown.contains("hush"), "{shown}");
        let headers = config(Some("a@b.example hushkey"), Some(valid)).unwrap().stored_credentials.unwrap().headers;
        assert!(headers.values().all(HeaderValue::is_sensitive) && headers.len() == 2);
    }
}
