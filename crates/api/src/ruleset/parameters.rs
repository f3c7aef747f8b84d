//! Types of action parameters.
//!
//! Start with [`ActionParameters`].

use super::RulesetAction;
use crate::firewall::Product;
use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Action parameters: one member for each parameter of `execute` and `skip`, and a map for those of other actions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionParameters {
    /// `execute`: ID of the ruleset that the rule runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `execute`: version of the ruleset; always `latest` in responses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// `execute`: options for logging the matched parts of requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched_data: Option<MatchedData>,
    /// `execute`: overrides of the rules of that ruleset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overrides: Option<Overrides>,
    /// `skip`: always `current`; skips the remaining rules of this ruleset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<String>,
    /// `skip`: always `current`; skips the remaining rules of this phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// `skip`: IDs of the rulesets to skip.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rulesets: Vec<String>,
    /// `skip`: IDs of the rules to skip, by ruleset ID.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rules: BTreeMap<String, Vec<String>>,
    /// `skip`: names of the phases to skip.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<String>,
    /// `skip`: products to skip.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<Product>,
    /// Parameters of all other actions, exactly as they were sent, such as `response` of `block`.
    #[serde(flatten)]
    pub other: BTreeMap<String, Value>,
}

impl ActionParameters {
    /// The only version of a ruleset that `execute` can run.
    pub const LATEST_VERSION: &str = "latest";

    /// The only value of `ruleset` and `phase`: the ruleset or the phase of the rule itself.
    pub const CURRENT: &str = "current";
}

/// Options for logging the parts of requests that a managed rule matches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MatchedData {
    /// Public key that encrypts the matched data: 32 bytes in Base64.
    pub public_key: String,
}

/// Overrides of a managed ruleset. Rule overrides take precedence over category overrides, and category overrides
/// take precedence over overrides of all rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Overrides {
    /// Action of all rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<RulesetAction>,
    /// Whether all rules are enabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Sensitivity: `default`, `medium`, `low` or `eoff`; DDoS protection rulesets only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity_level: Option<String>,
    /// Overrides of the rules of a category. If a rule has several categories, the last override applies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<CategoryOverride>,
    /// Overrides of individual rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<RuleOverride>,
}

/// Override of the rules of a category.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CategoryOverride {
    /// Name of the category, such as `wordpress` or `paranoia-level-3`.
    pub category: String,
    /// Action of the rules of the category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<RulesetAction>,
    /// Whether the rules are enabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Sensitivity: `default`, `medium`, `low` or `eoff`; DDoS protection rulesets only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity_level: Option<String>,
}

/// Override of one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleOverride {
    /// ID of the rule in the managed ruleset.
    pub id: String,
    /// Action of the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<RulesetAction>,
    /// Whether the rule is enabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Score at which the rule acts; only for the last rule of the core rule set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_threshold: Option<u32>,
    /// Sensitivity: `default`, `medium`, `low` or `eoff`; DDoS protection rulesets only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity_level: Option<String>,
}

string_enum! {
    /// Sensitivity of DDoS protection rules.
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
