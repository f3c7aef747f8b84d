//! The session with a relay, a server that stores the credentials and identifies this browser by a cookie.

use crate::api::{ApiError, Client};
use crate::connection::Connection;
use leptos::task::spawn_local;
use web_sys::AbortController;
use zonewright_api::relay::RelaySession;
use zonewright_api::{ErrorObject, error_code};

/// Resumes the session of this browser, or starts a new one if there is a passphrase. The session is read first, so
/// that a server that is not a relay never receives the passphrase.
pub(super) async fn log_in(client: &Client, passphrase: &str) -> Result<RelaySession, ApiError> {
    let current = match client.session().await {
        // A service that is not a relay does not have this path.
        Err(ApiError::Response { status: 404, .. }) => RelaySession::default(),
        current => current?,
    };
    if !current.keeps_credentials {
        return Err(auth_error(
            "this server does not store credentials: authenticate with a token, or with email and key",
        ));
    }
    if !passphrase.is_empty() {
        return client.log_in(passphrase).await;
    }
    if current.signed_in { Ok(current) } else { Err(auth_error("not logged in: enter the passphrase of the server")) }
}

/// Ends the session. A failure is ignored, because the session expires.
pub(super) fn log_out(connection: Connection) {
    let Ok(controller) = AbortController::new() else { return };
    spawn_local(async move {
        let _ = Client::new(connection, &controller.signal()).log_out().await;
    });
}

fn auth_error(message: &str) -> ApiError {
    ApiError::Response { status: 401, errors: vec![ErrorObject::new(error_code::NOT_LOGGED_IN, message)] }
}
