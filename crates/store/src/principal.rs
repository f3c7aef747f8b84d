//! The principal of a request, and the actor of a change.

use crate::grants::Grants;
use std::sync::Arc;

/// The actor of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The name in the audit log, as [`ActorKind::actor_name`] returns it.
    pub name: String,
    /// The ID of the request; empty without a request.
    pub request_id: Arc<str>,
}

impl Actor {
    /// Returns the email address if the actor is a user.
    pub fn email(&self) -> Option<&str> {
        let (kind, email) = ActorKind::parse(&self.name);
        (kind == ActorKind::User).then_some(email)
    }

    /// Returns the user with this email address as the actor of a request.
    pub fn user(email: &str, request_id: Arc<str>) -> Actor {
        Actor { name: ActorKind::User.actor_name(email), request_id }
    }

    /// Returns the token with this ID as the actor of a request.
    pub fn token(id: &str, request_id: Arc<str>) -> Actor {
        Actor { name: ActorKind::Token.actor_name(id), request_id }
    }

    /// Returns the command line as an actor.
    pub fn command_line() -> Actor {
        Actor { name: ActorKind::CommandLine.actor_name(""), request_id: Arc::default() }
    }

    /// Returns the service as an actor.
    pub fn service() -> Actor {
        Actor { name: ActorKind::Service.actor_name(""), request_id: Arc::default() }
    }
}

/// The kind of an actor. Users and tokens have an ID: an email address, or the ID of the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActorKind {
    /// A user with an API key.
    User,
    /// An API token.
    Token,
    /// The command line.
    CommandLine,
    /// The service itself.
    Service,
}

impl ActorKind {
    const ALL: [ActorKind; 4] = [ActorKind::User, ActorKind::Token, ActorKind::CommandLine, ActorKind::Service];

    /// Returns the kind as the audit log contains it.
    pub fn name(self) -> &'static str {
        match self {
            ActorKind::User => "user",
            ActorKind::Token => "token",
            ActorKind::CommandLine => "admin",
            ActorKind::Service => "service",
        }
    }

    /// Returns the name of an actor in the audit log, such as `user:me@example.com` or `service`.
    pub(crate) fn actor_name(self, id: &str) -> String {
        if id.is_empty() { self.name().to_owned() } else { format!("{}:{id}", self.name()) }
    }

    /// Parses the name of an actor in the audit log. Returns its kind and its ID; an actor without an ID has the name
    /// of its kind as its ID. An unknown kind is treated as a token.
    pub fn parse(name: &str) -> (ActorKind, &str) {
        let (kind, id) = name.split_once(':').unwrap_or((name, name));
        let known = ActorKind::ALL.into_iter().find(|known| known.name() == kind);
        (known.unwrap_or(ActorKind::Token), id)
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
pub struct Principal {
    /// The ID of the account that the credentials belong to.
    pub account_id: String,
    /// The token; `None` for an email address with a key.
    pub token: Option<Arc<Token>>,
    /// The actor in the audit log.
    pub actor: Actor,
}

impl Principal {
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
    fn actor_names_are_parsed_to_kind_and_id() {
        let request = || Arc::from("r");
        for (actor, name, kind, id) in [
            (Actor::user("me@example.com", request()), "user:me@example.com", ActorKind::User, "me@example.com"),
            (Actor::token("17", request()), "token:17", ActorKind::Token, "17"),
            (Actor::command_line(), "admin", ActorKind::CommandLine, "admin"),
            (Actor::service(), "service", ActorKind::Service, "service"),
        ] {
            assert_eq!(actor.name, name);
            assert_eq!(ActorKind::parse(name), (kind, id));
            assert_eq!(actor.email(), (kind == ActorKind::User).then_some(id), "{name}");
        }
    }

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
