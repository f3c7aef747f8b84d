//! Types of the previous managed rules: packages, groups, rules, and overrides by URL. The specification mentions them
//! (§1, §3, §4.7) and shows none. Shapes and values are observed.
//!
//! Start with [`Package`], [`Group`] and [`WafRule`].

use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

string_enum! {
    /// How the rules of a package find out about a request.
    DetectionMode {
        /// Rules add to a score, and the package acts when it is high enough: the core rule set.
        Anomaly = "anomaly",
        /// Each rule acts by itself.
        Traditional = "traditional",
    }
}

string_enum! {
    /// From which score an anomaly package acts (§2.6 has the names).
    Sensitivity {
        /// Acts early.
        High = "high",
        /// Acts at a middle score.
        Medium = "medium",
        /// Acts late.
        Low = "low",
        /// As delivered.
        Default = "default",
        /// Never acts.
        Off = "off",
    }
}

string_enum! {
    /// What an anomaly package does.
    ActionMode {
        /// Only records the request.
        Simulate = "simulate",
        /// Refuses it.
        Block = "block",
        /// Asks for an interactive challenge.
        Challenge = "challenge",
    }
}

string_enum! {
    /// Whether something is in effect.
    Switch {
        /// In effect.
        On = "on",
        /// Not in effect.
        Off = "off",
    }
}

string_enum! {
    /// What a rule of a package does.
    RuleMode {
        /// Counts (rules of anomaly packages, and those that let pass).
        On = "on",
        /// Does not count.
        Off = "off",
        /// As delivered: the rule's `default_mode`.
        Default = "default",
        /// Does nothing.
        Disable = "disable",
        /// Only records the request.
        Simulate = "simulate",
        /// Refuses it.
        Block = "block",
        /// Asks for an interactive challenge.
        Challenge = "challenge",
    }
}

/// A package of rules. A zone has three.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Package {
    /// Identifier: 32 lower-case hexadecimal digits.
    pub id: String,
    /// Name for people.
    #[serde(default)]
    pub name: String,
    /// What it guards against.
    #[serde(default)]
    pub description: String,
    /// How its rules work.
    pub detection_mode: DetectionMode,
    /// The zone; empty when it is not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub zone_id: String,
    /// `active` when it is in effect.
    #[serde(default = "active")]
    pub status: String,
    /// Anomaly packages only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Sensitivity>,
    /// Anomaly packages only.
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
    /// Identifier: 32 lower-case hexadecimal digits.
    pub id: String,
    /// Name for people.
    #[serde(default)]
    pub name: String,
    /// What it is about.
    #[serde(default)]
    pub description: Option<String>,
    /// How many rules it has.
    #[serde(default)]
    pub rules_count: u64,
    /// How many of them are not as delivered.
    #[serde(default)]
    pub modified_rules_count: u64,
    /// Its package.
    #[serde(default)]
    pub package_id: String,
    /// Whether its rules are in effect.
    pub mode: Switch,
    /// The modes it can have.
    #[serde(default)]
    pub allowed_modes: Vec<Switch>,
}

/// A rule of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WafRule {
    /// Identifier, no hexadecimal one: `100135A`.
    pub id: String,
    /// What it finds.
    #[serde(default)]
    pub description: String,
    /// Place in its group: a number as a string.
    #[serde(default)]
    pub priority: String,
    /// Its package.
    #[serde(default)]
    pub package_id: String,
    /// Its group.
    #[serde(default)]
    pub group: GroupReference,
    /// What it does.
    pub mode: RuleMode,
    /// The modes it can have.
    #[serde(default)]
    pub allowed_modes: Vec<RuleMode>,
    /// What `default` stands for; rules that refuse requests only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_mode: Option<RuleMode>,
}

/// The group of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GroupReference {
    /// Its identifier.
    #[serde(default)]
    pub id: String,
    /// Its name.
    #[serde(default)]
    pub name: String,
}

/// Other settings of the previous managed rules for some URLs; they stand in the way of the migration
/// (§3 rule 2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UrlOverride {
    /// Identifier: 32 lower-case hexadecimal digits.
    pub id: String,
    /// Remark for people; at most 1,024 characters.
    #[serde(default)]
    pub description: Option<String>,
    /// Hosts with paths, no scheme, `*` for anything.
    #[serde(default)]
    pub urls: Vec<String>,
    /// Place among the overrides, small first; -1,000,000,000 to 1,000,000,000.
    #[serde(default)]
    pub priority: i64,
    /// What groups do for these URLs, by their identifiers.
    #[serde(default)]
    pub groups: BTreeMap<String, RuleMode>,
    /// What rules do for these URLs, by their identifiers.
    #[serde(default)]
    pub rules: BTreeMap<String, RuleMode>,
    /// What is done instead of an action.
    #[serde(default)]
    pub rewrite_action: BTreeMap<RuleMode, RuleMode>,
    /// Whether it does nothing for now.
    #[serde(default)]
    pub paused: bool,
}

/// A setting of a zone; of all that zones have, this service has `waf`, the switch of the previous managed
/// rules (observed).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ZoneSetting {
    /// Its name.
    pub id: String,
    /// What it is set to.
    pub value: Switch,
    /// Whether the plan of the zone lets it be changed.
    pub editable: bool,
    /// RFC 3339 time of the last change; `null` before the first.
    pub modified_on: Option<String>,
}

fn active() -> String {
    ACTIVE.to_owned()
}

/// The status of an enabled package. Services may return other statuses, which are not listed.
const ACTIVE: &str = "active";
