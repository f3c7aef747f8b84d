//! The state of the migration, which remains in memory while other pages are visible. The browser stores the part that
//! the user typed.
//!
//! Each stage has a context, and a component takes the contexts that it needs. [`MigrationContext`] combines them for
//! operations that span several stages: loading a configuration, leaving a zone, and sending an update.

mod proposal;
mod simulation;
mod snapshot;
mod source;
mod steps;
mod stored;
mod update;

pub(super) use proposal::ProposalContext;
pub(super) use simulation::SimulationContext;
pub(super) use snapshot::{ServiceSnapshot, SnapshotContext};
pub(super) use source::{AnalysisProgress, SourceContext};
pub(super) use steps::{MigrationStep, StepContext};
pub(super) use update::{UpdateContext, UpdateState};

use super::zone_configuration::Configuration;
use crate::state::on_demand::get_or_provide;
use crate::state::service::ServiceContext;
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use zonewright_api::json::strip_bom;
use zonewright_api::waf_migration::MigrationState;

/// The contexts of all stages.
#[derive(Clone, Copy)]
pub(super) struct MigrationContext {
    /// The visible step.
    pub(super) steps: StepContext,
    /// The configuration and its analysis.
    pub(super) source: SourceContext,
    /// The new configuration.
    pub(super) proposal: ProposalContext,
    /// The state of the zone in the service.
    pub(super) snapshot: SnapshotContext,
    /// The update with its preconditions.
    pub(super) update: UpdateContext,
    /// The requests of the simulation.
    pub(super) simulation: SimulationContext,
    /// The toasts that report outcomes.
    pub(super) toasts: ToastContext,
}

impl MigrationContext {
    /// Provides the contexts with the configuration that the user pasted before the page was reloaded, if any.
    fn provide(service: ServiceContext) -> Self {
        let source = SourceContext::provide(service);
        let context = MigrationContext {
            steps: StepContext::provide(),
            source,
            proposal: ProposalContext::provide(source),
            snapshot: SnapshotContext::provide(),
            update: UpdateContext::provide(),
            simulation: SimulationContext::provide(),
            toasts: ToastContext::get(),
        };
        stored::restore(source, context.proposal);
        stored::persist(source, context.proposal);
        service.on_zone_change(move || context.leave_zone());
        provide_context(context);
        context
    }

    /// Returns the context of the app.
    pub(super) fn get() -> Self {
        get_or_provide(|| MigrationContext::provide(ServiceContext::get()))
    }

    /// Replaces the configuration, and clears everything that depends on the previous one.
    pub(super) fn load(self, text: String) {
        self.source.text.set(strip_bom(&text).to_owned());
        self.source.zone.set(None);
        self.source.zone_key.set(None);
        self.snapshot.responses.set(None);
        self.proposal.clear();
        self.update.clear();
        let name = untrack(move || self.source.with_configuration(Configuration::zone_name));
        if let Some(name) = name.filter(|name| name.contains('.')) {
            self.simulation.rename_zone(name);
        }
    }

    /// Replaces the configuration with one that was read from a zone. From validation on, the new configuration is the
    /// saved entry point, because it may differ from the plan.
    pub(super) fn load_zone(self, zone: String, text: String, responses: ServiceSnapshot) {
        let fingerprint =
            || untrack(move || self.source.with_configuration(|configuration| configuration.fingerprint.clone()));
        let is_same_zone = self.source.zone.get_untracked().as_ref() == Some(&zone);
        let previous_fingerprint = fingerprint();
        let (backup, reviewed_losses) =
            (self.update.backup.get_untracked(), self.update.reviewed_losses.get_untracked());
        let edited = self.proposal.edited.get_untracked().filter(|_| is_same_zone);
        let zone_key = untrack(|| self.source.service.key_of_zone(&zone));
        let edited = edited.or_else(|| self.proposal.take_unloaded_edit(&zone_key));
        self.load(text);
        // Backup and confirmations remain valid while the configuration is the same.
        if is_same_zone && previous_fingerprint.is_some() && previous_fingerprint == fingerprint() {
            self.update.backup.set(backup);
            self.update.reviewed_losses.set(reviewed_losses);
        }
        self.source.zone.set(Some(zone));
        self.source.zone_key.set(Some(zone_key));
        if responses.state >= MigrationState::Validation {
            self.proposal.edit_saved();
        }
        let previous_edit = edited.filter(|text| Some(text) != self.proposal.edited.get_untracked().as_ref());
        self.proposal.previous_edit.set(previous_edit);
        self.snapshot.responses.set(Some(responses));
    }

    /// Clears the state of the zone after the user selected another one, and a configuration that was read from it.
    /// Its unsaved edit is offered again when the zone is read again. Shows the first step.
    fn leave_zone(self) {
        if self.source.zone.get_untracked().is_some() {
            self.proposal.retain_unsaved_edit();
            self.load(String::new());
        }
        self.steps.show(MigrationStep::Check);
        self.snapshot.status.set(None);
        self.snapshot.responses.set(None);
        self.update.state.set(UpdateState::Idle);
    }
}
