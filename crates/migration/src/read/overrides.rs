//! Reads the bodies of requests about overrides of the previous managed rules by URL.

use super::{check_single_line, shorten};
use crate::catalog;
use serde_json::Value;
use std::collections::BTreeMap;
use zonewright_api::legacy_waf::{RuleMode, UrlOverride};
use zonewright_api::{
    ObjectReader, ValidationError, check_no_nul, describe_value, escape_pointer_segment, join_alternatives, join_names,
    parse_integer,
};
use zonewright_expression::schema::Tier;

/// The maximum number of overrides of a zone (assumption override-limits).
pub const MAX_OVERRIDES: usize = 500;
/// The maximum number of URLs of one override (assumption override-limits).
const MAX_URLS: usize = 100;
/// The maximum number of groups, of rules, and of rewritten actions of one override (assumption override-limits).
const MAX_ENTRIES: usize = 1000;
/// The maximum number of characters of one URL (assumption override-limits).
const MAX_URL_CHARS: usize = 2048;
/// The maximum number of characters of a description (observed).
const MAX_DESCRIPTION_CHARS: usize = 1024;
/// The smallest and the largest priority (observed).
const PRIORITY_RANGE: std::ops::RangeInclusive<i64> = -1_000_000_000..=1_000_000_000;
/// The default priority of an override (assumption override-priority).
const DEFAULT_PRIORITY: i64 = 1;
/// The actions of overrides (observed).
const ACTIONS: [RuleMode; 5] =
    [RuleMode::Challenge, RuleMode::Block, RuleMode::Simulate, RuleMode::Disable, RuleMode::Default];

const MEMBERS: [&str; 7] = ["urls", "groups", "rules", "rewrite_action", "priority", "description", "paused"];

/// Reads the body that creates an override. It needs URLs, and rules or groups (observed); `id` stays empty. Overrides
/// need the Enterprise plan (observed).
pub fn read_override(body: &Value, tier: Tier) -> Result<UrlOverride, Vec<ValidationError>> {
    let mut members = ObjectReader::new(body, "an override", &MEMBERS, &["id"])?;
    check_tier(&mut members, tier);
    let new = read_members(&mut members);
    if members.get("rules").is_none() && members.get("groups").is_none() {
        let message = "`rules` or `groups` is required";
        members.errors.push(ValidationError::invalid_shape("/rules", message));
    }
    if members.errors.is_empty() { Ok(new) } else { Err(members.errors) }
}

/// Reads the body that replaces the override `id`. It needs `id`, `urls`, `rules` and `rewrite_action` (observed).
pub fn read_override_update(body: &Value, id: &str, tier: Tier) -> Result<UrlOverride, Vec<ValidationError>> {
    let known: Vec<&str> = MEMBERS.into_iter().chain(["id"]).collect();
    let mut members = ObjectReader::new(body, "an override", &known, &[])?;
    check_tier(&mut members, tier);
    match members.required("id") {
        Some(Value::String(sent)) if sent == id => {}
        Some(Value::String(sent)) => {
            let message = format!("`id` is `{}`, but the path contains `{id}`", shorten(sent));
            members.errors.push(ValidationError::invalid_value("/id", message));
        }
        Some(other) => members.type_error("id", "a string", other).unwrap_or_default(),
        None => {}
    }
    let new = read_members(&mut members);
    members.required("rules");
    members.required("rewrite_action");
    if members.errors.is_empty() { Ok(UrlOverride { id: id.to_owned(), ..new }) } else { Err(members.errors) }
}

fn check_tier(members: &mut ObjectReader, tier: Tier) {
    if tier < Tier::Enterprise {
        let message = format!("overrides by URL require the Enterprise plan, but the zone has the {tier} plan");
        members.errors.push(ValidationError::invalid_value("", message));
    }
}

/// Reads the members that are common to both bodies.
fn read_members(members: &mut ObjectReader) -> UrlOverride {
    UrlOverride {
        id: String::new(),
        urls: read_urls(members),
        groups: read_actions(members, "groups", parse_group),
        rules: read_actions(members, "rules", parse_rule),
        rewrite_action: read_actions(members, "rewrite_action", parse_action_name),
        priority: read_priority(members),
        description: read_description(members),
        paused: members.boolean("paused"),
    }
}

fn parse_group(id: &str) -> Result<String, String> {
    let known = catalog::GROUPS.iter().any(|group| group.id == id);
    if known { Ok(id.to_owned()) } else { Err(format!("unknown group `{}`", shorten(id))) }
}

fn parse_rule(id: &str) -> Result<String, String> {
    let known = catalog::previous_rule(id).is_some();
    if known { Ok(id.to_owned()) } else { Err(format!("unknown rule `{}`", shorten(id))) }
}

fn parse_action_name(name: &str) -> Result<RuleMode, String> {
    let names = ACTIONS.map(RuleMode::name);
    parse_action(name)
        .ok_or_else(|| format!("unknown action `{}`; allowed values: {}", shorten(name), join_names(&names)))
}

fn read_urls(members: &mut ObjectReader) -> Vec<String> {
    let values = match members.required("urls") {
        Some(Value::Array(values)) if values.is_empty() => {
            members
                .errors
                .push(ValidationError::invalid_shape("/urls", "`urls` is empty; at least one URL is required"));
            return Vec::new();
        }
        Some(Value::Array(values)) if values.len() > MAX_URLS => {
            let message = format!("`urls` has {} items; at most {MAX_URLS} are allowed", values.len());
            members.errors.push(ValidationError::invalid_value("/urls", message));
            return Vec::new();
        }
        Some(Value::Array(values)) => values,
        Some(other) => return members.type_error("urls", "an array of strings", other).unwrap_or_default(),
        None => return Vec::new(),
    };
    let mut urls = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let pointer = format!("/urls/{index}");
        match value {
            Value::String(url) => {
                members.errors.extend(check_single_line(&pointer, "the URL", url, MAX_URL_CHARS));
                if url.contains("://") {
                    let message = "the URL has a scheme; use only the host and path, such as `example.com/shop/*`";
                    members.errors.push(ValidationError::invalid_value(pointer, message));
                }
                urls.push(url.clone());
            }
            other => {
                let message = format!("a URL must be a string, not {}", describe_value(other));
                members.errors.push(ValidationError::invalid_shape(pointer, message));
            }
        }
    }
    urls
}

/// Reads an object whose values are actions. `parse_key` parses its member names.
fn read_actions<K: Ord>(
    members: &mut ObjectReader,
    name: &str,
    parse_key: fn(&str) -> Result<K, String>,
) -> BTreeMap<K, RuleMode> {
    let entries = match members.get(name) {
        None => return BTreeMap::new(),
        Some(Value::Object(entries)) if entries.len() <= MAX_ENTRIES => entries,
        Some(Value::Object(entries)) => {
            let message = format!("`{name}` has {} members; at most {MAX_ENTRIES} are allowed", entries.len());
            members.errors.push(ValidationError::invalid_value(format!("/{name}"), message));
            return BTreeMap::new();
        }
        Some(other) => return members.type_error(name, "an object", other).unwrap_or_default(),
    };
    let names = ACTIONS.map(RuleMode::name);
    let mut actions = BTreeMap::new();
    for (entry, value) in entries {
        let pointer = format!("/{name}/{}", escape_pointer_segment(entry));
        let mode = value.as_str().and_then(parse_action);
        match (parse_key(entry), mode) {
            (Ok(key), Some(mode)) => {
                actions.insert(key, mode);
            }
            (Err(message), _) => members.errors.push(ValidationError::invalid_value(pointer, message)),
            (Ok(_), None) => {
                let found = value.as_str().map_or_else(|| describe_value(value), |text| format!("`{}`", shorten(text)));
                let message = format!("the action must be one of {}, not {found}", join_alternatives(&names));
                members.errors.push(ValidationError::invalid_value(pointer, message));
            }
        }
    }
    actions
}

fn parse_action(name: &str) -> Option<RuleMode> {
    RuleMode::from_name(name).filter(|mode| ACTIONS.contains(mode))
}

fn read_priority(members: &mut ObjectReader) -> i64 {
    let Some(value) = members.get("priority") else {
        return DEFAULT_PRIORITY;
    };
    match parse_integer(value) {
        Some(number) if PRIORITY_RANGE.contains(&number) => number,
        _ => {
            let (min, max) = PRIORITY_RANGE.into_inner();
            members.type_error("priority", &format!("an integer from {min} to {max}"), value).unwrap_or_default()
        }
    }
}

fn read_description(members: &mut ObjectReader) -> Option<String> {
    let description = members.text("description")?;
    let length = description.chars().count();
    if length > MAX_DESCRIPTION_CHARS {
        let message = format!("`description` has {length} characters; at most {MAX_DESCRIPTION_CHARS} are allowed");
        members.errors.push(ValidationError::invalid_value("/description", message));
    }
    members.errors.extend(check_no_nul("description", &description));
    Some(description)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn override_round_trips_through_json() {
        let body = json!({
            "urls": ["example.com/a/*"], "groups": {"ea8687e59929c1fd05ba97574ad43f77": "default"},
            "rules": {"100015": "disable"}, "rewrite_action": {"block": "challenge"}, "priority": -5,
            "description": "why", "paused": true
        });
        let new = read_override(&body, Tier::Enterprise).unwrap();
        let mut json = serde_json::to_value(&new).unwrap();
        json["id"] = json!("a");
        assert_eq!(read_override_update(&json, "a", Tier::Enterprise).unwrap(), UrlOverride { id: "a".into(), ..new });
        let small = read_override(&json!({"urls": ["a.example/"], "rules": {}}), Tier::Enterprise).unwrap();
        assert_eq!((small.priority, small.paused), (1, false));
    }

    #[test]
    fn errors_have_pointers() {
        let urls = json!(["example.com/*"]);
        let cases = [
            (json!(7), vec![""]),
            (json!({}), vec!["/urls", "/rules"]),
            (json!({"urls": [], "rules": {}}), vec!["/urls"]),
            (json!({"urls": "a", "rules": {}}), vec!["/urls"]),
            (
                json!({"urls": ["", 3, "https://a/", "a\n"], "rules": {}}),
                vec!["/urls/0", "/urls/1", "/urls/2", "/urls/3"],
            ),
            (json!({"urls": vec!["a"; 101], "rules": {}}), vec!["/urls"]),
            (json!({"urls": urls, "rules": []}), vec!["/rules"]),
            (
                json!({"urls": urls, "rules": {"100015": "on", "100531": 1, "": "block"}}),
                vec!["/rules/", "/rules/100015", "/rules/100531"],
            ),
            (json!({"urls": urls, "groups": {"a/b": "allow"}}), vec!["/groups/a~1b"]),
            (
                json!({"urls": urls, "groups": {}, "rewrite_action": {"on": "block", "block": "off"}}),
                vec!["/rewrite_action/block", "/rewrite_action/on"],
            ),
            (json!({"urls": urls, "groups": {}, "priority": 1_000_000_001}), vec!["/priority"]),
            (json!({"urls": urls, "groups": {}, "priority": 1.5}), vec!["/priority"]),
            (json!({"urls": urls, "groups": {}, "description": "d".repeat(1025)}), vec!["/description"]),
            (json!({"urls": urls, "groups": {}, "paused": 1, "url": 1}), vec!["/url", "/paused"]),
        ];
        for (body, expected) in cases {
            let found = read_override(&body, Tier::Enterprise).unwrap_err();
            let pointers: Vec<&str> = found.iter().map(|error| error.pointer.as_str()).collect();
            assert_eq!(pointers, expected, "{body}");
        }
    }

    #[test]
    fn replacement_requires_all_members() {
        let error_pointers = |body| {
            let errors = read_override_update(&body, "a", Tier::Enterprise).unwrap_err();
            errors.into_iter().map(|error| error.pointer).collect::<Vec<_>>()
        };
        assert_eq!(error_pointers(json!({})), ["/id", "/urls", "/rules", "/rewrite_action"]);
        let other = json!({"id": "b", "urls": ["a"], "rules": {}, "rewrite_action": {}});
        assert_eq!(error_pointers(other), ["/id"]);
    }

    #[test]
    fn plan_restricts_overrides() {
        let body = json!({"urls": ["a"], "rules": {}});
        for (tier, allowed) in [(Tier::Pro, false), (Tier::Business, false), (Tier::Enterprise, true)] {
            assert_eq!(read_override(&body, tier).is_ok(), allowed, "{tier}");
        }
    }
}
