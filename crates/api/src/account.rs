//! Types of accounts and users, which clients request before all other resources. The specification does not show
//! them. Their members are those that official clients declare as always present.

use serde::{Deserialize, Serialize};

/// An account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AccountDetails {
    /// ID: 32 lowercase hexadecimal digits.
    pub id: String,
    /// Display name.
    pub name: String,
    /// Always `standard`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct User {
    /// ID: 32 lowercase hexadecimal digits, always the same for an email address.
    pub id: String,
    /// Email address.
    pub email: String,
    /// Always false.
    pub suspended: bool,
}
