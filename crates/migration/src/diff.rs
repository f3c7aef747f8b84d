//! Computes the differences between an existing and a new entry point.

use serde_json::Value;
use std::collections::HashMap;
use zonewright_api::ruleset::{ActionParameters, EntryPoint, Ruleset, RulesetRule};

/// The kind of a change of one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The rule is new.
    Added,
    /// The rule is removed.
    Removed,
    /// Members of the rule differ.
    Changed,
    /// The rule is unchanged, but its order among the remaining rules differs.
    Moved,
}

/// A change of one rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The index in the existing rules.
    pub from: Option<usize>,
    /// The index in the new rules.
    pub to: Option<usize>,
    /// The names of the members that differ, such as `action_parameters`.
    pub members: Vec<&'static str>,
}

/// Computes the changes that saving `new` over the existing entry point would make, in the order of the new rules.
/// Removed rules come last.
///
/// Two rules are matched by ID, else by reference, else by content. The service recognizes rules by the first two; a
/// rule that matches only by content gets a new ID when it is saved (observed, assumption ruleset-identity).
pub fn diff(current: Option<&Ruleset>, new: &EntryPoint) -> Vec<Change> {
    let existing = current.map_or(&[][..], |ruleset| &ruleset.rules);
    let pairs = match_rules(existing, &new.rules);
    let mut changes = Vec::new();
    let mut last = None;
    for (to, rule) in new.rules.iter().enumerate() {
        let Some((from, before)) = pairs.get(&to).and_then(|from| Some((*from, existing.get(*from)?))) else {
            changes.push(Change { kind: ChangeKind::Added, from: None, to: Some(to), members: Vec::new() });
            continue;
        };
        let members = changed_members(before, rule);
        let moved = last.is_some_and(|last| from < last);
        last = last.max(Some(from));
        if !members.is_empty() || moved {
            let kind = if members.is_empty() { ChangeKind::Moved } else { ChangeKind::Changed };
            changes.push(Change { kind, from: Some(from), to: Some(to), members });
        }
    }
    let retained: Vec<usize> = pairs.into_values().collect();
    let mut is_removed = vec![true; existing.len()];
    for from in retained {
        if let Some(is_removed) = is_removed.get_mut(from) {
            *is_removed = false;
        }
    }
    let removed = is_removed.iter().enumerate().filter(|(_, is_removed)| **is_removed);
    changes.extend(removed.map(|(from, _)| Change {
        kind: ChangeKind::Removed,
        from: Some(from),
        to: None,
        members: Vec::new(),
    }));
    changes
}

/// Returns the indexes of existing rules by the indexes of the new rules that they match.
pub(crate) fn match_rules(existing: &[RulesetRule], new: &[RulesetRule]) -> HashMap<usize, usize> {
    let mut pairs = HashMap::new();
    let mut is_paired = vec![false; existing.len()];
    let match_keys: [fn(&RulesetRule) -> String; 3] = [
        |rule| rule.id.clone(),
        |rule| rule.reference.clone(),
        |rule| {
            let content = (
                (rule.action.name(), &rule.expression, &rule.description, rule.enabled, comparable_parameters(rule)),
                (chosen_reference(rule), &rule.ratelimit, rule.logging, &rule.exposed_credential_check),
            );
            serde_json::to_string(&content).unwrap_or_default()
        },
    ];
    for match_key in match_keys {
        let mut indexes_by_key: HashMap<String, Vec<usize>> = HashMap::new();
        for (from, rule) in existing.iter().enumerate().rev().filter(|(from, _)| is_paired.get(*from) == Some(&false)) {
            indexes_by_key.entry(match_key(rule)).or_default().push(from);
        }
        for (to, rule) in new.iter().enumerate() {
            let key = match_key(rule);
            if key.is_empty() || pairs.contains_key(&to) {
                continue;
            }
            if let Some(from) = indexes_by_key.get_mut(&key).and_then(Vec::pop) {
                pairs.insert(to, from);
                if let Some(is_paired) = is_paired.get_mut(from) {
                    *is_paired = true;
                }
            }
        }
    }
    pairs
}

fn changed_members(before: &RulesetRule, after: &RulesetRule) -> Vec<&'static str> {
    [
        ("action", before.action != after.action),
        ("expression", before.expression != after.expression),
        ("description", before.description != after.description),
        ("enabled", before.enabled != after.enabled),
        ("action_parameters", comparable_parameters(before) != comparable_parameters(after)),
        ("ref", chosen_reference(before) != chosen_reference(after)),
        ("ratelimit", before.ratelimit != after.ratelimit),
        ("logging", before.logging != after.logging),
        ("exposed_credential_check", before.exposed_credential_check != after.exposed_credential_check),
    ]
    .into_iter()
    .filter_map(|(name, differs)| differs.then_some(name))
    .collect()
}

/// Returns the reference of a rule, or an empty text if it is the ID, which the service sets in place of a missing one.
fn chosen_reference(rule: &RulesetRule) -> &str {
    if rule.reference == rule.id { "" } else { &rule.reference }
}

/// Serializes the parameters of a rule without the version that the service adds to its responses.
fn comparable_parameters(rule: &RulesetRule) -> Value {
    let mut value = serde_json::to_value(&rule.action_parameters).unwrap_or_default();
    if let Value::Object(members) = &mut value
        && members.get("version").and_then(Value::as_str) == Some(ActionParameters::LATEST_VERSION)
    {
        members.remove("version");
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Builds rules from pairs of ID and expression; `-` means no ID.
    fn rules(words: &[(&str, &str)]) -> Vec<RulesetRule> {
        let rule = |(id, expression): &(&str, &str)| {
            let rule = json!({"id": id.trim_matches('-'), "action": "skip", "expression": expression,
                "action_parameters": {"ruleset": "current"}});
            serde_json::from_value(rule).unwrap()
        };
        words.iter().map(rule).collect()
    }

    #[test]
    fn rules_are_matched_across_versions() {
        let cases = [
            (vec![], vec![("-", "ssl")], "Added >0"),
            (vec![("a", "ssl")], vec![("a", "ssl")], ""),
            (vec![("a", "ssl")], vec![("-", "ssl")], ""),
            (vec![("a", "ssl")], vec![("a", "not ssl")], "Changed 0>0 expression"),
            (vec![("a", "ssl"), ("b", "not ssl")], vec![("b", "not ssl"), ("a", "ssl")], "Moved 0>1"),
            (vec![("a", "ssl"), ("b", "ssl")], vec![("-", "ssl")], "Removed 1>"),
            (vec![("a", "ssl")], vec![("b", "not ssl")], "Added >0, Removed 0>"),
        ];
        for (existing, new, expected) in cases {
            let current =
                json!({"id": "", "name": "default", "kind": "zone", "phase": "", "version": "1", "last_updated": ""});
            let mut current: Ruleset = serde_json::from_value(current).unwrap();
            current.rules = rules(&existing);
            let new = EntryPoint { name: "default".to_owned(), rules: rules(&new), ..EntryPoint::default() };
            let index = |index: Option<usize>| index.map_or(String::new(), |index| index.to_string());
            let kinds = diff(Some(&current), &new)
                .iter()
                .map(|change| {
                    let text = format!(
                        "{:?} {}>{} {}",
                        change.kind,
                        index(change.from),
                        index(change.to),
                        change.members.join(" ")
                    );
                    text.trim_end().to_owned()
                })
                .collect::<Vec<_>>()
                .join(", ");
            assert_eq!(kinds, expected, "{existing:?}");
        }
    }

    /// Returns the kind and the members of each change between two rules.
    fn changes(before: Value, after: Value) -> Vec<(ChangeKind, Vec<&'static str>)> {
        let current = json!({"id": "", "name": "default", "kind": "zone", "phase": "", "version": "1",
            "last_updated": "", "rules": [before]});
        let current: Ruleset = serde_json::from_value(current).unwrap();
        let new: EntryPoint = serde_json::from_value(json!({"name": "default", "rules": [after]})).unwrap();
        diff(Some(&current), &new).into_iter().map(|change| (change.kind, change.members)).collect()
    }

    #[test]
    fn every_writable_member_is_compared() {
        let rule = |id: &str| {
            json!({"id": id, "ref": id, "action": "skip", "expression": "ssl",
                "action_parameters": {"ruleset": "current"}})
        };
        let members = [
            ("ref", json!("mine")),
            ("ratelimit", json!({"characteristics": ["ip.src"], "period": 60})),
            ("logging", json!({"enabled": false})),
            ("exposed_credential_check", json!({"username_expression": "a", "password_expression": "b"})),
        ];
        for (member, value) in members {
            let with = |mut rule: Value| {
                rule[member] = value.clone();
                rule
            };
            assert_eq!(changes(with(rule("a")), rule("a")), [(ChangeKind::Changed, vec![member])]);
            let replaced = [(ChangeKind::Added, vec![]), (ChangeKind::Removed, vec![])];
            assert_eq!(changes(with(rule("a")), rule("")), replaced, "{member}");
        }
        // The service sets the reference of a rule without one to its ID.
        assert_eq!(changes(rule("a"), rule("")), []);
        let mut without_reference = rule("a");
        without_reference["ref"] = json!("");
        assert_eq!(changes(rule("a"), without_reference), []);
    }
}
