//! Types of managed rulesets in responses.

use super::{RulesetAction, RulesetSummary};
use serde::Serialize;

/// A managed ruleset with its rules. Their expressions are omitted because the provider does not publish them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ManagedRulesetDetails {
    /// The ruleset.
    #[serde(flatten)]
    pub summary: RulesetSummary,
    /// Rules of the ruleset.
    pub rules: Vec<ManagedRuleDetails>,
}

/// A rule of a managed ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ManagedRuleDetails {
    /// ID, by which overrides refer to the rule.
    pub id: String,
    /// Version number as a string.
    pub version: String,
    /// Default action.
    pub action: RulesetAction,
    /// Categories, by which overrides can also refer to the rule.
    pub categories: Vec<String>,
    /// Description of the requests that the rule detects.
    pub description: String,
    /// RFC 3339 time of the last change.
    pub last_updated: String,
    /// Reference; the same as the ID.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Whether the rule is enabled by default.
    pub enabled: bool,
    /// Score at which the rule acts; only for the last rule of the core rule set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_threshold: Option<u32>,
}
