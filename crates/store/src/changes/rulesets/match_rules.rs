//! Matches the rules of a request with the current rules of a ruleset.

use crate::error::Error;
use crate::secret::new_id;
use std::collections::{HashMap, HashSet};
use zonewright_api::ruleset::{ActionParameters, RulesetAction, RulesetRule};

/// Returns the new rules. A rule with the ID of a current rule, or else with its reference, is the next version of that
/// rule and keeps its ID. Other rules are new (observed).
pub(super) fn match_rules(
    current: Vec<RulesetRule>,
    new: Vec<RulesetRule>,
    time: &str,
) -> Result<Vec<RulesetRule>, Error> {
    let sent_ids: HashSet<&str> = new.iter().map(|rule| rule.id.as_str()).collect();
    let mut by_reference: HashMap<String, String> = HashMap::new();
    for rule in current.iter().filter(|rule| !sent_ids.contains(rule.id.as_str())) {
        by_reference.insert(rule.reference.clone(), rule.id.clone());
    }
    let mut by_id: HashMap<String, RulesetRule> = current.into_iter().map(|rule| (rule.id.clone(), rule)).collect();
    let mut rules = Vec::with_capacity(new.len());
    for mut rule in new {
        let id = if by_id.contains_key(&rule.id) { Some(&rule.id) } else { by_reference.get(&rule.reference) };
        let before = id.and_then(|id| by_id.remove(&id.clone()));
        rule.id = match &before {
            Some(before) => before.id.clone(),
            None => new_id()?,
        };
        rules.push(next_rule_version(before, rule, time));
    }
    Ok(rules)
}

/// Completes a rule with the members that only the service sets. A rule that differs from `before` gets the next
/// version.
fn next_rule_version(before: Option<RulesetRule>, rule: RulesetRule, time: &str) -> RulesetRule {
    let mut rule = rule;
    if rule.reference.is_empty() {
        rule.reference = rule.id.clone();
    }
    if let Some(parameters) = rule.action_parameters.as_mut().filter(|_| rule.action == RulesetAction::Execute) {
        parameters.version = Some(ActionParameters::LATEST_VERSION.to_owned());
    }
    let Some(before) = before else {
        return RulesetRule { version: "1".to_owned(), last_updated: Some(time.to_owned()), ..rule };
    };
    let same = RulesetRule { version: before.version.clone(), last_updated: before.last_updated.clone(), ..rule };
    if same == before {
        return same;
    }
    RulesetRule { version: next_version(&before.version), last_updated: Some(time.to_owned()), ..same }
}

fn next_version(version: &str) -> String {
    (version.parse::<u64>().unwrap_or_default() + 1).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(id: &str, reference: &str, expression: &str) -> RulesetRule {
        RulesetRule {
            id: id.to_owned(),
            reference: reference.to_owned(),
            ..RulesetRule::new(RulesetAction::Skip, expression)
        }
    }

    #[test]
    fn matched_rules_keep_ids_and_changed_rules_increment_versions() {
        let before =
            match_rules(Vec::new(), vec![rule("", "", "a"), rule("", "mine", "b"), rule("x", "", "c")], "1").unwrap();
        let ids: Vec<&str> = before.iter().map(|rule| rule.id.as_str()).collect();
        let [first, second, third] = ids.as_slice() else { panic!("{before:?}") };
        assert_ne!(*third, "x", "an unknown ID creates a new rule");
        let sent = vec![
            rule("", "mine", "b"),
            rule(third, "", "c"),
            rule(first, "", "changed"),
            rule("", "new", "d"),
            rule(&"0".repeat(32), second, "e"),
        ];
        let after = match_rules(before.clone(), sent, "2").unwrap();
        let outcome: Vec<(&str, &str, &str)> = after
            .iter()
            .map(|rule| {
                let time = rule.last_updated.as_deref().unwrap();
                (if ids.contains(&rule.id.as_str()) { rule.id.as_str() } else { "new" }, rule.version.as_str(), time)
            })
            .collect();
        let expected =
            [(*second, "1", "1"), (*third, "1", "1"), (*first, "2", "2"), ("new", "1", "2"), ("new", "1", "2")];
        assert_eq!(outcome, expected);
        // If two rules name the same current rule, the one with its ID is its next version.
        let both = match_rules(before.clone(), vec![rule("", "mine", "b"), rule(second, "other", "b")], "3").unwrap();
        assert_eq!(both.iter().map(|rule| rule.id == **second).collect::<Vec<_>>(), [false, true]);
    }
}
