//! What the action of a rule needs to know.

use super::shape::{Object, object};
use super::words::wrong;
use super::{Place, execute, rewrite, settings, skip};
use serde_json::Value;
use zonewright_api::ruleset::{ActionParameters, RulesetAction};
use zonewright_api::{Members, Refusal, error_code, under};
use zonewright_expression::schema::{Phase, Tier};

/// Reads `action_parameters` of a rule with this action; none where there are none to have.
pub(super) fn read(members: &mut Members, action: RulesetAction, place: &Place<'_>) -> Option<ActionParameters> {
    let value = members.get("action_parameters");
    let Some(value) = value else {
        if needs_some(action) {
            // The message is observed.
            let message = format!("action parameters are required for the {} action", action.name());
            let code = error_code::PARAMETERS_MISSING;
            members.refusals.push(Refusal { code, ..Refusal::value("/action_parameters", message) });
        }
        return None;
    };
    match judged(value, action, place) {
        Ok(parameters) => parameters,
        Err(found) => {
            members.refusals.extend(under("/action_parameters", found));
            None
        }
    }
}

fn needs_some(action: RulesetAction) -> bool {
    use RulesetAction::{Block, Challenge, DdosDynamic, ForceConnectionClose, JsChallenge, Log, ManagedChallenge};
    !matches!(action, Block | Challenge | JsChallenge | ManagedChallenge | Log | DdosDynamic | ForceConnectionClose)
}

fn judged(value: &Value, action: RulesetAction, place: &Place<'_>) -> Result<Option<ActionParameters>, Vec<Refusal>> {
    let shape: &Object = match action {
        RulesetAction::Execute => return execute::read(value, place).map(Some),
        RulesetAction::Skip => return skip::read(value, place).map(Some),
        RulesetAction::Block => &settings::BLOCK,
        RulesetAction::Score => &settings::SCORE,
        RulesetAction::Route => &settings::ROUTE,
        RulesetAction::SetConfig => &settings::SET_CONFIG,
        RulesetAction::SetCacheSettings if place.phase == Phase::HttpResponseCacheSettings => {
            &settings::SET_CACHE_SETTINGS_OF_ANSWERS
        }
        RulesetAction::SetCacheSettings => &settings::SET_CACHE_SETTINGS,
        RulesetAction::SetCacheTags => &settings::SET_CACHE_TAGS,
        RulesetAction::SetCacheControl => &settings::SET_CACHE_CONTROL,
        RulesetAction::ServeError => &settings::SERVE_ERROR,
        RulesetAction::CompressResponse => &settings::COMPRESS_RESPONSE,
        RulesetAction::LogCustomField => &settings::LOG_CUSTOM_FIELD,
        RulesetAction::Rewrite => rewrite::rewrite(place.phase),
        RulesetAction::Redirect => rewrite::redirect(place.phase),
        RulesetAction::Challenge
        | RulesetAction::JsChallenge
        | RulesetAction::ManagedChallenge
        | RulesetAction::Log
        | RulesetAction::DdosDynamic
        | RulesetAction::ForceConnectionClose => return nothing(value, action),
    };
    let more = object(value, shape, place)?;
    if action == RulesetAction::Block && place.tier < Tier::Pro && more.contains_key("response") {
        let message =
            format!("a response of one's own needs the Pro plan or a larger one, this is the {} plan", place.tier);
        return Err(vec![wrong("/response", message)]);
    }
    let parameters = ActionParameters { more: more.into_iter().collect(), ..ActionParameters::default() };
    Ok(Some(parameters).filter(|parameters| !parameters.more.is_empty()))
}

/// An action that needs to know nothing; an empty object is nothing.
fn nothing(value: &Value, action: RulesetAction) -> Result<Option<ActionParameters>, Vec<Refusal>> {
    match value {
        Value::Object(members) if members.values().all(Value::is_null) => Ok(None),
        _ => Err(vec![wrong("", format!("the action `{}` has no parameters", action.name()))]),
    }
}
