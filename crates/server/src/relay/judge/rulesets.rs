//! Rulesets: their shape and their expressions, in the phase that they are of. What an action needs to know
//! is judged here for managed rules only.

use super::{Place, done};
use serde_json::Value;
use zonewright_api::{Members, Refusal, described, error_code, list, under};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_expression::{Options, check};
use zonewright_firewall::drawn;
use zonewright_migration::read::{MOST_ENTRY_POINT_RULES, PHASE, read_entry_point};

/// After this many problems the rest is not judged (assumption batch-limits).
const MOST_PROBLEMS: usize = 100;
/// Kinds of rulesets that can be made (observed).
const KINDS: [&str; 4] = ["custom", "root", "zone", "managed"];

/// The body of `POST …/rulesets`.
pub(super) fn ruleset(body: &Value, tier: Tier) -> Result<(), Vec<Refusal>> {
    let Value::Object(_) = body else { return shape("", "a ruleset must be an object") };
    let mut found = Vec::new();
    for name in ["name", "kind", "phase"] {
        if body.get(name).and_then(Value::as_str).is_none_or(str::is_empty) {
            found.push(Refusal::shape(format!("/{name}"), format!("`{name}` is missing or no text")));
        }
    }
    if let Some(kind) = text(body, "kind").filter(|kind| !KINDS.contains(kind)) {
        found.push(invalid("/kind", "kind", kind, format!("there are {}", list(&KINDS))));
    }
    let phase = text(body, "phase");
    if let Some(name) = phase.filter(|name| Phase::from_name(name).is_none()) {
        found.push(invalid("/phase", "phase", name, "there is no such phase".to_owned()));
    }
    found.extend(rules(body, phase.and_then(Phase::from_name), tier));
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The body of `PUT …/rulesets/{id}`.
pub(super) fn update(body: &Value, tier: Tier, present: Option<&Value>) -> Result<(), Vec<Refusal>> {
    let Value::Object(_) = body else { return shape("", "a ruleset must be an object") };
    let found = rules(body, phase_of(present), tier);
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The body of `PUT …/phases/{phase}/entrypoint`.
pub(super) fn entry_point(body: &Value, tier: Tier, place: &Place) -> Result<(), Vec<Refusal>> {
    let phase = place.pieces.iter().find_map(|piece| Phase::from_name(piece));
    if place.zone.is_none() || phase.is_none_or(|phase| phase.name() != PHASE) {
        let Value::Object(_) = body else { return shape("", "an entry point must be an object") };
        let found = rules(body, phase, tier);
        return if found.is_empty() { Ok(()) } else { Err(found) };
    }
    let Err(mut found) = read_entry_point(body, tier) else { return Ok(()) };
    found.retain(|refusal| !is_for_the_upstream(refusal));
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Whether the upstream may see it otherwise: it has other managed rules than our catalogue, versions of them,
/// and events to log.
fn is_for_the_upstream(refusal: &Refusal) -> bool {
    let parts: Vec<&str> = refusal.pointer.split('/').skip(1).collect();
    let is_name = matches!(
        parts.as_slice(),
        ["rules", _, "action_parameters", "id" | "version" | "matched_data"]
            | ["rules", _, "action_parameters", "overrides", "rules", _, "id"]
            | ["rules", _, "action_parameters", "overrides", "categories", _, "category"]
            | ["rules", _, "action_parameters", "rulesets" | "rules", ..]
            | ["rules", _, "logging", "enabled"]
    );
    is_name && (refusal.code == error_code::WRONG_RULE || refusal.code == error_code::NOT_AVAILABLE)
}

/// The body of `POST …/rules`.
pub(super) fn new_rule(body: &Value, tier: Tier, present: Option<&Value>) -> Result<(), Vec<Refusal>> {
    let mut found = rule(body, phase_of(present), tier, true);
    found.extend(position(body));
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The body of `PATCH …/rules/{rule_id}`: a new definition, another position, or a few members of it.
pub(super) fn rule_change(body: &Value, tier: Tier, present: Option<&Value>) -> Result<(), Vec<Refusal>> {
    let mut found = rule(body, phase_of(present), tier, false);
    found.extend(position(body));
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn rules(body: &Value, phase: Option<Phase>, tier: Tier) -> Vec<Refusal> {
    let items = match body.get("rules") {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(items)) if items.len() > MOST_ENTRY_POINT_RULES => {
            let message = format!("there are {} rules, at most {MOST_ENTRY_POINT_RULES} are allowed", items.len());
            return vec![Refusal::shape("/rules", message)];
        }
        Some(Value::Array(items)) => items,
        Some(other) => {
            return vec![Refusal::shape("/rules", format!("`rules` must be an array, not {}", described(other)))];
        }
    };
    let mut found = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let pointer = format!("/rules/{index}");
        if found.len() >= MOST_PROBLEMS {
            let message = "there are many problems already: from here on nothing was judged";
            found.push(Refusal::shape(pointer, message));
            break;
        }
        found.extend(under(&pointer, rule(item, phase, tier, true)));
    }
    found
}

fn rule(value: &Value, phase: Option<Phase>, tier: Tier, whole: bool) -> Vec<Refusal> {
    let Value::Object(_) = value else {
        return vec![Refusal::shape("", format!("a rule must be an object, not {}", described(value)))];
    };
    let mut found = Vec::new();
    for name in ["action", "expression"] {
        match value.get(name) {
            Some(Value::String(text)) if !text.is_empty() => {}
            None | Some(Value::Null) if !whole => {}
            None | Some(Value::Null) => {
                found.push(Refusal::shape(format!("/{name}"), format!("`{name}` is missing")));
            }
            Some(other) => {
                let message = format!("`{name}` must be a text that is not empty, not {}", described(other));
                found.push(Refusal::shape(format!("/{name}"), message));
            }
        }
    }
    if let Some(action) = text(value, "action") {
        if let "allow" | "bypass" | "simulate" = action {
            let reason = "rulesets have no such action; they have `skip`, and `log`".to_owned();
            found.push(invalid("/action", "action", action, reason));
        }
        if matches!(action, "execute" | "skip") && value.get("action_parameters").is_none_or(|one| !one.is_object()) {
            // The message is observed.
            let message = format!("action parameters are required for the {action} action");
            let code = error_code::PARAMETERS_MISSING;
            found.push(Refusal { code, ..Refusal::value("/action_parameters", message) });
        }
    }
    if let Some(source) = text(value, "expression").filter(|text| !text.is_empty()) {
        found.extend(expression(source, phase, tier));
    }
    found
}

fn expression(source: &str, phase: Option<Phase>, tier: Tier) -> Option<Refusal> {
    let checked = check(source, &Options { phase, plan: Some(tier), ..Options::default() });
    let errors: Vec<_> = checked.diagnostics.into_iter().filter(|one| one.is_error()).collect();
    (!errors.is_empty()).then(|| {
        let refusal =
            invalid("/expression", "expression", source, format!("it is refused:\n{}", drawn(source, &errors)));
        Refusal { code: error_code::WRONG_RULE_EXPRESSION, diagnostics: errors, ..refusal }
    })
}

/// Where a rule shall stand: exactly one of three ways to say it (documented).
fn position(body: &Value) -> Vec<Refusal> {
    let Some(value) = body.get("position").filter(|value| !value.is_null()) else { return Vec::new() };
    let ways = ["before", "after", "index"];
    let found = Members::open(value, "a position", &ways, &[]).and_then(|mut members| {
        for name in ["before", "after"] {
            members.text(name);
        }
        if let Some(index) = members.get("index").filter(|index| index.as_u64().is_none_or(|number| number == 0)) {
            members.wrong_type::<()>("index", "a whole number from 1 up", index);
        }
        if ways.iter().filter(|name| members.get(name).is_some()).count() != 1 {
            members.refusals.push(Refusal::shape("", format!("a position has exactly one of {}", list(&ways))));
        }
        done(members)
    });
    under("/position", found.err().unwrap_or_default()).collect()
}

fn phase_of(ruleset: Option<&Value>) -> Option<Phase> {
    ruleset.and_then(|ruleset| text(ruleset, "phase")).and_then(Phase::from_name)
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

fn shape(pointer: &str, message: &str) -> Result<(), Vec<Refusal>> {
    Err(vec![Refusal::shape(pointer, message)])
}

/// A refusal as such services were seen to word it.
fn invalid(pointer: &str, field: &str, value: &str, reason: String) -> Refusal {
    let shown: String = value.chars().take(64).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let message = format!("'{shown}' is not a valid value for {field} because {reason}");
    Refusal { code: error_code::WRONG_RULE, ..Refusal::value(pointer, message) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn refused(found: Result<(), Vec<Refusal>>, expected: &[(u32, &str)]) {
        let found = found.err().unwrap_or_default();
        let places: Vec<(u32, &str)> = found.iter().map(|one| (one.code, one.pointer.as_str())).collect();
        assert_eq!(places, expected, "{found:?}");
    }

    const TIER: Tier = Tier::Enterprise;

    #[test]
    fn rulesets_have_a_shape_and_expressions() {
        let rule = |action: &str, expression: &str| json!({"action": action, "expression": expression});
        let custom = "http_request_firewall_custom";
        let new = |rules: Value| json!({"name": "a", "kind": "zone", "phase": custom, "rules": rules});
        refused(ruleset(&new(json!([rule("block", "ip.src eq 192.0.2.1")])), TIER), &[]);
        refused(ruleset(&json!([]), TIER), &[(10014, "")]);
        refused(
            ruleset(&json!({"kind": "x", "phase": "y"}), TIER),
            &[(10014, "/name"), (20120, "/kind"), (20120, "/phase")],
        );
        refused(
            ruleset(&new(json!([rule("allow", "ip.src eq"), 3, {"action": "skip", "expression": "true"}])), TIER),
            &[
                (20120, "/rules/0/action"),
                (20127, "/rules/0/expression"),
                (10014, "/rules/1"),
                (20113, "/rules/2/action_parameters"),
            ],
        );
        // What the phase lacks.
        let response = rule("log", "http.response.code eq 500");
        refused(ruleset(&new(json!([response])), TIER), &[(20127, "/rules/0/expression")]);
        let logs = json!({"phase": "http_log_custom_fields"});
        refused(update(&json!({"rules": [response]}), TIER, Some(&logs)), &[]);
        refused(update(&json!({"rules": [response]}), TIER, None), &[]);
        refused(update(&json!({"description": "only this"}), TIER, None), &[]);
        refused(update(&json!({"rules": {}}), TIER, None), &[(10014, "/rules")]);

        refused(rule_change(&json!({"enabled": false}), TIER, None), &[]);
        refused(rule_change(&json!({"position": {"index": 1}}), TIER, None), &[]);
        refused(rule_change(&json!({"position": {"index": 0}}), TIER, None), &[(10014, "/position/index")]);
        refused(
            new_rule(&json!({"position": {}}), TIER, None),
            &[(10014, "/action"), (10014, "/expression"), (10014, "/position")],
        );
    }

    #[test]
    fn the_upstream_may_have_other_managed_rules() {
        let zone = |phase: &str| {
            let path = format!("/client/v4/zones/{}/rulesets/phases/{phase}/entrypoint", "a".repeat(32));
            super::super::super::address::find(&path, &axum::http::Method::PUT).unwrap()
        };
        let execute = |parameters: Value| json!({"rules": [{"action": "execute", "expression": "true", "action_parameters": parameters}]});
        let ours = "efb7b8c949ac4650a09736fc376e9aee";
        let other = "b".repeat(32);
        let overrides = json!({"rules": [{"id": other, "enabled": false}], "categories": [{"category": "unheard-of", "enabled": false}]});
        for parameters in [
            json!({"id": ours, "overrides": overrides}),
            json!({"id": other, "version": "latest"}),
            json!({"id": ours, "version": "7", "matched_data": {"public_key": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}),
        ] {
            refused(entry_point(&execute(parameters), TIER, &zone(PHASE)), &[]);
        }
        let at = "/rules/0/action_parameters/overrides/rules/0";
        let wrong = json!({"id": ours, "overrides": {"rules": [{"id": other, "action": "allow"}]}});
        refused(entry_point(&execute(wrong), TIER, &zone(PHASE)), &[(20120, &format!("{at}/action"))]);
        let wrong = json!({"id": ours, "overrides": {"rules": [{"id": 7}]}});
        refused(entry_point(&execute(wrong), TIER, &zone(PHASE)), &[(10014, &format!("{at}/id"))]);
        let rate = json!({"rules": [{"action": "block", "expression": "true", "ratelimit": {}}]});
        refused(entry_point(&rate, TIER, &zone("http_ratelimit")), &[]);
        refused(entry_point(&rate, TIER, &zone(PHASE)), &[(20120, "/rules/0/action"), (20120, "/rules/0/ratelimit")]);
    }
}
