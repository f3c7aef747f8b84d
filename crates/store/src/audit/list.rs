//! Lists of the audit log.
//!
//! Each entry has the account that it is listed for, and an index orders the entries of an account by time. A page and
//! the count of a time range are therefore ranges of the index. A search by actor or action must also read the entries
//! of the time range, and a search by zone all entries of the account.

use crate::error::Error;
use crate::page::Page;
use crate::principal::ActorKind;
use crate::rows::to_u64;
use crate::search::Conditions;
use crate::store::Store;
use serde_json::Value;
use sqlx::{AnyConnection, FromRow};
use zonewright_api::audit_log::{AuditAction, AuditActor, AuditLog, AuditMetadata, AuditOwner, AuditResource};

/// The maximum size in bytes of all objects on a page, before and after together (assumption audit-log-size).
const MAX_PAGE_OBJECT_BYTES: i64 = 8 << 20;

/// The number of entries of an account and its zones, including deleted ones. Entries are numbered without gaps.
const COUNT_SQL: &str = "with scopes(id) as (
        select id from zones where account_id = $1 union all select $1
        union all select d.object_id from audit_log d where d.scope = $1 and d.action = 'zone.delete')
    select cast(coalesce(sum((select max(l.seq) from audit_log l where l.scope = scopes.id)), 0) as bigint) from scopes";

/// The conditions of a list; empty texts match everything.
#[derive(Clone, Debug, Default)]
pub struct AuditSearch {
    /// The account, with its zones. `None` selects everything, including entries that belong to no account.
    pub account: Option<String>,
    /// The name of a zone. Without an account, the name or the ID of a zone.
    pub zone: String,
    /// The ID of one entry. All other conditions except account and zone are then ignored.
    pub id: String,
    /// The first timestamp, inclusive: RFC 3339 with microseconds, in UTC.
    pub since: String,
    /// The last timestamp, exclusive: RFC 3339 with microseconds, in UTC.
    pub before: String,
    /// The email address of the user who made the change.
    pub email: String,
    /// The kind of object and the verb, such as `filter.create`.
    pub action: String,
    /// Whether entries about users (`user.*`) are left out.
    pub hide_user_entries: bool,
    /// Whether the oldest entries come first.
    pub oldest_first: bool,
    /// Whether all objects are included regardless of size. A list by ID always includes them.
    pub include_large_objects: bool,
}

impl AuditSearch {
    /// Returns the conditions; `None` if the ID is malformed.
    fn conditions(&self) -> Option<Conditions> {
        const ZONE_BY_NAME_OR_ID: &str = "(l.scope = ? or l.scope in (select id from zones where name = ?))";
        // The name of a deleted zone is in the entry of its deletion. `replace` changes that text if it contains the
        // name, which is a substring test that both databases have.
        const ZONE_OF_ACCOUNT: &str = r#"l.scope in (
            select id from zones where account_id = $1 and name = ?
            union all select d.object_id from audit_log d where d.scope = $1 and d.action = 'zone.delete'
                and replace(d.before_change, '"name":"' || ? || '"', '') <> d.before_change)"#;
        let conditions = match &self.account {
            Some(account) => Conditions::new("l.account_id = ?", account).and(ZONE_OF_ACCOUNT, &self.zone),
            None => Conditions::new("'' = ?", "").and(ZONE_BY_NAME_OR_ID, &self.zone),
        };
        if !self.id.is_empty() {
            let (scope, seq) = self.id.rsplit_once('-').filter(|(scope, _)| !scope.is_empty())?;
            let seq: i64 = seq.parse().ok()?;
            return Some(conditions.and("l.scope = ?", scope).and("l.seq = cast(? as bigint)", &seq.to_string()));
        }
        let email = self.email.to_lowercase();
        let actor = if email.is_empty() { email } else { ActorKind::User.actor_name(&email) };
        let (before, hidden_prefix) = (&self.before, if self.hide_user_entries { "user." } else { "" });
        let conditions = conditions.and("l.at >= ?", &self.since).and("l.at < ?", before);
        let conditions = conditions.and("l.actor = ?", &actor).and("l.action = ?", &self.action);
        Some(conditions.and("substr(l.action, 1, 5) <> ?", hidden_prefix))
    }

    fn order(&self) -> &'static str {
        if self.oldest_first { "l.at, l.scope, l.seq" } else { "l.at desc, l.scope desc, l.seq desc" }
    }
}

impl Store {
    /// Returns a page of entries, and the number of entries in total.
    pub async fn audit_entries(&self, search: &AuditSearch, page: Page) -> Result<(Vec<AuditLog>, u64), Error> {
        let Some(conditions) = search.conditions() else { return Ok((Vec::new(), 0)) };
        let order = search.order();
        let mut reading = self.read().await?;
        let total = match &search.account {
            Some(account) if conditions.is_unfiltered() => sqlx::query_scalar(COUNT_SQL).bind(account.clone()),
            _ => conditions.count("select count(*) from audit_log l"),
        };
        let total = total.fetch_one(&mut *reading).await?;
        // Entries before the page are skipped in the index. Of the page's objects, the smallest are read as long as
        // their total fits; the others are only measured.
        let query = conditions.build::<EntryRow>(|conditions, next| {
            let (offset, max_bytes) = (next + 1, next + 2);
            format!(
                "with page(scope, seq) as (
                     select l.scope, l.seq from audit_log l {conditions}
                     order by {order} limit ${next} offset ${offset}),
                 sized(scope, seq, bytes) as (
                     select l.scope, l.seq,
                         coalesce(octet_length(l.before_change), 0) + coalesce(octet_length(l.after_change), 0)
                     from page p cross join audit_log l where l.scope = p.scope and l.seq = p.seq),
                 sums(scope, seq, bytes, total) as (
                     select scope, seq, bytes, sum(bytes) over (order by bytes, scope, seq) from sized),
                 kept(scope, seq, bytes, whole) as (
                     select scope, seq, bytes, case when total <= ${max_bytes} then 1 else 0 end from sums)
                 select l.scope as scope, l.seq as seq, l.at as at, l.actor as actor, l.request_id as request_id,
                     l.action as action, l.object_id as object_id,
                     case when k.whole = 1 then l.before_change end as before_change,
                     case when k.whole = 1 then l.after_change end as after_change,
                     l.hash as hash, z.name as zone_name, l.account_id as account_id,
                     cast(case when k.whole = 1 then 0 else k.bytes end as bigint) as omitted_bytes,
                     d.before_change as deleted_zone
                 from kept k cross join audit_log l left join zones z on z.id = l.scope
                 left join audit_log d on d.scope = l.account_id and d.object_id = l.scope and d.action = 'zone.delete'
                 where l.scope = k.scope and l.seq = k.seq order by {order}"
            )
        });
        let max_bytes =
            if search.include_large_objects || !search.id.is_empty() { i64::MAX } else { MAX_PAGE_OBJECT_BYTES };
        let rows = query.bind(page.limit()).bind(page.offset()).bind(max_bytes).fetch_all(&mut *reading).await?;
        Ok((rows.into_iter().map(AuditLog::from).collect(), to_u64(total)))
    }
}

/// Returns the object IDs of all entries with this action.
pub(crate) async fn object_ids(connection: &mut AnyConnection, action: &'static str) -> Result<Vec<String>, Error> {
    let query = sqlx::query_scalar("select object_id from audit_log where action = $1").bind(action);
    Ok(query.fetch_all(connection).await?)
}

/// An entry with the zone that it belongs to.
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
    zone_name: Option<String>,
    account_id: String,
    /// The size of the objects if they are left out, otherwise 0.
    omitted_bytes: i64,
    /// The zone before its deletion, if it is deleted.
    deleted_zone: Option<String>,
}

impl From<EntryRow> for AuditLog {
    fn from(row: EntryRow) -> AuditLog {
        let (actor_kind, actor_id) = ActorKind::parse(&row.actor);
        let (kind, interface) = match actor_kind {
            ActorKind::CommandLine => ("admin", "CLI"),
            ActorKind::Service => ("system", "service"),
            ActorKind::User | ActorKind::Token => ("user", "API"),
        };
        let email = (actor_kind == ActorKind::User).then(|| actor_id.to_owned());
        // Clients in some languages accept only an object.
        let json = |text: &Option<String>| serde_json::from_str(text.as_deref()?).ok().filter(Value::is_object);
        let deleted_zone_name = || json(&row.deleted_zone)?.get("name")?.as_str().map(str::to_owned);
        let omitted = match row.omitted_bytes {
            0 => None,
            bytes => Some(format!("before and after have {bytes} bytes; fetch this entry alone, by its `id`")),
        };
        AuditLog {
            id: format!("{}-{}", row.scope, row.seq),
            actor: AuditActor { id: actor_id.to_owned(), email, kind: kind.to_owned() },
            interface: interface.to_owned(),
            metadata: AuditMetadata {
                request_id: row.request_id,
                zone_id: (row.scope != row.account_id).then(|| row.scope.clone()),
                zone_name: row.zone_name.or_else(deleted_zone_name),
                log: row.scope,
                entry: to_u64(row.seq),
                hash: row.hash,
                omitted,
            },
            old_value_json: json(&row.before_change),
            new_value_json: json(&row.after_change),
            old_value: row.before_change,
            new_value: row.after_change,
            owner: AuditOwner { id: row.account_id },
            resource: AuditResource {
                id: row.object_id,
                kind: row.action.split_once('.').map_or(&*row.action, |(noun, _)| noun).to_owned(),
            },
            action: AuditAction { result: true, kind: row.action },
            when: row.at,
        }
    }
}
