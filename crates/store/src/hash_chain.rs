//! The hash chain of the audit log: appends the entries of a scope.
//!
//! Start with [`append`]. Entries are only ever inserted, in the transaction of the change, under the lock of its
//! scope. Each contains the hash of the previous entry, so altering or removing an entry is detectable.
//!
//! Invariant: the entries of a scope have numbers without gaps.

use crate::clock::now_micros_text;
use crate::principal::Actor;
use crate::secret::digest;
use crate::statements::{BatchResults, StatementBatch};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use sqlx::AnyConnection;
use std::mem::take;
use std::sync::LazyLock;

/// An entry: one change.
pub(crate) struct AuditEntry {
    /// The kind of object and the verb, such as `filter.create`.
    pub(crate) action: &'static str,
    /// The ID of the object.
    pub(crate) object_id: String,
    /// The object before the change, without secrets.
    pub(crate) before: Option<Value>,
    /// The object after the change, without secrets.
    pub(crate) after: Option<Value>,
}

/// The last entry of a scope's log; its number is 0 if the log is empty.
#[derive(Default)]
pub(crate) struct LastEntry {
    pub(crate) seq: i64,
    pub(crate) hash: String,
    created_at: String,
}

impl LastEntry {
    /// Adds the queries for the last entry to a batch. The transaction must hold the lock of the scope.
    /// [`LastEntry::from_results`] reads the results.
    pub(crate) fn query(statements: &mut StatementBatch, scope: &str) {
        for (name, query) in [
            ("last_seq", "select seq from audit_log where scope = $1 order by seq desc limit 1"),
            ("last_hash", "select hash from audit_log where scope = $1 order by seq desc limit 1"),
            ("last_created_at", "select at from audit_log where scope = $1 order by seq desc limit 1"),
        ] {
            statements.select_value(name, query).bind(scope.to_owned());
        }
    }

    /// Reads the results of [`LastEntry::query`].
    pub(crate) fn from_results(results: &BatchResults) -> Result<LastEntry, sqlx::Error> {
        let seq = results.value::<Option<i64>>("last_seq")?.unwrap_or_default();
        let text = |name| Ok::<_, sqlx::Error>(results.value::<Option<String>>(name)?.unwrap_or_default());
        Ok(LastEntry { seq, hash: text("last_hash")?, created_at: text("last_created_at")? })
    }
}

/// Returns whether the log of a scope has this entry.
pub(crate) async fn contains_entry(
    connection: &mut AnyConnection,
    scope: &str,
    seq: i64,
    hash: &str,
) -> Result<bool, sqlx::Error> {
    let count: i64 = sqlx::query_scalar("select count(*) from audit_log where scope = $1 and seq = $2 and hash = $3")
        .bind(scope.to_owned())
        .bind(seq)
        .bind(hash.to_owned())
        .fetch_one(connection)
        .await?;
    Ok(count > 0)
}

/// Appends entries to a scope's log after `last`, and updates `last`.
pub(crate) fn append(
    statements: &mut StatementBatch,
    scope: &str,
    actor: &Actor,
    entries: &[AuditEntry],
    last: &mut LastEntry,
) {
    let at = monotonic_time(take(&mut last.created_at), now_micros_text());
    let mut remaining = entries;
    while let Some((rows, statement)) = INSERT_STATEMENTS.iter().find(|(rows, _)| *rows <= remaining.len()) {
        let (inserted, others) = remaining.split_at(*rows);
        statements.add(statement);
        for text in [scope, &at, &actor.name, &actor.request_id] {
            statements.bind(text.to_owned());
        }
        for entry in inserted {
            last.seq += 1;
            let [before, after] = [&entry.before, &entry.after].map(|value| value.as_ref().map(Value::to_string));
            let metadata = [&*at, &*actor.name, &*actor.request_id, entry.action, &*entry.object_id];
            last.hash = entry_hash(&last.hash, scope, last.seq, metadata, before.as_deref(), after.as_deref());
            statements.bind(last.seq).bind(entry.action).bind(entry.object_id.clone()).bind(before).bind(after);
            statements.bind(last.hash.clone());
        }
        remaining = others;
    }
    last.created_at = at;
}

/// Statements with the number of rows that each inserts. A rule with its filter needs two rows, and a large request
/// needs thousands. The account is that of the zone, or of the zone's first entry if the zone is deleted. For any other
/// scope it is the scope itself.
static INSERT_STATEMENTS: LazyLock<[(usize, String); 3]> =
    LazyLock::new(|| [32, 2, 1].map(|rows| (rows, insert_statement(rows))));

fn insert_statement(rows: usize) -> String {
    let row = |number: usize| {
        let [seq, action, object, before, after, hash] = std::array::from_fn(|index| 5 + 6 * number + index);
        format!(
            "($1, ${seq}, $2, $3, $4, ${action}, ${object}, ${before}, ${after}, ${hash},
              coalesce((select account_id from zones where id = $1),
                  (select account_id from audit_log where scope = $1 order by seq limit 1), $1))"
        )
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!(
        "insert into audit_log
         (scope, seq, at, actor, request_id, action, object_id, before_change, after_change, hash, account_id)
         values {}",
        rows.join(", ")
    )
}

/// The maximum clock difference that is hidden in the log.
const MAX_CLOCK_SKEW: SignedDuration = SignedDuration::from_secs(60);

/// Returns the timestamp of an entry. It is now, unless the previous entry was written by a process whose clock is
/// slightly ahead. Entries of a scope are therefore ordered by time too (assumption audit-log-times).
fn monotonic_time(before: String, now: String) -> String {
    let time = |text: &str| text.parse::<Timestamp>().ok();
    match time(&before).zip(time(&now)) {
        Some((last, current)) if before > now && last.duration_since(current) < MAX_CLOCK_SKEW => before,
        _ => now,
    }
}

/// Computes the hash of an entry that follows an entry with the hash `last`. `metadata` has timestamp, actor, request
/// ID, action, and object ID.
pub(crate) fn entry_hash(
    last: &str,
    scope: &str,
    seq: i64,
    metadata: [&str; 5],
    before: Option<&str>,
    after: Option<&str>,
) -> String {
    let [at, actor, request_id, action, object] = metadata;
    digest(&json!([last, scope, seq, at, actor, request_id, action, object, before, after]).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_time_follows_a_clock_that_is_slightly_ahead() {
        let now = "2026-11-22T10:00:00.500000Z";
        for (before, expected) in [
            ("", now),
            ("2026-11-22T09:59:59.000000Z", now),
            ("2026-11-22T10:00:00Z", "2026-11-22T10:00:00Z"),
            ("2026-11-22T10:00:59.000000Z", "2026-11-22T10:00:59.000000Z"),
            ("2026-11-22T10:01:01.000000Z", now),
            ("2126-11-22T10:00:00.000000Z", now),
        ] {
            assert_eq!(monotonic_time(before.to_owned(), now.to_owned()), expected, "{before}");
        }
    }
}
