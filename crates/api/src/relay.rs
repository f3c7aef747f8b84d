//! Types of the log-in to a relay that stores the credentials. This API is our own.

use serde::{Deserialize, Serialize};

/// Response of `/relay/session`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RelaySession {
    /// Whether the server stores the credentials. If not, each client sends its own credentials and does not log in.
    pub keeps_credentials: bool,
    /// Whether the client is logged in.
    pub signed_in: bool,
    /// Value of the header `X-CSRF-Token`, which is required for requests that change something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub csrf_token: Option<String>,
    /// Seconds until the session expires if no request is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_left: Option<u64>,
}

/// Log-in request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Passphrase {
    /// Passphrase of the server.
    pub passphrase: String,
}
