//! The connection to the service. Credentials exist only in memory: they are never stored, logged or put into links.
//! Only the base URL and the zone are stored.

use leptos::prelude::window;
use std::fmt;
use web_sys::Url;

/// The credentials of the requests.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum Credentials {
    /// No credentials were entered.
    #[default]
    None,
    /// `Authorization: Bearer …`.
    Token(String),
    /// `X-Auth-Email` and `X-Auth-Key`.
    Key {
        /// The email address of the user.
        email: String,
        /// The API key of the user.
        key: String,
    },
    /// The server stores the credentials and identifies this browser by a cookie. The value is the CSRF token of the
    /// session.
    Session(String),
}

impl Credentials {
    /// Returns the headers to send.
    pub(crate) fn headers(&self) -> Vec<(&'static str, String)> {
        match self {
            Credentials::None => Vec::new(),
            Credentials::Token(token) => vec![("Authorization", format!("Bearer {token}"))],
            Credentials::Key { email, key } => vec![("X-Auth-Email", email.clone()), ("X-Auth-Key", key.clone())],
            Credentials::Session(secret) => vec![("X-CSRF-Token", secret.clone())],
        }
    }
}

impl Credentials {
    /// Returns the headers to display, with placeholders for their values.
    pub(crate) fn redacted_headers(&self) -> Vec<(&'static str, &'static str)> {
        const REDACTED: &str = "••••••••";
        match self {
            Credentials::None => vec![("Authorization", "Bearer {token}")],
            Credentials::Token(_) => vec![("Authorization", "Bearer ••••••••")],
            Credentials::Key { .. } => vec![("X-Auth-Email", REDACTED), ("X-Auth-Key", REDACTED)],
            Credentials::Session(_) => vec![("X-CSRF-Token", REDACTED)],
        }
    }
}

// Implemented by hand so that no secret is ever logged.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Credentials::None => "none",
            Credentials::Token(_) => "token",
            Credentials::Key { .. } => "email and key",
            Credentials::Session(_) => "session",
        })
    }
}

/// The service, the credentials and the zone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Connection {
    /// The base URL as entered; empty for the origin of the app.
    pub(crate) base_url: String,
    /// The credentials.
    pub(crate) credentials: Credentials,
    /// The ID of the zone; empty if none is selected.
    pub(crate) zone: String,
}

impl Connection {
    /// Returns the base URL of all API paths. It has no origin if the service is the one that serves the app.
    pub(crate) fn root(&self) -> String {
        let base = self.base_url.trim().trim_end_matches('/');
        if base.ends_with("/client/v4") { base.to_owned() } else { format!("{base}/client/v4") }
    }

    /// Returns the base URL of all API paths with its origin, for use outside this page.
    pub(crate) fn absolute_root(&self) -> String {
        let root = self.root();
        let origin =
            if root.starts_with('/') { window().location().origin().unwrap_or_default() } else { String::new() };
        format!("{origin}{root}")
    }

    /// Returns the URL of the session with a relay, which stores the credentials.
    pub(crate) fn session_url(&self) -> String {
        format!("{}/relay/session", self.root().trim_end_matches("/client/v4"))
    }

    /// Returns whether the base URL certainly contains neither a user name nor a password, not even as typed so far. Only
    /// such a URL is stored.
    pub(crate) fn is_storable(base_url: &str) -> bool {
        // Some characters after a password, such as `#`, end the authority, so an `@` anywhere may belong to it.
        if base_url.contains('@') {
            return false;
        }
        let is_scheme = |prefix: &str| {
            let name = prefix.strip_suffix(':').unwrap_or(prefix);
            name.is_empty() || prefix.ends_with(':') && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let text = base_url.trim();
        let after_scheme = text.split_once("//").filter(|(prefix, _)| is_scheme(prefix)).map_or(text, |(_, rest)| rest);
        let authority =
            after_scheme.trim_start_matches(['/', '\\']).split(['/', '\\', '?', '#']).next().unwrap_or_default();
        let is_port = |port: &str| {
            port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port != 0)
        };
        let rest = match authority.strip_prefix('[').map(|address| address.split_once(']')) {
            // An IPv6 address.
            Some(Some((address, rest)))
                if address.bytes().all(|byte| byte.is_ascii_hexdigit() || b":.".contains(&byte)) =>
            {
                rest
            }
            Some(_) => return false,
            None => authority.find(':').map_or("", |colon| authority.get(colon..).unwrap_or_default()),
        };
        rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port)
    }

    /// Returns the error of an `http:` base URL that the content security policy of this page blocks.
    pub(crate) fn base_url_error(&self) -> Option<&'static str> {
        let url = Url::new(self.base_url.trim()).ok()?;
        let is_own = window().location().origin().is_ok_and(|origin| origin == url.origin());
        let is_local = matches!(url.hostname().as_str(), "localhost" | "127.0.0.1");
        (url.protocol() == "http:" && !is_own && !is_local)
            .then_some("Use https://. Browsers block http:// URLs of other hosts here, except localhost and 127.0.0.1.")
    }

    /// Returns a message about the setting that is missing or must change before a request can be sent.
    pub(crate) fn missing_setting(&self) -> Option<&'static str> {
        if self.base_url_error().is_some() {
            Some("The base URL does not use https://. Change it in Settings.")
        } else if self.credentials == Credentials::None {
            Some("Not connected. Add credentials in Settings.")
        } else if !zonewright_firewall::is_identifier(&self.zone) {
            Some("No zone selected. Select one in Settings.")
        } else {
            None
        }
    }
}
