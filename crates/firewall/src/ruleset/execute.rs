//! Validates the parameters of execute rules.
//!
//! Start with [`read`]. Overrides are checked against the executed ruleset if its rules are known.

use super::validation::{invalid_value, optional_array, optional_boolean, stop_at_error_limit};
use super::{RulesetCatalog, RulesetContext, RulesetInfo};
use crate::is_identifier;
use serde_json::Value;
use std::collections::HashSet;
use zonewright_api::ruleset::{
    ActionParameters, CategoryOverride, MatchedData, Overrides, RuleOverride, RulesetAction, SensitivityLevel,
};
use zonewright_api::{
    ObjectReader, ValidationError, check_no_nul, describe_value, join_alternatives, join_names, parse_integer,
    prefix_pointers,
};
use zonewright_expression::schema::Tier;

use RulesetAction::{Block, Challenge, DdosDynamic, ForceConnectionClose, JsChallenge, Log, ManagedChallenge};

/// The actions that overrides can set.
const OVERRIDE_ACTIONS: [RulesetAction; 5] = [Block, Challenge, JsChallenge, ManagedChallenge, Log];
/// The actions that overrides of DDoS rulesets can set.
const DDOS_OVERRIDE_ACTIONS: [RulesetAction; 7] =
    [Block, Challenge, JsChallenge, ManagedChallenge, Log, DdosDynamic, ForceConnectionClose];
/// The largest score threshold (assumption entry-point-limits).
const MAX_SCORE_THRESHOLD: i64 = 10_000;
/// The maximum length of a category in characters (assumption entry-point-limits).
const MAX_CATEGORY_CHARS: usize = 100;
/// The length of a public key in characters: 32 bytes in Base64.
const PUBLIC_KEY_BASE64_CHARS: usize = 44;

/// Reads the parameters of a rule that executes a ruleset of its phase.
pub(super) fn read(value: &Value, context: &RulesetContext<'_>) -> Result<ActionParameters, Vec<ValidationError>> {
    let known = ["id", "version", "overrides", "matched_data"];
    let mut members = ObjectReader::new(value, "the parameters of `execute`", &known, &[])?;
    let executed = members.required("id").and_then(|value| match value {
        Value::String(id) => find_executable_ruleset(&mut members.errors, id, context),
        other => members.type_error("id", "a string", other),
    });
    if let Some(version) = members.text("version").filter(|version| version != ActionParameters::LATEST_VERSION) {
        let reason = "only the `latest` version of a ruleset can be executed";
        members.errors.push(invalid_value("/version", "version", &version, reason));
    }
    let matched_data = members.get("matched_data").map(read_matched_data).transpose().unwrap_or_else(|errors| {
        members.errors.extend(prefix_pointers("/matched_data", errors));
        None
    });
    let overrides = members.get("overrides").map(|value| read_overrides(value, executed)).transpose();
    let overrides = overrides.unwrap_or_else(|found| {
        members.errors.extend(prefix_pointers("/overrides", found));
        None
    });
    let id = executed.map(|ruleset| ruleset.id.clone());
    let parameters = ActionParameters { id, overrides, matched_data, ..ActionParameters::default() };
    if members.errors.is_empty() { Ok(parameters) } else { Err(members.errors) }
}

/// Finds the ruleset with this identifier, and adds an error if a rule in this context cannot execute it.
fn find_executable_ruleset<'a>(
    errors: &mut Vec<ValidationError>,
    id: &str,
    context: &RulesetContext<'a>,
) -> Option<&'a RulesetInfo> {
    let ruleset = find_ruleset(errors, "/id", id, context.catalog)?;
    let reason = if ruleset.phase != context.phase {
        format!("the {} runs in the phase {}", ruleset.name, ruleset.phase.name())
    } else if context.tier < ruleset.tier {
        format!(
            "the ruleset needs the {} plan{}",
            ruleset.tier,
            if ruleset.tier == Tier::Enterprise { "" } else { " or higher" }
        )
    } else {
        return Some(ruleset);
    };
    errors.push(invalid_value("/id", "id", id, reason));
    Some(ruleset)
}

/// Finds the ruleset with this identifier, and adds an error if there is none.
pub(super) fn find_ruleset<'a>(
    errors: &mut Vec<ValidationError>,
    pointer: &str,
    id: &str,
    catalog: RulesetCatalog<'a>,
) -> Option<&'a RulesetInfo> {
    let ruleset = catalog.find(id);
    if ruleset.is_none() {
        let rulesets: Vec<String> =
            catalog.all().map(|ruleset| format!("`{}` ({})", ruleset.id, ruleset.name)).take(20).collect();
        let reason = match rulesets.split_last() {
            None => "there is no such ruleset".to_owned(),
            Some((last, [])) => format!("there is no such ruleset; the only ruleset is {last}"),
            Some((last, others)) => {
                format!("there is no such ruleset; the rulesets are {} and {last}", others.join(", "))
            }
        };
        errors.push(invalid_value(pointer, "id", id, reason));
    }
    ruleset
}

fn read_matched_data(value: &Value) -> Result<MatchedData, Vec<ValidationError>> {
    let mut members = ObjectReader::new(value, "`matched_data`", &["public_key"], &[])?;
    let public_key = match members.required("public_key") {
        Some(Value::String(key)) => key.clone(),
        Some(other) => members.type_error("public_key", "a string", other).unwrap_or_default(),
        None => String::new(),
    };
    if members.errors.is_empty() && !is_base64_key(&public_key) {
        let reason = "a public key must be 32 bytes in Base64";
        members.errors.push(invalid_value("/public_key", "public_key", &public_key, reason));
    }
    if members.errors.is_empty() { Ok(MatchedData { public_key }) } else { Err(members.errors) }
}

/// Returns whether a text is 32 bytes in Base64: 43 digits and one `=`.
fn is_base64_key(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    text.len() == PUBLIC_KEY_BASE64_CHARS && text.strip_suffix('=').is_some_and(|digits| digits.bytes().all(is_digit))
}

/// Reads overrides. Rules and categories are looked up if the executed ruleset is known.
fn read_overrides(value: &Value, executed: Option<&RulesetInfo>) -> Result<Overrides, Vec<ValidationError>> {
    let known = ["action", "enabled", "status", "categories", "rules", "sensitivity_level"];
    let mut members = ObjectReader::new(value, "overrides", &known, &[])?;
    let OverrideValues { action, enabled, sensitivity_level } = read_override_values(&mut members, executed);
    let sensitivity_level = sensitivity_level.map(|level| level.name().to_owned());
    let mut names = HashSet::new();
    let mut categories = Vec::new();
    for (index, item) in optional_array(&mut members, "categories").iter().enumerate() {
        let pointer = format!("/categories/{index}");
        if stop_at_error_limit(&mut members.errors, &pointer) {
            break;
        }
        match read_category_override(item, executed, &mut names) {
            Ok(category) => categories.push(category),
            Err(errors) => members.errors.extend(prefix_pointers(&pointer, errors)),
        }
    }
    let mut ids = HashSet::new();
    let mut rules = Vec::new();
    for (index, item) in optional_array(&mut members, "rules").iter().enumerate() {
        let pointer = format!("/rules/{index}");
        if stop_at_error_limit(&mut members.errors, &pointer) {
            break;
        }
        match read_rule_override(item, executed, &mut ids) {
            Ok(rule) => rules.push(rule),
            Err(errors) => members.errors.extend(prefix_pointers(&pointer, errors)),
        }
    }
    if members.errors.is_empty() {
        Ok(Overrides { action, enabled, sensitivity_level, categories, rules })
    } else {
        Err(members.errors)
    }
}

/// The values that every kind of override may set.
struct OverrideValues {
    action: Option<RulesetAction>,
    enabled: Option<bool>,
    sensitivity_level: Option<SensitivityLevel>,
}

fn read_override_values(members: &mut ObjectReader, executed: Option<&RulesetInfo>) -> OverrideValues {
    let has_sensitivity = executed.is_some_and(RulesetInfo::has_sensitivity);
    let sensitivity_level = members.get("sensitivity_level").and_then(|level| {
        let reason = match level.as_str().and_then(SensitivityLevel::from_name) {
            Some(level) if has_sensitivity => return Some(level),
            _ if has_sensitivity => format!("it must be one of {}", join_alternatives(SensitivityLevel::NAMES)),
            _ => "only DDoS protection rulesets have a sensitivity level".to_owned(),
        };
        let description = level.as_str().map_or_else(|| describe_value(level), str::to_owned);
        members.errors.push(invalid_value("/sensitivity_level", "sensitivity_level", &description, reason));
        None
    });
    let actions: &[RulesetAction] = if has_sensitivity { &DDOS_OVERRIDE_ACTIONS } else { &OVERRIDE_ACTIONS };
    let action = members.text("action").and_then(|name| {
        let action = RulesetAction::from_name(&name).filter(|action| actions.contains(action));
        if action.is_none() {
            let hint = if name == "simulate" { "; use `log` instead" } else { "" };
            let names: Vec<&str> = actions.iter().map(|action| action.name()).collect();
            let reason = format!("the allowed actions for managed rules are {}{hint}", join_names(&names));
            members.errors.push(invalid_value("/action", "action", &name, reason));
        }
        action
    });
    // `status` is the older name of `enabled`.
    let status = members.text("status").and_then(|status| match status.as_str() {
        "enabled" => Some(true),
        "disabled" => Some(false),
        _ => {
            let reason = "it must be `enabled` or `disabled`";
            members.errors.push(invalid_value("/status", "status", &status, reason));
            None
        }
    });
    OverrideValues { action, enabled: optional_boolean(members, "enabled").or(status), sensitivity_level }
}

fn read_category_override<'a>(
    value: &'a Value,
    executed: Option<&RulesetInfo>,
    names: &mut HashSet<&'a str>,
) -> Result<CategoryOverride, Vec<ValidationError>> {
    let known = ["category", "action", "enabled", "status", "sensitivity_level"];
    let mut members = ObjectReader::new(value, "a category override", &known, &[])?;
    let OverrideValues { action, enabled, sensitivity_level } = read_override_values(&mut members, executed);
    let sensitivity_level = sensitivity_level.map(|level| level.name().to_owned());
    let name = members.required("category").and_then(|value| match value {
        Value::String(name) => Some(name.as_str()),
        other => members.type_error("category", "a string", other),
    });
    if let Some(name) = name {
        if let Some(error) = check_category(name, executed) {
            members.errors.push(error);
        } else if !names.insert(name) {
            members.errors.push(invalid_value("/category", "category", name, "it already has an override"));
        }
    }
    let category = name.unwrap_or_default().to_owned();
    let values = CategoryOverride { category, action, enabled, sensitivity_level };
    if members.errors.is_empty() { Ok(values) } else { Err(members.errors) }
}

/// Returns whether the length of a text is valid for the name of a category.
pub(super) fn has_valid_category_length(name: &str) -> bool {
    (1..=MAX_CATEGORY_CHARS).contains(&name.chars().count())
}

/// Returns an error if the ruleset does not have the category, or if the name is malformed.
fn check_category(name: &str, executed: Option<&RulesetInfo>) -> Option<ValidationError> {
    let complete = executed.filter(|ruleset| ruleset.is_complete && ruleset.rules.is_some());
    let reason = match complete.filter(|ruleset| !ruleset.categories.iter().any(|category| category == name)) {
        Some(ruleset) => format!("the {} has no such category", ruleset.name),
        None if !has_valid_category_length(name) => {
            let length = name.chars().count();
            format!("it has {length} characters; 1 to {MAX_CATEGORY_CHARS} are allowed")
        }
        None => return check_no_nul("category", name),
    };
    Some(invalid_value("/category", "category", name, reason))
}

fn read_rule_override<'a>(
    value: &'a Value,
    executed: Option<&RulesetInfo>,
    ids: &mut HashSet<&'a str>,
) -> Result<RuleOverride, Vec<ValidationError>> {
    let known = ["id", "action", "enabled", "status", "score_threshold", "sensitivity_level"];
    let mut members = ObjectReader::new(value, "a rule override", &known, &[])?;
    let OverrideValues { action, enabled, sensitivity_level } = read_override_values(&mut members, executed);
    let sensitivity_level = sensitivity_level.map(|level| level.name().to_owned());
    let id = members.required("id").and_then(|value| match value {
        Value::String(id) => Some(id.as_str()),
        other => members.type_error("id", "a string", other),
    });
    if let Some(id) = id {
        members.errors.extend(executed.and_then(|ruleset| check_rule_id("/id", ruleset, id)));
        if !ids.insert(id) {
            members.errors.push(invalid_value("/id", "id", id, "it already has an override"));
        }
    }
    let is_score_rule = executed.is_none_or(|ruleset| match &ruleset.score_rule {
        Some(rule) => id == Some(rule),
        // If the rules are unknown, any rule may be the one with the threshold.
        None => ruleset.rules.is_none() && !ruleset.has_sensitivity(),
    });
    let score_threshold = read_score_threshold(&mut members, is_score_rule);
    let id = id.unwrap_or_default().to_owned();
    let values = RuleOverride { id, action, enabled, score_threshold, sensitivity_level };
    if members.errors.is_empty() { Ok(values) } else { Err(members.errors) }
}

fn read_score_threshold(members: &mut ObjectReader, is_score_rule: bool) -> Option<u32> {
    let value = members.get("score_threshold")?;
    let Value::Number(number) = value else {
        return members.type_error("score_threshold", "an integer", value);
    };
    let score = parse_integer(value).filter(|score| (1..=MAX_SCORE_THRESHOLD).contains(score));
    let reason = if !is_score_rule {
        "only the last rule of the core rule set has a score threshold".to_owned()
    } else if score.is_none() {
        format!("it must be an integer from 1 to {MAX_SCORE_THRESHOLD}")
    } else {
        return score.and_then(|score| u32::try_from(score).ok());
    };
    members.errors.push(invalid_value("/score_threshold", "score_threshold", &number.to_string(), reason));
    None
}

/// Returns an error if the ruleset does not have the rule, or if the identifier is malformed.
pub(super) fn check_rule_id(pointer: &str, ruleset: &RulesetInfo, id: &str) -> Option<ValidationError> {
    let name = &ruleset.name;
    let reason = match &ruleset.rules {
        Some(rules) if ruleset.is_complete && !rules.contains(id) => format!("the {name} has no such rule"),
        Some(_) if !is_identifier(id) => {
            format!("the identifier of a rule of the {name} must have 32 hexadecimal digits")
        }
        _ => return None,
    };
    Some(invalid_value(pointer, "id", id, reason))
}
