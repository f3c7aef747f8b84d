//! Validates rulesets with the readers of the service. Referenced objects are assumed to exist: the upstream may have
//! managed rulesets, categories and rules that our catalogue lacks, and rulesets of its accounts.

use super::ValidationContext;
use serde_json::Value;
use std::collections::HashSet;
use zonewright_api::ruleset::RulesetKind;
use zonewright_api::{ValidationError, error_code};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_firewall::is_identifier;
use zonewright_firewall::ruleset::{
    Level, RulesetCatalog, RulesetContext, RulesetInfo, has_entry_point, read_ruleset, read_ruleset_rule,
    read_ruleset_rule_change, read_ruleset_update,
};
use zonewright_migration::catalogue::known_rulesets;

/// Maximum number of rulesets that a body may reference; an account has at most a hundred (assumption ruleset-limits).
const MAX_REFERENCED_RULESETS: usize = 500;

/// Validates the body of `POST …/rulesets`.
pub(super) fn ruleset(body: &Value, facts: &ValidationContext) -> Result<(), Vec<ValidationError>> {
    let phase = body.get("phase").and_then(Value::as_str).and_then(Phase::from_name);
    let (managed, custom) = (managed_rulesets(), referenced_rulesets(body, phase));
    let known = RulesetCatalog { managed: &managed, custom: &custom };
    drop_upstream_dependent(read_ruleset(body, level(facts), tier(facts), known))
}

/// Validates the body of `PUT …/rulesets/{id}`.
pub(super) fn update(body: &Value, facts: &ValidationContext) -> Result<(), Vec<ValidationError>> {
    validate_against_current(body, facts, |context| read_ruleset_update(body, context).map(drop))
}

/// Validates the body of `PUT …/phases/{phase}/entrypoint`.
pub(super) fn entry_point(body: &Value, facts: &ValidationContext) -> Result<(), Vec<ValidationError>> {
    let Some(phase) = facts.route.phase() else { return Ok(()) };
    let owner = level(facts);
    if !has_entry_point(phase, owner) {
        let reason = format!("it has no entry point in {}", owner.name_with_article());
        let message = format!("'{}' is not a valid value for phase because {reason}", phase.name());
        return Err(vec![ValidationError {
            code: error_code::INVALID_RULE,
            ..ValidationError::invalid_value("/phase", message)
        }]);
    }
    validate_in_context(body, facts, owner.entry_point_kind(), phase, |context| {
        read_ruleset_update(body, context).map(drop)
    })
}

/// Validates the body of `POST …/rules`.
pub(super) fn new_rule(body: &Value, facts: &ValidationContext) -> Result<(), Vec<ValidationError>> {
    validate_against_current(body, facts, |context| read_ruleset_rule(body, context).map(drop))
}

/// Validates the body of `PATCH …/rules/{rule_id}`.
pub(super) fn rule_change(body: &Value, facts: &ValidationContext) -> Result<(), Vec<ValidationError>> {
    validate_against_current(body, facts, |context| {
        read_ruleset_rule_change(body, facts.last_segment(), context).map(drop)
    })
}

/// Validates with the kind and the phase of the existing ruleset. If they are unknown, or the ruleset is managed, only
/// the upstream validates.
fn validate_against_current(
    body: &Value,
    facts: &ValidationContext,
    read: impl FnOnce(&RulesetContext<'_>) -> Result<(), Vec<ValidationError>>,
) -> Result<(), Vec<ValidationError>> {
    let text = |name: &str| facts.present.as_ref()?.get(name)?.as_str();
    let kind = text("kind").and_then(RulesetKind::from_name).filter(|kind| *kind != RulesetKind::Managed);
    match kind.zip(text("phase").and_then(Phase::from_name)) {
        Some((kind, phase)) => validate_in_context(body, facts, kind, phase, read),
        None => Ok(()),
    }
}

fn validate_in_context(
    body: &Value,
    facts: &ValidationContext,
    kind: RulesetKind,
    phase: Phase,
    read: impl FnOnce(&RulesetContext<'_>) -> Result<(), Vec<ValidationError>>,
) -> Result<(), Vec<ValidationError>> {
    let (managed, custom) = (managed_rulesets(), referenced_rulesets(body, Some(phase)));
    let known = RulesetCatalog { managed: &managed, custom: &custom };
    drop_upstream_dependent(read(&RulesetContext {
        level: level(facts),
        kind,
        phase,
        tier: tier(facts),
        catalog: known,
    }))
}

fn level(facts: &ValidationContext) -> Level {
    if facts.route.zone.is_some() { Level::Zone } else { Level::Account }
}

/// Accounts have the ruleset features of Enterprise zones (assumption ruleset-levels).
fn tier(facts: &ValidationContext) -> Tier {
    if facts.route.zone.is_some() { facts.tier } else { Tier::Enterprise }
}

/// Returns the managed rulesets of the catalogue, without their rules, so that any rule is accepted.
fn managed_rulesets() -> Vec<RulesetInfo> {
    known_rulesets().iter().map(|ruleset| RulesetInfo { rules: None, ..ruleset.clone() }).collect()
}

/// Returns the rulesets that rules of the body reference and that the catalogue lacks, as if they existed.
fn referenced_rulesets(body: &Value, phase: Option<Phase>) -> Vec<RulesetInfo> {
    let Some(phase) = phase else { return Vec::new() };
    let rules = body.get("rules").and_then(Value::as_array).map_or(std::slice::from_ref(body), Vec::as_slice);
    let mut ids_with_info: HashSet<&str> = known_rulesets().iter().map(|ruleset| ruleset.id.as_str()).collect();
    let mut rulesets = Vec::new();
    for parameters in rules.iter().filter_map(|rule| rule.get("action_parameters")) {
        let executed = parameters.get("id").and_then(Value::as_str);
        let skipped = parameters.get("rulesets").and_then(Value::as_array).into_iter().flatten();
        let rule_rulesets =
            parameters.get("rules").and_then(Value::as_object).into_iter().flat_map(|rules| rules.keys());
        let ids =
            executed.into_iter().chain(skipped.filter_map(Value::as_str)).chain(rule_rulesets.map(String::as_str));
        for id in ids.filter(|id| is_identifier(id)) {
            if rulesets.len() == MAX_REFERENCED_RULESETS {
                return rulesets;
            }
            if ids_with_info.insert(id) {
                rulesets.push(RulesetInfo::unknown(id, phase));
            }
        }
    }
    rulesets
}

/// Drops errors about versions of managed rulesets, because the upstream may have more versions than the latest.
fn drop_upstream_dependent<T>(read: Result<T, Vec<ValidationError>>) -> Result<(), Vec<ValidationError>> {
    let Err(mut errors) = read else { return Ok(()) };
    errors.retain(|error| {
        !error.pointer.ends_with("/action_parameters/version") || error.code != error_code::INVALID_RULE
    });
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use super::super::super::route_match::match_route;
    use super::super::super::route_table::BodyKind;
    use super::*;
    use axum::http::Method;
    use serde_json::json;

    const ID: &str = "0123456789abcdef0123456789abcdef";
    const MANAGED: &str = "/zones/ID/rulesets/phases/http_request_firewall_managed/entrypoint";

    /// Asserts the errors of a body, given the existing ruleset.
    #[track_caller]
    fn refused(call: (&str, &str), body: Value, present: Value, expected: &[(u32, &str)]) {
        let path = format!("/client/v4{}", call.1.replace("ID", ID));
        let route = match_route(&path, &Method::from_bytes(call.0.as_bytes()).unwrap()).unwrap();
        let facts =
            ValidationContext { route: &route, tier: Tier::Enterprise, present: Some(present), ids: Vec::new() };
        let result = match route.body_kind {
            BodyKind::Ruleset => ruleset(&body, &facts),
            BodyKind::RulesetUpdate => update(&body, &facts),
            BodyKind::EntryPoint => entry_point(&body, &facts),
            BodyKind::RulesetRule => new_rule(&body, &facts),
            _ => rule_change(&body, &facts),
        };
        let errors = result.err().unwrap_or_default();
        let locations: Vec<(u32, &str)> = errors.iter().map(|one| (one.code, one.pointer.as_str())).collect();
        assert_eq!(locations, expected, "{errors:?}");
    }

    fn execute(parameters: Value) -> Value {
        json!({"rules": [{"action": "execute", "expression": "true", "action_parameters": parameters}]})
    }

    #[test]
    fn rules_are_validated_for_the_phase_of_the_current_ruleset() {
        let log = json!({"action": "log", "expression": "http.response.code eq 500"});
        let body = json!({"rules": [log]});
        let there = |kind: &str, phase: &str| json!({"id": ID, "kind": kind, "phase": phase, "rules": []});
        let (update, custom) = (("PUT", "/zones/ID/rulesets/ID"), there("zone", "http_request_firewall_custom"));
        refused(update, body.clone(), custom.clone(), &[(20127, "/rules/0/expression")]);
        refused(update, json!({"description": "only this"}), custom.clone(), &[]);
        refused(("POST", "/zones/ID/rulesets/ID/rules"), log, custom.clone(), &[(20127, "/expression")]);
        refused(
            ("PATCH", "/zones/ID/rulesets/ID/rules/ID"),
            json!({"position": {"index": 0}}),
            custom,
            &[(20120, "/position/index")],
        );
        // A ruleset that could not be read, and a managed ruleset.
        refused(update, body.clone(), Value::Null, &[]);
        refused(update, body, there("managed", "http_request_firewall_managed"), &[]);
    }

    #[test]
    fn entry_point_is_validated_for_its_owner_and_phase() {
        let of_account = ("PUT", "/accounts/ID/rulesets/phases/http_request_transform/entrypoint");
        refused(of_account, json!({"rules": []}), Value::Null, &[(20120, "/phase")]);
        let rate = json!({"rules": [{"action": "block", "expression": "true"}]});
        let limits = ("PUT", "/zones/ID/rulesets/phases/http_ratelimit/entrypoint");
        refused(limits, rate, Value::Null, &[(10014, "/rules/0/ratelimit")]);
    }

    #[test]
    fn references_to_unknown_rulesets_of_the_upstream_are_accepted() {
        let (ours, other) = ("efb7b8c949ac4650a09736fc376e9aee", "b".repeat(32));
        let many: Vec<Value> =
            (0..300).map(|number| json!({"id": format!("{number:032x}"), "enabled": false})).collect();
        let category = json!({"category": "unheard-of", "enabled": false});
        let put = ("PUT", MANAGED);
        for parameters in [
            json!({"id": ours, "overrides": {"rules": many, "categories": [category]}}),
            json!({"id": other, "version": "latest", "overrides": {"rules": [{"id": ID, "score_threshold": 3}]}}),
            json!({"id": ours, "version": "7"}),
        ] {
            refused(put, execute(parameters), Value::Null, &[]);
        }
        let skip = json!({"rulesets": [other]});
        let skip = json!({"rules": [{"action": "skip", "expression": "true", "action_parameters": skip}]});
        refused(put, skip, Value::Null, &[]);
        let at = "/rules/0/action_parameters";
        let wrong = json!({"id": ours, "overrides": {"rules": [{"id": other, "action": "allow"}]}});
        refused(put, execute(wrong), Value::Null, &[(20120, &format!("{at}/overrides/rules/0/action"))]);
        refused(put, execute(json!({"id": "other"})), Value::Null, &[(20120, &format!("{at}/id"))]);
    }
}
