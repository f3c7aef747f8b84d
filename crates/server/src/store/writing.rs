//! A transaction that writes, with what the audit log keeps of it.

use super::audit::{Entry, append};
use super::{Database, Store};
use crate::actor::Actor;
use crate::auth::Owner;
use serde::Serialize;
use sqlx::{Any, AnyConnection, Transaction};
use std::ops::{Deref, DerefMut};

/// What a transaction changes. Of two for the same, one waits for the other; so what a transaction has read of its
/// scope stays true until it is committed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// A zone, by its identifier.
    Zone(String),
    /// An account, by its identifier, without its zones.
    Account(String),
    /// What belongs to no account, as accounts themselves.
    Service,
    /// Nothing that has to stay as it was read: nobody waits, each statement is right by itself, and the audit log
    /// keeps nothing of it.
    Unlocked,
}

impl Scope {
    /// As the audit log has it.
    fn id(&self) -> &str {
        match self {
            Scope::Zone(id) | Scope::Account(id) => id,
            Scope::Service | Scope::Unlocked => "",
        }
    }

    /// The row to hold.
    fn lock(&self) -> Option<&'static str> {
        match self {
            Scope::Zone(_) => Some("select id from zones where id = $1 for update"),
            Scope::Account(_) => Some("select id from accounts where id = $1 for update"),
            Scope::Service => Some("select name from counters where name = 'service' || $1 for update"),
            Scope::Unlocked => None,
        }
    }
}

impl From<&Owner> for Scope {
    fn from(owner: &Owner) -> Self {
        match owner {
            Owner::Zone(id) => Scope::Zone(id.clone()),
            Owner::Account(id) => Scope::Account(id.clone()),
        }
    }
}

/// A transaction; without [`Writing::commit`] it leaves nothing.
pub(crate) struct Writing {
    transaction: Transaction<'static, Any>,
    scope: Scope,
    actor: Actor,
    entries: Vec<Entry>,
}

impl Store {
    /// Begins a transaction in which `actor` changes something in `scope`.
    pub(crate) async fn write(&self, scope: Scope, actor: &Actor) -> Result<Writing, sqlx::Error> {
        let mut transaction = self.begin().await?;
        // SQLite has one writer.
        if self.database == Database::Postgres
            && let Some(statement) = scope.lock()
        {
            sqlx::query(statement).bind(scope.id().to_owned()).fetch_optional(&mut *transaction).await?;
        }
        Ok(Writing { transaction, scope, actor: actor.clone(), entries: Vec::new() })
    }
}

impl Store {
    /// With SQLite the one who writes is alone from the beginning: who read first and wrote then could find that
    /// another process, as the command line, had written in between, and would have to begin again.
    async fn begin(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        match self.database {
            Database::Sqlite => self.writer.begin_with("begin immediate").await,
            Database::Postgres => self.writer.begin().await,
        }
    }
}

impl Writing {
    /// Notes a change for the audit log: `action` says what was done to what, as `filter.create`; `before` and
    /// `after` are the object as the interface answers it.
    pub(crate) fn record<T: Serialize>(
        &mut self,
        action: &'static str,
        object: &str,
        before: Option<&T>,
        after: Option<&T>,
    ) {
        if self.scope == Scope::Unlocked {
            return;
        }
        let value = |object: Option<&T>| object.and_then(|object| serde_json::to_value(object).ok());
        let (before, after) = (value(before), value(after));
        self.entries.push(Entry { action, object: object.to_owned(), before, after });
    }

    /// Makes everything last, the entries of the audit log with it.
    pub(crate) async fn commit(self) -> Result<(), sqlx::Error> {
        let Writing { mut transaction, scope, actor, entries } = self;
        append(&mut transaction, scope.id(), &actor, &entries).await?;
        transaction.commit().await
    }

    /// Takes everything back.
    pub(crate) async fn rollback(self) -> Result<(), sqlx::Error> {
        self.transaction.rollback().await
    }
}

impl Deref for Writing {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.transaction
    }
}

impl DerefMut for Writing {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }
}
