//! Types of filters and firewall rules (`zone-security-service` §2.4, §2.5).
//!
//! Start with [`Filter`] and [`FirewallRule`].

use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};

string_enum! {
    /// Action of a firewall rule. The specification shows `block`; the others are observed.
    Action {
        /// Blocks the request.
        Block = "block",
        /// Presents an interactive challenge.
        Challenge = "challenge",
        /// Presents a JavaScript challenge.
        JsChallenge = "js_challenge",
        /// Presents a challenge that is chosen for the visitor.
        ManagedChallenge = "managed_challenge",
        /// Allows the request and ends the evaluation.
        Allow = "allow",
        /// Only logs the request (Enterprise).
        Log = "log",
        /// Skips the products listed in the rule.
        Bypass = "bypass",
    }
}

string_enum! {
    /// A product that a rule with the action `bypass` or `skip` can skip (observed).
    Product {
        /// Zone Lockdown (Pro and above).
        ZoneLockdown = "zoneLockdown",
        /// User agent blocking.
        UaBlock = "uaBlock",
        /// Browser integrity check.
        Bic = "bic",
        /// Hotlink protection.
        Hot = "hot",
        /// Security level.
        SecurityLevel = "securityLevel",
        /// Rate limiting.
        RateLimit = "rateLimit",
        /// The previous managed rules (Pro and above).
        Waf = "waf",
    }
}

/// A filter, as the service returns it (§2.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Filter {
    /// ID: 32 lowercase hexadecimal digits, assigned by the service.
    pub id: String,
    /// Condition in the Rules language; at most 4,096 characters.
    pub expression: String,
    /// Whether the filter is paused; a paused filter matches nothing.
    #[serde(default)]
    pub paused: bool,
    /// Description; at most 500 characters, omitted if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Short reference chosen by the client; at most 50 characters, omitted if unset.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A filter to create.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewFilter {
    /// Condition in the Rules language; at most 4,096 characters.
    pub expression: String,
    /// Whether the filter is paused; a paused filter matches nothing.
    #[serde(skip_serializing_if = "is_false")]
    pub paused: bool,
    /// Description; at most 500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Short reference chosen by the client; at most 50 characters.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A firewall rule, as the service returns it (§2.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FirewallRule {
    /// ID: 32 lowercase hexadecimal digits, assigned by the service.
    pub id: String,
    /// Whether the rule is paused; a paused rule does nothing.
    #[serde(default)]
    pub paused: bool,
    /// Description; at most 500 characters, omitted if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Action for the requests that the filter matches.
    pub action: Action,
    /// Priority: rules with lower values run first, and rules with `null` run last.
    #[serde(default)]
    pub priority: Option<u32>,
    /// The filter that selects the requests.
    pub filter: Filter,
    /// Products that `bypass` skips; omitted for other actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<Product>,
    /// Short reference chosen by the client; at most 50 characters, omitted if unset.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// RFC 3339 time of creation (observed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_on: Option<String>,
    /// RFC 3339 time of the last change (observed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_on: Option<String>,
}

/// A firewall rule to create, with a new or an existing filter (§4.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewRule {
    /// The filter that selects the requests.
    pub filter: FilterReference,
    /// Action for these requests.
    pub action: Action,
    /// Priority: rules with lower values run first; at most 2,147,483,647.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
    /// Whether the rule is paused; a paused rule does nothing.
    #[serde(skip_serializing_if = "is_false")]
    pub paused: bool,
    /// Description; at most 500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Short reference chosen by the client; at most 50 characters.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Products that `bypass` skips; required for `bypass`, not allowed for other actions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<Product>,
}

impl NewRule {
    /// Creates a rule with this filter and action, and with default values otherwise.
    pub fn new(filter: FilterReference, action: Action) -> Self {
        NewRule { filter, action, priority: None, paused: false, description: None, reference: None, products: vec![] }
    }
}

/// The filter of a rule to create.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum FilterReference {
    /// A filter that is created with the rule.
    New(NewFilter),
    /// An existing filter; several rules can use the same filter.
    Existing {
        /// ID of the filter.
        id: String,
    },
}

/// A replacement for a firewall rule: omitted members are reset to the values of a new rule. The filter itself is
/// never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleUpdate {
    /// ID; may be omitted if the path contains it.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub id: String,
    /// The filter that selects the requests; all members except the ID are ignored.
    pub filter: FilterId,
    /// Action for these requests.
    pub action: Action,
    /// Priority: rules with lower values run first; at most 2,147,483,647.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
    /// Whether the rule is paused; a paused rule does nothing.
    #[serde(skip_serializing_if = "is_false")]
    pub paused: bool,
    /// Description; at most 500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Short reference chosen by the client; at most 50 characters.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Products that `bypass` skips; required for `bypass`, not allowed for other actions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<Product>,
}

/// A reference to an existing filter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FilterId {
    /// ID of the filter.
    pub id: String,
}

/// A change of the priority of a firewall rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PriorityChange {
    /// ID; may be omitted if the path contains it.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub id: String,
    /// New priority, at most 2,147,483,647; `null` removes the priority. If omitted, nothing changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u32>))]
    pub priority: Option<Option<u32>>,
}

/// An object to delete, in a bulk deletion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletionRequest {
    /// ID.
    pub id: String,
    /// Firewall rules only: whether to delete the filter of the rule too if no other rule uses it.
    #[serde(skip_serializing_if = "is_false")]
    pub delete_filter_if_unused: bool,
}

/// Options for the deletion of a firewall rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleDeletionRequest {
    /// Whether to delete the filter of the rule too if no other rule uses it.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub delete_filter_if_unused: bool,
}

/// Response to a deletion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletedObject {
    /// ID of the deleted object.
    pub id: String,
}

/// Response to the deletion of a firewall rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletedRule {
    /// ID of the deleted rule.
    pub id: String,
    /// The filter of the rule, if it was deleted too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<DeletedFilter>,
}

/// A filter that was deleted with its rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletedFilter {
    /// ID.
    pub id: String,
    /// Always true.
    pub deleted: bool,
}

/// An expression to validate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExpressionCheck {
    /// Condition in the Rules language; at most 4,096 characters.
    pub expression: String,
}

// serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_rule_serializes_as_in_the_specification() {
        let filter = NewFilter { expression: "ssl".to_owned(), ..NewFilter::default() };
        let created = NewRule::new(FilterReference::New(filter), Action::Block);
        let existing = NewRule::new(FilterReference::Existing { id: "ab".to_owned() }, Action::JsChallenge);
        let cases = [
            (created, r#"{"filter":{"expression":"ssl"},"action":"block"}"#),
            (existing, r#"{"filter":{"id":"ab"},"action":"js_challenge"}"#),
        ];
        for (rule, expected) in cases {
            assert_eq!(serde_json::to_string(&rule).unwrap(), expected);
        }
    }

    #[test]
    fn actions_and_products_round_trip_through_names() {
        assert!(Action::ALL.iter().all(|action| Action::from_name(action.name()) == Some(*action)));
        assert!(Product::ALL.iter().all(|product| Product::from_name(product.name()) == Some(*product)));
        assert_eq!(Action::from_name("Block"), None);
    }
}
