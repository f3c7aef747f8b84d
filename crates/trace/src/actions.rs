//! The effects of actions, except `execute`, which `walk.rs` follows.

use crate::report::{Effect, Ending, RuleTrace};
use crate::rewrite::{apply_rewrite, redirect_target};
use crate::state::RequestState;
use zonewright_api::firewall::{Action, FirewallRule};
use zonewright_api::ruleset::{ActionParameters, RulesetAction, RulesetRule};
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
            if let Some(response) = response_of(rule.action) {
                end_request(response.to_owned(), rate_limit_need(rule), trace, state);
            }
        }
        RulesetAction::Redirect => apply_redirect(parameters, trace, state),
        RulesetAction::Rewrite => {
            let rewrite = apply_rewrite(parameters, phase, trace.acts_if_running(), state);
            trace.effects.extend(rewrite.effects);
            add_needs(trace, rewrite.needs);
        }
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
            trace.effects.extend(describe_action(rule.action).map(|text| Effect::Does(text.to_owned())));
        }
    }
    Ternary::False
}

/// Returns what the visitor gets from an action that ends the request.
pub(crate) fn response_of(action: RulesetAction) -> Option<&'static str> {
    Some(match action {
        RulesetAction::Block => "the request is blocked",
        RulesetAction::Challenge => "the visitor gets an interactive challenge",
        RulesetAction::JsChallenge => "the visitor gets a JavaScript challenge",
        RulesetAction::ManagedChallenge => "the visitor gets a managed challenge",
        RulesetAction::ServeError => "the visitor gets a custom error page",
        RulesetAction::ForceConnectionClose => "the connection is closed",
        _ => return None,
    })
}

/// Returns what an action does that does not change whether later rules match.
fn describe_action(action: RulesetAction) -> Option<&'static str> {
    Some(match action {
        RulesetAction::Log => "logs the request",
        RulesetAction::Score => "adds to the score of the request",
        RulesetAction::Route => "sends the request to another origin",
        RulesetAction::SetConfig => "changes settings for the request",
        RulesetAction::SetCacheSettings => "changes how the response is cached",
        RulesetAction::SetCacheControl => "changes the header `Cache-Control` of the response",
        RulesetAction::SetCacheTags => "changes the cache tags of the response",
        RulesetAction::CompressResponse => "selects the compression of the response",
        RulesetAction::LogCustomField => "adds fields to the log",
        RulesetAction::DdosDynamic => "lets the DDoS protection choose the action",
        _ => return None,
    })
}

/// Ends the request if the rule acts. With `need`, a value that no request provides decides whether it does.
pub(crate) fn end_request(response: String, need: Option<String>, trace: &mut RuleTrace, state: &mut RequestState) {
    let is_decided = if need.is_some() { Ternary::Unknown } else { Ternary::True };
    let certainty = trace.acts().and(is_decided);
    let acts_if_running = trace.acts_if_running().and(is_decided);
    trace.effects.push(Effect::Ends { response: response.clone(), certainty });
    add_needs(trace, need);
    let needs = if certainty == Ternary::Unknown { trace.needs.clone() } else { Vec::new() };
    let ending = Ending { pointer: trace.pointer.clone(), name: trace.name.clone(), response, certainty, needs };
    state.end(ending, acts_if_running);
}

pub(crate) fn add_needs(trace: &mut RuleTrace, needs: impl IntoIterator<Item = String>) {
    for need in needs {
        if !trace.needs.contains(&need) {
            trace.needs.push(need);
        }
    }
}

/// Returns the value that decides about a rule with a rate limit.
fn rate_limit_need(rule: &RulesetRule) -> Option<String> {
    let limit = rule.ratelimit.as_ref()?;
    Some(match limit.requests_per_period {
        Some(requests) => format!("whether more than {requests} requests arrived in {} seconds", limit.period),
        None => "the score of earlier requests".to_owned(),
    })
}

fn apply_redirect(parameters: &ActionParameters, trace: &mut RuleTrace, state: &mut RequestState) {
    if parameters.other.contains_key("from_list") {
        let need = Some("whether the redirect list has the URL".to_owned());
        end_request("the visitor is redirected to the target in a list".to_owned(), need, trace, state);
        return;
    }
    let (target, status, needs) = redirect_target(parameters, &state.record);
    add_needs(trace, needs);
    let target = target.map_or_else(|| "an unknown URL".to_owned(), |target| format!("`{target}`"));
    end_request(format!("the visitor is redirected to {target} with status {status}"), None, trace, state);
}

/// Applies a `skip` rule. Returns whether the rest of its ruleset is skipped.
fn apply_skip(parameters: &ActionParameters, phase: Phase, trace: &mut RuleTrace, state: &mut RequestState) -> Ternary {
    let acts = trace.acts_if_running();
    let mut skipped = Vec::new();
    let mut rest = Ternary::False;
    if parameters.ruleset.is_some() {
        skipped.push("the rest of this ruleset".to_owned());
        rest = acts;
    }
    if parameters.phase.is_some() {
        skipped.push("the rest of this phase".to_owned());
        state.skip_phase(phase, acts);
    }
    for name in &parameters.phases {
        let phase = Phase::from_name(name);
        skipped.push(phase.map_or_else(|| format!("the phase `{name}`"), |phase| phase.title().to_owned()));
        if let Some(phase) = phase {
            state.skip_phase(phase, acts);
        }
    }
    for id in &parameters.rulesets {
        skipped.push(format!("the ruleset `{id}`"));
        state.skip_ruleset(id, acts);
    }
    for (ruleset, rules) in &parameters.rules {
        skipped.push(format!("{} rules of the ruleset `{ruleset}`", rules.len()));
    }
    skipped.extend(parameters.products.iter().map(|product| format!("the product `{}`", product.name())));
    if !skipped.is_empty() {
        trace.effects.push(Effect::Does(format!("skips {}", skipped.join(", "))));
    }
    rest
}

/// Applies a firewall rule. Returns whether the remaining firewall rules are skipped.
pub(crate) fn apply_firewall_action(rule: &FirewallRule, trace: &mut RuleTrace, state: &mut RequestState) -> Ternary {
    let response = match rule.action {
        Action::Block => RulesetAction::Block,
        Action::Challenge => RulesetAction::Challenge,
        Action::JsChallenge => RulesetAction::JsChallenge,
        Action::ManagedChallenge => RulesetAction::ManagedChallenge,
        Action::Log => {
            trace.effects.push(Effect::Does("logs the request".to_owned()));
            return Ternary::False;
        }
        Action::Bypass => {
            let products: Vec<&str> = rule.products.iter().map(|product| product.name()).collect();
            trace.effects.push(Effect::Does(format!("bypasses the products {}", products.join(", "))));
            return Ternary::False;
        }
        Action::Allow => {
            trace.effects.push(Effect::Does("skips the remaining firewall rules".to_owned()));
            return trace.acts_if_running();
        }
    };
    if let Some(response) = response_of(response) {
        end_request(response.to_owned(), None, trace, state);
    }
    Ternary::False
}
