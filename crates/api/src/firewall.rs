//! Types of filters and firewall rules (`zone-security-service` §2.4, §2.5).
//!
//! Start with [`Filter`] and [`FirewallRule`].

use crate::string_enum::string_enum;
use serde::{Deserialize, Serialize};

string_enum! {
    /// What a firewall rule does. The specification shows `block`; the others are observed.
    Action {
        /// Refuses the request.
        Block = "block",
        /// Asks for an interactive challenge.
        Challenge = "challenge",
        /// Asks for a JavaScript challenge.
        JsChallenge = "js_challenge",
        /// Asks for the challenge that fits the visitor.
        ManagedChallenge = "managed_challenge",
        /// Lets the request pass and ends the evaluation.
        Allow = "allow",
        /// Only records the request (Enterprise).
        Log = "log",
        /// Passes over the products named in the rule.
        Bypass = "bypass",
    }
}

string_enum! {
    /// What a rule with the action `bypass` passes over (observed).
    Product {
        /// Zone Lockdown (Pro and larger).
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
        /// The previous managed rules (Pro and larger).
        Waf = "waf",
    }
}

/// A filter, as the service answers it (§2.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Filter {
    /// Identifier: 32 lower-case hexadecimal digits, assigned by the service.
    pub id: String,
    /// Condition in the Rules language; at most 4,096 characters.
    pub expression: String,
    /// Whether the filter matches nothing for now.
    #[serde(default)]
    pub paused: bool,
    /// Remark for people; at most 500 characters, left out when unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The client's own short name; at most 50 characters, left out when unset.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A filter to create.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewFilter {
    /// Condition in the Rules language; at most 4,096 characters.
    pub expression: String,
    /// Whether the filter matches nothing for now.
    #[serde(skip_serializing_if = "is_false")]
    pub paused: bool,
    /// Remark for people; at most 500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The client's own short name; at most 50 characters.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// A firewall rule, as the service answers it (§2.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FirewallRule {
    /// Identifier: 32 lower-case hexadecimal digits, assigned by the service.
    pub id: String,
    /// Whether the rule does nothing for now.
    #[serde(default)]
    pub paused: bool,
    /// Remark for people; at most 500 characters, left out when unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What happens to the requests that the filter matches.
    pub action: Action,
    /// Place in the evaluation, small first; `null` comes after all numbers.
    #[serde(default)]
    pub priority: Option<u32>,
    /// Which requests.
    pub filter: Filter,
    /// What `bypass` passes over; left out with other actions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<Product>,
    /// The client's own short name; at most 50 characters, left out when unset.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// RFC 3339 time of creation (observed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_on: Option<String>,
    /// RFC 3339 time of the last change (observed).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_on: Option<String>,
}

/// A firewall rule to create, with its filter or for one that exists (§4.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NewRule {
    /// Which requests.
    pub filter: FilterReference,
    /// What happens to them.
    pub action: Action,
    /// Place in the evaluation, small first, at most 2,147,483,647.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
    /// Whether the rule does nothing for now.
    #[serde(skip_serializing_if = "is_false")]
    pub paused: bool,
    /// Remark for people; at most 500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The client's own short name; at most 50 characters.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// What `bypass` passes over; needed with it and only allowed with it.
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
    /// One that is created with the rule.
    New(NewFilter),
    /// One that exists; the same filter may serve many rules.
    Existing {
        /// Its identifier.
        id: String,
    },
}

/// A firewall rule as it shall be: what is left out becomes what it is in a new rule. The filter itself is
/// never changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleUpdate {
    /// Identifier; may be left out where the address has it.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub id: String,
    /// Which requests; everything else in it than the identifier is ignored.
    pub filter: FilterId,
    /// What happens to them.
    pub action: Action,
    /// Place in the evaluation, small first, at most 2,147,483,647.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u32>,
    /// Whether the rule does nothing for now.
    #[serde(skip_serializing_if = "is_false")]
    pub paused: bool,
    /// Remark for people; at most 500 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The client's own short name; at most 50 characters.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// What `bypass` passes over; needed with it and only allowed with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub products: Vec<Product>,
}

/// A filter that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FilterId {
    /// Its identifier.
    pub id: String,
}

/// Another priority for a firewall rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PriorityChange {
    /// Identifier; may be left out where the address has it.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub id: String,
    /// The priority, at most 2,147,483,647; `null` takes it away, and nothing changes when it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u32>))]
    pub priority: Option<Option<u32>>,
}

/// What to delete, when the address does not say it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletionRequest {
    /// Identifier.
    pub id: String,
    /// Of a rule: whether its filter goes with it, when no other rule uses it.
    #[serde(skip_serializing_if = "is_false")]
    pub delete_filter_if_unused: bool,
}

/// What to delete with a firewall rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RuleDeletionRequest {
    /// Whether the filter of the rule goes with it, when no other rule uses it.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub delete_filter_if_unused: bool,
}

/// Answer of a deletion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletedObject {
    /// Identifier of what is gone.
    pub id: String,
}

/// Answer of the deletion of a firewall rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletedRule {
    /// Identifier of the rule that is gone.
    pub id: String,
    /// Its filter, when that is gone too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<DeletedFilter>,
}

/// A filter that was deleted with its rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeletedFilter {
    /// Identifier.
    pub id: String,
    /// Always true.
    pub deleted: bool,
}

/// An expression to judge.
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
    fn a_new_rule_is_written_as_the_specification_shows_it() {
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
    fn names_lead_back_to_their_values() {
        assert!(Action::ALL.iter().all(|one| Action::from_name(one.name()) == Some(*one)));
        assert!(Product::ALL.iter().all(|one| Product::from_name(one.name()) == Some(*one)));
        assert_eq!(Action::from_name("Block"), None);
    }
}
