//! Types of zones and tokens. The specification shows only zone identifiers; the members are those that clients read
//! (observed).

use serde::{Deserialize, Serialize};

/// A zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Zone {
    /// ID: 32 lowercase hexadecimal digits.
    pub id: String,
    /// Domain name.
    pub name: String,
    /// Always `active`.
    pub status: String,
    /// Always false.
    pub paused: bool,
    /// The account that owns the zone.
    pub account: Account,
    /// The plan of the zone.
    pub plan: Plan,
}

/// The account of a zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Account {
    /// ID: 32 lowercase hexadecimal digits.
    pub id: String,
    /// Display name.
    pub name: String,
}

/// The plan of a zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Plan {
    /// Display name, such as `Enterprise`.
    pub name: String,
    /// Machine-readable name: `free`, `pro`, `business` or `enterprise`.
    pub legacy_id: String,
}

/// Response of the token check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TokenStatus {
    /// ID of the token (not the token itself).
    pub id: String,
    /// Always `active`.
    pub status: String,
    /// RFC 3339 time at which the token expires; omitted if it does not expire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_on: Option<String>,
}

impl TokenStatus {
    /// Returns the status of a valid token.
    pub fn active(id: String, expires_on: Option<String>) -> TokenStatus {
        TokenStatus { id, status: "active".to_owned(), expires_on }
    }
}
