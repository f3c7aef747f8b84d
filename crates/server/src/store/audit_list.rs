//! Lists of the audit log.
//!
//! Entries are numbered without gaps in each scope, in the order of their times. So how many of a scope are older than
//! some time is the number of an entry, which a binary search finds in the primary key; a page is found by
//! looking for the time at which it begins, without going through what stands before it. Only a search for who and
//! what goes through all entries of the time that it is about.

use super::{Store, count};
use crate::clock::exact_at_millis;
use crate::request::Page;
use serde_json::Value;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use zonewright_api::audit_log::{AuditAction, AuditActor, AuditLog, AuditMetadata, AuditOwner, AuditResource};

/// How many entries are passed over before the beginning of a page is looked for.
const NEAR: i64 = 1000;
/// The latest time of an entry that is looked for, in milliseconds since 1970: the year 2200.
const LATEST: u64 = 7_258_118_400_000;
/// Texts that stand before and after all times.
const EARLIEST: &str = "";
const NEVER: &str = "~";

/// Which entries; empty texts find all.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogSearch {
    /// Of this account and its zones; without one of everything, what belongs to no account too.
    pub(crate) account: Option<String>,
    /// Of the zone of this name only.
    pub(crate) zone: String,
    /// The one of this identifier; then nothing else is looked at but whose it is.
    pub(crate) id: String,
    /// RFC 3339 with microseconds, in UTC: this time and later.
    pub(crate) since: String,
    /// RFC 3339 with microseconds, in UTC: before this time.
    pub(crate) before: String,
    /// E-mail address of a user who did it.
    pub(crate) email: String,
    /// What was done to what: `filter.create`.
    pub(crate) action: String,
    /// Without what is about users themselves.
    pub(crate) hide_users: bool,
    /// Otherwise the newest come first.
    pub(crate) oldest_first: bool,
}

impl LogSearch {
    fn since(&self) -> &str {
        if self.since.is_empty() { EARLIEST } else { &self.since }
    }

    fn before(&self) -> &str {
        if self.before.is_empty() { NEVER } else { &self.before }
    }

    /// The table `scopes`, by the account in `$1` and the name of a zone in `$2`.
    fn scopes(&self) -> &'static str {
        match self.account {
            Some(_) => {
                "with recursive scopes(id) as (
                     select id from accounts where id = $1 and $2 = ''
                     union all select id from zones where account_id = $1 and ($2 = '' or name = $2))"
            }
            None => {
                "with recursive scopes(id) as (
                     select id from accounts where $1 = '' and $2 = ''
                     union all select id from zones where $1 = '' and ($2 = '' or name = $2)
                     union all select cast('' as text) where $1 = '' and $2 = '')"
            }
        }
    }

    fn query(&self, rest: &str) -> sqlx::query::Query<'static, sqlx::Any, sqlx::any::AnyArguments> {
        // Values of callers are only ever bound.
        let statement = AssertSqlSafe(format!("{}{rest}", self.scopes()));
        sqlx::query(statement).bind(self.account.clone().unwrap_or_default()).bind(self.zone.clone())
    }
}

/// The table `ranks`: for each scope the number `low` of its last entry before the time in `$3`, where it is found.
const RANKS: &str = ", ranks(scope, low, high) as (
    select id, cast(0 as bigint), (select coalesce(max(seq), 0) + 1 from audit_log where scope = id) from scopes
    union all
    select scope,
        case when (select at from audit_log l where l.scope = r.scope and l.seq = (low + high) / 2) < $3
            then (low + high) / 2 else low end,
        case when (select at from audit_log l where l.scope = r.scope and l.seq = (low + high) / 2) < $3
            then high else (low + high) / 2 end
    from ranks r where high - low > 1)";

/// Entries in the columns that [`entry`] reads.
const SELECT: &str = " select l.scope, l.seq, l.at, l.actor, l.request_id, l.action, l.object_id, l.before_change,
    l.after_change, l.hash, z.name, coalesce(z.account_id, l.scope)
    from audit_log l left join zones z on z.id = l.scope ";

/// The conditions of a search, from `$3`.
const SEARCHED: &str = "where l.scope in (select id from scopes) and l.at >= $3 and l.at < $4
    and ($5 = '' or l.actor = $5) and ($6 = '' or l.action = $6) and ($7 = 0 or substr(l.action, 1, 5) <> 'user.')";

impl Store {
    /// A page of the entries, and how many there are.
    pub(crate) async fn log(&self, search: &LogSearch, page: Page) -> Result<(Vec<AuditLog>, u64), sqlx::Error> {
        let mut reading = self.read().await?;
        let (rows, total) = if !search.id.is_empty() {
            let found = one(&mut reading, search).await?;
            let total = found.len() as u64;
            (page.of(found), total)
        } else if search.email.is_empty() && search.action.is_empty() && !search.hide_users {
            by_time(&mut reading, search, page).await?
        } else {
            searched(&mut reading, search, page).await?
        };
        Ok((rows.iter().map(entry).collect::<Result<_, _>>()?, total))
    }
}

/// The entry of an identifier, if it is there.
async fn one(connection: &mut AnyConnection, search: &LogSearch) -> Result<Vec<AnyRow>, sqlx::Error> {
    // A text that is no identifier is nobody's.
    let parts = search.id.rsplit_once('-').and_then(|(scope, seq)| Some((scope, seq.parse::<i64>().ok()?)));
    let Some((scope, seq)) = parts else { return Ok(Vec::new()) };
    let rest = format!("{SELECT} where l.scope = $3 and l.seq = $4 and l.scope in (select id from scopes)");
    search.query(&rest).bind(scope.to_owned()).bind(seq).fetch_all(connection).await
}

/// A search that goes through all entries of the time.
async fn searched(
    connection: &mut AnyConnection,
    search: &LogSearch,
    page: Page,
) -> Result<(Vec<AnyRow>, u64), sqlx::Error> {
    let actor = if search.email.is_empty() { String::new() } else { format!("user:{}", search.email.to_lowercase()) };
    let bound = |rest: String| {
        let query = search.query(&rest).bind(search.since().to_owned()).bind(search.before().to_owned());
        query.bind(actor.clone()).bind(search.action.clone()).bind(i64::from(search.hide_users))
    };
    let total = bound(format!(" select count(*) from audit_log l {SEARCHED}")).fetch_one(&mut *connection).await?;
    let order = order(search);
    let query = bound(format!("{SELECT} {SEARCHED} {order} limit $8 offset $9")).bind(page.limit()).bind(page.offset());
    Ok((query.fetch_all(connection).await?, count(total.try_get(0)?)))
}

fn order(search: &LogSearch) -> &'static str {
    if search.oldest_first { "order by l.at, l.scope, l.seq" } else { "order by l.at desc, l.scope desc, l.seq desc" }
}

/// A page of all entries of a time.
async fn by_time(
    connection: &mut AnyConnection,
    search: &LogSearch,
    page: Page,
) -> Result<(Vec<AnyRow>, u64), sqlx::Error> {
    let first = older(connection, search, search.since()).await?;
    let end = older(connection, search, search.before()).await?;
    let (total, offset) = ((end - first).max(0), page.offset());
    if offset >= total {
        return Ok((Vec::new(), count(total)));
    }
    let (near, until) = if search.oldest_first {
        ("l.seq > k.low and l.seq <= k.low + $4 and l.at < $5", search.before())
    } else {
        ("l.seq <= k.low and l.seq > k.low - $4 and l.at >= $5", search.since())
    };
    let (from, skipped) = start(connection, search, offset, first, end).await?;
    let order = order(search);
    let rest = format!(
        "{RANKS} {SELECT} join ranks k on l.scope = k.scope and {near}
         where k.high - k.low = 1 {order} limit $6 offset $7"
    );
    let query = search.query(&rest).bind(from).bind(skipped.saturating_add(page.limit())).bind(until.to_owned());
    Ok((query.bind(page.limit()).bind(skipped).fetch_all(connection).await?, count(total)))
}

/// The time from which a page is read, and how many entries are passed over there. The search is about the entries
/// `first` to `end` of all.
async fn start(
    connection: &mut AnyConnection,
    search: &LogSearch,
    offset: i64,
    first: i64,
    end: i64,
) -> Result<(String, i64), sqlx::Error> {
    if offset <= NEAR {
        let from = if search.oldest_first { search.since() } else { search.before() };
        return Ok((from.to_owned(), offset));
    }
    if search.oldest_first {
        let goal = first + offset;
        let from = exact_at_millis(moment(connection, search, goal + 1).await?.saturating_sub(1));
        let skipped = goal - older(connection, search, &from).await?;
        Ok((from, skipped))
    } else {
        let goal = end - offset;
        let from = exact_at_millis(moment(connection, search, goal).await?);
        let skipped = older(connection, search, &from).await? - goal;
        Ok((from, skipped))
    }
}

/// How many entries are older than a time.
async fn older(connection: &mut AnyConnection, search: &LogSearch, time: &str) -> Result<i64, sqlx::Error> {
    // Sums are no bigint on PostgreSQL.
    let rest = format!("{RANKS} select cast(coalesce(sum(low), 0) as bigint) from ranks where high - low = 1");
    search.query(&rest).bind(time.to_owned()).fetch_one(connection).await?.try_get(0)
}

/// The first millisecond since 1970 with at least so many older entries.
async fn moment(connection: &mut AnyConnection, search: &LogSearch, entries: i64) -> Result<u64, sqlx::Error> {
    let (mut low, mut high) = (0, LATEST);
    while low < high {
        let middle = low + (high - low) / 2;
        if older(connection, search, &exact_at_millis(middle)).await? >= entries {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(low)
}

fn entry(row: &AnyRow) -> Result<AuditLog, sqlx::Error> {
    let text = |place: usize| row.try_get::<String, _>(place);
    let (scope, seq, name, action) = (text(0)?, row.try_get::<i64, _>(1)?, text(3)?, text(5)?);
    let (kind, interface) = match name.as_str() {
        "admin" => ("admin", "CLI"),
        "service" => ("system", "service"),
        _ => ("user", "API"),
    };
    let (_, id) = name.split_once(':').unwrap_or(("", &name));
    let (old_value, new_value) = (row.try_get::<Option<String>, _>(7)?, row.try_get::<Option<String>, _>(8)?);
    // Clients of some languages take nothing but an object.
    let json = |text: &Option<String>| serde_json::from_str(text.as_deref()?).ok().filter(Value::is_object);
    let zone_name: Option<String> = row.try_get(10)?;
    Ok(AuditLog {
        id: format!("{scope}-{seq}"),
        actor: AuditActor {
            id: id.to_owned(),
            email: name.strip_prefix("user:").map(str::to_owned),
            kind: kind.to_owned(),
        },
        interface: interface.to_owned(),
        metadata: AuditMetadata {
            request_id: text(4)?,
            zone_id: zone_name.is_some().then(|| scope.clone()),
            zone_name,
            log: scope,
            entry: count(seq),
            hash: text(9)?,
        },
        old_value_json: json(&old_value),
        new_value_json: json(&new_value),
        old_value,
        new_value,
        owner: AuditOwner { id: text(11)? },
        resource: AuditResource {
            id: text(6)?,
            kind: action.split_once('.').map_or(&*action, |(noun, _)| noun).to_owned(),
        },
        action: AuditAction { result: true, kind: action },
        when: text(2)?,
    })
}
