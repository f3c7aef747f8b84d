//! How to reach the service. Lives in memory only; nothing here is ever stored, logged or linked.

use std::fmt;

/// Who asks.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) enum Credentials {
    /// Nothing was entered.
    #[default]
    None,
    /// `Authorization: Bearer …`.
    Token(String),
    /// `X-Auth-Email` and `X-Auth-Key`.
    Key {
        /// The account's address.
        email: String,
        /// The account's key.
        key: String,
    },
    /// The server keeps the credentials and knows this browser by a cookie; the secret that goes with it.
    Session(String),
}

impl Credentials {
    /// The headers to send.
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
    /// The headers to show: their names, and nothing of what they say.
    pub(crate) fn shown_headers(&self) -> Vec<(&'static str, &'static str)> {
        const HIDDEN: &str = "••••••••";
        match self {
            Credentials::None => vec![("Authorization", "Bearer {token}")],
            Credentials::Token(_) => vec![("Authorization", "Bearer ••••••••")],
            Credentials::Key { .. } => vec![("X-Auth-Email", HIDDEN), ("X-Auth-Key", HIDDEN)],
            Credentials::Session(_) => vec![("X-CSRF-Token", HIDDEN)],
        }
    }
}

// Written by hand so that no log line can ever hold a secret.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Credentials::None => "none",
            Credentials::Token(_) => "token",
            Credentials::Key { .. } => "e-mail and key",
            Credentials::Session(_) => "session",
        })
    }
}

/// Where the service is, who asks, for which zone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Connection {
    /// Base URL as entered; empty for the site the app came from.
    pub(crate) base_url: String,
    /// Who asks.
    pub(crate) credentials: Credentials,
    /// Identifier of the zone; empty when none is chosen.
    pub(crate) zone: String,
}

impl Connection {
    /// The address every path is appended to.
    pub(crate) fn root(&self) -> String {
        let base = self.base_url.trim().trim_end_matches('/');
        if base.ends_with("/client/v4") { base.to_owned() } else { format!("{base}/client/v4") }
    }

    /// Where one logs in at a server that keeps the credentials.
    pub(crate) fn session_url(&self) -> String {
        format!("{}/relay/session", self.root().trim_end_matches("/client/v4"))
    }

    /// The setting that is missing before a request can be sent.
    pub(crate) fn missing_setting(&self) -> Option<&'static str> {
        if self.credentials == Credentials::None {
            Some("Not connected: add credentials in Settings.")
        } else if !zonewright_firewall::is_identifier(&self.zone) {
            Some("No zone chosen: choose one in Settings.")
        } else {
            None
        }
    }
}
