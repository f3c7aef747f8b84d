//! The service that the app is connected to.

use crate::connection::Connection;
use crate::job::JobOwner;
use crate::scope::Scope;
use crate::storage::{Item, Workspace};
use leptos::prelude::*;
use zonewright_api::zone::Zone;
use zonewright_expression::schema::Tier;
use zonewright_logpush::JobScope;

/// The service with its zones and status.
#[derive(Clone, Copy)]
pub(crate) struct ServiceContext {
    /// Base URL, credentials and selected zone.
    pub(crate) connection: RwSignal<Connection>,
    /// The base URL when the user last left its field. Only this one is stored, and only a change of it discards the
    /// objects of the previous service, because a URL is incomplete while it is typed.
    committed_base_url: RwSignal<String>,
    /// The result of the last call that reports it.
    pub(crate) status: RwSignal<ConnectionStatus>,
    /// The zones that the service listed.
    pub(crate) zones: RwSignal<Vec<Zone>>,
}

/// Whether the service can be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ConnectionStatus {
    /// No call was made since the connection was created or changed.
    #[default]
    NotConnected,
    /// The last call succeeded.
    Connected,
    /// The last call failed.
    Failed,
}

impl ServiceContext {
    /// Provides the service and the zone of the last visit, without credentials, and stores every change of them.
    pub(crate) fn provide() -> Self {
        let text = |item: Item| item.restore().unwrap_or_default();
        let connection = Connection { base_url: text(Item::BaseUrl), zone: text(Item::Zone), ..Connection::default() };
        let service = ServiceContext {
            committed_base_url: RwSignal::new(connection.base_url.clone()),
            connection: RwSignal::new(connection),
            status: RwSignal::new(ConnectionStatus::default()),
            zones: RwSignal::new(Vec::new()),
        };
        let workspace = Workspace::get();
        workspace.persist(Item::BaseUrl, move || {
            let base_url = service.committed_base_url.get();
            if Connection::is_storable(&base_url) { base_url } else { String::new() }
        });
        workspace.persist(Item::Zone, move || service.connection.read().zone.clone());
        provide_context(service);
        service
    }

    /// Returns the context of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Changes the base URL while the user types it. The listed zones and the status belong to the previous service, so they are cleared.
    pub(crate) fn change_base_url(self, base_url: String) {
        self.connection.update(|connection| connection.base_url = base_url);
        self.zones.set(Vec::new());
        self.status.set(ConnectionStatus::NotConnected);
    }

    /// Stores the typed base URL. If it has changed, objects of the previous service are discarded.
    pub(crate) fn commit_base_url(self) {
        let base_url = self.connection.with_untracked(|connection| connection.base_url.clone());
        if *self.committed_base_url.read_untracked() != base_url {
            self.committed_base_url.set(base_url);
        }
    }

    /// Selects a zone. If the service listed it, expressions are then checked against its plan, so that features that
    /// the plan lacks are reported.
    pub(crate) fn select_zone(self, id: &str, scope: RwSignal<Scope>) {
        self.connection.update(|connection| id.clone_into(&mut connection.zone));
        let plan = untrack(move || self.zone_plan());
        if plan.is_some() {
            scope.update(|scope| scope.tier = plan);
        }
    }

    /// Returns the plan of the selected zone, if the service listed the zone.
    pub(crate) fn zone_plan(self) -> Option<Tier> {
        let (connection, zones) = (self.connection.read(), self.zones.read());
        let zone = zones.iter().find(|zone| zone.id == connection.zone)?;
        Tier::from_name(&zone.plan.legacy_id)
    }

    /// Returns the name of the selected zone, or its ID if the service did not list the zone.
    pub(crate) fn zone_name(self) -> String {
        let (connection, zones) = (self.connection.read(), self.zones.read());
        let zone = zones.iter().find(|zone| zone.id == connection.zone);
        zone.map_or_else(|| connection.zone.clone(), |zone| zone.name.clone())
    }

    /// Returns a text that identifies the selected zone, also among the zones of other services. Drafts store it, so it
    /// contains no URL that must not be stored.
    pub(crate) fn zone_key(self) -> String {
        let zone = self.connection.read().zone.clone();
        self.key_of_zone(&zone)
    }

    /// Returns [`Self::zone_key`] for a zone of this service.
    pub(crate) fn key_of_zone(self, zone: &str) -> String {
        let base_url = self.committed_base_url.get();
        let root = if Connection::is_storable(&base_url) {
            Connection { base_url, ..Connection::default() }.root()
        } else {
            String::new()
        };
        format!("{root} {zone}")
    }

    /// Returns the selected zone or its account, as the owner of jobs.
    pub(crate) fn job_owner(self, scope: JobScope) -> JobOwner {
        JobOwner::new(scope, &self.connection.read(), &self.zones.read())
    }

    /// Calls `reset` whenever another zone or service is selected, because objects of one zone do not exist in another.
    pub(crate) fn on_zone_change(self, reset: impl Fn() + 'static) {
        Effect::new(move |before: Option<(String, String)>| {
            let now = (self.committed_base_url.get(), self.connection.with(|connection| connection.zone.clone()));
            if before.is_some_and(|before| before != now) {
                reset();
            }
            now
        });
    }
}
