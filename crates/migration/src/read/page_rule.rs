//! Reads the bodies of requests about page rules.

use super::page_rule_settings::PageRuleSetting;
use super::{check_single_line, read_choice, shorten};
use serde_json::Value;
use zonewright_api::page_rule::{PageRule, PageRuleAction, PageRuleConstraint, PageRuleStatus, PageRuleTarget};
use zonewright_api::{ObjectReader, ValidationError, error_code, parse_integer, prefix_pointers};
use zonewright_diagnostic::find_similar;
use zonewright_expression::schema::Tier;

/// The maximum number of characters of a pattern (assumption page-rules).
const MAX_PATTERN_CHARS: usize = 2048;
/// The largest priority (assumption page-rules).
const MAX_PRIORITY: i64 = 2_147_483_647;
/// The default priority of a page rule (observed).
const DEFAULT_PRIORITY: i64 = 1;

const MEMBERS: [&str; 4] = ["targets", "actions", "priority", "status"];
/// Read-only members, which clients send back.
const READ_ONLY: [&str; 3] = ["id", "created_on", "modified_on"];

/// Returns the maximum number of page rules of a zone (general knowledge; assumption page-rules).
pub fn page_rule_quota(tier: Tier) -> usize {
    match tier {
        Tier::Free => 3,
        Tier::Pro => 20,
        Tier::Business => 50,
        Tier::Enterprise => 125,
    }
}

/// Reads a complete page rule that is created or replaced; `id` and times stay empty.
pub fn read_page_rule(body: &Value, tier: Tier) -> Result<PageRule, Vec<ValidationError>> {
    read_body(body, None, tier).map_err(with_page_rule_code)
}

/// Reads a change of the page rule `existing`. Members that are absent from the body keep their values.
pub fn read_page_rule_change(body: &Value, existing: &PageRule, tier: Tier) -> Result<PageRule, Vec<ValidationError>> {
    read_body(body, Some(existing), tier).map_err(with_page_rule_code)
}

/// Sets the code that all errors of page rules share.
fn with_page_rule_code(mut errors: Vec<ValidationError>) -> Vec<ValidationError> {
    errors.iter_mut().for_each(|error| error.code = error_code::INVALID_PAGE_RULE);
    errors
}

fn read_body(body: &Value, existing: Option<&PageRule>, tier: Tier) -> Result<PageRule, Vec<ValidationError>> {
    let mut members = ObjectReader::new(body, "a page rule", &MEMBERS, &READ_ONLY)?;
    let mut rule = PageRule {
        id: String::new(),
        targets: Vec::new(),
        actions: Vec::new(),
        priority: DEFAULT_PRIORITY,
        status: PageRuleStatus::Disabled,
        created_on: None,
        modified_on: None,
    };
    if let Some(existing) = existing {
        rule.clone_from(existing);
        if MEMBERS.iter().all(|name| members.get(name).is_none()) && members.errors.is_empty() {
            return Err(vec![ValidationError::invalid_shape("", "the body contains no changes")]);
        }
    }
    if existing.is_none() || members.get("targets").is_some() {
        rule.targets = read_target(&mut members).into_iter().collect();
    }
    if existing.is_none() || members.get("actions").is_some() {
        rule.actions = read_actions(&mut members, tier);
    }
    if let Some(value) = members.get("priority") {
        match parse_integer(value).filter(|number| (0..=MAX_PRIORITY).contains(number)) {
            Some(number) => rule.priority = number,
            None => {
                let expected = format!("an integer from 0 to {MAX_PRIORITY}");
                members.type_error::<()>("priority", &expected, value);
            }
        }
    }
    let allowed: Vec<&str> = PageRuleStatus::ALL.iter().map(|status| status.name()).collect();
    if let Some(status) = read_choice(&mut members, "status", &allowed).and_then(PageRuleStatus::from_name) {
        rule.status = status;
    }
    if members.errors.is_empty() { Ok(rule) } else { Err(members.errors) }
}

fn read_target(members: &mut ObjectReader) -> Option<PageRuleTarget> {
    match members.required("targets")? {
        Value::Array(targets) => match targets.as_slice() {
            [target] => {
                let result = read_target_members(target);
                result.map_err(|errors| members.errors.extend(prefix_pointers("/targets/0", errors))).ok()
            }
            other => {
                let message = format!("`targets` has {} items; a page rule has exactly one", other.len());
                members.errors.push(ValidationError::invalid_shape("/targets", message));
                None
            }
        },
        other => members.type_error("targets", "an array with one target", other),
    }
}

fn read_target_members(value: &Value) -> Result<PageRuleTarget, Vec<ValidationError>> {
    let mut members = ObjectReader::new(value, "a target", &["target", "constraint"], &[])?;
    members.required("target");
    read_choice(&mut members, "target", &["url"]);
    let pattern = match members.required("constraint").map(read_constraint) {
        Some(Ok(pattern)) => pattern,
        Some(Err(errors)) => {
            members.errors.extend(prefix_pointers("/constraint", errors));
            String::new()
        }
        None => String::new(),
    };
    if !members.errors.is_empty() {
        return Err(members.errors);
    }
    let constraint = PageRuleConstraint { operator: "matches".to_owned(), value: pattern };
    Ok(PageRuleTarget { target: "url".to_owned(), constraint })
}

fn read_constraint(value: &Value) -> Result<String, Vec<ValidationError>> {
    let mut members = ObjectReader::new(value, "a constraint", &["operator", "value"], &[])?;
    members.required("operator");
    read_choice(&mut members, "operator", &["matches"]);
    let pattern = match members.required("value") {
        Some(Value::String(pattern)) => {
            members.errors.extend(check_single_line("/value", "the URL pattern", pattern, MAX_PATTERN_CHARS));
            pattern.clone()
        }
        Some(other) => members.type_error("value", "a string", other).unwrap_or_default(),
        None => String::new(),
    };
    if members.errors.is_empty() { Ok(pattern) } else { Err(members.errors) }
}

fn read_actions(members: &mut ObjectReader, tier: Tier) -> Vec<PageRuleAction> {
    let values = match members.required("actions") {
        Some(Value::Array(values)) if values.is_empty() => {
            members.errors.push(ValidationError::invalid_shape(
                "/actions",
                "`actions` is empty; a page rule needs at least one setting",
            ));
            return Vec::new();
        }
        Some(Value::Array(values)) if values.len() > PageRuleSetting::names().count() => {
            let count = PageRuleSetting::names().count();
            let message = format!("`actions` has {} items, but there are only {count} settings", values.len());
            members.errors.push(ValidationError::invalid_value("/actions", message));
            return Vec::new();
        }
        Some(Value::Array(values)) => values,
        Some(other) => return members.type_error("actions", "an array of settings", other).unwrap_or_default(),
        None => return Vec::new(),
    };
    let mut actions: Vec<PageRuleAction> = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let pointer = format!("/actions/{index}");
        match read_action(value, tier) {
            Ok(action) if actions.iter().any(|earlier| earlier.id == action.id) => {
                let message = format!("duplicate setting `{}`", action.id);
                members.errors.push(ValidationError::invalid_value(format!("{pointer}/id"), message));
            }
            Ok(action) => actions.push(action),
            Err(errors) => members.errors.extend(prefix_pointers(&pointer, errors)),
        }
    }
    if let Some(exclusive) = actions.iter().find(|action| is_exclusive(&action.id)).filter(|_| actions.len() > 1) {
        let message = format!("the setting `{}` cannot be combined with other settings", exclusive.id);
        members.errors.push(ValidationError::invalid_value("/actions", message));
    }
    actions
}

fn read_action(value: &Value, tier: Tier) -> Result<PageRuleAction, Vec<ValidationError>> {
    // Responses contain `modified_on` (observed).
    let mut members = ObjectReader::new(value, "a setting", &["id", "value"], &["modified_on"])?;
    let value = members.get("value");
    let id = match members.required("id") {
        Some(Value::String(id)) => id.clone(),
        Some(other) => members.type_error("id", "a string", other).unwrap_or_default(),
        None => String::new(),
    };
    if !members.errors.is_empty() {
        return Err(members.errors);
    }
    let Some(setting) = PageRuleSetting::from_name(&id) else {
        let hint = find_similar(&id, PageRuleSetting::names()).first().map(|name| format!("; did you mean `{name}`?"));
        let message = format!("unknown setting `{}`{}", shorten(&id), hint.unwrap_or_default());
        return Err(vec![ValidationError::invalid_value("/id", message)]);
    };
    let mut errors: Vec<ValidationError> = setting.check_value(value).into_iter().collect();
    if tier < setting.tier {
        let min_tier = setting.tier;
        let message =
            format!("the setting `{id}` requires the {min_tier} plan or higher, but the zone has the {tier} plan");
        errors.push(ValidationError::invalid_value("/id", message));
    }
    if errors.is_empty() { Ok(PageRuleAction { id, value: value.map(normalize_integers) }) } else { Err(errors) }
}

/// Returns whether the setting cannot be combined with others.
fn is_exclusive(name: &str) -> bool {
    PageRuleSetting::from_name(name).is_some_and(|setting| setting.is_exclusive)
}

/// Returns the value with integers in their canonical form: 301 instead of `301.0`.
fn normalize_integers(value: &Value) -> Value {
    match value {
        Value::Number(_) => parse_integer(value).map_or_else(|| value.clone(), Value::from),
        Value::Array(items) => items.iter().map(normalize_integers).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), normalize_integers(member))).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn target(pattern: &str) -> Value {
        json!([{"target": "url", "constraint": {"operator": "matches", "value": pattern}}])
    }

    fn rule() -> Value {
        json!({"targets": target("*example.com/*"), "actions": [{"id": "waf", "value": "off"}]})
    }

    #[test]
    fn page_rule_round_trips_through_json() {
        let body = json!({
            "targets": target("a.example/*?x=*"), "priority": 7, "status": "active",
            "actions": [{"id": "disable_security"}, {"id": "browser_cache_ttl", "value": 60}]
        });
        let page_rule = read_page_rule(&body, Tier::Free).unwrap();
        assert_eq!(read_page_rule(&serde_json::to_value(&page_rule).unwrap(), Tier::Free).unwrap(), page_rule);
        let small = read_page_rule(&rule(), Tier::Pro).unwrap();
        assert_eq!((small.priority, small.status), (1, PageRuleStatus::Disabled));
        let changed = read_page_rule_change(&json!({"status": "active"}), &small, Tier::Pro).unwrap();
        assert_eq!(changed, PageRule { status: PageRuleStatus::Active, ..small });
    }

    #[test]
    fn errors_have_pointers() {
        let changed = |name: &str, value: Value| {
            let mut body = rule();
            body[name] = value;
            body
        };
        let actions = |actions: Value| changed("actions", actions);
        let cases = [
            (json!([]), vec![""]),
            (json!({}), vec!["/targets", "/actions"]),
            (changed("targets", json!([])), vec!["/targets"]),
            (changed("targets", json!("a")), vec!["/targets"]),
            (changed("targets", json!([{}])), vec!["/targets/0/target", "/targets/0/constraint"]),
            (
                changed("targets", json!([{"target": "host", "constraint": {"operator": "equals", "value": 1}}])),
                vec!["/targets/0/target", "/targets/0/constraint/operator", "/targets/0/constraint/value"],
            ),
            (changed("targets", target("")), vec!["/targets/0/constraint/value"]),
            (changed("targets", target("a\0")), vec!["/targets/0/constraint/value"]),
            (changed("targets", target(&"a".repeat(2049))), vec!["/targets/0/constraint/value"]),
            (actions(json!([])), vec!["/actions"]),
            (actions(json!({})), vec!["/actions"]),
            (actions(json!([3, {}, {"id": 1}])), vec!["/actions/0", "/actions/1/id", "/actions/2/id"]),
            (actions(json!([{"id": "wav"}, {"id": "waf"}])), vec!["/actions/0/id", "/actions/1/value"]),
            (
                actions(json!([{"id": "waf", "value": true}, {"id": "disable_security", "value": "on"}])),
                vec!["/actions/0/value", "/actions/1/value"],
            ),
            (actions(json!([{"id": "security_level", "value": "max"}])), vec!["/actions/0/value"]),
            (actions(json!([{"id": "edge_cache_ttl", "value": -1}])), vec!["/actions/0/value"]),
            (actions(json!([{"id": "waf", "value": "on"}, {"id": "waf", "value": "on"}])), vec!["/actions/1/id"]),
            (actions(json!([{"id": "waf", "value": "on"}, {"id": "always_use_https"}])), vec!["/actions"]),
            (changed("priority", json!(-1)), vec!["/priority"]),
            (changed("status", json!("on")), vec!["/status"]),
            (changed("state", json!("on")), vec!["/state"]),
        ];
        for (body, expected) in cases {
            let found = read_page_rule(&body, Tier::Enterprise).unwrap_err();
            let pointers: Vec<&str> = found.iter().map(|error| error.pointer.as_str()).collect();
            assert_eq!(pointers, expected, "{body}");
            assert!(found.iter().all(|error| error.code == 1004), "{body}");
        }
        let found = read_page_rule(&rule(), Tier::Free).unwrap_err();
        assert_eq!(found.iter().map(|error| error.pointer.as_str()).collect::<Vec<_>>(), ["/actions/0/id"]);
        let existing = read_page_rule(&rule(), Tier::Pro).unwrap();
        assert!(read_page_rule_change(&json!({}), &existing, Tier::Pro).is_err());
    }
}
