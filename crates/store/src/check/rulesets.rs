//! Checks whether rulesets match their versions (assumption ruleset-versions).

use crate::rulesets::MAX_VERSIONS;
use sqlx::{AnyConnection, Row};
use std::collections::{BTreeMap, BTreeSet};

pub(super) async fn problems(connection: &mut AnyConnection) -> Result<Vec<String>, sqlx::Error> {
    let mut problems = Vec::new();
    let present = sqlx::query(
        "select r.id, r.version, case when v.version is null then 0 else 1 end,
             case when r.rules = v.rules and r.name = v.name and r.description = v.description
                 and r.last_updated = v.last_updated then 1 else 0 end
         from rulesets r left join ruleset_versions v on v.ruleset_id = r.id and v.version = r.version order by r.id",
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut kept: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    let rows = sqlx::query("select ruleset_id, version from ruleset_versions").fetch_all(&mut *connection).await?;
    for row in rows {
        kept.entry(row.try_get(0)?).or_default().insert(row.try_get(1)?);
    }
    let mut missing = BTreeSet::new();
    for row in present {
        let (id, version): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
        match (row.try_get::<i64, _>(2)?, row.try_get::<i64, _>(3)?) {
            (0, _) => problems.push(format!("the current version {version} of the ruleset `{id}` is not stored")),
            (_, 0) => problems.push(format!("the ruleset `{id}` differs from its stored version {version}")),
            _ => {}
        }
        let versions = kept.remove(&id).unwrap_or_default();
        if let Some(last) = versions.last().filter(|last| **last > version) {
            problems.push(format!("the ruleset `{id}` has version {version}, but the later version {last} is stored"));
        }
        if let Some(first) = versions.first().filter(|first| **first <= version - MAX_VERSIONS) {
            problems.push(format!("version {first} of the ruleset `{id}` is stored, but should have been removed"));
        }
        // Versions before the first were never stored, or were deleted one by one.
        let first = versions.first().copied().unwrap_or(version).max(version - MAX_VERSIONS);
        missing.extend((first..version).filter(|one| !versions.contains(one)).map(|one| format!("{id}/{one}")));
    }
    if !missing.is_empty() {
        let deleted = "select object_id from audit_log where action = 'ruleset_version.delete'";
        for row in sqlx::query(deleted).fetch_all(connection).await? {
            missing.remove(&row.try_get::<String, _>(0)?);
        }
    }
    let gaps = missing.into_iter().map(|one| format!("the ruleset version `{one}` is missing but was not deleted"));
    problems.extend(gaps);
    Ok(problems)
}
