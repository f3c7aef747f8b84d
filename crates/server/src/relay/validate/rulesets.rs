//! Validates rulesets with the readers of the service. Referenced objects are assumed to exist: the upstream may have
//! managed rulesets, categories and rules that the built-in catalog lacks, and its accounts have rulesets of their own.

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
use zonewright_migration::catalog::known_rulesets;

/// Maximum number of rulesets that a body may reference; an account has at most a hundred (assumption ruleset-limits).
const MAX_REFERENCED_RULESETS: usize = 500;

/// Validates the body of `POST …/rulesets`.
pub(super) fn validate_new_ruleset(body: &Value, facts: &ValidationContext) -> Result<(), Vec<ValidationError>> {
    let phase = body.get("phase").and_then(Value::as_str).and_then(Phase::from_name);
    let (managed, custom) = (managed_rulesets(), referenced_rulesets(body, phase));
    let known = RulesetCatalog { managed: &managed, custom: &custom };
    ignore_version_errors(read_ruleset(body, level(facts), tier(facts), known))
}

/// Validates the body of `PUT …/rulesets/{id}`.
pub(super) fn validate_update(body: &Value, facts: &ValidationContext) -> Result<(), Vec<ValidationError>> {
    validate_against_current(body, facts, |context| read_ruleset_update(body, context).map(drop))
}

/// Validates the body of `PUT …/phases/{phase}/entrypoint`.
pub(super) fn validate_entry_point(body: &Value, facts: &ValidationContext) -> Result<(), Vec<ValidationError>> {
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
pub(super) fn validate_new_rule(body: &Value, facts: &ValidationContext) -> Result<(), Vec<ValidationError>> {
    validate_against_current(body, facts, |context| read_ruleset_rule(body, context).map(drop))
}

/// Validates the body of `PATCH …/rules/{rule_id}`.
pub(super) fn validate_rule_change(body: &Value, facts: &ValidationContext) -> Result<(), Vec<ValidationError>> {
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
    let text = |name: &str| facts.current.as_ref()?.get(name)?.as_str();
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
    ignore_version_errors(read(&RulesetContext { level: level(facts), kind, phase, tier: tier(facts), catalog: known }))
}

fn level(facts: &ValidationContext) -> Level {
    if facts.route.zone.is_some() { Level::Zone } else { Level::Account }
}

/// Accounts have the ruleset features of Enterprise zones (assumption ruleset-levels).
fn tier(facts: &ValidationContext) -> Tier {
    if facts.route.zone.is_some() { facts.tier } else { Tier::Enterprise }
}

/// Returns the managed rulesets of the catalog, without their rules, so that any rule is accepted.
fn managed_rulesets() -> Vec<RulesetInfo> {
    known_rulesets().iter().map(|ruleset| RulesetInfo { rules: None, ..ruleset.clone() }).collect()
}

/// Returns the rulesets that rules of the body reference and that the catalog lacks, as if they existed.
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

/// Ignores errors about versions of managed rulesets, because the upstream may have versions that the catalog lacks.
fn ignore_version_errors<T>(result: Result<T, Vec<ValidationError>>) -> Result<(), Vec<ValidationError>> {
    let Err(mut errors) = result else { return Ok(()) };
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
    fn assert_errors(call: (&str, &str), body: Value, current: Value, expected: &[(u32, &str)]) {
        let path = format!("/client/v4{}", call.1.replace("ID", ID));
        let route = match_route(&path, &Method::from_bytes(call.0.as_bytes()).unwrap()).unwrap();
        let facts =
            ValidationContext { route: &route, tier: Tier::Enterprise, current: Some(current), ids: Vec::new() };
        let result = match route.body_kind {
            BodyKind::Ruleset => validate_new_ruleset(&body, &facts),
            BodyKind::RulesetUpdate => validate_update(&body, &facts),
            BodyKind::EntryPoint => validate_entry_point(&body, &facts),
            BodyKind::RulesetRule => validate_new_rule(&body, &facts),
            _ => validate_rule_change(&body, &facts),
        };
        let errors = result.err().unwrap_or_default();
        let locations: Vec<(u32, &str)> = errors.iter().map(|error| (error.code, error.pointer.as_str())).collect();
        assert_eq!(locations, expected, "{errors:?}");
    }

    fn execute(parameters: Value) -> Value {
        json!({"rules": [{"action": "execute", "expression": "true", "action_parameters": parameters}]})
    }

    #[test]
    fn rules_are_validated_for_the_phase_of_the_current_ruleset() {
        let log = json!({"action": "log", "expression": "http.response.code eq 500"});
        let body = json!({"rules": [log]});
        let ruleset = |kind: &str, phase: &str| json!({"id": ID, "kind": kind, "phase": phase, "rules": []});
        let (update, custom) = (("PUT", "/zones/ID/rulesets/ID"), ruleset("zone", "http_request_firewall_custom"));
        assert_errors(update, body.clone(), custom.clone(), &[(20127, "/rules/0/expression")]);
        assert_errors(update, json!({"description": "only this"}), custom.clone(), &[]);
        assert_errors(("POST", "/zones/ID/rulesets/ID/rules"), log, custom.clone(), &[(20127, "/expression")]);
        assert_errors(
            ("PATCH", "/zones/ID/rulesets/ID/rules/ID"),
            json!({"position": {"index": 0}}),
            custom,
            &[(20120, "/position/index")],
        );
        // A ruleset that could not be read, and a managed ruleset.
        assert_errors(update, body.clone(), Value::Null, &[]);
        assert_errors(update, body, ruleset("managed", "http_request_firewall_managed"), &[]);
    }

    #[test]
    fn entry_point_is_validated_for_its_owner_and_phase() {
        let of_account = ("PUT", "/accounts/ID/rulesets/phases/http_request_transform/entrypoint");
        assert_errors(of_account, json!({"rules": []}), Value::Null, &[(20120, "/phase")]);
        let rate = json!({"rules": [{"action": "block", "expression": "true"}]});
        let limits = ("PUT", "/zones/ID/rulesets/phases/http_ratelimit/entrypoint");
        assert_errors(limits, rate, Value::Null, &[(10014, "/rules/0/ratelimit")]);
    }

    #[test]
    fn references_to_unknown_rulesets_of_the_upstream_are_accepted() {
        let (known_id, other_id) = ("efb7b8c949ac4650a09736fc376e9aee", "b".repeat(32));
        let many: Vec<Value> =
            (0..300).map(|number| json!({"id": format!("{number:032x}"), "enabled": false})).collect();
        let category = json!({"category": "unheard-of", "enabled": false});
        let put = ("PUT", MANAGED);
        for parameters in [
            json!({"id": known_id, "overrides": {"rules": many, "categories": [category]}}),
            json!({"id": other_id, "version": "latest", "overrides": {"rules": [{"id": ID, "score_threshold": 3}]}}),
            json!({"id": known_id, "version": "7"}),
        ] {
            assert_errors(put, execute(parameters), Value::Null, &[]);
        }
        let skip = json!({"rulesets": [other_id]});
        let skip = json!({"rules": [{"action": "skip", "expression": "true", "action_parameters": skip}]});
        assert_errors(put, skip, Value::Null, &[]);
        let at = "/rules/0/action_parameters";
        let wrong = json!({"id": known_id, "overrides": {"rules": [{"id": other_id, "action": "allow"}]}});
        assert_errors(put, execute(wrong), Value::Null, &[(20120, &format!("{at}/overrides/rules/0/action"))]);
        assert_errors(put, execute(json!({"id": "other"})), Value::Null, &[(20120, &format!("{at}/id"))]);
    }
}
