//! Types of the log-in to a relay that stores the credentials. This API is our own.

use serde::{Deserialize, Serialize};

/// Answer of `/relay/session`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RelaySession {
    /// Whether the server has the credentials; otherwise callers bring their own and nobody logs in.
    pub keeps_credentials: bool,
    /// Whether the caller is logged in.
    pub signed_in: bool,
    /// What requests that change something send in `X-CSRF-Token`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub csrf_token: Option<String>,
    /// How long the session lives on without a request, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_left: Option<u64>,
}

/// What somebody logs in with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Passphrase {
    /// That of the server.
    pub passphrase: String,
}
