//! The state of the migration, which stays in memory while other pages are visible.

use super::analysis::{ConfigurationAnalysis, ConfigurationState, NewConfiguration, judge, read};
use super::confirmed_update::{ConfirmedUpdate, UpdateOutcome};
use super::fixtures;
use crate::api::ApiError;
use crate::api::waf::{CompatibilityCheck, ProposedConfiguration};
use crate::state::service::ServiceContext;
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use zonewright_api::json::without_mark;
use zonewright_api::ruleset::Ruleset;
use zonewright_api::waf_migration::{MigrationState, MigrationStatus};
use zonewright_expression::schema::Tier;

/// A step of the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MigrationStep {
    /// Whether the zone can migrate.
    #[default]
    Check,
    /// What the zone has now, kept in a file.
    Configuration,
    /// What becomes of it.
    Review,
    /// Old and new side by side.
    Validation,
    /// Through the door.
    Finish,
    /// What the service says.
    Status,
}

impl MigrationStep {
    /// All of them, in their order.
    pub(super) const ALL: [(MigrationStep, &'static str); 6] = [
        (MigrationStep::Check, "Check"),
        (MigrationStep::Configuration, "Configuration"),
        (MigrationStep::Review, "Review"),
        (MigrationStep::Validation, "Validation"),
        (MigrationStep::Finish, "Finish"),
        (MigrationStep::Status, "Status"),
    ];
}

/// What happens to the update.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum UpdateState {
    /// Nothing yet.
    Idle,
    /// Check and fingerprint are asked for again.
    Revalidating,
    /// The update is on its way.
    InFlight,
    /// Something is not as it was looked at; nothing was sent.
    Aborted(String),
    /// A call before the update failed; nothing was sent.
    PreflightFailed(ApiError),
    /// The service refused the update.
    Rejected(ApiError),
    /// No answer told whether the service did it; what was found out about that since.
    InDoubt(Arc<ConfirmedUpdate>, Option<UpdateOutcome>),
}

impl UpdateState {
    /// Whether nothing else may be sent now: something is under way, or nobody knows yet what became of it.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, UpdateState::Revalidating | UpdateState::InFlight | UpdateState::InDoubt(_, None))
    }
}

/// What the service said of a zone when it was read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ServiceSnapshot {
    /// How far the migration was.
    pub(super) state: MigrationState,
    /// Its own new configuration; none when it refused to make one.
    pub(super) proposal: Option<ProposedConfiguration>,
    /// Whether it would migrate the zone.
    pub(super) verdict: CompatibilityCheck,
}

/// The state of the page.
#[derive(Clone, Copy)]
pub(crate) struct MigrationContext {
    /// The configuration as JSON.
    pub(super) source: RwSignal<String>,
    /// The service that the zone is read from.
    pub(super) service: ServiceContext,
    /// Reports outcomes.
    pub(super) toasts: ToastContext,
    /// The zone it was read from, unless it was pasted.
    pub(super) of_zone: RwSignal<Option<String>>,
    pub(super) reading: Memo<Arc<ConfigurationState>>,
    pub(super) stage: RwSignal<MigrationStep>,
    /// The new configuration, once it was edited.
    pub(super) edited: RwSignal<Option<String>>,
    /// What it was edited to before the zone was read again.
    pub(super) earlier: RwSignal<Option<String>>,
    pub(super) judged: Memo<Arc<NewConfiguration>>,
    pub(super) status: RwSignal<Option<MigrationStatus>>,
    /// What the service said when the zone was read.
    pub(super) seen: RwSignal<Option<ServiceSnapshot>>,
    /// Fingerprint of the configuration that was kept in a file.
    pub(super) backup: RwSignal<Option<String>>,
    /// Pointers to the losses that were ticked.
    pub(super) ticked: RwSignal<BTreeSet<String>>,
    pub(super) typed: RwSignal<String>,
    /// The entry point as it was saved by an update, once that is later than what was read of the zone.
    pub(super) saved: RwSignal<Option<Ruleset>>,
    pub(super) sending: RwSignal<UpdateState>,
    /// What became of an update after another zone or connection was chosen.
    pub(super) elsewhere: RwSignal<Option<String>>,
    /// The requests that are rehearsed.
    pub(super) requests: RwSignal<String>,
    /// The zone that they are for as long as nobody writes others.
    rehearsed: StoredValue<String>,
}

impl MigrationContext {
    /// Provides a context without a configuration.
    pub(crate) fn provide(service: ServiceContext) -> Self {
        let source = RwSignal::new(String::new());
        let edited = RwSignal::new(None::<String>);
        // Every run has new input: comparing two would be wasted work.
        let reading = Memo::new_with_compare(move |_| Arc::new(read(&source.read())), |_, _| true);
        let judged = Memo::new_with_compare(move |_| Arc::new(judge(&reading.read(), &edited.read())), |_, _| true);
        let context = MigrationContext {
            service,
            toasts: ToastContext::get(),
            source,
            of_zone: RwSignal::new(None),
            reading,
            stage: RwSignal::new(MigrationStep::Check),
            edited,
            earlier: RwSignal::new(None),
            judged,
            status: RwSignal::new(None),
            seen: RwSignal::new(None),
            backup: RwSignal::new(None),
            ticked: RwSignal::new(BTreeSet::new()),
            typed: RwSignal::new(String::new()),
            saved: RwSignal::new(None),
            sending: RwSignal::new(UpdateState::Idle),
            elsewhere: RwSignal::new(None),
            requests: RwSignal::new(fixtures::REQUESTS.to_owned()),
            rehearsed: StoredValue::new(fixtures::ZONE.to_owned()),
        };
        service.on_zone_change(move || context.leave_zone());
        provide_context(context);
        context
    }

    /// The context of the app.
    pub(super) fn get() -> Self {
        expect_context()
    }

    /// Takes another configuration: what was done about the last one does not count for it.
    pub(super) fn take(self, text: String) {
        self.source.set(without_mark(&text).to_owned());
        self.of_zone.set(None);
        self.seen.set(None);
        self.edited.set(None);
        self.earlier.set(None);
        self.backup.set(None);
        self.ticked.set(BTreeSet::new());
        self.typed.set(String::new());
        self.saved.set(None);
        self.sending.set(UpdateState::Idle);
        self.rehearse_zone();
    }

    /// Takes what the service said of a zone. From validation on, the new configuration is the one that is saved: it
    /// may have been adjusted, and a plan knows nothing of that.
    pub(super) fn take_zone(self, zone: String, text: String, seen: ServiceSnapshot) {
        let fingerprint = || untrack(move || self.with(|one| one.fingerprint.clone()));
        let same_zone = self.of_zone.get_untracked().as_ref() == Some(&zone);
        let (before, backup, ticked) = (fingerprint(), self.backup.get_untracked(), self.ticked.get_untracked());
        let edited = self.edited.get_untracked().filter(|_| same_zone);
        self.take(text);
        // What was kept and looked at counts as long as the same is lost.
        if same_zone && before.is_some() && before == fingerprint() {
            self.backup.set(backup);
            self.ticked.set(ticked);
        }
        self.of_zone.set(Some(zone));
        if seen.state >= MigrationState::Validation {
            self.edit_saved();
        }
        self.earlier.set(edited.filter(|text| Some(text) != self.edited.get_untracked().as_ref()));
        self.seen.set(Some(seen));
    }

    /// Requests that nobody wrote are for the zone that is looked at.
    fn rehearse_zone(self) {
        let name = untrack(move || self.with(ConfigurationAnalysis::zone_name)).filter(|name| name.contains('.'));
        if let Some(name) = name {
            self.requests.update(|requests| {
                if requests.replace(self.rehearsed.get_value().as_str(), fixtures::ZONE) == fixtures::REQUESTS {
                    *requests = fixtures::REQUESTS.replace(fixtures::ZONE, &name);
                    self.rehearsed.set_value(name);
                }
            });
        }
    }

    /// Makes the entry point that is saved the new configuration.
    pub(super) fn edit_saved(self) {
        self.edited.set(untrack(move || self.with(ConfigurationAnalysis::saved_text)).flatten());
    }

    /// Forgets what belongs to a zone of the service.
    fn leave_zone(self) {
        if self.of_zone.get_untracked().is_some() {
            self.take(String::new());
        }
        self.stage.set(MigrationStep::Check);
        self.status.set(None);
        self.seen.set(None);
        self.sending.set(UpdateState::Idle);
    }

    /// Something of the configuration; `None` while there is none that can be read.
    pub(super) fn with<T>(self, take: impl FnOnce(&ConfigurationAnalysis) -> T) -> Option<T> {
        match &**self.reading.read() {
            ConfigurationState::Valid(understood) => Some(take(understood)),
            _ => None,
        }
    }

    /// How far the migration is.
    pub(super) fn state(self) -> MigrationState {
        self.status.read().as_ref().map_or(MigrationState::Start, |status| status.migration_state)
    }

    /// Whether the zone has the step of validation.
    pub(super) fn validates(self) -> bool {
        self.with(|one| one.config.tier == Tier::Enterprise)
            .or_else(|| self.service.zone_plan().map(|tier| tier == Tier::Enterprise))
            .unwrap_or(true)
    }

    /// Whether the configuration is the one of the zone that the service is asked about.
    pub(super) fn is_of_zone(self) -> bool {
        let zone = self.of_zone.read();
        zone.as_ref().is_some_and(|zone| *zone == self.service.connection.read().zone)
    }
}
