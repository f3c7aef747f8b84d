//! The state of the migration, which remains in memory while other pages are visible.

use super::analysis::{ConfigurationAnalysis, ConfigurationState, NewConfiguration, analyze, validate};
use super::confirmed_update::{ConfirmedUpdate, UpdateOutcome};
use super::fixtures;
use crate::api::ApiError;
use crate::api::waf::{CompatibilityCheck, ProposedConfiguration};
use crate::state::service::ServiceContext;
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use zonewright_api::json::strip_bom;
use zonewright_api::ruleset::Ruleset;
use zonewright_api::waf_migration::{MigrationState, MigrationStatus};
use zonewright_expression::schema::Tier;

/// A step of the migration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MigrationStep {
    /// The eligibility of the zone.
    #[default]
    Check,
    /// The current configuration and its backup.
    Configuration,
    /// The outcome of every setting.
    Review,
    /// The validation, in which old and new rules run side by side.
    Validation,
    /// The irreversible switch to the new rules.
    Finish,
    /// The migration state of the service.
    Status,
}

impl MigrationStep {
    /// All steps in order, with their titles.
    pub(super) const ALL: [(MigrationStep, &'static str); 6] = [
        (MigrationStep::Check, "Check"),
        (MigrationStep::Configuration, "Configuration"),
        (MigrationStep::Review, "Review"),
        (MigrationStep::Validation, "Validation"),
        (MigrationStep::Finish, "Finish"),
        (MigrationStep::Status, "Status"),
    ];
}

/// The state of the update.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum UpdateState {
    /// No update was sent, or the last one was applied.
    Idle,
    /// The preflight requests are in flight: check and fingerprint.
    Revalidating,
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
    /// Reports whether an update is being validated, in flight, or in doubt without a probe. No other one can be sent
    /// then.
    pub(super) fn blocks_sending(&self) -> bool {
        matches!(self, UpdateState::Revalidating | UpdateState::InFlight | UpdateState::InDoubt(_, None))
    }
}

/// The responses of the service when the zone was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ServiceSnapshot {
    /// The migration state.
    pub(super) state: MigrationState,
    /// The proposal of the service; `None` if it rejected the request.
    pub(super) proposal: Option<ProposedConfiguration>,
    /// Whether the service would migrate the zone.
    pub(super) verdict: CompatibilityCheck,
}

/// The state of the page.
#[derive(Clone, Copy)]
pub(crate) struct MigrationContext {
    /// The text of the configuration as JSON.
    pub(super) source: RwSignal<String>,
    /// The service that the zone is read from.
    pub(super) service: ServiceContext,
    /// The toasts that report outcomes.
    pub(super) toasts: ToastContext,
    /// The ID of the zone that the configuration was read from; `None` for a pasted one.
    pub(super) source_zone: RwSignal<Option<String>>,
    pub(super) analysis: Memo<Arc<ConfigurationState>>,
    pub(super) stage: RwSignal<MigrationStep>,
    /// The new configuration, if the user edited it.
    pub(super) edited: RwSignal<Option<String>>,
    /// The user's edit of the new configuration before the zone was read again.
    pub(super) previous_edit: RwSignal<Option<String>>,
    pub(super) new_configuration: Memo<Arc<NewConfiguration>>,
    pub(super) status: RwSignal<Option<MigrationStatus>>,
    /// The responses of the service when the zone was read.
    pub(super) seen: RwSignal<Option<ServiceSnapshot>>,
    /// The fingerprint of the configuration that was saved as a backup.
    pub(super) backup: RwSignal<Option<String>>,
    /// JSON pointers to the losses that the user confirmed.
    pub(super) reviewed_losses: RwSignal<BTreeSet<String>>,
    pub(super) confirmation: RwSignal<String>,
    /// The entry point that an update saved, if it is newer than the configuration.
    pub(super) saved: RwSignal<Option<Ruleset>>,
    pub(super) update: RwSignal<UpdateState>,
    /// The outcome of an update after the user selected another zone or connection.
    pub(super) other_zone_notice: RwSignal<Option<String>>,
    /// The requests of the simulation.
    pub(super) sample_requests: RwSignal<String>,
    /// The name of the zone in the requests, until the user edits them.
    sample_zone: StoredValue<String>,
}

impl MigrationContext {
    /// Provides a context without a configuration.
    pub(crate) fn provide(service: ServiceContext) -> Self {
        let source = RwSignal::new(String::new());
        let edited = RwSignal::new(None::<String>);
        // Every run has new input, so comparing two results would be wasted work.
        let reading = Memo::new_with_compare(move |_| Arc::new(analyze(&source.read())), |_, _| true);
        let validation =
            Memo::new_with_compare(move |_| Arc::new(validate(&reading.read(), &edited.read())), |_, _| true);
        let context = MigrationContext {
            service,
            toasts: ToastContext::get(),
            source,
            source_zone: RwSignal::new(None),
            analysis: reading,
            stage: RwSignal::new(MigrationStep::Check),
            edited,
            previous_edit: RwSignal::new(None),
            new_configuration: validation,
            status: RwSignal::new(None),
            seen: RwSignal::new(None),
            backup: RwSignal::new(None),
            reviewed_losses: RwSignal::new(BTreeSet::new()),
            confirmation: RwSignal::new(String::new()),
            saved: RwSignal::new(None),
            update: RwSignal::new(UpdateState::Idle),
            other_zone_notice: RwSignal::new(None),
            sample_requests: RwSignal::new(fixtures::SAMPLE_REQUESTS.to_owned()),
            sample_zone: StoredValue::new(fixtures::SAMPLE_ZONE.to_owned()),
        };
        service.on_zone_change(move || context.leave_zone());
        provide_context(context);
        context
    }

    /// Returns the context of the app.
    pub(super) fn get() -> Self {
        expect_context()
    }

    /// Replaces the configuration, and clears everything that depends on the previous one.
    pub(super) fn load(self, text: String) {
        self.source.set(strip_bom(&text).to_owned());
        self.source_zone.set(None);
        self.seen.set(None);
        self.edited.set(None);
        self.previous_edit.set(None);
        self.backup.set(None);
        self.reviewed_losses.set(BTreeSet::new());
        self.confirmation.set(String::new());
        self.saved.set(None);
        self.update.set(UpdateState::Idle);
        self.simulate_zone();
    }

    /// Replaces the configuration by one that was read from a zone. From validation on, the new configuration is the
    /// saved entry point, because it may differ from the plan.
    pub(super) fn load_zone(self, zone: String, text: String, seen: ServiceSnapshot) {
        let fingerprint = || untrack(move || self.with_analysis(|analysis| analysis.fingerprint.clone()));
        let same_zone = self.source_zone.get_untracked().as_ref() == Some(&zone);
        let (before, backup, ticked) =
            (fingerprint(), self.backup.get_untracked(), self.reviewed_losses.get_untracked());
        let edited = self.edited.get_untracked().filter(|_| same_zone);
        self.load(text);
        // Backup and confirmations remain valid while the configuration is the same.
        if same_zone && before.is_some() && before == fingerprint() {
            self.backup.set(backup);
            self.reviewed_losses.set(ticked);
        }
        self.source_zone.set(Some(zone));
        if seen.state >= MigrationState::Validation {
            self.edit_saved();
        }
        self.previous_edit.set(edited.filter(|text| Some(text) != self.edited.get_untracked().as_ref()));
        self.seen.set(Some(seen));
    }

    /// Replaces the zone in the requests of the simulation, unless the user edited them.
    fn simulate_zone(self) {
        let name =
            untrack(move || self.with_analysis(ConfigurationAnalysis::zone_name)).filter(|name| name.contains('.'));
        if let Some(name) = name {
            self.sample_requests.update(|requests| {
                if requests.replace(self.sample_zone.get_value().as_str(), fixtures::SAMPLE_ZONE)
                    == fixtures::SAMPLE_REQUESTS
                {
                    *requests = fixtures::SAMPLE_REQUESTS.replace(fixtures::SAMPLE_ZONE, &name);
                    self.sample_zone.set_value(name);
                }
            });
        }
    }

    /// Makes the saved entry point the new configuration.
    pub(super) fn edit_saved(self) {
        self.edited.set(untrack(move || self.with_analysis(ConfigurationAnalysis::saved_text)).flatten());
    }

    /// Clears the state of the zone after the user selected another one.
    fn leave_zone(self) {
        if self.source_zone.get_untracked().is_some() {
            self.load(String::new());
        }
        self.stage.set(MigrationStep::Check);
        self.status.set(None);
        self.seen.set(None);
        self.update.set(UpdateState::Idle);
    }

    /// Returns a value of the configuration; `None` while there is no valid configuration.
    pub(super) fn with_analysis<T>(self, take: impl FnOnce(&ConfigurationAnalysis) -> T) -> Option<T> {
        match &**self.analysis.read() {
            ConfigurationState::Valid(understood) => Some(take(understood)),
            _ => None,
        }
    }

    /// Returns the migration state of the zone.
    pub(super) fn state(self) -> MigrationState {
        self.status.read().as_ref().map_or(MigrationState::Start, |status| status.migration_state)
    }

    /// Reports whether the zone has the validation step.
    pub(super) fn has_validation_step(self) -> bool {
        self.with_analysis(|analysis| analysis.config.tier == Tier::Enterprise)
            .or_else(|| self.service.zone_plan().map(|tier| tier == Tier::Enterprise))
            .unwrap_or(true)
    }

    /// Reports whether the configuration was read from the selected zone.
    pub(super) fn is_of_zone(self) -> bool {
        let zone = self.source_zone.read();
        zone.as_ref().is_some_and(|zone| *zone == self.service.connection.read().zone)
    }
}
