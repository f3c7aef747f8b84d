//! What a transaction locks.

/// What a transaction changes. Of two for the same scope, one waits for the other; so what a transaction has read of
/// its scope stays true until it commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A zone, by its identifier.
    Zone(String),
    /// An account, by its identifier, without its zones.
    Account(String),
    /// What belongs to no account, such as accounts themselves.
    Service,
    /// Nothing: the transaction locks nothing, each statement is right by itself, and the audit log has no entry.
    Unlocked,
}

impl Scope {
    /// The scope as the audit log has it.
    pub(crate) fn id(&self) -> &str {
        match self {
            Scope::Zone(id) | Scope::Account(id) => id,
            Scope::Service | Scope::Unlocked => "",
        }
    }

    /// The statement that locks the row of the scope.
    pub(crate) fn lock(&self) -> Option<&'static str> {
        match self {
            Scope::Zone(_) => Some("select id from zones where id = $1 for update"),
            Scope::Account(_) => Some("select id from accounts where id = $1 for update"),
            Scope::Service => Some("select name from counters where name = 'service' || $1 for update"),
            Scope::Unlocked => None,
        }
    }
}
