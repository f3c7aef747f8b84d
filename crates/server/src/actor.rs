//! Who does something, for the audit log.

use std::sync::Arc;

/// Who does something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Actor {
    /// As the audit log has it: `token:` and the identifier of a token, `user:` and an e-mail address, or
    /// `service` for what the service does by itself.
    pub(crate) name: String,
    /// Of the request, see [`RequestId`](crate::request_id::RequestId); empty for the service.
    pub(crate) request_id: Arc<str>,
}

impl Actor {
    /// The e-mail address of a user.
    pub(crate) fn email(&self) -> Option<&str> {
        self.name.strip_prefix("user:")
    }

    /// The service itself.
    pub(crate) fn service() -> Actor {
        Actor { name: "service".to_owned(), request_id: Arc::default() }
    }
}
