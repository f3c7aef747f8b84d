//! Selects and applies the schema of an action's parameters.
//!
//! Start with [`read`].

use super::validation::rule_error;
use super::value_schema::{ObjectSchema, read_object};
use super::{RulesetContext, action_schemas, execute, rewrite_schemas, skip};
use serde_json::Value;
use zonewright_api::ruleset::{ActionParameters, RulesetAction};
use zonewright_api::{ObjectReader, ValidationError, error_code, prefix_pointers};
use zonewright_expression::schema::{Phase, Tier};

/// Reads `action_parameters` of a rule with this action. Returns `None` if the action has none or they are invalid.
pub(super) fn read(
    members: &mut ObjectReader,
    action: RulesetAction,
    context: &RulesetContext<'_>,
) -> Option<ActionParameters> {
    let schema = ParameterSchema::new(action, context.phase);
    let value = members.get("action_parameters");
    let Some(value) = value else {
        if schema.is_required() {
            // The message is observed.
            let message = format!("action parameters are required for the {} action", action.name());
            let code = error_code::MISSING_PARAMETERS;
            members
                .errors
                .push(ValidationError { code, ..ValidationError::invalid_value("/action_parameters", message) });
        }
        return None;
    };
    match read_with_schema(value, &schema, action, context) {
        Ok(parameters) => parameters,
        Err(found) => {
            members.errors.extend(prefix_pointers("/action_parameters", found));
            None
        }
    }
}

/// The schema of the parameters of an action.
enum ParameterSchema {
    Nothing,
    Optional(&'static ObjectSchema),
    Required(&'static ObjectSchema),
    Execute,
    Skip,
}

impl ParameterSchema {
    fn new(action: RulesetAction, phase: Phase) -> Self {
        use ParameterSchema::{Nothing, Optional, Required};
        match action {
            RulesetAction::Execute => ParameterSchema::Execute,
            RulesetAction::Skip => ParameterSchema::Skip,
            RulesetAction::Block => Optional(&action_schemas::BLOCK),
            RulesetAction::Score => Required(&action_schemas::SCORE),
            RulesetAction::Route => Required(&action_schemas::ROUTE),
            RulesetAction::SetConfig => Required(&action_schemas::SET_CONFIG),
            RulesetAction::SetCacheSettings if phase == Phase::HttpResponseCacheSettings => {
                Required(&action_schemas::SET_RESPONSE_CACHE_SETTINGS)
            }
            RulesetAction::SetCacheSettings => Required(&action_schemas::SET_CACHE_SETTINGS),
            RulesetAction::SetCacheTags => Required(&action_schemas::SET_CACHE_TAGS),
            RulesetAction::SetCacheControl => Required(&action_schemas::SET_CACHE_CONTROL),
            RulesetAction::ServeError => Required(&action_schemas::SERVE_ERROR),
            RulesetAction::CompressResponse => Required(&action_schemas::COMPRESS_RESPONSE),
            RulesetAction::LogCustomField => Required(&action_schemas::LOG_CUSTOM_FIELD),
            RulesetAction::Rewrite => Required(rewrite_schemas::rewrite_schema(phase)),
            RulesetAction::Redirect => Required(rewrite_schemas::redirect_schema(phase)),
            RulesetAction::Challenge
            | RulesetAction::JsChallenge
            | RulesetAction::ManagedChallenge
            | RulesetAction::Log
            | RulesetAction::DdosDynamic
            | RulesetAction::ForceConnectionClose => Nothing,
        }
    }

    fn is_required(&self) -> bool {
        match self {
            ParameterSchema::Required(_) | ParameterSchema::Execute | ParameterSchema::Skip => true,
            ParameterSchema::Nothing | ParameterSchema::Optional(_) => false,
        }
    }
}

fn read_with_schema(
    value: &Value,
    schema: &ParameterSchema,
    action: RulesetAction,
    context: &RulesetContext<'_>,
) -> Result<Option<ActionParameters>, Vec<ValidationError>> {
    let schema: &ObjectSchema = match schema {
        ParameterSchema::Execute => return execute::read(value, context).map(Some),
        ParameterSchema::Skip => return skip::read(value, context).map(Some),
        ParameterSchema::Nothing => return read_empty_parameters(value, action),
        ParameterSchema::Optional(schema) | ParameterSchema::Required(schema) => schema,
    };
    let other = read_object(value, schema, context)?;
    if action == RulesetAction::Block && context.tier < Tier::Pro && other.contains_key("response") {
        let message = format!("a custom response needs the Pro plan or higher; the current plan is {}", context.tier);
        return Err(vec![rule_error("/response", message)]);
    }
    let parameters = ActionParameters { other: other.into_iter().collect(), ..ActionParameters::default() };
    Ok(Some(parameters).filter(|parameters| !parameters.other.is_empty()))
}

/// Validates the parameters of an action without parameters. An empty object is accepted.
fn read_empty_parameters(
    value: &Value,
    action: RulesetAction,
) -> Result<Option<ActionParameters>, Vec<ValidationError>> {
    match value {
        Value::Object(members) if members.values().all(Value::is_null) => Ok(None),
        _ => Err(vec![rule_error("", format!("the action `{}` does not take parameters", action.name()))]),
    }
}
