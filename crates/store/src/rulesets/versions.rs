//! Versions of rulesets.

use super::rules_json;
use crate::error::Error;
use crate::store::Store;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use zonewright_api::error_code;
use zonewright_api::ruleset::{Ruleset, RulesetSummary};

/// The maximum number of versions of a ruleset; the oldest are deleted first (assumption ruleset-versions).
pub(crate) const MAX_VERSIONS: i64 = 50;

impl Store {
    /// Returns the stored versions of a ruleset without their rules, the oldest first.
    pub async fn ruleset_versions(&self, present: &RulesetSummary) -> Result<Vec<RulesetSummary>, Error> {
        let rows = sqlx::query(
            "select version, name, description, last_updated from ruleset_versions where ruleset_id = $1
             order by version",
        )
        .bind(present.id.clone())
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(|row| summary(present, row)).collect()
    }

    /// Returns one version of a ruleset.
    pub async fn ruleset_version(&self, present: &RulesetSummary, version: i64) -> Result<Option<Ruleset>, Error> {
        find(&mut *self.pool.acquire().await?, present, version).await
    }
}

/// Returns the error for a version that is not stored.
pub fn version_not_found(id: &str, version: i64) -> Error {
    Error::Missing(error_code::NOT_FOUND, format!("there is no version `{version}` of the ruleset `{id}`"))
}

/// Stores the current version and deletes the oldest ones.
pub(super) async fn insert_version(connection: &mut AnyConnection, saved: &Ruleset, version: i64) -> Result<(), Error> {
    sqlx::query(
        "insert into ruleset_versions (ruleset_id, version, name, description, last_updated, rules)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(saved.id.clone())
    .bind(version)
    .bind(saved.name.clone())
    .bind(saved.description.clone())
    .bind(saved.last_updated.clone())
    .bind(rules_json(&saved.rules)?)
    .execute(&mut *connection)
    .await?;
    sqlx::query("delete from ruleset_versions where ruleset_id = $1 and version <= $2")
        .bind(saved.id.clone())
        .bind(version - MAX_VERSIONS)
        .execute(connection)
        .await?;
    Ok(())
}

pub(super) async fn find(
    connection: &mut AnyConnection,
    present: &RulesetSummary,
    version: i64,
) -> Result<Option<Ruleset>, Error> {
    let row = sqlx::query(
        "select version, name, description, last_updated, rules from ruleset_versions
         where ruleset_id = $1 and version = $2",
    )
    .bind(present.id.clone())
    .bind(version)
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let RulesetSummary { id, name, description, kind, phase, version, last_updated } = summary(present, &row)?;
    let rules: String = row.try_get("rules")?;
    let rules = serde_json::from_str(&rules).map_err(|error| Error::Internal(error.into()))?;
    Ok(Some(Ruleset { id, name, description, kind, phase, version, last_updated, rules }))
}

fn summary(present: &RulesetSummary, row: &AnyRow) -> Result<RulesetSummary, Error> {
    Ok(RulesetSummary {
        id: present.id.clone(),
        kind: present.kind.clone(),
        phase: present.phase.clone(),
        version: row.try_get::<i64, _>("version")?.to_string(),
        name: row.try_get("name")?,
        description: row.try_get("description")?,
        last_updated: row.try_get("last_updated")?,
    })
}
