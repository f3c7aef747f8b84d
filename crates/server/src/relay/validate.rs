//! Validates bodies with the engine that the service and the browser use. Only the upstream can check facts such as
//! whether an object exists and how many objects there are.

mod rulesets;

use super::route_match::RouteMatch;
use super::route_table::BodyKind;
use crate::error::Error;
use crate::routes::logpush_edge;
use serde::de::DeserializeOwned;
use serde_json::Value;
use zonewright_api::logpush::Job;
use zonewright_api::{ObjectReader, ValidationError};
use zonewright_expression::schema::Tier;
use zonewright_firewall::{
    read_filter_deletions, read_filter_update, read_filter_updates, read_filters, read_priority_change,
    read_priority_changes, read_rule_deletion, read_rule_deletions, read_rule_update, read_rule_updates, read_rules,
};
use zonewright_logpush::{JobRules, read_job, read_update};
use zonewright_migration::read::{
    read_group_mode, read_override, read_override_update, read_package_change, read_page_rule, read_page_rule_change,
    read_rule_mode, read_waf_setting,
};

/// The facts that validation needs besides the body.
pub(super) struct ValidationContext<'a> {
    pub(super) route: &'a RouteMatch,
    /// Plan of the zone; Enterprise if it is unknown.
    pub(super) tier: Tier,
    /// Current state of the object at the path, if it could be read.
    pub(super) current: Option<Value>,
    /// IDs in the query.
    pub(super) ids: Vec<String>,
}

impl ValidationContext<'_> {
    fn current<T: DeserializeOwned>(&self) -> Option<T> {
        self.current.clone().and_then(|value| serde_json::from_value(value).ok())
    }

    /// Returns the last segment of the path.
    fn last_segment(&self) -> &str {
        self.route.segments.last().map(String::as_str).unwrap_or_default()
    }
}

impl BodyKind {
    /// Returns whether validation depends on the plan of the zone.
    pub(super) fn needs_plan(self) -> bool {
        !matches!(
            self,
            BodyKind::None
                | BodyKind::FilterDeletions
                | BodyKind::RuleDeletions
                | BodyKind::RuleDeletion
                | BodyKind::AnyObject
                | BodyKind::Priorities
                | BodyKind::Priority
                | BodyKind::Package
                | BodyKind::Group
                | BodyKind::WafRule
                | BodyKind::Job
                | BodyKind::JobUpdate
                | BodyKind::InstantLogs
                | BodyKind::Transformer
        )
    }

    /// Returns whether the body is optional.
    pub(super) fn allows_empty_body(self) -> bool {
        matches!(
            self,
            BodyKind::FilterDeletions | BodyKind::RuleDeletions | BodyKind::RuleDeletion | BodyKind::Priority
        )
    }

    /// Returns whether validation depends on the current state of the object.
    pub(super) fn needs_current(self) -> bool {
        matches!(
            self,
            BodyKind::Package
                | BodyKind::Group
                | BodyKind::WafRule
                | BodyKind::PageRuleChange
                | BodyKind::RulesetUpdate
                | BodyKind::RulesetRule
                | BodyKind::RulesetRuleChange
                | BodyKind::JobUpdate
        )
    }

    /// Returns whether the query may contain IDs.
    pub(super) fn needs_query_ids(self) -> bool {
        matches!(self, BodyKind::FilterDeletions | BodyKind::RuleDeletions)
    }

    /// Validates IDs in the query of a request without a body. Returns every error that the upstream would report.
    pub(super) fn validate_ids(self, ids: Vec<String>) -> Result<(), Error> {
        let result = match self {
            BodyKind::FilterDeletions => read_filter_deletions(ids, None),
            BodyKind::RuleDeletions => read_rule_deletions(ids, None),
            _ => return Ok(()),
        };
        Ok(result.map(drop)?)
    }

    /// Validates a body. Returns every error that the upstream would report.
    pub(super) fn validate(self, body: &Value, facts: &ValidationContext) -> Result<(), Error> {
        let (tier, last) = (facts.tier, facts.last_segment());
        let result = match self {
            BodyKind::None => Ok(()),
            BodyKind::AnyObject if facts.route.route.starts_with("logpush/") => {
                return require_object(body).map_err(Error::from_job_errors);
            }
            BodyKind::AnyObject => require_object(body),
            BodyKind::Filters => read_filters(body, tier).map(drop),
            BodyKind::FilterUpdates => read_filter_updates(body, tier).map(drop),
            BodyKind::FilterUpdate => read_filter_update(body, last, tier).map(drop),
            BodyKind::FilterDeletions => read_filter_deletions(facts.ids.clone(), Some(body)).map(drop),
            BodyKind::Rules => read_rules(body, tier).map(drop),
            BodyKind::RuleUpdates => read_rule_updates(body, tier).map(drop),
            BodyKind::RuleUpdate => read_rule_update(body, last, tier).map(drop),
            BodyKind::RuleDeletions => read_rule_deletions(facts.ids.clone(), Some(body)).map(drop),
            BodyKind::RuleDeletion => read_rule_deletion(Some(body)).map(drop),
            BodyKind::Priorities => read_priority_changes(body).map(drop),
            BodyKind::Priority => read_priority_change(body, last).map(drop),
            BodyKind::Package => {
                validate_against_current(facts, |package| read_package_change(body, &package).map(drop))
            }
            BodyKind::Group => validate_against_current(facts, |group| read_group_mode(body, &group).map(drop)),
            BodyKind::WafRule => validate_against_current(facts, |rule| read_rule_mode(body, &rule).map(drop)),
            BodyKind::Override => read_override(body, tier).map(drop),
            BodyKind::OverrideUpdate => read_override_update(body, last, tier).map(drop),
            BodyKind::WafSetting => read_waf_setting(body, tier).map(drop),
            BodyKind::PageRule => read_page_rule(body, tier).map(drop),
            BodyKind::PageRuleChange => {
                validate_against_current(facts, |rule| read_page_rule_change(body, &rule, tier).map(drop))
            }
            BodyKind::Ruleset => rulesets::validate_new_ruleset(body, facts),
            BodyKind::RulesetUpdate => rulesets::validate_update(body, facts),
            BodyKind::RulesetRule => rulesets::validate_new_rule(body, facts),
            BodyKind::RulesetRuleChange => rulesets::validate_rule_change(body, facts),
            BodyKind::EntryPoint => rulesets::validate_entry_point(body, facts),
            BodyKind::Job => read_job(body, &JobRules::documented(facts.route.scope)).map(drop),
            BodyKind::JobUpdate => validate_against_current(facts, |job: Job| {
                read_update(body, &job.settings, &JobRules::documented(facts.route.scope)).map(drop)
            }),
            BodyKind::InstantLogs => return logpush_edge::validate_instant_logs(body).map_err(Error::from_job_errors),
            BodyKind::Transformer => validate_transformer(body),
        };
        result.map_err(Error::from)
    }
}

/// Validates against the current state. If it is unknown, only the upstream validates.
fn validate_against_current<T: DeserializeOwned>(
    facts: &ValidationContext,
    validate: impl FnOnce(T) -> Result<(), Vec<ValidationError>>,
) -> Result<(), Vec<ValidationError>> {
    facts.current().map_or(Ok(()), validate)
}

/// Rejects a body that is not an object.
fn require_object(body: &Value) -> Result<(), Vec<ValidationError>> {
    if body.is_object() { Ok(()) } else { finish(ObjectReader::new(body, "the request", &[], &[])?) }
}

/// Validates a transformer. The maximum lengths in bytes are documented.
fn validate_transformer(body: &Value) -> Result<(), Vec<ValidationError>> {
    let limits = [("name", 255), ("code", 10 << 10), ("description", 4_096)];
    let mut reader = ObjectReader::new(body, "a transformer", &limits.map(|(name, _)| name), &[])?;
    for (name, max_bytes) in limits {
        if let Some(text) = reader.text(name).filter(|text| text.len() > max_bytes) {
            let message = format!("`{name}` has {} bytes; at most {max_bytes} are allowed", text.len());
            reader.errors.push(ValidationError::invalid_value(format!("/{name}"), message));
        }
    }
    finish(reader)
}

fn finish(reader: ObjectReader) -> Result<(), Vec<ValidationError>> {
    if reader.errors.is_empty() { Ok(()) } else { Err(reader.errors) }
}
