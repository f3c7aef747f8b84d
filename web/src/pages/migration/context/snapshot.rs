//! The responses of the service about the selected zone.

use crate::api::waf::{CompatibilityCheck, ProposedConfiguration};
use leptos::prelude::*;
use zonewright_api::waf_migration::{MigrationState, MigrationStatus};

/// The responses of the service when the zone was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ServiceSnapshot {
    /// The migration state.
    pub(crate) state: MigrationState,
    /// The proposal of the service; `None` if it rejected the request.
    pub(crate) proposal: Option<ProposedConfiguration>,
    /// Whether the service would migrate the zone.
    pub(crate) verdict: CompatibilityCheck,
}

/// The state of the zone in the service.
#[derive(Clone, Copy)]
pub(crate) struct SnapshotContext {
    /// The last status that was read.
    pub(crate) status: RwSignal<Option<MigrationStatus>>,
    /// The responses of the service when the zone was read.
    pub(crate) responses: RwSignal<Option<ServiceSnapshot>>,
}

impl SnapshotContext {
    /// Provides a context without responses.
    pub(crate) fn provide() -> Self {
        let snapshot = SnapshotContext { status: RwSignal::new(None), responses: RwSignal::new(None) };
        provide_context(snapshot);
        snapshot
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Returns the last known migration state of the zone; `Start` before it is known.
    pub(crate) fn state(self) -> MigrationState {
        self.status.read().as_ref().map_or(MigrationState::Start, |status| status.migration_state)
    }
}
