//! Rules of managed rulesets that the catalogue does not list. The published rulesets change every week, so such rules
//! are accepted, with a warning (assumption entry-point-limits).

use super::KnownRuleset;
use super::words::{MOST_PROBLEMS, escaped};
use crate::is_identifier;
use serde_json::Value;

/// A rule that a body names and the catalogue does not list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlistedRule {
    /// Its place in the body, as a JSON pointer.
    pub pointer: String,
    /// Why it is reported.
    pub message: String,
}

/// The unlisted rules that a body names in overrides or skips; the body is a ruleset or one of its rules. At most 100.
pub fn unlisted_rules(body: &Value, managed: &[KnownRuleset]) -> Vec<UnlistedRule> {
    let of_rule =
        |pointer: String, rule| named(rule, managed).map(move |(rest, unlisted)| (pointer.clone() + &rest, unlisted));
    let rules = body.get("rules").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let in_rules = rules.iter().enumerate().flat_map(|(index, rule)| of_rule(format!("/rules/{index}"), rule));
    let all = of_rule(String::new(), body).chain(in_rules);
    all.map(|(pointer, (id, ruleset))| UnlistedRule { pointer, message: message(id, ruleset) })
        .take(MOST_PROBLEMS)
        .collect()
}

fn message(id: &str, ruleset: &KnownRuleset) -> String {
    let name = &ruleset.name;
    format!(
        "the rule `{id}` of the {name} is not in the catalogue of this version, so whether it exists could not be checked; \
         it is saved as it was sent"
    )
}

/// Unlisted rules in one rule, with their pointers.
fn named<'a>(
    rule: &'a Value,
    managed: &'a [KnownRuleset],
) -> impl Iterator<Item = (String, (&'a str, &'a KnownRuleset))> {
    let parameters = rule.get("action_parameters");
    let overrides = parameters.and_then(|parameters| parameters.pointer("/overrides/rules")).and_then(Value::as_array);
    let executed = parameters.and_then(|parameters| parameters.get("id")).and_then(Value::as_str);
    let overridden = overrides.into_iter().flatten().enumerate().filter_map(move |(index, item)| {
        let pointer = format!("/action_parameters/overrides/rules/{index}/id");
        Some((pointer, unlisted(managed, executed?, item.get("id")?)?))
    });
    let skips = parameters.and_then(|parameters| parameters.get("rules")).and_then(Value::as_object);
    let skipped = skips.into_iter().flatten().flat_map(move |(ruleset, ids)| {
        ids.as_array().into_iter().flatten().enumerate().filter_map(move |(index, id)| {
            let pointer = format!("/action_parameters/rules/{}/{index}", escaped(ruleset));
            Some((pointer, unlisted(managed, ruleset, id)?))
        })
    });
    overridden.chain(skipped)
}

fn unlisted<'a>(managed: &'a [KnownRuleset], ruleset: &str, id: &'a Value) -> Option<(&'a str, &'a KnownRuleset)> {
    let id = id.as_str().filter(|id| is_identifier(id))?;
    let ruleset = managed.iter().find(|known| known.id == ruleset)?;
    let is_unlisted = ruleset.rules.as_ref().is_some_and(|rules| !rules.contains(id));
    is_unlisted.then_some((id, ruleset))
}
