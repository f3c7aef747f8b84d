//! Types of action parameters.
//!
//! Start with [`ActionParameters`].

use super::RulesetAction;
use crate::firewall::Product;
use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What an action needs to know. Those of `execute` and `skip` have members of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionParameters {
    /// `execute`: the managed ruleset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `execute`: its version; `latest` in answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// `execute`: what is to be kept of requests that match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched_data: Option<MatchedData>,
    /// `execute`: what is done otherwise than the ruleset says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overrides: Option<Overrides>,
    /// `skip`: always `current`, the rest of this entry point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<String>,
    /// `skip`: always `current`, the rest of this phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// `skip`: identifiers of rulesets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rulesets: Vec<String>,
    /// `skip`: rules by their ruleset.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, Vec<String>>,
    /// `skip`: names of phases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<String>,
    /// `skip`: products outside the rulesets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<Product>,
    /// What any other action needs to know, as it was sent: `response` of `block`, `uri` and `headers` of `rewrite`.
    #[serde(flatten)]
    pub more: BTreeMap<String, Value>,
}

/// What is kept of requests that a managed rule matches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MatchedData {
    /// The key to encrypt it with: 32 bytes in Base64.
    pub public_key: String,
}

/// What is done otherwise than a managed ruleset says. What names a rule counts before what names a
/// category, and that before what is for all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Overrides {
    /// For all rules: another action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<RulesetAction>,
    /// For all rules: in effect or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// How sensitive: `default`, `medium`, `low` or `eoff`; rulesets against denial of service only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity_level: Option<String>,
    /// For the rules of a category; when a rule has several, the later counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<CategoryOverride>,
    /// For single rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleOverride>,
}

/// What the rules of a category do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CategoryOverride {
    /// Name of the category: `wordpress`, `paranoia-level-3`.
    pub category: String,
    /// Another action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<RulesetAction>,
    /// In effect or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// How sensitive: `default`, `medium`, `low` or `eoff`; rulesets against denial of service only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity_level: Option<String>,
}

/// What one rule does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleOverride {
    /// Identifier of the rule in the managed ruleset.
    pub id: String,
    /// Another action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<RulesetAction>,
    /// In effect or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// From which score the rule acts; the last rule of the core rule set only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_threshold: Option<u32>,
    /// How sensitive: `default`, `medium`, `low` or `eoff`; rulesets against denial of service only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity_level: Option<String>,
}

string_enum! {
    /// How sensitive rules against denial of service are.
    SensitivityLevel {
        /// High, the default.
        Default = "default",
        /// Medium.
        Medium = "medium",
        /// Low.
        Low = "low",
        /// Essentially off.
        EssentiallyOff = "eoff",
    }
}
