//! Versions of rulesets.

use crate::error::{Error, Resource};
use crate::rows::{from_json, to_json};
use crate::store::Store;
use sqlx::{AnyConnection, FromRow};
use zonewright_api::ruleset::{Ruleset, RulesetSummary};

/// The maximum number of versions of a ruleset; the oldest are deleted first (assumption ruleset-versions).
pub(crate) const MAX_VERSIONS: i64 = 50;

/// A row of the table `ruleset_versions` without its rules.
#[derive(FromRow)]
struct VersionRow {
    version: i64,
    name: String,
    description: String,
    last_updated: String,
}

impl VersionRow {
    /// Returns the version. `current` has the members that never change.
    fn into_summary(self, current: &RulesetSummary) -> RulesetSummary {
        RulesetSummary {
            id: current.id.clone(),
            kind: current.kind.clone(),
            phase: current.phase.clone(),
            version: self.version.to_string(),
            name: self.name,
            description: self.description,
            last_updated: self.last_updated,
        }
    }
}

/// A row of the table `ruleset_versions`.
#[derive(FromRow)]
struct FullVersionRow {
    #[sqlx(flatten)]
    version: VersionRow,
    rules: String,
}

impl Store {
    /// Returns the stored versions of a ruleset without their rules, the oldest first.
    pub async fn ruleset_versions(&self, current: &RulesetSummary) -> Result<Vec<RulesetSummary>, Error> {
        let rows = sqlx::query_as::<_, VersionRow>(
            "select version, name, description, last_updated from ruleset_versions where ruleset_id = $1
             order by version",
        )
        .bind(current.id.clone())
        .fetch_all(&self.pool)
        .await?;
        Ok(rows.into_iter().map(|row| row.into_summary(current)).collect())
    }

    /// Returns one version of a ruleset.
    pub async fn ruleset_version(&self, current: &RulesetSummary, version: i64) -> Result<Option<Ruleset>, Error> {
        find_version(&mut *self.pool.acquire().await?, current, version).await
    }
}

/// Returns the error for a version that is not stored.
pub fn version_not_found(id: &str, version: i64) -> Error {
    Error::NotFound(Resource::RulesetVersion(id.to_owned(), version))
}

/// Stores the current version, and deletes the oldest ones beyond [`MAX_VERSIONS`].
pub(crate) async fn insert_version(connection: &mut AnyConnection, saved: &Ruleset, version: i64) -> Result<(), Error> {
    sqlx::query(
        "insert into ruleset_versions (ruleset_id, version, name, description, last_updated, rules)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(saved.id.clone())
    .bind(version)
    .bind(saved.name.clone())
    .bind(saved.description.clone())
    .bind(saved.last_updated.clone())
    .bind(to_json(&saved.rules)?)
    .execute(&mut *connection)
    .await?;
    sqlx::query("delete from ruleset_versions where ruleset_id = $1 and version <= $2")
        .bind(saved.id.clone())
        .bind(version - MAX_VERSIONS)
        .execute(connection)
        .await?;
    Ok(())
}

/// Returns one version of a ruleset, read on this connection.
pub(crate) async fn find_version(
    connection: &mut AnyConnection,
    current: &RulesetSummary,
    version: i64,
) -> Result<Option<Ruleset>, Error> {
    let row = sqlx::query_as::<_, FullVersionRow>(
        "select version, name, description, last_updated, rules from ruleset_versions
         where ruleset_id = $1 and version = $2",
    )
    .bind(current.id.clone())
    .bind(version)
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let RulesetSummary { id, name, description, kind, phase, version, last_updated } =
        row.version.into_summary(current);
    let rules = from_json(&row.rules)?;
    Ok(Some(Ruleset { id, name, description, kind, phase, version, last_updated, rules }))
}

/// Deletes one version of a ruleset.
pub(crate) async fn delete_version(connection: &mut AnyConnection, id: &str, version: i64) -> Result<(), Error> {
    sqlx::query("delete from ruleset_versions where ruleset_id = $1 and version = $2")
        .bind(id.to_owned())
        .bind(version)
        .execute(connection)
        .await?;
    Ok(())
}
