//! Validates the parameters of skip rules.
//!
//! Start with [`read`].

use super::RulesetContext;
use super::execute::{check_rule_id, find_ruleset};
use super::validation::{invalid_value, optional_array, rule_error, stop_at_error_limit};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use zonewright_api::firewall::Product;
use zonewright_api::ruleset::ActionParameters;
use zonewright_api::{ObjectReader, ValidationError, describe_value, escape_pointer_segment, join_names};
use zonewright_expression::schema::Phase;

/// The phases that a rule can skip (observed).
const SKIPPABLE_PHASES: [Phase; 3] = [Phase::HttpRatelimit, Phase::HttpRequestFirewallManaged, Phase::HttpRequestSbfm];

/// Reads the parameters of a skip rule.
pub(super) fn read(value: &Value, context: &RulesetContext<'_>) -> Result<ActionParameters, Vec<ValidationError>> {
    let known = ["ruleset", "rulesets", "rules", "phases", "products", "phase"];
    let mut members = ObjectReader::new(value, "the parameters of `skip`", &known, &[])?;
    let ruleset = read_current(&mut members, "ruleset", "use `rulesets` for identifiers");
    let phase = read_current(&mut members, "phase", "use `phases` for names");
    if phase.is_some() && context.phase != Phase::HttpRequestFirewallCustom {
        let reason = format!("it is only allowed in the phase {}", Phase::HttpRequestFirewallCustom.name());
        members.errors.push(invalid_value("/phase", "phase", ActionParameters::CURRENT, reason));
    }
    let rulesets = read_strings(&mut members, "rulesets", |errors, pointer, id| {
        find_ruleset(errors, pointer, id, context.catalog).map(|ruleset| ruleset.id.clone())
    });
    let rules = read_rules(&mut members, context);
    let phases = read_strings(&mut members, "phases", |errors, pointer, name| {
        let known = Phase::from_name(name).is_some_and(|phase| SKIPPABLE_PHASES.contains(&phase));
        if !known {
            let reason = format!("a rule can only skip the phases {}", join_names(&SKIPPABLE_PHASES.map(Phase::name)));
            errors.push(invalid_value(pointer, "phases", name, reason));
        }
        known.then(|| name.to_owned())
    });
    let products = read_strings(&mut members, "products", |errors, pointer, name| {
        let product = Product::from_name(name);
        if product.is_none() {
            let names: Vec<&str> = Product::ALL.iter().map(|product| product.name()).collect();
            errors.push(invalid_value(pointer, "products", name, format!("the products are {}", join_names(&names))));
        }
        product
    });
    check_exclusive(&mut members);
    let parameters =
        ActionParameters { ruleset, rulesets, rules, phase, phases, products, ..ActionParameters::default() };
    if members.errors.is_empty() && parameters == ActionParameters::default() {
        let message = "nothing to skip; set `ruleset`, `rulesets`, `rules`, `phase`, `phases` or `products`";
        members.errors.push(ValidationError::invalid_shape("", message));
    }
    if members.errors.is_empty() { Ok(parameters) } else { Err(members.errors) }
}

/// Reads a member whose only value is `current`.
fn read_current(members: &mut ObjectReader, name: &str, hint: &str) -> Option<String> {
    let value = members.text(name)?;
    if value != ActionParameters::CURRENT {
        let reason = format!("it must be `current`; {hint}");
        members.errors.push(invalid_value(format!("/{name}"), name, &value, reason));
    }
    Some(value)
}

/// Rejects members that are mutually exclusive (observed).
fn check_exclusive(members: &mut ObjectReader) {
    let pairs = [
        ("ruleset", "rulesets"),
        ("ruleset", "rules"),
        ("rulesets", "phases"),
        ("phase", "ruleset"),
        ("phase", "rulesets"),
        ("phase", "rules"),
        ("phase", "phases"),
    ];
    for (left, right) in pairs {
        if members.get(left).is_some() && members.get(right).is_some() {
            let message = format!("`{right}` cannot be combined with `{left}`");
            members.errors.push(rule_error(format!("/{right}"), message));
        }
    }
}

/// Reads an optional array of distinct strings; `read` converts each of them.
fn read_strings<T>(
    members: &mut ObjectReader,
    name: &str,
    read: impl Fn(&mut Vec<ValidationError>, &str, &str) -> Option<T>,
) -> Vec<T> {
    let items = optional_array(members, name);
    read_items(&mut members.errors, &format!("/{name}"), name, items, read)
}

fn read_items<T>(
    errors: &mut Vec<ValidationError>,
    outer: &str,
    name: &str,
    items: &[Value],
    read: impl Fn(&mut Vec<ValidationError>, &str, &str) -> Option<T>,
) -> Vec<T> {
    let mut texts = HashSet::new();
    let mut values = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let pointer = format!("{outer}/{index}");
        if stop_at_error_limit(errors, &pointer) {
            break;
        }
        match item {
            Value::String(text) if !texts.insert(text) => {
                errors.push(invalid_value(pointer, name, text, "it is already in the list"));
            }
            Value::String(text) => values.extend(read(errors, &pointer, text)),
            other => {
                let message = format!("an item of `{name}` must be a string, not {}", describe_value(other));
                errors.push(ValidationError::invalid_shape(pointer, message));
            }
        }
    }
    values
}

/// Reads the rules to skip, by ruleset.
fn read_rules(members: &mut ObjectReader, context: &RulesetContext<'_>) -> BTreeMap<String, Vec<String>> {
    let mut rules = BTreeMap::new();
    let items = match members.get("rules") {
        None => return rules,
        Some(Value::Object(items)) => items,
        Some(other) => {
            members.type_error::<()>("rules", "an object of arrays", other);
            return rules;
        }
    };
    for (id, ids) in items {
        let pointer = format!("/rules/{}", escape_pointer_segment(id));
        if stop_at_error_limit(&mut members.errors, &pointer) {
            break;
        }
        let ruleset = find_ruleset(&mut members.errors, &pointer, id, context.catalog);
        match (ids, ruleset) {
            (Value::Array(ids), Some(ruleset)) => {
                let ids = read_items(&mut members.errors, &pointer, "rules", ids, |errors, pointer, id| {
                    errors.extend(check_rule_id(pointer, ruleset, id));
                    Some(id.to_owned())
                });
                rules.insert(ruleset.id.clone(), ids);
            }
            (Value::Array(_), None) => {}
            (other, _) => {
                let message = format!("the rules of a ruleset must be an array, not {}", describe_value(other));
                members.errors.push(ValidationError::invalid_shape(pointer, message));
            }
        }
    }
    rules
}
