//! Types of the audit log, which the specification does not describe. Clients of the real API read this shape
//! (observed). `metadata` has facts that only this service records.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An entry of the audit log: one change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditLog {
    /// ID of the entry: the ID of its log and its number in that log.
    pub id: String,
    /// The action.
    pub action: AuditAction,
    /// The actor.
    pub actor: AuditActor,
    /// Interface of the change: `API`, `CLI`, or `service` for changes that the service makes by itself.
    pub interface: String,
    /// Additional facts about the change.
    pub metadata: AuditMetadata,
    /// The object before the change, as a JSON string; omitted if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_value: Option<String>,
    /// The object before the change. For an updated ruleset, unchanged rules are omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub old_value_json: Option<Value>,
    /// The object after the change, as a JSON string; omitted if the object was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_value: Option<String>,
    /// The object after the change. For an updated ruleset, unchanged rules are omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub new_value_json: Option<Value>,
    /// The owner of the changed object.
    pub owner: AuditOwner,
    /// The changed object.
    pub resource: AuditResource,
    /// Time of the change: RFC 3339 in UTC.
    pub when: String,
}

/// The action of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditAction {
    /// Whether the change was made; rejected changes are not logged.
    pub result: bool,
    /// Kind of the object and of the action, such as `filter.create`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// The actor of a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditActor {
    /// ID of the token, email address of the user, `admin` for the command line, or `service`.
    pub id: String,
    /// Email address; users only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// `user` for users and tokens, `admin` for the command line, or `system`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Additional facts about a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditMetadata {
    /// ID of the request, as in its response; empty if no request made the change.
    pub request_id: String,
    /// ID of the changed zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone_id: Option<String>,
    /// Name of the changed zone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone_name: Option<String>,
    /// The log of the entry: ID of the zone or account, or empty for the service.
    pub log: String,
    /// Number of the entry in its log, from 1 without gaps.
    pub entry: u64,
    /// SHA-256 of the entry and the hash of the previous entry: 64 hexadecimal digits.
    pub hash: String,
    /// Present if both versions of the object are omitted because the objects of the page are too large in total.
    /// Explains how large the object is and how to get it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omitted: Option<String>,
}

/// The owner of a changed object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditOwner {
    /// ID of the account.
    pub id: String,
}

/// A changed object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditResource {
    /// ID of the object.
    pub id: String,
    /// Kind of the object, such as `filter`.
    #[serde(rename = "type")]
    pub kind: String,
}
