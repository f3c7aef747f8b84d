//! The scope of a transaction: the object that it locks.

/// The scope of a transaction. Of two transactions with the same scope, one waits for the other, unless the scope is
/// unlocked. Data that a transaction reads in its scope therefore stays valid until its commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The ID of a zone.
    Zone(String),
    /// The ID of an account; its zones are not included.
    Account(String),
    /// Everything that belongs to no account, such as the accounts themselves.
    Service,
    /// No lock: each statement is correct without one, and the audit log gets no entry.
    Unlocked,
}

impl Scope {
    /// Returns the scope in the audit log.
    pub(crate) fn id(&self) -> &str {
        match self {
            Scope::Zone(id) | Scope::Account(id) => id,
            Scope::Service | Scope::Unlocked => "",
        }
    }

    /// Returns the statement that locks the row of the scope.
    pub(crate) fn lock_sql(&self) -> Option<&'static str> {
        match self {
            Scope::Zone(_) => Some("select id from zones where id = $1 for update"),
            Scope::Account(_) => Some("select id from accounts where id = $1 for update"),
            Scope::Service => Some("select name from counters where name = 'service' || $1 for update"),
            Scope::Unlocked => None,
        }
    }
}
