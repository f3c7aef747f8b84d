//! An update that the user confirmed.
//!
//! [`ConfirmedUpdate`] is an immutable snapshot of everything that is sent, and of its destination. Changes that the
//! user makes while the preflight requests run affect neither.

use super::analysis::ConfigurationAnalysis;
use super::plan::Plan;
use crate::api::{ApiError, Client};
use crate::connection::Connection;
use serde_json::Value;
use web_sys::AbortController;
use zonewright_api::ruleset::{EntryPoint, Ruleset};
use zonewright_api::waf_migration::MigrationState;
use zonewright_migration::diff;

/// The message if the configuration is no longer the one that the user confirmed.
pub(super) const CHANGED_MESSAGE: &str =
    "The configuration of the zone has changed since it was loaded. Load and review it again.";

/// An update with the state on which it is based.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ConfirmedUpdate {
    pub(super) connection: Connection,
    /// The name of the zone.
    pub(super) name: String,
    /// The migration state after the update.
    pub(super) target: MigrationState,
    /// The new configuration as JSON, which is sent.
    pub(super) body: Value,
    /// The entry point that `body` describes.
    pub(super) entry_point: EntryPoint,
    /// The entity tag of the proposal.
    pub(super) etag: String,
    pub(super) page: PageSnapshot,
    /// The migration state when the zone was read.
    pub(super) state: MigrationState,
}

/// The state of the page when the user confirmed the update.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PageSnapshot {
    pub(super) zone: Option<String>,
    pub(super) fingerprint: String,
    /// The ID and the version of the saved entry point.
    pub(super) entry_point_version: Option<(String, String)>,
    /// The plan, as the engine returned it.
    pub(super) plan: Plan,
    /// The text of the new configuration.
    pub(super) text: String,
}

/// The reason why an update was not sent.
pub(super) enum AbortReason {
    /// The user selected another zone or connection.
    ZoneChanged,
    /// The zone or the page changed, or the zone is no longer compatible; the message says which.
    StateChanged(String),
    /// A request failed.
    CallFailed(ApiError),
    /// The engine could not analyze the zone again, for this reason.
    EngineFailed(String),
}

/// The outcome of an update whose response was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UpdateOutcome {
    /// The service applied the update.
    Applied,
    /// The zone has reached the target state, but with another entry point than the one that was sent.
    Diverged,
    /// The update is not visible; the zone is in this state.
    NotApplied(MigrationState),
}

impl ConfirmedUpdate {
    /// Creates a client of the confirmed zone.
    pub(super) fn client(&self) -> Result<Client, AbortReason> {
        let controller = AbortController::new().map_err(|_| AbortReason::CallFailed(ApiError::Cancelled))?;
        Ok(Client::new(self.connection.clone(), &controller.signal()))
    }

    /// Fails if the current state of the service differs from the confirmed one.
    pub(super) fn compare(
        &self,
        current: &ConfigurationAnalysis,
        etag: Option<&str>,
        state: MigrationState,
    ) -> Result<(), AbortReason> {
        let abort = |message: String| Err(AbortReason::StateChanged(message));
        if state != self.state {
            let (before, after) = (self.state.name(), state.name());
            return abort(format!(
                "The migration state changed from {before} to {after} since the zone was loaded. Load the zone again."
            ));
        }
        let configuration = &current.configuration;
        if configuration.fingerprint != self.page.fingerprint {
            return abort(CHANGED_MESSAGE.to_owned());
        }
        if configuration.entry_point_version() != self.page.entry_point_version {
            let message =
                "The saved entry point has changed since the zone was loaded. Load and review the zone again.";
            return abort(message.to_owned());
        }
        if !current.is_eligible() || current.plan != self.page.plan {
            return abort(CHANGED_MESSAGE.to_owned());
        }
        if etag != Some(&self.etag) {
            let message = "The service reports a change since the zone was loaded. Load and review the zone again.";
            return abort(message.to_owned());
        }
        Ok(())
    }

    /// Sends the update once.
    pub(super) async fn send(&self, parameter: &str) -> Result<(), ApiError> {
        let Ok(client) = self.client() else { return Err(ApiError::Cancelled) };
        client.migrate(parameter, &self.body, &self.etag).await
    }

    /// Reads the state and the saved entry point of the zone after a response was lost.
    pub(super) async fn probe(
        &self,
    ) -> Result<(zonewright_api::waf_migration::MigrationStatus, UpdateOutcome), ApiError> {
        let Ok(client) = self.client() else { return Err(ApiError::Cancelled) };
        let status = client.migration_status().await?;
        let saved = client.entry_point().await?;
        let state = status.migration_state;
        let outcome = if state < self.target {
            UpdateOutcome::NotApplied(state)
        } else if saved.as_ref().is_some_and(|saved| self.is_saved_as(saved)) {
            UpdateOutcome::Applied
        } else if state == self.state {
            UpdateOutcome::NotApplied(state)
        } else {
            UpdateOutcome::Diverged
        };
        Ok((status, outcome))
    }

    /// Reads the saved entry point.
    pub(super) async fn read_saved(&self) -> Result<Option<Ruleset>, ApiError> {
        let Ok(client) = self.client() else { return Err(ApiError::Cancelled) };
        client.entry_point().await
    }

    /// Returns whether an entry point is newer than the confirmed one and equals the one that was sent.
    fn is_saved_as(&self, saved: &Ruleset) -> bool {
        let version = Some((saved.id.clone(), saved.version.clone()));
        version != self.page.entry_point_version && diff(Some(saved), &self.entry_point).is_empty()
    }
}
