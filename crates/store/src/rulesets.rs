//! Rulesets of zones and accounts. Their changes are in `changes::rulesets`, because a migration depends on them.
//!
//! - `versions`: earlier versions.

mod versions;

pub use versions::version_not_found;
pub(crate) use versions::{MAX_VERSIONS, delete_version, find_version, insert_version};

use crate::error::Error;
use crate::owner::RulesetOwner;
use crate::rows::{from_json, to_json};
use crate::store::Store;
use serde::Deserialize;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, FromRow};
use std::collections::HashSet;
use zonewright_api::ruleset::{Ruleset, RulesetKind, RulesetSummary};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_firewall::ruleset::RulesetInfo;

/// A row of the table `rulesets` without its rules, which may have millions of bytes.
#[derive(FromRow)]
struct SummaryRow {
    id: String,
    kind: String,
    phase: String,
    name: String,
    description: String,
    version: i64,
    last_updated: String,
}

impl From<SummaryRow> for RulesetSummary {
    fn from(row: SummaryRow) -> RulesetSummary {
        let SummaryRow { id, kind, phase, name, description, version, last_updated } = row;
        RulesetSummary { id, kind, phase, name, description, version: version.to_string(), last_updated }
    }
}

/// A row of the table `rulesets`.
#[derive(FromRow)]
struct RulesetRow {
    #[sqlx(flatten)]
    summary: SummaryRow,
    rules: String,
}

impl TryFrom<RulesetRow> for Ruleset {
    type Error = Error;

    fn try_from(row: RulesetRow) -> Result<Ruleset, Error> {
        let RulesetSummary { id, name, description, kind, phase, version, last_updated } = row.summary.into();
        Ok(Ruleset { id, name, description, kind, phase, version, last_updated, rules: from_json(&row.rules)? })
    }
}

/// Selects rows as [`RulesetRow`].
macro_rules! select_rulesets {
    ($rest:expr) => {
        concat!("select id, kind, phase, name, description, version, last_updated, rules from rulesets ", $rest)
    };
}

/// Selects rows as [`SummaryRow`].
macro_rules! select_summaries {
    ($rest:expr) => {
        concat!("select id, kind, phase, name, description, version, last_updated from rulesets ", $rest)
    };
}

impl Store {
    /// Returns the owner's entry point of a phase.
    pub async fn entry_point(&self, owner: &RulesetOwner, phase: &str) -> Result<Option<Ruleset>, Error> {
        owner_entry_point(&mut *self.pool.acquire().await?, owner, phase).await
    }

    /// Returns the owner's entry point of a phase without its rules.
    pub async fn entry_point_summary(
        &self,
        owner: &RulesetOwner,
        phase: &str,
    ) -> Result<Option<RulesetSummary>, Error> {
        entry_point_summary(&mut *self.pool.acquire().await?, owner, phase).await
    }

    /// Returns all rulesets of the owner without their rules, ordered by phase.
    pub async fn rulesets(&self, owner: &RulesetOwner) -> Result<Vec<RulesetSummary>, Error> {
        summaries(&mut *self.pool.acquire().await?, owner).await
    }

    /// Returns one ruleset of the owner.
    pub async fn ruleset(&self, owner: &RulesetOwner, id: &str) -> Result<Option<Ruleset>, Error> {
        find_ruleset(&mut *self.pool.acquire().await?, owner, id).await
    }

    /// Returns one ruleset of the owner without its rules.
    pub async fn ruleset_summary(&self, owner: &RulesetOwner, id: &str) -> Result<Option<RulesetSummary>, Error> {
        let (zone, account) = owner.columns();
        let row =
            sqlx::query_as::<_, SummaryRow>(select_summaries!("where (zone_id = $1 or account_id = $2) and id = $3"))
                .bind(zone)
                .bind(account)
                .bind(id.to_owned())
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.map(RulesetSummary::from))
    }

    /// Returns the custom rulesets of an account, which its entry points may execute; empty for a zone. Rule IDs are
    /// loaded only for the rulesets in `named`. For other rulesets they are unknown, so any ID is accepted.
    pub async fn executable_rulesets(
        &self,
        owner: &RulesetOwner,
        named: &HashSet<String>,
    ) -> Result<Vec<RulesetInfo>, Error> {
        if matches!(owner, RulesetOwner::Zone(_)) {
            return Ok(Vec::new());
        }
        let mut executable_rulesets = Vec::new();
        let custom = RulesetKind::Custom.name();
        for ruleset in self.rulesets(owner).await?.into_iter().filter(|ruleset| ruleset.kind == custom) {
            let rules = if named.contains(&ruleset.id) { self.rule_ids(&ruleset.id).await? } else { None };
            executable_rulesets.extend(executable_info(ruleset, rules));
        }
        Ok(executable_rulesets)
    }

    /// Returns the rule IDs of a ruleset, if it exists.
    async fn rule_ids(&self, id: &str) -> Result<Option<HashSet<String>>, Error> {
        #[derive(Deserialize)]
        struct RuleIdOnly {
            id: String,
        }
        let query = sqlx::query_scalar("select rules from rulesets where id = $1").bind(id.to_owned());
        let rules: Option<String> = query.fetch_optional(&self.pool).await?;
        let Some(rules) = rules else { return Ok(None) };
        let rules: Vec<RuleIdOnly> = from_json(&rules)?;
        Ok(Some(rules.into_iter().map(|rule| rule.id).collect()))
    }
}

fn executable_info(ruleset: RulesetSummary, rules: Option<HashSet<String>>) -> Option<RulesetInfo> {
    Some(RulesetInfo {
        phase: Phase::from_name(&ruleset.phase)?,
        id: ruleset.id,
        name: ruleset.name,
        description: ruleset.description,
        tier: Tier::Enterprise,
        categories: Vec::new(),
        rules,
        is_complete: true,
        score_rule: None,
    })
}

/// Returns all rulesets of the owner without their rules, ordered by phase, read on this connection.
pub(crate) async fn summaries(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
) -> Result<Vec<RulesetSummary>, Error> {
    let (zone, account) = owner.columns();
    let rows = sqlx::query_as::<_, SummaryRow>(select_summaries!(
        "where zone_id = $1 or account_id = $2 order by phase, kind, name, id"
    ))
    .bind(zone)
    .bind(account)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(RulesetSummary::from).collect())
}

/// Returns the owner's entry point of a phase without its rules, read on this connection.
pub(crate) async fn entry_point_summary(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    phase: &str,
) -> Result<Option<RulesetSummary>, Error> {
    let statement = select_summaries!("where (zone_id = $1 or account_id = $2) and phase = $3 and kind = $4");
    let row: Option<SummaryRow> = entry_point_row(connection, statement, owner, phase).await?;
    Ok(row.map(RulesetSummary::from))
}

/// Returns one ruleset of the owner, read on this connection.
pub(crate) async fn find_ruleset(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    id: &str,
) -> Result<Option<Ruleset>, Error> {
    let (zone, account) = owner.columns();
    let row = sqlx::query_as::<_, RulesetRow>(select_rulesets!("where (zone_id = $1 or account_id = $2) and id = $3"))
        .bind(zone)
        .bind(account)
        .bind(id.to_owned())
        .fetch_optional(connection)
        .await?;
    row.map(Ruleset::try_from).transpose()
}

/// Returns the owner's rulesets whose stored rules contain a text, read on this connection. The text must be letters
/// and digits, because it is not escaped.
pub(crate) async fn rulesets_containing(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    text: &str,
) -> Result<Vec<Ruleset>, Error> {
    let (zone, account) = owner.columns();
    let rows = sqlx::query_as::<_, RulesetRow>(select_rulesets!(
        "where (zone_id = $1 or account_id = $2) and rules like $3 order by id"
    ))
    .bind(zone)
    .bind(account)
    .bind(format!("%{text}%"))
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Ruleset::try_from).collect()
}

/// Returns the row of the owner's entry point of a phase. The parameters of the statement are zone, account, phase and
/// kind.
async fn entry_point_row<T: for<'r> FromRow<'r, AnyRow> + Send + Unpin>(
    connection: &mut AnyConnection,
    statement: &'static str,
    owner: &RulesetOwner,
    phase: &str,
) -> Result<Option<T>, Error> {
    let (zone, account) = owner.columns();
    let query = sqlx::query_as(statement).bind(zone).bind(account).bind(phase.to_owned());
    Ok(query.bind(owner.level().entry_point_kind().name()).fetch_optional(connection).await?)
}

/// Returns the owner's entry point of a phase, read on this connection.
pub(crate) async fn owner_entry_point(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    phase: &str,
) -> Result<Option<Ruleset>, Error> {
    let statement = select_rulesets!("where (zone_id = $1 or account_id = $2) and phase = $3 and kind = $4");
    let row: Option<RulesetRow> = entry_point_row(connection, statement, owner, phase).await?;
    row.map(Ruleset::try_from).transpose()
}

/// Returns the zone's entry point of a phase, read on this connection.
pub(crate) async fn zone_entry_point(
    connection: &mut AnyConnection,
    zone: &str,
    phase: &str,
) -> Result<Option<Ruleset>, Error> {
    let row = sqlx::query_as::<_, RulesetRow>(select_rulesets!("where zone_id = $1 and phase = $2 and kind = $3"))
        .bind(zone.to_owned())
        .bind(phase.to_owned())
        .bind(RulesetKind::Zone.name())
        .fetch_optional(connection)
        .await?;
    row.map(Ruleset::try_from).transpose()
}

/// Inserts a ruleset, or updates the existing one with the same ID. `version` is the number of its version.
pub(crate) async fn save(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    ruleset: &Ruleset,
    version: i64,
    is_new: bool,
) -> Result<(), Error> {
    let statement = if is_new {
        "insert into rulesets (id, zone_id, account_id, kind, phase, name, description, version, last_updated, rules)
         values ($1, nullif($2, ''), nullif($3, ''), $4, $5, $6, $7, $8, $9, $10)"
    } else {
        "update rulesets set name = $6, description = $7, version = $8, last_updated = $9, rules = $10
         where id = $1 and (zone_id = $2 or account_id = $3) and kind = $4 and phase = $5"
    };
    let (zone, account) = owner.columns();
    sqlx::query(statement)
        .bind(ruleset.id.clone())
        .bind(zone)
        .bind(account)
        .bind(ruleset.kind.clone())
        .bind(ruleset.phase.clone())
        .bind(ruleset.name.clone())
        .bind(ruleset.description.clone())
        .bind(version)
        .bind(ruleset.last_updated.clone())
        .bind(to_json(&ruleset.rules)?)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes a ruleset with its versions.
pub(crate) async fn delete(connection: &mut AnyConnection, id: &str) -> Result<(), Error> {
    for statement in ["delete from ruleset_versions where ruleset_id = $1", "delete from rulesets where id = $1"] {
        sqlx::query(statement).bind(id.to_owned()).execute(&mut *connection).await?;
    }
    Ok(())
}
