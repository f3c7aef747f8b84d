//! The effects of actions, except `execute`, which `walk.rs` follows.

use crate::report::{Effect, RuleTrace, TerminatingRule};
use crate::rewrite::{apply_rewrite, redirect_target};
use crate::state::{RequestState, extend_unique};
use serde_json::Value as Json;
use zonewright_api::firewall::{Action, FirewallRule};
use zonewright_api::ruleset::{ActionParameters, RulesetAction, RulesetRule};
use zonewright_diagnostic::pluralize;
use zonewright_expression::Ternary;
use zonewright_expression::schema::Phase;

/// Applies an action to the request. Returns whether the rest of the ruleset is skipped.
pub(crate) fn apply_action(
    rule: &RulesetRule,
    phase: Phase,
    trace: &mut RuleTrace,
    state: &mut RequestState,
) -> Ternary {
    let default_parameters = ActionParameters::default();
    let parameters = rule.action_parameters.as_ref().unwrap_or(&default_parameters);
    match rule.action {
        RulesetAction::Block
        | RulesetAction::Challenge
        | RulesetAction::JsChallenge
        | RulesetAction::ManagedChallenge
        | RulesetAction::ServeError
        | RulesetAction::ForceConnectionClose => {
            if let Some(description) = describe_termination(rule.action) {
                terminate_request(description.to_owned(), trace, state);
            }
        }
        RulesetAction::Redirect => apply_redirect(parameters, trace, state),
        RulesetAction::Rewrite => apply_rewrite(parameters, phase, trace, state),
        RulesetAction::Skip => return apply_skip(parameters, phase, trace, state),
        RulesetAction::Log
        | RulesetAction::Execute
        | RulesetAction::Score
        | RulesetAction::Route
        | RulesetAction::SetConfig
        | RulesetAction::SetCacheSettings
        | RulesetAction::SetCacheControl
        | RulesetAction::SetCacheTags
        | RulesetAction::CompressResponse
        | RulesetAction::LogCustomField
        | RulesetAction::DdosDynamic => {
            trace.effects.extend(describe_action(rule.action).map(|text| Effect::Other(text.to_owned())));
        }
    }
    Ternary::False
}

/// Describes an action that ends the request.
pub(crate) fn describe_termination(action: RulesetAction) -> Option<&'static str> {
    Some(match action {
        RulesetAction::Block => "blocks the request",
        RulesetAction::Challenge => "presents an interactive challenge",
        RulesetAction::JsChallenge => "presents a JavaScript challenge",
        RulesetAction::ManagedChallenge => "presents a managed challenge",
        RulesetAction::ServeError => "serves a custom error page",
        RulesetAction::ForceConnectionClose => "closes the connection",
        _ => return None,
    })
}

/// Describes an action that does not affect later rules.
fn describe_action(action: RulesetAction) -> Option<&'static str> {
    Some(match action {
        RulesetAction::Log => "logs the request",
        RulesetAction::Score => "increases the score of the request",
        RulesetAction::Route => "overrides the origin",
        RulesetAction::SetConfig => "overrides zone settings for the request",
        RulesetAction::SetCacheSettings => "overrides cache settings",
        RulesetAction::SetCacheControl => "changes the `Cache-Control` response header",
        RulesetAction::SetCacheTags => "changes the cache tags",
        RulesetAction::CompressResponse => "sets the compression of the response",
        RulesetAction::LogCustomField => "logs custom fields",
        RulesetAction::DdosDynamic => "applies the action that the DDoS protection chooses",
        _ => return None,
    })
}

/// Ends the request if the rule fires.
pub(crate) fn terminate_request(description: String, trace: &mut RuleTrace, state: &mut RequestState) {
    terminate_request_if(Ternary::True, description, trace, state);
}

/// Ends the request if the rule fires and `decides` is true.
pub(crate) fn terminate_request_if(
    decides: Ternary,
    description: String,
    trace: &mut RuleTrace,
    state: &mut RequestState,
) {
    let terminates = trace.fires().and(decides);
    let fires_if_running = trace.fires_if_running().and(decides);
    trace.effects.push(Effect::Termination { description: description.clone(), terminates });
    let depends_on = if terminates == Ternary::Unknown { trace.depends_on.clone() } else { Vec::new() };
    let (pointer, name) = (trace.pointer.clone(), trace.name.clone());
    state.end(TerminatingRule { pointer, name, description, terminates, depends_on }, fires_if_running);
}

/// Returns the value outside of the expression on which it depends whether a rule fires.
pub(crate) fn extra_dependency(rule: &RulesetRule) -> Option<String> {
    if let Some(limit) = &rule.ratelimit {
        return Some(match limit.requests_per_period {
            Some(requests) => format!("the request rate (limit: {requests} in {} seconds)", limit.period),
            None => "the accumulated score of earlier requests".to_owned(),
        });
    }
    if rule.exposed_credential_check.is_some() {
        return Some("whether the credentials are known to be leaked".to_owned());
    }
    let parameters = rule.action_parameters.as_ref().filter(|_| rule.action == RulesetAction::Redirect);
    parameters
        .is_some_and(|parameters| parameters.other.contains_key("from_list"))
        .then(|| "the entries of the redirect list".to_owned())
}

fn apply_redirect(parameters: &ActionParameters, trace: &mut RuleTrace, state: &mut RequestState) {
    if parameters.other.contains_key("from_list") {
        terminate_request("redirects to a URL from a redirect list".to_owned(), trace, state);
        return;
    }
    let from_value = parameters.other.get("from_value");
    let member = |name| from_value.and_then(|value| value.get(name));
    let status = member("status_code").and_then(Json::as_u64).unwrap_or(302);
    let keeps_query = member("preserve_query_string").and_then(Json::as_bool) == Some(true);
    let target = member("target_url").unwrap_or(&Json::Null);
    let target = redirect_target(target, keeps_query, state, trace);
    let target = target.map_or_else(|| "an unknown URL".to_owned(), |target| format!("`{target}`"));
    terminate_request(format!("redirects to {target} ({status})"), trace, state);
}

/// Applies a `skip` rule. Returns whether the rest of its ruleset is skipped.
fn apply_skip(parameters: &ActionParameters, phase: Phase, trace: &mut RuleTrace, state: &mut RequestState) -> Ternary {
    let fires = trace.fires_if_running();
    let mut skipped = Vec::new();
    let mut rest = Ternary::False;
    if parameters.ruleset.is_some() {
        skipped.push("the rest of this ruleset".to_owned());
        rest = fires;
    }
    if parameters.phase.is_some() {
        skipped.push("the rest of this phase".to_owned());
        state.skip_phase(phase, fires);
    }
    for name in &parameters.phases {
        let phase = Phase::from_name(name);
        skipped.push(phase.map_or_else(|| format!("phase `{name}`"), |phase| phase.title().to_owned()));
        if let Some(phase) = phase {
            state.skip_phase(phase, fires);
        }
    }
    for id in &parameters.rulesets {
        skipped.push(format!("ruleset `{id}`"));
        state.skip_ruleset(id, fires);
    }
    for (ruleset, rules) in &parameters.rules {
        skipped.push(format!("{} of ruleset `{ruleset}`", pluralize(rules.len(), "rule")));
        rules.iter().for_each(|rule| state.skip_rule(ruleset, rule, fires));
    }
    skipped.extend(parameters.products.iter().map(|product| format!("product `{}`", product.name())));
    if fires == Ternary::Unknown {
        extend_unique(&mut state.reach_depends_on, &trace.depends_on);
    }
    if !skipped.is_empty() {
        trace.effects.push(Effect::Other(format!("skips {}", skipped.join("; "))));
    }
    rest
}

/// Applies a firewall rule. Returns whether the remaining firewall rules are skipped.
pub(crate) fn apply_firewall_action(rule: &FirewallRule, trace: &mut RuleTrace, state: &mut RequestState) -> Ternary {
    let action = match rule.action {
        Action::Block => RulesetAction::Block,
        Action::Challenge => RulesetAction::Challenge,
        Action::JsChallenge => RulesetAction::JsChallenge,
        Action::ManagedChallenge => RulesetAction::ManagedChallenge,
        Action::Log => {
            trace.effects.push(Effect::Other("logs the request".to_owned()));
            return Ternary::False;
        }
        Action::Bypass => {
            let products: Vec<String> = rule.products.iter().map(|product| format!("`{}`", product.name())).collect();
            trace.effects.push(Effect::Other(format!("bypasses {}", products.join(", "))));
            return Ternary::False;
        }
        Action::Allow => {
            trace.effects.push(Effect::Other("skips the remaining firewall rules".to_owned()));
            let skips = trace.fires_if_running();
            if skips == Ternary::Unknown {
                extend_unique(&mut state.reach_depends_on, &trace.depends_on);
            }
            return skips;
        }
    };
    if let Some(description) = describe_termination(action) {
        terminate_request(description.to_owned(), trace, state);
    }
    Ternary::False
}
