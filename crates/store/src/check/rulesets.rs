//! Checks whether rulesets match their versions (assumption ruleset-versions).

use crate::audit;
use crate::error::Error;
use crate::rulesets::MAX_VERSIONS;
use sqlx::{AnyConnection, FromRow};
use std::collections::{BTreeMap, BTreeSet};

/// The current version of a ruleset, compared with the stored version of this number.
#[derive(FromRow)]
struct CurrentVersion {
    id: String,
    version: i64,
    is_stored: i64,
    is_same: i64,
}

/// A stored version.
#[derive(FromRow)]
struct StoredVersion {
    ruleset_id: String,
    version: i64,
}

pub(super) async fn problems(connection: &mut AnyConnection) -> Result<Vec<String>, Error> {
    let mut problems = Vec::new();
    let current: Vec<CurrentVersion> = sqlx::query_as(
        "select r.id as id, r.version as version, case when v.version is null then 0 else 1 end as is_stored,
             case when r.rules = v.rules and r.name = v.name and r.description = v.description
                 and r.last_updated = v.last_updated then 1 else 0 end as is_same
         from rulesets r left join ruleset_versions v on v.ruleset_id = r.id and v.version = r.version order by r.id",
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut stored: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    let rows = sqlx::query_as("select ruleset_id, version from ruleset_versions").fetch_all(&mut *connection).await?;
    for StoredVersion { ruleset_id, version } in rows {
        stored.entry(ruleset_id).or_default().insert(version);
    }
    let mut missing = BTreeSet::new();
    for CurrentVersion { id, version, is_stored, is_same } in current {
        match (is_stored, is_same) {
            (0, _) => problems.push(format!("the current version {version} of the ruleset `{id}` is not stored")),
            (_, 0) => problems.push(format!("the ruleset `{id}` differs from its stored version {version}")),
            _ => {}
        }
        let versions = stored.remove(&id).unwrap_or_default();
        if let Some(last) = versions.last().filter(|last| **last > version) {
            problems.push(format!("the ruleset `{id}` has version {version}, but the later version {last} is stored"));
        }
        if let Some(first) = versions.first().filter(|first| **first <= version - MAX_VERSIONS) {
            problems.push(format!("version {first} of the ruleset `{id}` is stored, but should have been removed"));
        }
        // Versions before the first were never stored, or were deleted one by one.
        let first = versions.first().copied().unwrap_or(version).max(version - MAX_VERSIONS);
        missing.extend(
            (first..version).filter(|number| !versions.contains(number)).map(|number| format!("{id}/{number}")),
        );
    }
    if !missing.is_empty() {
        for version in audit::object_ids(connection, "ruleset_version.delete").await? {
            missing.remove(&version);
        }
    }
    let gaps =
        missing.into_iter().map(|version| format!("the ruleset version `{version}` is missing but was not deleted"));
    problems.extend(gaps);
    Ok(problems)
}
