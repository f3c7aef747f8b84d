//! The principal of a request, and the actor of a change.

use crate::grants::Grants;
use std::sync::Arc;

/// The actor of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The name in the audit log: `token:` and the ID of a token, `user:` and an email address, `admin` for the
    /// command line, or `service` for the service itself.
    pub name: String,
    /// The ID of the request; empty without a request.
    pub request_id: Arc<str>,
}

impl Actor {
    /// Returns the email address if the actor is a user.
    pub fn email(&self) -> Option<&str> {
        self.name.strip_prefix("user:")
    }

    /// Returns the service as an actor.
    pub fn service() -> Actor {
        Actor { name: "service".to_owned(), request_id: Arc::default() }
    }
}

/// A token that has not expired.
#[derive(Debug)]
pub struct Token {
    /// The ID, which is not secret.
    pub id: String,
    /// The ID of its account.
    pub account_id: String,
    /// The time when it expires (RFC 3339).
    pub expires_on: Option<String>,
    /// Its grants.
    pub grants: Grants,
}

/// The principal of a request: its credentials were verified.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The ID of the account that the credentials belong to.
    pub account_id: String,
    /// The token; `None` for an email address with a key.
    pub token: Option<Arc<Token>>,
    /// The actor in the audit log.
    pub actor: Actor,
}

impl Caller {
    /// Returns the grants.
    pub fn grants(&self) -> &Grants {
        self.token.as_ref().map_or(&Grants::All, |token| &token.grants)
    }
}

/// Returns whether the text has the format of an email address.
pub fn is_email(email: &str) -> bool {
    let parts = email.split_once('@');
    let visible = email.bytes().all(|byte| byte.is_ascii_graphic());
    visible
        && email.len() <= 254
        && parts.is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn email_has_one_at_sign_and_no_spaces() {
        assert!(
            is_email("a@b")
                && !is_email("a")
                && !is_email("@b")
                && !is_email("a@")
                && !is_email("a@b@c")
                && !is_email("a @b")
        );
    }
}
