//! Checks the consistency of the database.

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
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use std::collections::BTreeMap;
use zonewright_api::firewall::{Action, Product};
use zonewright_api::legacy_waf::UrlOverride;
use zonewright_api::logpush::JobSettings;
use zonewright_api::page_rule::PageRule;
use zonewright_api::ruleset::RulesetRule;
use zonewright_api::waf_migration::MigrationState;
use zonewright_expression::schema::Tier;
use zonewright_firewall::MAX_PRIORITY;

/// A problem with its remedy, both for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The description.
    pub description: String,
    /// The remedy.
    pub remedy: &'static str,
}

const RESTORE_REMEDY: &str = "restore a backup into an empty data directory or database";

impl Store {
    /// Returns all problems in a single state of the database.
    pub async fn check(&self) -> Result<Vec<Problem>, Error> {
        let mut reading = self.read().await?;
        let connection = &mut *reading;
        let mut problems = Vec::new();
        let mut found = |what: Vec<String>, remedy| {
            problems.extend(what.into_iter().map(|what| Problem { description: what, remedy }));
        };
        let version = schema::applied_version(connection).await?;
        let newest = latest_version();
        if version > newest {
            let what = format!("the schema version is {version}; this version of zonewright supports up to {newest}");
            found(vec![what], "use the version of zonewright that last used the database");
            return Ok(problems);
        }
        if version < newest {
            let what = format!("the schema version is {version}, not {newest}; the other checks were skipped");
            found(vec![what], "start the service once to upgrade the schema, then check again");
            return Ok(problems);
        }
        if self.dialect == Dialect::Sqlite {
            found(integrity(connection).await?, RESTORE_REMEDY);
        }
        found(dangling_references(connection, version).await?, RESTORE_REMEDY);
        found(unreadable_json(connection).await?, "set the object again through the API, or restore a backup");
        found(filters_and_rules(connection).await?, "delete the object and create it again through the API");
        found(unknown_names(connection).await?, RESTORE_REMEDY);
        found(reused_numbers(connection).await?, RESTORE_REMEDY);
        found(invalid_expiry_times(connection).await?, "revoke the token and create a new one");
        found(missing_token_zones(connection).await?, "revoke the token and create a new one");
        found(invalid_priorities(connection).await?, "set the priority of the rule through the API");
        found(rulesets::problems(connection).await?, "update the ruleset through the API, or restore a backup");
        found(counts::problems(connection).await?, "run `zonewright admin check --repair` to count again");
        found(
            audit::verify(connection, &[]).await?.problems,
            "the log was altered or is damaged; compare it with a backup",
        );
        Ok(problems)
    }
}

/// Returns the problems that SQLite finds in its file.
async fn integrity(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let rows = sqlx::query("pragma integrity_check(20)").fetch_all(connection).await?;
    let texts = rows.iter().map(|row| row.try_get::<String, _>(0)).collect::<Result<Vec<_>, _>>()?;
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
            let row = sqlx::query(AssertSqlSafe(statement)).fetch_one(&mut *connection).await?;
            match row.try_get::<i64, _>(0)? {
                0 => {}
                count => problems.push(format!("`{from}.{column}` refers to missing rows of `{to}`: {count}")),
            }
        }
    }
    Ok(problems)
}

/// Finds columns whose JSON cannot be parsed as their type.
async fn unreadable_json(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    fn reads<T: DeserializeOwned>(text: &str) -> bool {
        serde_json::from_str::<T>(text).is_ok()
    }
    type JsonCheck = fn(&str) -> bool;
    let columns: [(&str, &str, JsonCheck); 5] = [
        ("select cast(id as text), settings from logpush_jobs", "log push job", reads::<JobSettings>),
        ("select id, settings from waf_overrides", "override", reads::<UrlOverride>),
        ("select id, settings from page_rules", "page rule", reads::<PageRule>),
        ("select id, rules from rulesets", "ruleset", reads::<Vec<RulesetRule>>),
        ("select ruleset_id, rules from ruleset_versions", "earlier version of ruleset", reads::<Vec<RulesetRule>>),
    ];
    let mut problems = Vec::new();
    for (statement, noun, reads) in columns {
        let mut rows = sqlx::query(statement).fetch(&mut *connection);
        while let Some(row) = rows.try_next().await? {
            let (id, text): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            if !reads(&text) {
                problems.push(format!("the {noun} `{id}` cannot be read"));
            }
        }
    }
    let jobs = sqlx::query("select id, enabled, settings from logpush_jobs").fetch_all(connection).await?;
    for row in jobs {
        let (id, enabled, text): (i64, i64, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let settings = serde_json::from_str::<JobSettings>(&text);
        if settings.is_ok_and(|settings| settings.enabled != (enabled != 0)) {
            problems.push(format!("the log push job `{id}` has contradictory `enabled` values"));
        }
    }
    Ok(problems)
}

/// Finds filters whose digest does not match their expression, and rules that use a filter of another zone.
async fn filters_and_rules(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let mut problems = Vec::new();
    let mut rows = sqlx::query("select id, expression, expression_digest from filters").fetch(&mut *connection);
    while let Some(row) = rows.try_next().await? {
        let (id, expression, digest): (String, String, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if filters::expression_digest(&expression) != digest {
            problems.push(format!("the expression of the filter `{id}` does not match its digest"));
        }
    }
    drop(rows);
    let statement = "select r.id from firewall_rules r join filters f on f.id = r.filter_id
                     where f.zone_id <> r.zone_id order by 1";
    for row in sqlx::query(statement).fetch_all(connection).await? {
        let id: String = row.try_get(0)?;
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
        ("select id, tier from zones", "plan of the zone", |name| Tier::from_name(name).is_some()),
        ("select id, action from firewall_rules", "action of the firewall rule", |name| {
            Action::from_name(name).is_some()
        }),
        ("select id, products from firewall_rules", "products of the firewall rule", products),
        ("select zone_id, state from migrations", "migration of the zone", |name| {
            MigrationState::from_name(name).is_some()
        }),
    ];
    let mut problems = Vec::new();
    for (statement, noun, knows) in columns {
        let mut rows = sqlx::query(statement).fetch(&mut *connection);
        while let Some(row) = rows.try_next().await? {
            let (id, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            if !knows(&name) {
                problems.push(format!("the {noun} `{id}` has the unknown value `{name}`"));
            }
        }
    }
    Ok(problems)
}

/// Finds expiry times that the service would not write. Compared as text, such a token never expires or is always
/// expired.
async fn invalid_expiry_times(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let mut problems = Vec::new();
    let tokens = "select id, expires_on from tokens where expires_on is not null order by id";
    for row in sqlx::query(tokens).fetch_all(connection).await? {
        let (id, end): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        if !crate::clock::is_canonical(&end) {
            problems.push(format!("the token `{id}` has the invalid expiry time `{end}`"));
        }
    }
    Ok(problems)
}

/// Finds tokens for zones that do not exist; the schema does not enforce this.
async fn missing_token_zones(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let tokens = "select distinct g.token_id, g.zone_id from token_grants g
                  where g.zone_id <> '' and not exists (select 1 from zones z where z.id = g.zone_id) order by 1, 2";
    let mut problems = Vec::new();
    for row in sqlx::query(tokens).fetch_all(connection).await? {
        let (id, zone): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        problems.push(format!("the token `{id}` is limited to the zone `{zone}`, which does not exist"));
    }
    Ok(problems)
}

/// Finds priorities outside the valid range.
async fn invalid_priorities(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let rules = "select id, priority from firewall_rules where priority < 0 or priority > $1 order by id";
    let rows = sqlx::query(rules).bind(i64::from(MAX_PRIORITY)).fetch_all(connection).await?;
    let mut problems = Vec::new();
    for row in rows {
        let (id, priority): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
        problems.push(format!("the firewall rule `{id}` has the invalid priority {priority}"));
    }
    Ok(problems)
}

/// Finds missing counters, and a counter that would assign a job ID twice.
async fn reused_numbers(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let mut counters = BTreeMap::new();
    for row in sqlx::query("select name, last from counters").fetch_all(&mut *connection).await? {
        counters.insert(row.try_get::<String, _>(0)?, row.try_get::<i64, _>(1)?);
    }
    let mut problems = Vec::new();
    for name in ["logpush_jobs", "logpush_changes", "service"] {
        if !counters.contains_key(name) {
            problems.push(format!("the counter `{name}` is missing"));
        }
    }
    let most = sqlx::query("select coalesce(max(id), 0) from logpush_jobs").fetch_one(connection).await?;
    if counters.get("logpush_jobs").is_some_and(|last| most.try_get::<i64, _>(0).is_ok_and(|most| *last < most)) {
        problems.push("the next ID of a log push job is already in use".to_owned());
    }
    Ok(problems)
}
