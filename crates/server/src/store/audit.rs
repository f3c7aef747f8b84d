//! The audit log: entries are only ever added, in the transaction that changes something, and each has the hash of
//! the one before it, so that none can be altered or left out unnoticed.

use crate::actor::Actor;
use crate::clock::now_exact;
use crate::secret::digest;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Row};
use std::sync::LazyLock;

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
    let last = sqlx::query("select seq, hash, at from audit_log where scope = $1 order by seq desc limit 1")
        .bind(scope.to_owned())
        .fetch_optional(&mut *connection)
        .await?;
    let (mut seq, mut hash, before) = match last {
        Some(row) => (row.try_get::<i64, _>(0)?, row.try_get::<String, _>(1)?, row.try_get::<String, _>(2)?),
        None => (0, String::new(), String::new()),
    };
    let at = later(before, now_exact());
    let mut rest = entries;
    while let Some((rows, statement)) = STATEMENTS.iter().find(|(rows, _)| *rows <= rest.len()) {
        let (some, others) = rest.split_at(*rows);
        let common = [scope, &at, &actor.name, &actor.request_id];
        let mut query =
            common.into_iter().fold(sqlx::query(statement.as_str()), |query, text| query.bind(text.to_owned()));
        for entry in some {
            seq += 1;
            let [before, after] = [&entry.before, &entry.after].map(|value| value.as_ref().map(Value::to_string));
            let made = [&*at, &*actor.name, &*actor.request_id, entry.action, &*entry.object];
            hash = chained(&hash, scope, seq, made, before.as_deref(), after.as_deref());
            query = query.bind(seq).bind(entry.action).bind(entry.object.clone()).bind(before).bind(after);
            query = query.bind(hash.clone());
        }
        query.execute(&mut *connection).await?;
        rest = others;
    }
    Ok(Some((seq, hash)))
}

/// What adds so many rows at once, with the account of the scope, which a zone that ends with them had before: a rule
/// with its filter are two, and a large request has thousands.
static STATEMENTS: LazyLock<[(usize, String); 3]> = LazyLock::new(|| [32, 2, 1].map(|rows| (rows, statement(rows))));

fn statement(rows: usize) -> String {
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

/// How far a clock may be behind the one of the entry before without being seen in the log.
const CLOCKS: SignedDuration = SignedDuration::from_secs(60);

/// The time of an entry: now, unless the entry before is of a process whose clock is a little ahead, so that entries
/// of a scope are in the order of their times, too (assumption audit-log-times).
fn later(before: String, now: String) -> String {
    let time = |text: &str| text.parse::<Timestamp>().ok();
    match time(&before).zip(time(&now)) {
        Some((last, present)) if before > now && last.duration_since(present) < CLOCKS => before,
        _ => now,
    }
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
            assert_eq!(later(before.to_owned(), now.to_owned()), expected, "{before}");
        }
    }
}
