//! Reads whole rulesets.
//!
//! Start with [`read_ruleset`] and [`read_ruleset_update`].

use super::validation::{invalid_value, optional_text, rule_error, stop_at_error_limit};
use super::{Level, RulesetCatalog, RulesetContext, allows_kind, rule};
use crate::quota::max_active_rules;
use serde_json::Value;
use std::collections::HashSet;
use zonewright_api::ruleset::{NewRuleset, RulesetKind, RulesetRule, RulesetUpdate};
use zonewright_api::{ObjectReader, ValidationError, error_code, join_names, prefix_pointers};
use zonewright_diagnostic::find_similar;
use zonewright_expression::schema::{Phase, Tier};

/// The maximum number of rules in a ruleset (assumption entry-point-limits).
pub const MAX_RULES: usize = 1000;

const MEMBERS: [&str; 5] = ["name", "description", "rules", "kind", "phase"];
/// The read-only members that clients send back.
const READ_ONLY: [&str; 4] = ["id", "version", "last_updated", "source"];

/// Reads the body of a request that creates a ruleset. The error has all validation errors; those of the rules are
/// found only if the kind and the phase are valid. The time is linear in the size of the body.
///
/// Read-only members that clients send back, such as `version`, are ignored.
pub fn read_ruleset(
    body: &Value,
    level: Level,
    tier: Tier,
    catalog: RulesetCatalog<'_>,
) -> Result<NewRuleset, Vec<ValidationError>> {
    let mut members = ObjectReader::new(body, "a ruleset", &MEMBERS, &READ_ONLY)?;
    let name = read_name(&mut members);
    if name.is_none() && members.get("name").is_none_or(|value| value.as_str() == Some("")) {
        members.errors.push(ValidationError::invalid_shape("/name", "`name` is missing"));
    }
    let description = optional_text(&mut members, "description", 500).unwrap_or_default();
    let kind = read_kind(&mut members, level);
    let phase = read_phase(&mut members);
    if let (Some(kind), Some(phase)) = (kind, phase)
        && !allows_kind(phase, level, kind)
    {
        let reason =
            format!("the phase {} of {} cannot have rulesets of this kind", phase.name(), level.name_with_article());
        members.errors.push(invalid_value("/phase", "phase", phase.name(), format!("{reason}: `{}`", kind.name())));
    }
    let (Some(kind), Some(phase)) = (kind, phase) else {
        members.required("rules");
        return Err(members.errors);
    };
    let context = RulesetContext { level, kind, phase, tier, catalog };
    members.required("rules");
    let rules = read_rules(&mut members, &context).unwrap_or_default();
    let name = name.unwrap_or_default();
    let phase = phase.name().to_owned();
    if members.errors.is_empty() {
        Ok(NewRuleset { name, description, kind, phase, rules })
    } else {
        Err(members.errors)
    }
}

/// Reads the body of an update of a ruleset. The error has all validation errors. Omitted members keep their values.
/// The body must have the rules, a description or a name (observed). If it has a kind or a phase, they must be those
/// of the ruleset.
pub fn read_ruleset_update(body: &Value, context: &RulesetContext<'_>) -> Result<RulesetUpdate, Vec<ValidationError>> {
    let noun = if context.kind == RulesetKind::Custom { "a ruleset" } else { "an entry point" };
    let mut members = ObjectReader::new(body, noun, &MEMBERS, &READ_ONLY)?;
    let name = read_name(&mut members);
    let description = optional_text(&mut members, "description", 500);
    for (member, expected) in [("kind", context.kind.name()), ("phase", context.phase.name())] {
        if let Some(actual) = members.text(member).filter(|value| value != expected) {
            let reason = format!("it must be `{expected}` for this ruleset");
            members.errors.push(invalid_value(format!("/{member}"), member, &actual, reason));
        }
    }
    let has_name_or_description = ["name", "description"].iter().any(|name| members.get(name).is_some());
    if !has_name_or_description {
        members.required("rules");
    }
    let rules = read_rules(&mut members, context);
    if members.errors.is_empty() { Ok(RulesetUpdate { name, description, rules }) } else { Err(members.errors) }
}

/// Returns an error if a ruleset would have too many rules. A ruleset that already has too many rules may keep or
/// reduce their number.
pub fn check_rule_count(
    context: &RulesetContext<'_>,
    current_count: usize,
    new_count: usize,
) -> Option<ValidationError> {
    let is_limited_by_plan = context.level == Level::Zone && context.phase == Phase::HttpRequestFirewallCustom;
    let max_rules = if is_limited_by_plan {
        usize::try_from(max_active_rules(context.tier)).unwrap_or(MAX_RULES)
    } else {
        MAX_RULES
    };
    if new_count <= max_rules || new_count <= current_count {
        return None;
    }
    let phase = context.phase.name();
    let message = format!("exceeded maximum number of rules for phase '{phase}': {new_count} out of {max_rules}");
    Some(ValidationError { code: error_code::TOO_MANY_RULES, ..rule_error("/rules", message) })
}

/// Reads the name. An empty name counts as missing.
fn read_name(members: &mut ObjectReader) -> Option<String> {
    optional_text(members, "name", 200).filter(|name| !name.is_empty())
}

fn read_kind(members: &mut ObjectReader, level: Level) -> Option<RulesetKind> {
    let name = match members.required("kind")? {
        Value::String(name) => name,
        other => return members.type_error("kind", "a string", other),
    };
    let allowed: &[RulesetKind] = match level {
        Level::Zone => &[RulesetKind::Zone],
        Level::Account => &[RulesetKind::Root, RulesetKind::Custom],
    };
    let kind = RulesetKind::from_name(name).filter(|kind| allowed.contains(kind));
    if kind.is_none() {
        let names: Vec<&str> = allowed.iter().map(|kind| kind.name()).collect();
        let reason = format!("{} can only have rulesets of the kind {}", level.name_with_article(), join_names(&names));
        members.errors.push(invalid_value("/kind", "kind", name, reason));
    }
    kind
}

fn read_phase(members: &mut ObjectReader) -> Option<Phase> {
    let name = match members.required("phase")? {
        Value::String(name) => name,
        other => return members.type_error("phase", "a string", other),
    };
    let phase = Phase::from_name(name);
    if phase.is_none() {
        members.errors.push(invalid_value("/phase", "phase", name, unknown_phase_message(name)));
    }
    phase
}

/// Returns the message about an unknown phase, with the most similar name.
pub fn unknown_phase_message(name: &str) -> String {
    let close = find_similar(name, Phase::ALL.iter().map(|phase| phase.name()));
    let hint = close.first().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    format!("there is no such phase{hint}")
}

/// Reads the rules, if the member exists.
fn read_rules(members: &mut ObjectReader, context: &RulesetContext<'_>) -> Option<Vec<RulesetRule>> {
    let items = match members.get("rules")? {
        Value::Array(items) if items.len() > MAX_RULES => {
            let message = format!("the ruleset has {} rules; at most {MAX_RULES} are allowed", items.len());
            members.errors.push(ValidationError::invalid_shape("/rules", message));
            return None;
        }
        Value::Array(items) => items,
        other => return members.type_error("rules", "an array", other),
    };
    let mut rules = Vec::with_capacity(items.len());
    let mut names = UsedNames::default();
    for (index, item) in items.iter().enumerate() {
        let pointer = format!("/rules/{index}");
        if stop_at_error_limit(&mut members.errors, &pointer) {
            break;
        }
        match rule::read(item, context) {
            Ok(rule) => {
                members.errors.extend(names.add(&rule).map(|error| error.with_pointer_prefix(&pointer)));
                rules.push(rule);
            }
            Err(found) => members.errors.extend(prefix_pointers(&pointer, found)),
        }
    }
    Some(rules)
}

/// The identifiers and references of the earlier rules.
#[derive(Default)]
struct UsedNames {
    ids: HashSet<String>,
    references: HashSet<String>,
}

impl UsedNames {
    /// Adds the identifier and the reference of a rule. Returns an error if an earlier rule has one of them.
    fn add(&mut self, rule: &RulesetRule) -> Option<ValidationError> {
        if !rule.id.is_empty() && !self.ids.insert(rule.id.clone()) {
            return Some(invalid_value("/id", "id", &rule.id, "another rule has the same identifier"));
        }
        // A rule without a reference uses its identifier as reference.
        let (pointer, field, reference) =
            if rule.reference.is_empty() { ("/id", "id", &rule.id) } else { ("/ref", "ref", &rule.reference) };
        if !reference.is_empty() && !self.references.insert(reference.clone()) {
            return Some(invalid_value(pointer, field, reference, "another rule has the same `ref`"));
        }
        None
    }
}
