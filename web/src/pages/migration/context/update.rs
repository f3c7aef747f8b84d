//! The update of the zone: the user's confirmations, its progress and its outcome.

use super::super::confirmed_update::{ConfirmedUpdate, UpdateOutcome};
use crate::api::ApiError;
use leptos::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The state of the update.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum UpdateState {
    /// No update was sent, or the last one was applied.
    Idle,
    /// The preflight requests are in flight, or the engine checks their responses.
    Revalidating(Arc<ConfirmedUpdate>),
    /// The update is in flight.
    InFlight,
    /// The zone changed since it was confirmed; nothing was sent.
    Aborted(String),
    /// A preflight request failed; nothing was sent.
    PreflightFailed(ApiError),
    /// The service rejected the update.
    Rejected(ApiError),
    /// The response was lost. The second value is the result of the last probe.
    InDoubt(Arc<ConfirmedUpdate>, Option<UpdateOutcome>),
}

impl UpdateState {
    /// Returns whether an update is being validated, in flight, or in doubt without a probe. No other update can be
    /// sent then.
    pub(crate) fn blocks_sending(&self) -> bool {
        matches!(self, UpdateState::Revalidating(_) | UpdateState::InFlight | UpdateState::InDoubt(_, None))
    }
}

/// The update with its preconditions.
#[derive(Clone, Copy)]
pub(crate) struct UpdateContext {
    /// The fingerprint of the configuration that was saved as a backup.
    pub(crate) backup: RwSignal<Option<String>>,
    /// JSON pointers to the losses that the user confirmed.
    pub(crate) reviewed_losses: RwSignal<BTreeSet<String>>,
    /// The name of the zone as the user typed it to confirm the update.
    pub(crate) confirmation: RwSignal<String>,
    /// The progress or the outcome.
    pub(crate) state: RwSignal<UpdateState>,
    /// The outcome of an update after the user selected another zone or connection.
    pub(crate) other_zone_notice: RwSignal<Option<String>>,
}

impl UpdateContext {
    /// Provides a context without confirmations.
    pub(crate) fn provide() -> Self {
        let update = UpdateContext {
            backup: RwSignal::new(None),
            reviewed_losses: RwSignal::new(BTreeSet::new()),
            confirmation: RwSignal::new(String::new()),
            state: RwSignal::new(UpdateState::Idle),
            other_zone_notice: RwSignal::new(None),
        };
        provide_context(update);
        update
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Returns whether the preflight checks of this update run. They end if the configuration is loaded again.
    pub(crate) fn is_revalidating(self, update: &ConfirmedUpdate) -> bool {
        matches!(&*self.state.read_untracked(), UpdateState::Revalidating(current) if std::ptr::eq(&raw const **current, update))
    }

    /// Clears everything except the notice about another zone and an update that was sent.
    pub(crate) fn clear(self) {
        self.backup.set(None);
        self.reviewed_losses.set(BTreeSet::new());
        self.confirmation.set(String::new());
        if *self.state.read_untracked() != UpdateState::InFlight {
            self.state.set(UpdateState::Idle);
        }
    }
}
