//! Rulesets of zones and accounts: lists and finds them.
//!
//! - `write`: creates, updates and deletes rulesets.
//! - `checks`: the conditions of a change that only the database knows.
//! - `match_rules`: matches the rules of a request with the current rules.
//! - `versions`: earlier versions.
//! - `audit_diff`: the audit entry of a changed ruleset.

mod audit_diff;
mod checks;
mod match_rules;
mod versions;
mod write;

pub(crate) use versions::MAX_VERSIONS;
pub use versions::version_not_found;
pub use write::{NextRuleset, RulesetTarget, Sent};

use crate::error::Error;
use crate::owner::RulesetOwner;
use crate::store::Store;
use serde::Deserialize;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::HashSet;
use zonewright_api::ruleset::{Ruleset, RulesetKind, RulesetRule, RulesetSummary};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_firewall::ruleset::RulesetInfo;

/// Selects rulesets in the columns that [`ruleset`] reads; [`summary`] reads all but the last one.
macro_rules! select_rulesets {
    ($rest:expr) => {
        concat!("select id, kind, phase, name, description, version, last_updated, rules from rulesets ", $rest)
    };
}

/// Selects rulesets without their rules, which may have millions of bytes.
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
        let row = sqlx::query(select_summaries!("where (zone_id = $1 or account_id = $2) and id = $3"))
            .bind(zone)
            .bind(account)
            .bind(id.to_owned())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(summary).transpose()
    }

    /// Returns the custom rulesets of an account, which its entry points may execute; empty for a zone. Rule IDs are
    /// loaded only for the rulesets in `named`. For others they are unknown, so that any ID is accepted.
    pub async fn executable_rulesets(
        &self,
        owner: &RulesetOwner,
        named: &HashSet<String>,
    ) -> Result<Vec<RulesetInfo>, Error> {
        if matches!(owner, RulesetOwner::Zone(_)) {
            return Ok(Vec::new());
        }
        let mut known = Vec::new();
        let custom = RulesetKind::Custom.name();
        for ruleset in self.rulesets(owner).await?.into_iter().filter(|ruleset| ruleset.kind == custom) {
            let rules = if named.contains(&ruleset.id) { self.rule_ids(&ruleset.id).await? } else { None };
            known.extend(executable(ruleset, rules));
        }
        Ok(known)
    }

    /// Returns the rule IDs of a ruleset, if it exists.
    async fn rule_ids(&self, id: &str) -> Result<Option<HashSet<String>>, Error> {
        #[derive(Deserialize)]
        struct RuleIdOnly {
            id: String,
        }
        let query = sqlx::query("select rules from rulesets where id = $1").bind(id.to_owned());
        let Some(row) = query.fetch_optional(&self.pool).await? else { return Ok(None) };
        let rules: String = row.try_get(0)?;
        let rules: Vec<RuleIdOnly> = serde_json::from_str(&rules).map_err(|error| Error::Internal(error.into()))?;
        Ok(Some(rules.into_iter().map(|rule| rule.id).collect()))
    }
}

fn executable(ruleset: RulesetSummary, rules: Option<HashSet<String>>) -> Option<RulesetInfo> {
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

/// Returns all rulesets of the owner without their rules, ordered by phase, within a transaction.
async fn summaries(connection: &mut AnyConnection, owner: &RulesetOwner) -> Result<Vec<RulesetSummary>, Error> {
    let (zone, account) = owner.columns();
    let query = sqlx::query(select_summaries!("where zone_id = $1 or account_id = $2 order by phase, kind, name, id"));
    query.bind(zone).bind(account).fetch_all(connection).await?.iter().map(summary).collect()
}

/// Returns the owner's entry point of a phase without its rules, within a transaction.
async fn entry_point_summary(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    phase: &str,
) -> Result<Option<RulesetSummary>, Error> {
    let statement = select_summaries!("where (zone_id = $1 or account_id = $2) and phase = $3 and kind = $4");
    entry_point_row(connection, statement, owner, phase).await?.as_ref().map(summary).transpose()
}

/// Returns one ruleset of the owner, within a transaction.
async fn find_ruleset(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    id: &str,
) -> Result<Option<Ruleset>, Error> {
    let (zone, account) = owner.columns();
    let row = sqlx::query(select_rulesets!("where (zone_id = $1 or account_id = $2) and id = $3"))
        .bind(zone)
        .bind(account)
        .bind(id.to_owned())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(ruleset).transpose()
}

/// Returns the owner's rulesets whose rules contain a text, within a transaction. The text must be letters and digits.
async fn rulesets_containing(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    text: &str,
) -> Result<Vec<Ruleset>, Error> {
    let (zone, account) = owner.columns();
    let query = sqlx::query(select_rulesets!("where (zone_id = $1 or account_id = $2) and rules like $3 order by id"));
    let pattern = format!("%{text}%");
    query.bind(zone).bind(account).bind(pattern).fetch_all(connection).await?.iter().map(ruleset).collect()
}

/// Returns the row of the owner's entry point of a phase. The parameters of the statement are zone, account, phase and
/// kind.
async fn entry_point_row(
    connection: &mut AnyConnection,
    statement: &'static str,
    owner: &RulesetOwner,
    phase: &str,
) -> Result<Option<AnyRow>, Error> {
    let (zone, account) = owner.columns();
    let query = sqlx::query(statement).bind(zone).bind(account).bind(phase.to_owned());
    Ok(query.bind(owner.level().entry_point().name()).fetch_optional(connection).await?)
}

/// Returns the owner's entry point of a phase, within a transaction.
async fn owner_entry_point(
    connection: &mut AnyConnection,
    owner: &RulesetOwner,
    phase: &str,
) -> Result<Option<Ruleset>, Error> {
    let statement = select_rulesets!("where (zone_id = $1 or account_id = $2) and phase = $3 and kind = $4");
    entry_point_row(connection, statement, owner, phase).await?.as_ref().map(ruleset).transpose()
}

/// Returns the zone's entry point of a phase, within a transaction.
pub(crate) async fn zone_entry_point(
    connection: &mut AnyConnection,
    zone: &str,
    phase: &str,
) -> Result<Option<Ruleset>, Error> {
    let row = sqlx::query(select_rulesets!("where zone_id = $1 and phase = $2 and kind = $3"))
        .bind(zone.to_owned())
        .bind(phase.to_owned())
        .bind(RulesetKind::Zone.name())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(ruleset).transpose()
}

/// Returns rules in the format of the database.
fn rules_json(rules: &[RulesetRule]) -> Result<String, Error> {
    serde_json::to_string(rules).map_err(|error| Error::Internal(error.into()))
}

fn ruleset(row: &AnyRow) -> Result<Ruleset, Error> {
    let rules: String = row.try_get("rules")?;
    let rules = serde_json::from_str(&rules).map_err(|error| Error::Internal(error.into()))?;
    let RulesetSummary { id, name, description, kind, phase, version, last_updated } = summary(row)?;
    Ok(Ruleset { id, name, description, kind, phase, version, last_updated, rules })
}

fn summary(row: &AnyRow) -> Result<RulesetSummary, Error> {
    Ok(RulesetSummary {
        id: row.try_get("id")?,
        kind: row.try_get("kind")?,
        phase: row.try_get("phase")?,
        name: row.try_get("name")?,
        description: row.try_get("description")?,
        version: row.try_get::<i64, _>("version")?.to_string(),
        last_updated: row.try_get("last_updated")?,
    })
}
