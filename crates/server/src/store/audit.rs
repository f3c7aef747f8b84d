//! The audit log: entries are only ever added, in the transaction that changes something, and each has the hash of
//! the one before it, so that none can be altered or left out unnoticed.

use crate::actor::Actor;
use crate::clock::now;
use crate::secret::digest;
use serde_json::{Value, json};
use sqlx::{AnyConnection, Row};

/// One change.
pub(super) struct Entry {
    /// What was done to what: `filter.create`.
    pub(super) action: &'static str,
    /// Identifier of the object.
    pub(super) object: String,
    /// The object as it was, without secrets.
    pub(super) before: Option<Value>,
    /// The object as it is now, without secrets.
    pub(super) after: Option<Value>,
}

/// Adds entries at the end of a scope's log, and gives number and hash of the last of them. The transaction holds
/// the lock of the scope.
pub(super) async fn append(
    connection: &mut AnyConnection,
    scope: &str,
    actor: &Actor,
    entries: &[Entry],
) -> Result<Option<(i64, String)>, sqlx::Error> {
    if entries.is_empty() {
        return Ok(None);
    }
    let last = sqlx::query("select seq, hash from audit_log where scope = $1 order by seq desc limit 1")
        .bind(scope.to_owned())
        .fetch_optional(&mut *connection)
        .await?;
    let (mut seq, mut hash) = match last {
        Some(row) => (row.try_get::<i64, _>(0)?, row.try_get::<String, _>(1)?),
        None => (0, String::new()),
    };
    let at = now();
    for entry in entries {
        seq += 1;
        let [before, after] = [&entry.before, &entry.after].map(|value| value.as_ref().map(Value::to_string));
        let made = [&*at, &*actor.name, &*actor.request_id, entry.action, &*entry.object];
        hash = chained(&hash, scope, seq, made, before.as_deref(), after.as_deref());
        sqlx::query(
            "insert into audit_log
             (scope, seq, at, actor, request_id, action, object_id, before_change, after_change, hash)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        )
        .bind(scope.to_owned())
        .bind(seq)
        .bind(at.clone())
        .bind(actor.name.clone())
        .bind(actor.request_id.clone())
        .bind(entry.action)
        .bind(entry.object.clone())
        .bind(before)
        .bind(after)
        .bind(hash.clone())
        .execute(&mut *connection)
        .await?;
    }
    Ok(Some((seq, hash)))
}

/// The hash of an entry that follows one with the hash `last`. `made` has when, by whom, in which request, what was
/// done, and to what.
pub(super) fn chained(
    last: &str,
    scope: &str,
    seq: i64,
    made: [&str; 5],
    before: Option<&str>,
    after: Option<&str>,
) -> String {
    let [at, actor, request_id, action, object] = made;
    digest(&json!([last, scope, seq, at, actor, request_id, action, object, before, after]).to_string())
}
