//! Types of the audit log. The specification does not have it. The shape is the one that clients of such services read
//! (observed); `metadata` has the additional facts of this service.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One change, as it is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditLog {
    /// Identifier of the entry: that of its log, and its number in it.
    pub id: String,
    /// What was done.
    pub action: AuditAction,
    /// Who did it.
    pub actor: AuditActor,
    /// How: `API`, `CLI`, or `service` for what the service did by itself.
    pub interface: String,
    /// What is known besides.
    pub metadata: AuditMetadata,
    /// The object as it was, as JSON in a text; absent when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_value: Option<String>,
    /// The object as it was; of a ruleset that was changed, without the rules that stayed as they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub old_value_json: Option<Value>,
    /// The object as it became, as JSON in a text; absent when it is no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_value: Option<String>,
    /// The object as it became; of a ruleset that was changed, without the rules that stayed as they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub new_value_json: Option<Value>,
    /// Whose it is.
    pub owner: AuditOwner,
    /// What was changed.
    pub resource: AuditResource,
    /// When, RFC 3339 in UTC.
    pub when: String,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditAction {
    /// Whether it was done; what was refused is not in the log.
    pub result: bool,
    /// What to what: `filter.create`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Who did it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditActor {
    /// Identifier of the token, e-mail address of the user, `admin` for the command line, or `service`.
    pub id: String,
    /// Of a user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// `user` for users and tokens, `admin` for the command line, or `system`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// What is known of a change besides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditMetadata {
    /// Identifier of the request, as its answer has it; empty when it was none.
    pub request_id: String,
    /// The zone that was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone_id: Option<String>,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone_name: Option<String>,
    /// Which log the entry is in: identifier of the zone or the account, empty for the service.
    pub log: String,
    /// Number of the entry in its log, from 1 without gaps.
    pub entry: u64,
    /// SHA-256 over the entry and the hash of the one before it, 64 hexadecimal digits.
    pub hash: String,
    /// When the object is left out, before and after, because those of the page are too large together: how large it
    /// is and how to get it, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

/// Whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditOwner {
    /// Identifier of the account.
    pub id: String,
}

/// What was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditResource {
    /// Its identifier.
    pub id: String,
    /// What it is: `filter`.
    #[serde(rename = "type")]
    pub kind: String,
}
