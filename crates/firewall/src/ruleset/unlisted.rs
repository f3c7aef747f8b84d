//! Finds references to rules and categories of managed rulesets that the catalog does not list. The published rulesets
//! change every week, so such references are accepted with a warning (assumption entry-point-limits).
//!
//! Start with [`unlisted_references`].

use super::RulesetInfo;
use super::execute::has_valid_category_length;
use super::validation::MAX_ERRORS;
use crate::is_identifier;
use serde_json::Value;
use zonewright_api::{ValidationWarning, escape_pointer_segment};
use zonewright_diagnostic::find_similar;

/// Returns a warning for each unlisted rule and category in overrides or skips, at most 100. The body is a ruleset or
/// one of its rules. The service, its relay, migration plans and the app all call this function.
pub fn unlisted_references(body: &Value, managed: &[RulesetInfo]) -> Vec<ValidationWarning> {
    let rules = body.get("rules").and_then(Value::as_array).into_iter().flatten().enumerate();
    let rules = rules.map(|(index, rule)| (format!("/rules/{index}/action_parameters"), rule));
    let all = std::iter::once(("/action_parameters".to_owned(), body)).chain(rules);
    all.flat_map(|(pointer, rule)| {
        let parameters = rule.get("action_parameters").unwrap_or(&Value::Null);
        find_in_overrides(&pointer, parameters, managed).chain(find_in_skips(pointer.clone(), parameters, managed))
    })
    .take(MAX_ERRORS)
    .collect()
}

/// Finds unlisted rules and categories in the overrides of the executed ruleset.
fn find_in_overrides<'a>(
    pointer: &str,
    parameters: &'a Value,
    managed: &'a [RulesetInfo],
) -> impl Iterator<Item = ValidationWarning> + use<'a> {
    let executed = find_ruleset(managed, parameters.get("id").and_then(Value::as_str).unwrap_or_default());
    let named =
        |list: &'static str, member: &'static str| {
            let pointer = format!("{pointer}/overrides/{list}");
            let items = parameters.pointer(&format!("/overrides/{list}")).and_then(Value::as_array);
            items.into_iter().flatten().enumerate().filter_map(move |(index, item)| {
                Some((format!("{pointer}/{index}/{member}"), item.get(member)?.as_str()?))
            })
        };
    let (categories, rules) = (named("categories", "category"), named("rules", "id"));
    executed.into_iter().flat_map(move |ruleset| {
        let categories = categories.clone().filter_map(|(pointer, name)| {
            unlisted_category(ruleset, name).map(|message| ValidationWarning { pointer, message })
        });
        let rules = rules.clone().filter_map(|(pointer, id)| {
            unlisted_rule(ruleset, id).map(|message| ValidationWarning { pointer, message })
        });
        categories.chain(rules)
    })
}

/// Finds unlisted rules among the skipped rules.
fn find_in_skips<'a>(
    pointer: String,
    parameters: &'a Value,
    managed: &'a [RulesetInfo],
) -> impl Iterator<Item = ValidationWarning> + use<'a> {
    let rulesets = parameters.get("rules").and_then(Value::as_object).into_iter().flatten();
    rulesets.flat_map(move |(id, rules)| {
        let pointer = format!("{pointer}/rules/{}", escape_pointer_segment(id));
        let rules = rules.as_array().into_iter().flatten().enumerate();
        let ruleset = find_ruleset(managed, id);
        rules.filter_map(move |(index, rule)| {
            let message = unlisted_rule(ruleset?, rule.as_str()?)?;
            Some(ValidationWarning { pointer: format!("{pointer}/{index}"), message })
        })
    })
}

fn find_ruleset<'a>(managed: &'a [RulesetInfo], id: &str) -> Option<&'a RulesetInfo> {
    managed.iter().find(|known| known.id == id)
}

fn unlisted_rule(ruleset: &RulesetInfo, id: &str) -> Option<String> {
    let rules = ruleset.rules.as_ref()?;
    let is_unlisted = is_identifier(id) && !rules.contains(id);
    is_unlisted.then(|| unlisted_message(&format!("the rule `{id}`"), ruleset))
}

fn unlisted_category(ruleset: &RulesetInfo, name: &str) -> Option<String> {
    // The categories are unknown if the rules are unknown.
    ruleset.rules.as_ref()?;
    if !has_valid_category_length(name) || ruleset.categories.iter().any(|category| category == name) {
        return None;
    }
    let close = find_similar(name, ruleset.categories.iter().map(String::as_str));
    let hint = close.first().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    let printable: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Some(unlisted_message(&format!("the category `{printable}`"), ruleset) + &hint)
}

fn unlisted_message(subject: &str, ruleset: &RulesetInfo) -> String {
    let name = &ruleset.name;
    format!("{subject} of the {name} is not in the catalog of this version, so its existence was not verified")
}
