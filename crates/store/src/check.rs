//! Checks the consistency of the database. The statements are here and not in the files of the resources, because most
//! of them join or compare several tables.

mod counts;
mod rulesets;

use crate::audit;
use crate::catalog::tables_of_version;
use crate::dialect::Dialect;
use crate::error::Error;
use crate::filters;
use crate::schema::{self, latest_version};
use crate::store::Store;
use futures_util::TryStreamExt;
use serde::de::DeserializeOwned;
use sqlx::{AnyConnection, AssertSqlSafe, FromRow};
use std::collections::BTreeMap;
use zonewright_api::firewall::{Action, Product};
use zonewright_api::legacy_waf::UrlOverride;
use zonewright_api::logpush::JobSettings;
use zonewright_api::page_rule::PageRule;
use zonewright_api::ruleset::RulesetRule;
use zonewright_api::waf_migration::MigrationState;
use zonewright_expression::schema::Tier;
use zonewright_firewall::MAX_PRIORITY;

/// A problem with its remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The description, for people.
    pub description: String,
    /// The remedy.
    pub remedy: Remedy,
}

/// The remedy for a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Use a newer version of this program, because the schema is newer.
    UseNewerVersion,
    /// Upgrade the schema, which is older than this program.
    UpgradeSchema,
    /// Restore a backup.
    RestoreBackup,
    /// Set the object again.
    SetObject,
    /// Delete the object and create it again.
    RecreateObject,
    /// Revoke the token and create a new one.
    RecreateToken,
    /// Set the priority of the rule.
    SetPriority,
    /// Update the ruleset.
    UpdateRuleset,
    /// Count again ([`crate::repair`]).
    Recount,
    /// Compare the log with a backup.
    CompareWithBackup,
}

/// The ID of an object and the value of a column.
#[derive(FromRow)]
struct IdAndValue {
    id: String,
    value: String,
}

/// The columns of a log push job that are compared with each other.
#[derive(FromRow)]
struct JobRow {
    id: i64,
    enabled: i64,
    settings: String,
}

/// The columns of a filter that are compared with each other.
#[derive(FromRow)]
struct FilterRow {
    id: String,
    expression: String,
    expression_digest: String,
}

/// The priority of a firewall rule.
#[derive(FromRow)]
struct RulePriority {
    id: String,
    priority: i64,
}

/// A row of the table `counters`.
#[derive(FromRow)]
struct Counter {
    name: String,
    last: i64,
}

impl Store {
    /// Returns all problems in a single state of the database.
    pub async fn check(&self) -> Result<Vec<Problem>, Error> {
        let mut reading = self.read().await?;
        let connection = &mut *reading;
        let mut problems = Vec::new();
        let mut report = |descriptions: Vec<String>, remedy| {
            problems.extend(descriptions.into_iter().map(|description| Problem { description, remedy }));
        };
        let version = schema::applied_version(connection).await?;
        let newest = latest_version();
        if version > newest {
            let description =
                format!("the schema version is {version}; this version of zonewright supports up to {newest}");
            report(vec![description], Remedy::UseNewerVersion);
            return Ok(problems);
        }
        if version < newest {
            let description = format!("the schema version is {version}, not {newest}; the other checks were skipped");
            report(vec![description], Remedy::UpgradeSchema);
            return Ok(problems);
        }
        if self.dialect == Dialect::Sqlite {
            report(integrity_problems(connection).await?, Remedy::RestoreBackup);
        }
        report(dangling_references(connection, version).await?, Remedy::RestoreBackup);
        report(unreadable_json(connection).await?, Remedy::SetObject);
        report(mismatched_filters(connection).await?, Remedy::RecreateObject);
        report(unknown_names(connection).await?, Remedy::RestoreBackup);
        report(invalid_counters(connection).await?, Remedy::RestoreBackup);
        report(invalid_expiry_times(connection).await?, Remedy::RecreateToken);
        report(missing_token_zones(connection).await?, Remedy::RecreateToken);
        report(invalid_priorities(connection).await?, Remedy::SetPriority);
        report(rulesets::problems(connection).await?, Remedy::UpdateRuleset);
        report(counts::problems(connection).await?, Remedy::Recount);
        report(audit::verify(connection, &[]).await?.problems, Remedy::CompareWithBackup);
        Ok(problems)
    }
}

/// Returns the problems that SQLite finds in its file.
async fn integrity_problems(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let texts: Vec<String> = sqlx::query_scalar("pragma integrity_check(20)").fetch_all(connection).await?;
    Ok(texts.into_iter().filter(|text| text != "ok").map(|text| format!("the file is damaged: {text}")).collect())
}

/// Finds rows that reference missing rows.
async fn dangling_references(connection: &mut AnyConnection, version: i64) -> Result<Vec<String>, Error> {
    let mut problems = Vec::new();
    for table in tables_of_version(version).await? {
        for reference in &table.references {
            let (from, column, to, target) = (&table.name, &reference.column, &reference.table, &reference.target);
            let statement = format!(
                "select count(*) from {from} a where a.{column} is not null
                 and not exists (select 1 from {to} b where b.{target} = a.{column})"
            );
            match sqlx::query_scalar(AssertSqlSafe(statement)).fetch_one(&mut *connection).await? {
                0_i64 => {}
                count => problems.push(format!("`{from}.{column}` refers to missing rows of `{to}`: {count}")),
            }
        }
    }
    Ok(problems)
}

/// Finds columns whose JSON cannot be parsed as their type, and jobs whose columns contradict each other.
async fn unreadable_json(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    fn can_parse<T: DeserializeOwned>(text: &str) -> bool {
        serde_json::from_str::<T>(text).is_ok()
    }
    type JsonCheck = fn(&str) -> bool;
    let columns: [(&str, &str, JsonCheck); 5] = [
        (
            "select cast(id as text) as id, settings as value from logpush_jobs",
            "log push job",
            can_parse::<JobSettings>,
        ),
        ("select id, settings as value from waf_overrides", "override", can_parse::<UrlOverride>),
        ("select id, settings as value from page_rules", "page rule", can_parse::<PageRule>),
        ("select id, rules as value from rulesets", "ruleset", can_parse::<Vec<RulesetRule>>),
        (
            "select ruleset_id as id, rules as value from ruleset_versions",
            "earlier version of ruleset",
            can_parse::<Vec<RulesetRule>>,
        ),
    ];
    let mut problems = Vec::new();
    for (statement, noun, can_parse) in columns {
        let mut rows = sqlx::query_as(statement).fetch(&mut *connection);
        while let Some(IdAndValue { id, value }) = rows.try_next().await? {
            if !can_parse(&value) {
                problems.push(format!("the {noun} `{id}` cannot be read"));
            }
        }
    }
    let jobs = sqlx::query_as("select id, enabled, settings from logpush_jobs").fetch_all(connection).await?;
    for JobRow { id, enabled, settings } in jobs {
        let settings = serde_json::from_str::<JobSettings>(&settings);
        if settings.is_ok_and(|settings| settings.enabled != (enabled != 0)) {
            problems.push(format!("the log push job `{id}` has contradictory `enabled` values"));
        }
    }
    Ok(problems)
}

/// Finds filters whose digest does not match their expression, and rules that use a filter of another zone.
async fn mismatched_filters(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let mut problems = Vec::new();
    let mut rows = sqlx::query_as("select id, expression, expression_digest from filters").fetch(&mut *connection);
    while let Some(FilterRow { id, expression, expression_digest }) = rows.try_next().await? {
        if filters::expression_digest(&expression) != expression_digest {
            problems.push(format!("the expression of the filter `{id}` does not match its digest"));
        }
    }
    drop(rows);
    let statement = "select r.id from firewall_rules r join filters f on f.id = r.filter_id
                     where f.zone_id <> r.zone_id order by 1";
    let rules: Vec<String> = sqlx::query_scalar(statement).fetch_all(connection).await?;
    for id in rules {
        problems.push(format!("the firewall rule `{id}` uses a filter of another zone"));
    }
    Ok(problems)
}

/// Finds names that the service does not know.
async fn unknown_names(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    type NameCheck = fn(&str) -> bool;
    let products: NameCheck =
        |names| names.split(',').all(|name| name.is_empty() || Product::from_name(name).is_some());
    let columns: [(&str, &str, NameCheck); 4] = [
        ("select id, tier as value from zones", "plan of the zone", |name| Tier::from_name(name).is_some()),
        ("select id, action as value from firewall_rules", "action of the firewall rule", |name| {
            Action::from_name(name).is_some()
        }),
        ("select id, products as value from firewall_rules", "products of the firewall rule", products),
        ("select zone_id as id, state as value from migrations", "migration of the zone", |name| {
            MigrationState::from_name(name).is_some()
        }),
    ];
    let mut problems = Vec::new();
    for (statement, noun, is_known) in columns {
        let mut rows = sqlx::query_as(statement).fetch(&mut *connection);
        while let Some(IdAndValue { id, value }) = rows.try_next().await? {
            if !is_known(&value) {
                problems.push(format!("the {noun} `{id}` has the unknown value `{value}`"));
            }
        }
    }
    Ok(problems)
}

/// Finds expiry times that the service would not write. Expiry times are compared as text, so such a token never
/// expires or has always expired.
async fn invalid_expiry_times(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let mut problems = Vec::new();
    let tokens = "select id, expires_on as value from tokens where expires_on is not null order by id";
    for IdAndValue { id, value } in sqlx::query_as(tokens).fetch_all(connection).await? {
        if !crate::clock::is_canonical(&value) {
            problems.push(format!("the token `{id}` has the invalid expiry time `{value}`"));
        }
    }
    Ok(problems)
}

/// Finds tokens for zones that do not exist, because grants have no foreign key on zones.
async fn missing_token_zones(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let tokens = "select distinct g.token_id as id, g.zone_id as value from token_grants g
                  where g.zone_id <> '' and not exists (select 1 from zones z where z.id = g.zone_id) order by 1, 2";
    let mut problems = Vec::new();
    for IdAndValue { id, value: zone } in sqlx::query_as(tokens).fetch_all(connection).await? {
        problems.push(format!("the token `{id}` is limited to the zone `{zone}`, which does not exist"));
    }
    Ok(problems)
}

/// Finds priorities outside the valid range.
async fn invalid_priorities(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let rules = "select id, priority from firewall_rules where priority < 0 or priority > $1 order by id";
    let rows = sqlx::query_as(rules).bind(i64::from(MAX_PRIORITY)).fetch_all(connection).await?;
    let mut problems = Vec::new();
    for RulePriority { id, priority } in rows {
        problems.push(format!("the firewall rule `{id}` has the invalid priority {priority}"));
    }
    Ok(problems)
}

/// Finds missing counters, and a counter that would assign a job ID twice.
async fn invalid_counters(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let mut counters = BTreeMap::new();
    let rows = sqlx::query_as("select name, last from counters").fetch_all(&mut *connection).await?;
    for Counter { name, last } in rows {
        counters.insert(name, last);
    }
    let mut problems = Vec::new();
    for name in ["logpush_jobs", "logpush_changes", "service"] {
        if !counters.contains_key(name) {
            problems.push(format!("the counter `{name}` is missing"));
        }
    }
    let query = sqlx::query_scalar("select coalesce(max(id), 0) from logpush_jobs");
    let max_job_id: i64 = query.fetch_one(connection).await?;
    if counters.get("logpush_jobs").is_some_and(|last| *last < max_job_id) {
        problems.push("the next ID of a log push job is already in use".to_owned());
    }
    Ok(problems)
}
