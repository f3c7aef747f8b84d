//! Rulesets of zones.

use super::Store;
use crate::clock::now;
use crate::error::Error;
use crate::secret::new_id;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::{HashMap, HashSet};
use zonewright_api::ruleset::{EntryPoint, Ruleset, RulesetAction, RulesetRule};

/// The kind of a ruleset that is the entry point of a zone.
const ENTRY_POINT: &str = "zone";

/// Rulesets in the columns that [`ruleset`] reads.
macro_rules! select_rulesets {
    ($rest:expr) => {
        concat!("select id, kind, phase, name, description, version, last_updated, rules from rulesets ", $rest)
    };
}

impl Store {
    /// The zone's entry point of a phase.
    pub(crate) async fn entry_point(&self, zone: &str, phase: &str) -> Result<Option<Ruleset>, Error> {
        entry_point(&mut *self.pool.acquire().await?, zone, phase).await
    }

    /// All rulesets of the zone, by phase.
    pub(crate) async fn rulesets(&self, zone: &str) -> Result<Vec<Ruleset>, Error> {
        let query = sqlx::query(select_rulesets!("where zone_id = $1 order by phase, id")).bind(zone.to_owned());
        query.fetch_all(&self.pool).await?.iter().map(ruleset).collect()
    }

    /// One ruleset of the zone.
    pub(crate) async fn ruleset(&self, zone: &str, id: &str) -> Result<Option<Ruleset>, Error> {
        let row = sqlx::query(select_rulesets!("where zone_id = $1 and id = $2"))
            .bind(zone.to_owned())
            .bind(id.to_owned())
            .fetch_optional(&self.pool)
            .await?;
        row.as_ref().map(ruleset).transpose()
    }
}

/// The zone's entry point of a phase, as a transaction sees it.
pub(super) async fn entry_point(
    connection: &mut AnyConnection,
    zone: &str,
    phase: &str,
) -> Result<Option<Ruleset>, Error> {
    let row = sqlx::query(select_rulesets!("where zone_id = $1 and phase = $2 and kind = $3"))
        .bind(zone.to_owned())
        .bind(phase.to_owned())
        .bind(ENTRY_POINT)
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(ruleset).transpose()
}

/// Makes the zone's entry point of a phase what `new` says, and gives the whole of it. Its version goes up with
/// every update, that of a rule when the rule changes.
pub(super) async fn save(
    connection: &mut AnyConnection,
    zone: &str,
    phase: &str,
    new: EntryPoint,
) -> Result<Ruleset, Error> {
    let present = entry_point(connection, zone, phase).await?;
    let is_new = present.is_none();
    let present = match present {
        Some(present) => present,
        None => first(phase)?,
    };
    let version = present.version.parse::<i64>().unwrap_or_default() + 1;
    let last_updated = now();
    let saved = Ruleset {
        name: new.name,
        description: new.description.unwrap_or_default(),
        version: version.to_string(),
        rules: follow(present.rules, new.rules, &last_updated)?,
        last_updated,
        ..present
    };
    let rules = serde_json::to_string(&saved.rules).map_err(|error| Error::Internal(error.into()))?;
    let statement = if is_new {
        "insert into rulesets (id, zone_id, kind, phase, name, description, version, last_updated, rules)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    } else {
        "update rulesets set name = $5, description = $6, version = $7, last_updated = $8, rules = $9
         where id = $1 and zone_id = $2 and kind = $3 and phase = $4"
    };
    sqlx::query(statement)
        .bind(saved.id.clone())
        .bind(zone.to_owned())
        .bind(saved.kind.clone())
        .bind(phase.to_owned())
        .bind(saved.name.clone())
        .bind(saved.description.clone())
        .bind(version)
        .bind(saved.last_updated.clone())
        .bind(rules)
        .execute(connection)
        .await?;
    Ok(saved)
}

/// An entry point before its first update.
fn first(phase: &str) -> Result<Ruleset, Error> {
    Ok(Ruleset {
        id: new_id()?,
        name: String::new(),
        description: String::new(),
        kind: ENTRY_POINT.to_owned(),
        phase: phase.to_owned(),
        version: "0".to_owned(),
        last_updated: String::new(),
        rules: Vec::new(),
    })
}

/// The rules as they are from now on: one that names a present rule, by its identifier or else by its
/// reference, is that rule; others are new (observed).
fn follow(present: Vec<RulesetRule>, new: Vec<RulesetRule>, time: &str) -> Result<Vec<RulesetRule>, Error> {
    let named: HashSet<&str> = new.iter().map(|rule| rule.id.as_str()).collect();
    let mut by_reference: HashMap<String, String> = HashMap::new();
    for rule in present.iter().filter(|rule| !named.contains(rule.id.as_str())) {
        by_reference.insert(rule.reference.clone(), rule.id.clone());
    }
    let mut by_id: HashMap<String, RulesetRule> = present.into_iter().map(|rule| (rule.id.clone(), rule)).collect();
    let mut rules = Vec::with_capacity(new.len());
    for mut rule in new {
        let id = if by_id.contains_key(&rule.id) { Some(&rule.id) } else { by_reference.get(&rule.reference) };
        let before = id.and_then(|id| by_id.remove(&id.clone()));
        rule.id = match &before {
            Some(before) => before.id.clone(),
            None => new_id()?,
        };
        rules.push(succeed(before, rule, time));
    }
    Ok(rules)
}

/// A rule that comes after `before`, with what only the service says about it.
fn succeed(before: Option<RulesetRule>, rule: RulesetRule, time: &str) -> RulesetRule {
    let mut rule = rule;
    if rule.reference.is_empty() {
        rule.reference = rule.id.clone();
    }
    if let Some(parameters) = rule.action_parameters.as_mut().filter(|_| rule.action == RulesetAction::Execute) {
        parameters.version = Some("latest".to_owned());
    }
    let (version, last_updated) = match before {
        None => ("1".to_owned(), Some(time.to_owned())),
        Some(before) => {
            let same = RulesetRule { version: before.version, last_updated: before.last_updated, ..rule.clone() };
            let unchanged = before.action == same.action
                && before.expression == same.expression
                && before.description == same.description
                && before.reference == same.reference
                && before.enabled == same.enabled
                && before.action_parameters == same.action_parameters;
            if unchanged {
                return same;
            }
            (next(&same.version), Some(time.to_owned()))
        }
    };
    RulesetRule { version, last_updated, ..rule }
}

fn next(version: &str) -> String {
    (version.parse::<u64>().unwrap_or_default() + 1).to_string()
}

fn ruleset(row: &AnyRow) -> Result<Ruleset, Error> {
    let rules: String = row.try_get(7)?;
    Ok(Ruleset {
        id: row.try_get(0)?,
        kind: row.try_get(1)?,
        phase: row.try_get(2)?,
        name: row.try_get(3)?,
        description: row.try_get(4)?,
        version: row.try_get::<i64, _>(5)?.to_string(),
        last_updated: row.try_get(6)?,
        rules: serde_json::from_str(&rules).map_err(|error| Error::Internal(error.into()))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(id: &str, reference: &str, expression: &str) -> RulesetRule {
        RulesetRule {
            id: id.to_owned(),
            version: String::new(),
            action: RulesetAction::Skip,
            expression: expression.to_owned(),
            description: String::new(),
            reference: reference.to_owned(),
            enabled: true,
            action_parameters: None,
            last_updated: None,
        }
    }

    #[test]
    fn rules_keep_their_identifiers_and_count_their_changes() {
        let before =
            follow(Vec::new(), vec![rule("", "", "a"), rule("", "mine", "b"), rule("x", "", "c")], "1").unwrap();
        let ids: Vec<&str> = before.iter().map(|rule| rule.id.as_str()).collect();
        let [first, second, third] = ids.as_slice() else { panic!("{before:?}") };
        assert_ne!(*third, "x", "an unknown identifier makes a new rule");
        let sent = vec![
            rule("", "mine", "b"),
            rule(third, "", "c"),
            rule(first, "", "changed"),
            rule("", "new", "d"),
            rule(&"0".repeat(32), second, "e"),
        ];
        let after = follow(before.clone(), sent, "2").unwrap();
        let told: Vec<(&str, &str, &str)> = after
            .iter()
            .map(|rule| {
                let time = rule.last_updated.as_deref().unwrap();
                (if ids.contains(&rule.id.as_str()) { rule.id.as_str() } else { "new" }, rule.version.as_str(), time)
            })
            .collect();
        let expected =
            [(*second, "1", "1"), (*third, "1", "1"), (*first, "2", "2"), ("new", "1", "2"), ("new", "1", "2")];
        assert_eq!(told, expected);
        // Of two that name the same rule, the one with its identifier is it.
        let both = follow(before.clone(), vec![rule("", "mine", "b"), rule(second, "other", "b")], "3").unwrap();
        assert_eq!(both.iter().map(|rule| rule.id == **second).collect::<Vec<_>>(), [false, true]);
    }
}
