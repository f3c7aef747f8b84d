//! Types of page rules (§2.6 mentions them; shapes and values are observed).
//!
//! Start with [`PageRule`].

use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};
use serde_json::Value;

string_enum! {
    /// Whether a page rule is in effect.
    PageRuleStatus {
        /// In effect.
        Active = "active",
        /// Not in effect.
        Disabled = "disabled",
    }
}

/// Settings for the URLs of a pattern. Of all active page rules, only the one with the highest priority
/// whose pattern fits a request counts for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageRule {
    /// Identifier: 32 lower-case hexadecimal digits.
    pub id: String,
    /// The pattern; the service has always one.
    #[serde(default)]
    pub targets: Vec<PageRuleTarget>,
    /// The settings.
    #[serde(default)]
    pub actions: Vec<PageRuleAction>,
    /// Place among the page rules, large first.
    #[serde(default)]
    pub priority: i64,
    /// Whether it is in effect.
    #[serde(default = "disabled")]
    pub status: PageRuleStatus,
    /// RFC 3339 time of creation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_on: Option<String>,
    /// RFC 3339 time of the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_on: Option<String>,
}

/// What a page rule looks at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageRuleTarget {
    /// `url`; no other is known.
    pub target: String,
    /// What it must be like.
    pub constraint: PageRuleConstraint,
}

/// What a URL must be like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageRuleConstraint {
    /// `matches`; others are not known.
    pub operator: String,
    /// The pattern: `*example.com/images/*`.
    pub value: String,
}

/// A setting of a page rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageRuleAction {
    /// Its name: `disable_security`, `waf`, `security_level`, …
    pub id: String,
    /// Its value; some have none.
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
