//! Types of zones and tokens. The specification shows only zone identifiers; the members are those that clients read
//! (observed).

use serde::{Deserialize, Serialize};

/// A zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Zone {
    /// Identifier: 32 lower-case hexadecimal digits.
    pub id: String,
    /// Domain name.
    pub name: String,
    /// Always `active`.
    pub status: String,
    /// Always false.
    pub paused: bool,
    /// Whose it is.
    pub account: Account,
    /// What it may do.
    pub plan: Plan,
}

/// The account of a zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Account {
    /// Identifier: 32 lower-case hexadecimal digits.
    pub id: String,
    /// Name for people.
    pub name: String,
}

/// The plan of a zone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Plan {
    /// Name for people: `Enterprise`.
    pub name: String,
    /// Name for programs: `free`, `pro`, `business` or `enterprise`.
    pub legacy_id: String,
}

/// Answer of the token check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TokenStatus {
    /// Identifier of the token (not the token).
    pub id: String,
    /// Always `active`.
    pub status: String,
    /// RFC 3339 time when it ends; left out when it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_on: Option<String>,
}

impl TokenStatus {
    /// Returns the status of a valid token.
    pub fn active(id: String, expires_on: Option<String>) -> TokenStatus {
        TokenStatus { id, status: "active".to_owned(), expires_on }
    }
}
