//! The audit entry of a changed ruleset. A small change of a large ruleset has a small entry (assumption
//! audit-log-rulesets).

use crate::secret::digest;
use serde::Serialize;
use std::collections::HashMap;
use zonewright_api::ruleset::{Ruleset, RulesetRule, RulesetSummary};

/// A ruleset with only those rules that differ from the other side of a change.
#[derive(Debug, Serialize)]
pub(super) struct RulesetDiff<'a> {
    #[serde(flatten)]
    ruleset: RulesetSummary,
    /// The changed, deleted or new rules, in their order.
    rules: Vec<&'a RulesetRule>,
    /// The IDs of all rules, if the order of the rules on both sides changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<Vec<&'a str>>,
    /// The total number of rules.
    rules_count: usize,
    /// The SHA-256 digest of all rules as JSON without whitespace, in the form in which a version stores them.
    rules_digest: String,
}

/// Returns both sides of a change.
pub(super) fn audit_diff<'a>(before: &'a Ruleset, after: &'a Ruleset) -> (RulesetDiff<'a>, RulesetDiff<'a>) {
    let [old, new] = [before, after].map(|side| index_by_id(&side.rules));
    let order = |side: &'a Ruleset, other: &HashMap<&str, &RulesetRule>| -> Vec<&'a str> {
        let is_in_other = |id: &&str| other.contains_key(id);
        side.rules.iter().map(|rule| rule.id.as_str()).filter(is_in_other).collect()
    };
    let is_reordered = order(before, &new) != order(after, &old);
    (diff_side(before, &new, is_reordered), diff_side(after, &old, is_reordered))
}

fn diff_side<'a>(ruleset: &'a Ruleset, other: &HashMap<&str, &RulesetRule>, is_reordered: bool) -> RulesetDiff<'a> {
    let differs = |rule: &&RulesetRule| other.get(rule.id.as_str()).is_none_or(|other| other != rule);
    let Ruleset { id, name, description, kind, phase, version, last_updated, rules } = ruleset;
    let summary = RulesetSummary {
        id: id.clone(),
        name: name.clone(),
        description: description.clone(),
        kind: kind.clone(),
        phase: phase.clone(),
        version: version.clone(),
        last_updated: last_updated.clone(),
    };
    RulesetDiff {
        ruleset: summary,
        rules: rules.iter().filter(differs).collect(),
        order: is_reordered.then(|| rules.iter().map(|rule| rule.id.as_str()).collect()),
        rules_count: rules.len(),
        rules_digest: digest(&serde_json::to_string(rules).unwrap_or_default()),
    }
}

fn index_by_id(rules: &[RulesetRule]) -> HashMap<&str, &RulesetRule> {
    rules.iter().map(|rule| (rule.id.as_str(), rule)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A rule: its ID and expression.
    type RuleText = (&'static str, &'static str);

    fn ruleset(name: &str, rules: &[RuleText]) -> Ruleset {
        let rule = |(id, expression): &RuleText| json!({"id": id, "action": "block", "expression": expression});
        let rules: Vec<Value> = rules.iter().map(rule).collect();
        let ruleset = json!({"id": "r", "name": name, "kind": "custom", "phase": "p", "version": "1",
            "last_updated": "", "rules": rules});
        serde_json::from_value(ruleset).unwrap()
    }

    #[test]
    fn diff_contains_only_changed_rules() {
        let base = || vec![("a", "ssl"), ("b", "not ssl"), ("c", "ssl")];
        // The rules after the change; the logged IDs before and after it; the logged order.
        let cases: [(&[RuleText], &str, &str, Value); 6] = [
            (&base(), "", "", Value::Null),
            (&[("a", "ssl"), ("b", "true"), ("c", "ssl")], "b", "b", Value::Null),
            (&[("a", "ssl"), ("c", "ssl")], "b", "", Value::Null),
            (&[("a", "ssl"), ("d", "ssl"), ("b", "not ssl"), ("c", "ssl")], "", "d", Value::Null),
            (&[("c", "ssl"), ("a", "ssl"), ("b", "not ssl")], "", "", json!(["c", "a", "b"])),
            (&[], "abc", "", Value::Null),
        ];
        for (rules, old, new, order) in cases {
            let (before, after) = (ruleset("n", &base()), ruleset("m", rules));
            let (old_diff, new_diff) = audit_diff(&before, &after);
            let ids = |logged: &RulesetDiff| logged.rules.iter().map(|rule| rule.id.as_str()).collect::<String>();
            assert_eq!((ids(&old_diff), ids(&new_diff)), (old.to_owned(), new.to_owned()), "{rules:?}");
            let (old_diff, new_diff) = (json!(old_diff), json!(new_diff));
            assert_eq!(
                (&old_diff["name"], &new_diff["name"], &new_diff["order"]),
                (&json!("n"), &json!("m"), &order),
                "{rules:?}"
            );
            assert_eq!(new_diff["rules_count"], rules.len());
            let same = before.rules == after.rules;
            assert_eq!(old_diff["rules_digest"] == new_diff["rules_digest"], same, "{rules:?}");
        }
    }
}
