//! Verifies the hash chains of the audit log.

use crate::error::Error;
use crate::hash_chain::entry_hash;
use crate::store::Store;
use futures_util::TryStreamExt;
use sqlx::{AnyConnection, FromRow};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// The maximum number of reported problems; a log that was rewritten could have millions.
const MAX_PROBLEMS: usize = 100;
/// The name of the service's own log.
const SERVICE_SCOPE_NAME: &str = "service";

/// The last entry of the log of a zone, an account or the service at some point in time. A later comparison with a head
/// that was stored elsewhere proves that no entry up to the head was altered or removed.
///
/// Its text is `023e105f4ecef8ad9ca31a8372d0c353 17 9f86…`: scope, number of entries, hash of the last entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogHead {
    /// The ID of the zone or the account; empty for the service.
    pub scope: String,
    /// The number of the entry, which is also the number of entries up to it.
    pub entries: i64,
    /// The hash of the entry: 64 hexadecimal digits.
    pub hash: String,
}

impl fmt::Display for LogHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scope = if self.scope.is_empty() { SERVICE_SCOPE_NAME } else { &self.scope };
        write!(f, "{scope} {} {}", self.entries, self.hash)
    }
}

impl FromStr for LogHead {
    type Err = String;

    fn from_str(text: &str) -> Result<LogHead, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let invalid = || format!("`{}` is not the end of an audit log", text.chars().take(120).collect::<String>());
        let [scope, entries, hash] = words.as_slice() else { return Err(invalid()) };
        let scope = if *scope == SERVICE_SCOPE_NAME { "" } else { scope };
        let entries = entries.parse().map_err(|_| invalid())?;
        Ok(LogHead { scope: scope.to_owned(), entries, hash: (*hash).to_owned() })
    }
}

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogReport {
    /// The number of entries in all logs.
    pub entries: u64,
    /// The last entry of each log.
    pub heads: Vec<LogHead>,
    /// The problems, for people; at most 100. They are in the order of logs and entries, and missing heads come last.
    pub problems: Vec<String>,
}

impl Store {
    /// Verifies the hash chains of the whole audit log, and compares them with heads that were stored elsewhere.
    pub async fn verify_log(&self, known: &[LogHead]) -> Result<LogReport, Error> {
        verify(&mut *self.read().await?, known).await
    }
}

/// An entry, and whether its account is that of its scope.
#[derive(FromRow)]
struct EntryRow {
    scope: String,
    seq: i64,
    at: String,
    actor: String,
    request_id: String,
    action: String,
    object_id: String,
    before_change: Option<String>,
    after_change: Option<String>,
    hash: String,
    has_right_account: i64,
}

impl EntryRow {
    /// Returns the hash that the entry must have after the previous entry.
    fn expected_hash(&self, last: Option<&LogHead>) -> String {
        let last = last.filter(|last| last.scope == self.scope).map_or("", |last| last.hash.as_str());
        let metadata = [&self.at, &self.actor, &self.request_id, &self.action, &self.object_id].map(String::as_str);
        entry_hash(last, &self.scope, self.seq, metadata, self.before_change.as_deref(), self.after_change.as_deref())
    }
}

/// Finds gaps, entries that were altered or have the wrong account, and differences from the `known` heads.
pub(crate) async fn verify(connection: &mut AnyConnection, known: &[LogHead]) -> Result<LogReport, Error> {
    let mut rows = sqlx::query_as::<_, EntryRow>(
        "select l.scope as scope, l.seq as seq, l.at as at, l.actor as actor, l.request_id as request_id,
             l.action as action, l.object_id as object_id, l.before_change as before_change,
             l.after_change as after_change, l.hash as hash, case when l.account_id = coalesce(z.account_id, a.id,
                 first_value(l.account_id) over (partition by l.scope order by l.seq)) then 1 else 0 end as has_right_account
         from audit_log l left join zones z on z.id = l.scope left join accounts a on a.id = l.scope
         order by l.scope, l.seq",
    )
    .fetch(connection);
    let mut known: HashMap<(String, i64), &str> =
        known.iter().map(|head| ((head.scope.clone(), head.entries), head.hash.as_str())).collect();
    let mut report = LogReport::default();
    while let Some(row) = rows.try_next().await? {
        let expected = row.expected_hash(report.heads.last());
        let log = scope_name(&row.scope);
        let number = row.seq;
        let entry = LogHead { scope: row.scope, entries: number, hash: row.hash };
        let last = report.heads.last_mut().filter(|last| last.scope == entry.scope);
        let problem = if number != last.as_ref().map_or(0, |last| last.entries) + 1 {
            Some(format!("the audit log of {log} has a gap before entry {number}"))
        } else if entry.hash != expected {
            Some(format!("entry {number} of the audit log of {log} was altered"))
        } else if row.has_right_account == 0 {
            Some(format!("entry {number} of the audit log of {log} is assigned to the wrong account"))
        } else {
            None
        };
        let known_hash = known.remove(&(entry.scope.clone(), number));
        let difference = known_hash
            .filter(|hash| *hash != entry.hash)
            .map(|_| format!("the audit log of {log} differs from the known one at entry {number} or earlier"));
        match last {
            Some(last) => *last = entry,
            None => report.heads.push(entry),
        }
        report.entries += 1;
        report.problems.extend(problem.into_iter().chain(difference));
        report.problems.truncate(MAX_PROBLEMS);
    }
    let mut missing: Vec<(String, i64)> = known.into_keys().collect();
    missing.sort_unstable();
    let missing = missing.into_iter().map(|(scope, number)| {
        format!("the audit log of {} is truncated: the known entry {number} is missing", scope_name(&scope))
    });
    report.problems.extend(missing);
    report.problems.truncate(MAX_PROBLEMS);
    Ok(report)
}

fn scope_name(scope: &str) -> String {
    if scope.is_empty() { "the service".to_owned() } else { format!("`{scope}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_text_is_parsed_back() {
        for scope in ["", "023e105f4ecef8ad9ca31a8372d0c353"] {
            let head = LogHead { scope: scope.to_owned(), entries: 17, hash: "9f".repeat(32) };
            assert_eq!(head.to_string().parse(), Ok(head));
        }
        for invalid in ["", "a", "a 1", "a b c", "a 1 c d"] {
            assert!(invalid.parse::<LogHead>().is_err(), "{invalid}");
        }
    }
}
