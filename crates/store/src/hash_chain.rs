//! The hash chain of the audit log: appends the entries of a scope.
//!
//! Start with [`append`]. Entries are only ever inserted, in the transaction of the change, under the lock of its
//! scope. Each contains the hash of the entry before it, so that altering or removing one is detectable.
//!
//! Invariant: the entries of a scope have numbers without gaps.

use crate::clock::now_micros_text;
use crate::principal::Actor;
use crate::secret::digest;
use crate::statements::{BatchResults, StatementBatch};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
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
pub(crate) struct LogTail {
    pub(crate) seq: i64,
    pub(crate) hash: String,
    created_at: String,
}

impl LogTail {
    /// Adds the queries for the last entry to a batch. The transaction must hold the lock of the scope.
    /// [`LogTail::from_results`] reads the results.
    pub(crate) fn query(statements: &mut StatementBatch, scope: &str) {
        for question in [
            "select seq from audit_log where scope = $1 order by seq desc limit 1",
            "select hash from audit_log where scope = $1 order by seq desc limit 1",
            "select at from audit_log where scope = $1 order by seq desc limit 1",
        ] {
            statements.select_value(question).bind(scope.to_owned());
        }
    }

    /// Reads the results of [`LogTail::query`].
    pub(crate) fn from_results(answers: &mut BatchResults) -> Result<LogTail, sqlx::Error> {
        let (seq, hash, at) = (answers.value::<Option<i64>>()?, answers.value()?, answers.value()?);
        let (hash, at): (Option<String>, Option<String>) = (hash, at);
        Ok(LogTail { seq: seq.unwrap_or_default(), hash: hash.unwrap_or_default(), created_at: at.unwrap_or_default() })
    }
}

/// Appends entries to a scope's log after `last`, and updates `last`.
pub(crate) fn append(
    statements: &mut StatementBatch,
    scope: &str,
    actor: &Actor,
    entries: &[AuditEntry],
    last: &mut LogTail,
) {
    let at = monotonic_time(take(&mut last.created_at), now_micros_text());
    let mut rest = entries;
    while let Some((rows, statement)) = INSERT_STATEMENTS.iter().find(|(rows, _)| *rows <= rest.len()) {
        let (some, others) = rest.split_at(*rows);
        statements.add(statement);
        for text in [scope, &at, &actor.name, &actor.request_id] {
            statements.bind(text.to_owned());
        }
        for entry in some {
            last.seq += 1;
            let [before, after] = [&entry.before, &entry.after].map(|value| value.as_ref().map(Value::to_string));
            let made = [&*at, &*actor.name, &*actor.request_id, entry.action, &*entry.object_id];
            last.hash = entry_hash(&last.hash, scope, last.seq, made, before.as_deref(), after.as_deref());
            statements.bind(last.seq).bind(entry.action).bind(entry.object_id.clone()).bind(before).bind(after);
            statements.bind(last.hash.clone());
        }
        rest = others;
    }
    last.created_at = at;
}

/// Statements that insert this many rows at once: a rule with its filter are two entries, and a large request has
/// thousands. The account is that of the zone, or of the zone's first entry if the zone is deleted. For any other scope
/// it is the scope itself.
static INSERT_STATEMENTS: LazyLock<[(usize, String); 3]> =
    LazyLock::new(|| [32, 2, 1].map(|rows| (rows, insert_statement(rows))));

fn insert_statement(rows: usize) -> String {
    let row = |number: usize| {
        let [seq, action, object, before, after, hash] = std::array::from_fn(|place| 5 + 6 * number + place);
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
        Some((last, present)) if before > now && last.duration_since(present) < MAX_CLOCK_SKEW => before,
        _ => now,
    }
}

/// Computes the hash of an entry after one with the hash `last`. `made` has timestamp, actor, request ID, action and
/// object ID.
pub(crate) fn entry_hash(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_entries() {
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
