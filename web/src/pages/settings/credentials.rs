//! The form of the credentials.

use super::relay_session;
use crate::connection::{Connection, Credentials};
use crate::state::service::{ConnectionStatus, ServiceContext};
use leptos::prelude::*;

/// The authentication method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AuthMethod {
    /// An API token.
    Token,
    /// An email address with an API key.
    Key,
    /// A session with a relay, which stores the credentials.
    Relay,
}

/// The input of the credentials. Valid input becomes the credentials of the connection immediately.
#[derive(Clone, Copy)]
pub(super) struct CredentialsForm {
    pub(super) method: RwSignal<AuthMethod>,
    pub(super) token: RwSignal<String>,
    pub(super) email: RwSignal<String>,
    pub(super) key: RwSignal<String>,
    pub(super) passphrase: RwSignal<String>,
    /// The CSRF token of the session with the relay; `None` without a session.
    pub(super) csrf_token: RwSignal<Option<String>>,
}

impl CredentialsForm {
    /// Creates the form of the current credentials.
    pub(super) fn new(service: ServiceContext) -> Self {
        let mut token = String::new();
        let (mut email, mut key) = (String::new(), String::new());
        let mut csrf_token = None;
        let method = match service.connection.get_untracked().credentials {
            Credentials::None => AuthMethod::Token,
            Credentials::Token(current) => {
                token = current;
                AuthMethod::Token
            }
            Credentials::Key { email: current_email, key: current_key } => {
                (email, key) = (current_email, current_key);
                AuthMethod::Key
            }
            Credentials::Session(current) => {
                csrf_token = Some(current);
                AuthMethod::Relay
            }
        };
        let form = CredentialsForm {
            method: RwSignal::new(method),
            token: RwSignal::new(token),
            email: RwSignal::new(email),
            key: RwSignal::new(key),
            passphrase: RwSignal::new(String::new()),
            csrf_token: RwSignal::new(csrf_token),
        };
        Effect::new(move || {
            let credentials = form.credentials();
            if service.connection.read_untracked().credentials != credentials {
                service.connection.update(|connection| connection.credentials = credentials);
            }
        });
        form
    }

    /// Returns the credentials, or [`Credentials::None`] while the input is incomplete or invalid.
    fn credentials(self) -> Credentials {
        let text = |signal: RwSignal<String>| signal.read().trim().to_owned();
        match self.method.get() {
            AuthMethod::Token => {
                let token = text(self.token);
                if token.is_empty() || !is_header_safe(&token) { Credentials::None } else { Credentials::Token(token) }
            }
            AuthMethod::Key => {
                let (email, key) = (text(self.email), text(self.key));
                let is_complete = !email.is_empty() && !key.is_empty();
                if is_complete && is_header_safe(&email) && is_header_safe(&key) {
                    Credentials::Key { email, key }
                } else {
                    Credentials::None
                }
            }
            AuthMethod::Relay => self.csrf_token.get().map_or(Credentials::None, Credentials::Session),
        }
    }

    /// Returns the error of the token.
    pub(super) fn token_error(self) -> Signal<String> {
        header_error(self.token, "A token")
    }

    /// Returns the error of the email address.
    pub(super) fn email_error(self) -> Signal<String> {
        header_error(self.email, "An email address")
    }

    /// Returns the error of the key.
    pub(super) fn key_error(self) -> Signal<String> {
        header_error(self.key, "A key")
    }

    /// Logs out of the relay and clears the credentials, the zones and the selected zone.
    pub(super) fn clear(self, service: ServiceContext) {
        if self.csrf_token.read_untracked().is_some() {
            relay_session::log_out(service.connection.get_untracked());
            self.csrf_token.set(None);
        }
        for text in [self.token, self.email, self.key, self.passphrase] {
            text.set(String::new());
        }
        let base_url = service.connection.read_untracked().base_url.clone();
        service.connection.set(Connection { base_url, ..Connection::default() });
        service.zones.set(Vec::new());
        service.status.set(ConnectionStatus::NotConnected);
    }
}

fn header_error(text: RwSignal<String>, name: &'static str) -> Signal<String> {
    Signal::derive(move || {
        if is_header_safe(text.read().trim()) {
            String::new()
        } else {
            format!("{name} can contain only printable ASCII characters, without spaces.")
        }
    })
}

/// Returns whether a browser accepts the text as the value of a header.
fn is_header_safe(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}
