//! `/healthz`: whether the service and its database answer. For watchers, so without an envelope.

use crate::App;
use crate::error::Error;
use axum::extract::State;

/// Answers `ok`.
pub(crate) async fn check(State(app): State<App>) -> Result<&'static str, Error> {
    app.store.ping().await?;
    Ok("ok\n")
}
