//! Rulesets as far as managed rules need them (§2.6, §4.5; what is not shown there is observed).

use crate::firewall::Product;
use crate::names::names;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

names! {
    /// What a rule of a ruleset does.
    RulesetAction {
        /// Refuses the request.
        Block = "block",
        /// Asks for an interactive challenge.
        Challenge = "challenge",
        /// Asks for a JavaScript challenge.
        JsChallenge = "js_challenge",
        /// Asks for the challenge that fits the visitor.
        ManagedChallenge = "managed_challenge",
        /// Only records the request.
        Log = "log",
        /// Runs another ruleset (§2.6).
        Execute = "execute",
        /// Passes over rules, rulesets, phases or products.
        Skip = "skip",
    }
}

/// A ruleset as the service answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ruleset {
    /// Identifier: 32 lower-case hexadecimal digits.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Remark for people.
    #[serde(default)]
    pub description: String,
    /// `zone` for an entry point of a zone, `managed` for one of the provider's.
    pub kind: String,
    /// When it runs: `http_request_firewall_managed`.
    pub phase: String,
    /// A number as a string, from `1`, one more with every change.
    pub version: String,
    /// RFC 3339 time of the last change.
    pub last_updated: String,
    /// Its rules, in the order they run.
    #[serde(default)]
    pub rules: Vec<RulesetRule>,
}

/// A ruleset as lists have it: without its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetSummary {
    /// Identifier: 32 lower-case hexadecimal digits.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Remark for people.
    #[serde(default)]
    pub description: String,
    /// `zone` for an entry point of a zone, `managed` for one of the provider's.
    pub kind: String,
    /// When it runs.
    pub phase: String,
    /// A number as a string.
    pub version: String,
    /// RFC 3339 time of the last change.
    pub last_updated: String,
}

impl From<Ruleset> for RulesetSummary {
    fn from(ruleset: Ruleset) -> Self {
        let Ruleset { id, name, description, kind, phase, version, last_updated, rules: _ } = ruleset;
        RulesetSummary { id, name, description, kind, phase, version, last_updated }
    }
}

/// A managed ruleset with its rules, which have no expressions: those are the provider's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ManagedRulesetAnswer {
    /// The ruleset.
    #[serde(flatten)]
    pub summary: RulesetSummary,
    /// Its rules.
    pub rules: Vec<ManagedRuleAnswer>,
}

/// A rule of a managed ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ManagedRuleAnswer {
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

/// The new configuration: body of the update of an entry point (§2.6, §4.5).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EntryPoint {
    /// Name for people.
    pub name: String,
    /// Remark for people; left out when unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its rules, in the order they run.
    pub rules: Vec<RulesetRule>,
}

/// A rule of a ruleset (§2.6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RulesetRule {
    /// Identifier: 32 lower-case hexadecimal digits, or empty in a new configuration.
    #[serde(default)]
    pub id: String,
    /// A number as a string, or empty in a new configuration.
    #[serde(default)]
    pub version: String,
    /// What it does.
    pub action: RulesetAction,
    /// For which requests.
    pub expression: String,
    /// Remark for people.
    #[serde(default)]
    pub description: String,
    /// The client's own name for it.
    #[serde(default, rename = "ref")]
    pub reference: String,
    /// Whether it is in effect.
    #[serde(default = "enabled")]
    pub enabled: bool,
    /// What the action needs to know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_parameters: Option<ActionParameters>,
    /// RFC 3339 time of the last change; in answers only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_updated: Option<String>,
}

/// What `execute` and `skip` need to know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActionParameters {
    /// `execute`: the managed ruleset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// `execute`: its version; `latest` in answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// `execute`: what is done otherwise than the ruleset says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overrides: Option<Overrides>,
    /// `skip`: always `current`, the rest of this entry point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<String>,
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
}

fn enabled() -> bool {
    true
}
