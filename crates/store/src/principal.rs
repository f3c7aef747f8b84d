//! Who calls: the actor of the audit log, and the caller whose credentials were checked.

use crate::grants::Grants;
use std::sync::Arc;

/// Who does something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// As the audit log has it: `token:` and the identifier of a token, `user:` and an e-mail address, or
    /// `service` for what the service does by itself.
    pub name: String,
    /// Identifier of the request; empty for the service.
    pub request_id: Arc<str>,
}

impl Actor {
    /// The e-mail address of a user.
    pub fn email(&self) -> Option<&str> {
        self.name.strip_prefix("user:")
    }

    /// The service itself.
    pub fn service() -> Actor {
        Actor { name: "service".to_owned(), request_id: Arc::default() }
    }
}

/// A token that has not expired.
#[derive(Debug)]
pub struct Token {
    /// Identifier, which is not secret.
    pub id: String,
    /// Whose it is.
    pub account_id: String,
    /// RFC 3339 time when it ends.
    pub expires_on: Option<String>,
    /// What it may do.
    pub grants: Grants,
}

/// A caller whose credentials are right.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The account that the credentials belong to.
    pub account_id: String,
    /// The token; none with e-mail and key.
    pub token: Option<Arc<Token>>,
    /// As the audit log has the caller.
    pub actor: Actor,
}

impl Caller {
    /// What the caller may do.
    pub fn grants(&self) -> &Grants {
        self.token.as_ref().map_or(&Grants::All, |token| &token.grants)
    }
}

/// Whether the text has the form of an e-mail address.
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
