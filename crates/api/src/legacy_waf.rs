//! Types of the previous managed rules: packages, groups, rules, and overrides by URL. The specification mentions them
//! (§1, §3, §4.7) but does not define them. Shapes and values are observed.
//!
//! Start with [`Package`], [`Group`] and [`WafRule`].

use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

string_enum! {
    /// How a package detects attacks.
    DetectionMode {
        /// Matching rules add to a score, and the package acts when it reaches a threshold: the core rule set.
        Anomaly = "anomaly",
        /// Each rule acts independently.
        Traditional = "traditional",
    }
}

string_enum! {
    /// Sensitivity of an anomaly package, which determines its score threshold (§2.6 has the names).
    Sensitivity {
        /// Acts at a low score.
        High = "high",
        /// Acts at a medium score.
        Medium = "medium",
        /// Acts at a high score.
        Low = "low",
        /// The default.
        Default = "default",
        /// Never acts.
        Off = "off",
    }
}

string_enum! {
    /// Action of an anomaly package.
    ActionMode {
        /// Only logs the request.
        Simulate = "simulate",
        /// Blocks the request.
        Block = "block",
        /// Presents an interactive challenge.
        Challenge = "challenge",
    }
}

string_enum! {
    /// Whether a group or a setting is on.
    Switch {
        /// On.
        On = "on",
        /// Off.
        Off = "off",
    }
}

string_enum! {
    /// Mode of a rule of a package.
    RuleMode {
        /// Enabled (rules of anomaly packages, and rules that allow requests).
        On = "on",
        /// Disabled (rules of anomaly packages, and rules that allow requests).
        Off = "off",
        /// The default mode of the rule, `default_mode`.
        Default = "default",
        /// Disabled.
        Disable = "disable",
        /// Only logs the request.
        Simulate = "simulate",
        /// Blocks the request.
        Block = "block",
        /// Presents an interactive challenge.
        Challenge = "challenge",
    }
}

/// A package of rules. A zone has three.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Package {
    /// ID: 32 lowercase hexadecimal digits.
    pub id: String,
    /// Display name.
    #[serde(default)]
    pub name: String,
    /// Description of the attacks that the package detects.
    #[serde(default)]
    pub description: String,
    /// How the package detects attacks.
    pub detection_mode: DetectionMode,
    /// ID of the zone; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub zone_id: String,
    /// Status; `active` if the package is on.
    #[serde(default = "active_status")]
    pub status: String,
    /// Sensitivity; anomaly packages only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Sensitivity>,
    /// Action; anomaly packages only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_mode: Option<ActionMode>,
}

impl Package {
    /// Returns whether the package is enabled.
    pub fn is_active(&self) -> bool {
        self.status == ACTIVE
    }
}

/// A group of rules in a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Group {
    /// ID: 32 lowercase hexadecimal digits.
    pub id: String,
    /// Display name.
    #[serde(default)]
    pub name: String,
    /// Description of the group.
    #[serde(default)]
    pub description: Option<String>,
    /// Number of rules in the group.
    #[serde(default)]
    pub rules_count: u64,
    /// Number of rules whose mode is not the default.
    #[serde(default)]
    pub modified_rules_count: u64,
    /// ID of the package.
    #[serde(default)]
    pub package_id: String,
    /// Whether the rules of the group are on.
    pub mode: Switch,
    /// Modes that the group can have.
    #[serde(default)]
    pub allowed_modes: Vec<Switch>,
}

/// A rule of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WafRule {
    /// ID, which is not hexadecimal, such as `100135A`.
    pub id: String,
    /// Description of the requests that the rule detects.
    #[serde(default)]
    pub description: String,
    /// Position in the group, as a number in a string.
    #[serde(default)]
    pub priority: String,
    /// ID of the package.
    #[serde(default)]
    pub package_id: String,
    /// The group of the rule.
    #[serde(default)]
    pub group: GroupReference,
    /// Mode of the rule.
    pub mode: RuleMode,
    /// Modes that the rule can have.
    #[serde(default)]
    pub allowed_modes: Vec<RuleMode>,
    /// Mode that `default` stands for; only for rules that block requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_mode: Option<RuleMode>,
}

/// The group of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupReference {
    /// ID of the group.
    #[serde(default)]
    pub id: String,
    /// Name of the group.
    #[serde(default)]
    pub name: String,
}

/// An override of the previous managed rules for some URLs; it blocks the migration (§3 rule 2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UrlOverride {
    /// ID: 32 lowercase hexadecimal digits.
    pub id: String,
    /// Description; at most 1,024 characters.
    #[serde(default)]
    pub description: Option<String>,
    /// URL patterns: hosts with paths, without a scheme; `*` matches any characters.
    #[serde(default)]
    pub urls: Vec<String>,
    /// Priority, from -1,000,000,000 to 1,000,000,000; lower values come first.
    #[serde(default)]
    pub priority: i64,
    /// Modes of groups for these URLs, by group ID.
    #[serde(default)]
    pub groups: BTreeMap<String, RuleMode>,
    /// Modes of rules for these URLs, by rule ID.
    #[serde(default)]
    pub rules: BTreeMap<String, RuleMode>,
    /// Replacement for each action.
    #[serde(default)]
    pub rewrite_action: BTreeMap<RuleMode, RuleMode>,
    /// Whether the override is paused; a paused override does nothing.
    #[serde(default)]
    pub paused: bool,
}

/// A setting of a zone. This service supports only `waf`, which turns the previous managed rules on or off
/// (observed).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ZoneSetting {
    /// Name of the setting.
    pub id: String,
    /// Value of the setting.
    pub value: Switch,
    /// Whether the plan of the zone allows changes of the setting.
    pub editable: bool,
    /// RFC 3339 time of the last change; `null` if the setting never changed.
    pub modified_on: Option<String>,
}

fn active_status() -> String {
    ACTIVE.to_owned()
}

/// The status of an enabled package. The other statuses are not documented.
const ACTIVE: &str = "active";
