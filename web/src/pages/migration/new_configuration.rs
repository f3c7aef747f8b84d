//! The new configuration, validated by the engine.

use super::analysis::call;
use super::json_location::JsonIssue;
use crate::engine::{Channel, EngineError, to_js};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zonewright_api::ValidationWarning;
use zonewright_api::json;
use zonewright_api::ruleset::EntryPoint;
use zonewright_expression::schema::Tier;

/// The prefix of the JSON pointers in the result of `migration.checkRuleset`.
const POINTER_PREFIX: &str = "/ruleset";

/// A new configuration with its errors.
#[derive(Clone, Debug)]
pub(super) struct NewConfiguration {
    /// The text from which all other members were computed.
    pub(super) text: String,
    /// The zone's plan, for which the text was validated.
    pub(super) tier: Tier,
    pub(super) body: Option<Value>,
    pub(super) entry_point: Option<EntryPoint>,
    pub(super) problems: Vec<JsonIssue>,
    /// Values that are accepted although they could not be validated.
    pub(super) warnings: Vec<JsonIssue>,
}

#[derive(Serialize)]
struct CheckRulesetOptions {
    plan: &'static str,
}

/// Result of `migration.checkRuleset`.
#[derive(Deserialize)]
struct CheckRulesetResult {
    ruleset: Option<EntryPoint>,
    warnings: Vec<ValidationWarning>,
    errors: Vec<ValidationError>,
}

/// An error in the text.
#[derive(Deserialize)]
struct ValidationError {
    pointer: String,
    message: String,
}

impl NewConfiguration {
    /// Validates a text for a zone of this plan. Invalid JSON is reported without the engine.
    pub(super) async fn validate(channel: Channel, text: String, tier: Tier) -> Result<Self, EngineError> {
        let body = match json::parse(&text) {
            Ok(body) => body,
            Err(error) => {
                let problems = vec![JsonIssue::from_json_error(error, 0)];
                return Ok(NewConfiguration {
                    text,
                    tier,
                    body: None,
                    entry_point: None,
                    problems,
                    warnings: Vec::new(),
                });
            }
        };
        let options = to_js(&CheckRulesetOptions { plan: tier.name() });
        let CheckRulesetResult { ruleset, warnings, errors } =
            call(channel, "migration.checkRuleset", vec![text.as_str().into(), options]).await?;
        if ruleset.is_none() && errors.is_empty() {
            return Err(EngineError::Failed("the engine returned neither a ruleset nor errors".to_owned()));
        }
        // An invalid configuration is displayed as far as it can be parsed.
        let entry_point = ruleset.or_else(|| EntryPoint::deserialize(&body).ok());
        let issue = |pointer: &str, message: String| {
            JsonIssue::at_pointer(pointer.strip_prefix(POINTER_PREFIX).unwrap_or(pointer), message)
        };
        Ok(NewConfiguration {
            text,
            tier,
            body: Some(body),
            entry_point,
            problems: errors.into_iter().map(|error| issue(&error.pointer, error.message)).collect(),
            warnings: warnings.into_iter().map(|warning| issue(&warning.pointer, warning.message)).collect(),
        })
    }

    /// Returns whether the service would accept the configuration.
    pub(super) fn is_valid(&self) -> bool {
        self.problems.is_empty() && self.body.is_some() && self.entry_point.is_some()
    }
}

/// The answer to whether a new configuration drops all managed rulesets of the migration plan.
#[derive(Debug)]
pub(super) struct ManagedRulesProof {
    /// The text of the new configuration.
    pub(super) text: String,
    /// The entry point of the migration plan.
    pub(super) planned: EntryPoint,
    pub(super) drops_managed_rules: bool,
}

/// Result of `runsManagedRules`.
#[derive(Deserialize)]
struct ManagedRulesResult {
    runs: Option<bool>,
}

impl ManagedRulesProof {
    /// Proves whether a new configuration executes no managed ruleset although the migration plan executes one. If so, the
    /// zone would have no managed rules once the previous ones are turned off (assumption migration-bare).
    pub(super) async fn prove(
        channel: Channel,
        text: String,
        new: &EntryPoint,
        planned: EntryPoint,
    ) -> Result<Self, EngineError> {
        let runs = async |entry_point: &EntryPoint| {
            let result: ManagedRulesResult = call(channel, "runsManagedRules", vec![to_js(entry_point)]).await?;
            result.runs.ok_or_else(|| EngineError::Failed("the engine cannot read the new configuration".to_owned()))
        };
        let drops_managed_rules = !runs(new).await? && runs(&planned).await?;
        Ok(ManagedRulesProof { text, planned, drops_managed_rules })
    }
}
