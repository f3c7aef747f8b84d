//! Types of page rules (§2.6 mentions them; shapes and values are observed).
//!
//! Start with [`PageRule`].

use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};
use serde_json::Value;

string_enum! {
    /// Status of a page rule.
    PageRuleStatus {
        /// Enabled.
        Active = "active",
        /// Disabled.
        Disabled = "disabled",
    }
}

/// Settings for the URLs that match a pattern. If several active page rules match a request, only the one with the
/// highest priority applies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageRule {
    /// ID: 32 lowercase hexadecimal digits.
    pub id: String,
    /// Targets of the rule; the service always returns exactly one.
    #[serde(default)]
    pub targets: Vec<PageRuleTarget>,
    /// The settings.
    #[serde(default)]
    pub actions: Vec<PageRuleAction>,
    /// Priority; page rules with higher values take precedence.
    #[serde(default)]
    pub priority: i64,
    /// Whether the rule is enabled.
    #[serde(default = "disabled")]
    pub status: PageRuleStatus,
    /// RFC 3339 time of creation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_on: Option<String>,
    /// RFC 3339 time of the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_on: Option<String>,
}

/// Target of a page rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageRuleTarget {
    /// Kind of the target; only `url` is known.
    pub target: String,
    /// Condition on the target.
    pub constraint: PageRuleConstraint,
}

/// Condition on the URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageRuleConstraint {
    /// Operator; only `matches` is known.
    pub operator: String,
    /// URL pattern, such as `*example.com/images/*`.
    pub value: String,
}

/// A setting of a page rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageRuleAction {
    /// Name of the setting, such as `disable_security`, `waf` or `security_level`.
    pub id: String,
    /// Value of the setting; some settings have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

impl PageRule {
    /// Returns the URL pattern, which identifies the rule for users. It is the value of the first target of any kind,
    /// and empty if the rule has no targets.
    pub fn pattern(&self) -> &str {
        self.targets.first().map_or("", |target| &target.constraint.value)
    }
}

fn disabled() -> PageRuleStatus {
    PageRuleStatus::Disabled
}
