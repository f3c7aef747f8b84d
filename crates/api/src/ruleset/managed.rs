//! Types of managed rulesets in responses.

use super::{RulesetAction, RulesetSummary};
use serde::Serialize;

/// A managed ruleset with its rules, which have no expressions: those are the provider's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ManagedRulesetDetails {
    /// The ruleset.
    #[serde(flatten)]
    pub summary: RulesetSummary,
    /// Its rules.
    pub rules: Vec<ManagedRuleDetails>,
}

/// A rule of a managed ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ManagedRuleDetails {
    /// Identifier, which overrides name.
    pub id: String,
    /// A number as a string.
    pub version: String,
    /// What it does as delivered.
    pub action: RulesetAction,
    /// Its categories, which overrides name too.
    pub categories: Vec<String>,
    /// What it finds.
    pub description: String,
    /// RFC 3339 time of the last change.
    pub last_updated: String,
    /// Another name for it; here the identifier.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Whether it is in effect as delivered.
    pub enabled: bool,
    /// From which score it acts; the last rule of the core rule set only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_threshold: Option<u32>,
}
