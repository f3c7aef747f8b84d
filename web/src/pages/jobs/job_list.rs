//! Loads the list of jobs.

use crate::api::Client;
use crate::fetch::{FetchState, fetch_on_change};
use crate::state::job_draft::JobDraft;
use crate::state::service::{ConnectionStatus, ServiceContext};
use leptos::prelude::*;
use std::time::Duration;
use zonewright_api::logpush::Job;
use zonewright_logpush::JobScope;

/// The list of jobs of the selected owner.
#[derive(Clone, Copy)]
pub(super) struct JobList {
    /// The state of the last request.
    pub(super) fetch_state: RwSignal<FetchState<Vec<Job>>>,
    /// The last list that was loaded. It remains while the next one is loading, and if that fails.
    pub(super) jobs: RwSignal<Option<Vec<Job>>>,
    /// The kind of the owner.
    pub(super) scope: RwSignal<JobScope>,
    changes: RwSignal<u32>,
}

/// The state of the list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ListState {
    /// A setting of the connection is missing, or the account is unknown.
    NotConnected,
    /// The first list of the owner is loading.
    Loading,
    /// No list could be loaded.
    Failed,
    /// A list was loaded.
    Loaded,
}

impl JobList {
    /// Loads the list now, periodically, and whenever `changes`, the owner or the connection changes. Each result
    /// updates the status of the service.
    pub(super) fn new(changes: RwSignal<u32>) -> Self {
        let service = ServiceContext::get();
        let scope = JobDraft::get().scope;
        let fetch_state = fetch_on_change(move |signal| {
            changes.track();
            let owner = service.job_owner(scope.get());
            if owner.missing_setting(&service.connection.read()).is_some() {
                return None;
            }
            let client = Client::new(service.connection.get_untracked(), &signal);
            Some(async move { client.jobs(&owner).await })
        });
        let jobs = RwSignal::new(None::<Vec<Job>>);
        Effect::new(move || match &*fetch_state.read() {
            FetchState::Done(list) => {
                service.status.set(ConnectionStatus::Connected);
                jobs.set(Some(list.clone()));
            }
            FetchState::Failed(_) => service.status.set(ConnectionStatus::Failed),
            FetchState::Idle => jobs.set(None),
            FetchState::Loading => {}
        });
        let list = JobList { fetch_state, jobs, scope, changes };
        auto_refresh(fetch_state, move || list.refresh());
        list
    }

    /// Reloads the list.
    pub(super) fn refresh(self) {
        self.changes.update(|changes| *changes = changes.wrapping_add(1));
    }

    /// Shows the jobs of another owner.
    pub(super) fn select_owner(self, scope: JobScope) {
        self.jobs.set(None);
        self.fetch_state.set(FetchState::Loading);
        self.scope.set(scope);
    }

    /// Returns whether there is nothing to load, because a setting of the connection or the account is missing.
    pub(super) fn is_idle(self) -> bool {
        *self.fetch_state.read() == FetchState::Idle
    }

    /// Returns the state of the list.
    pub(super) fn state(self) -> ListState {
        match (&*self.fetch_state.read(), self.jobs.read().is_some()) {
            (FetchState::Idle, _) => ListState::NotConnected,
            (_, true) => ListState::Loaded,
            (FetchState::Failed(_), false) => ListState::Failed,
            _ => ListState::Loading,
        }
    }
}

/// The time between two loads of the list.
const REFRESH_INTERVAL: Duration = Duration::from_secs(15);
/// The time until the next load after a failed one.
const RETRY_INTERVAL: Duration = Duration::from_secs(60);

/// Reloads the list periodically while the page is visible. A page that becomes visible reloads the list immediately.
fn auto_refresh(fetch_state: RwSignal<FetchState<Vec<Job>>>, refresh: impl Fn() + Copy + 'static) {
    let pending_refresh: StoredValue<Option<TimeoutHandle>> = StoredValue::new(None);
    let stop = move || {
        pending_refresh.try_update_value(|pending_refresh| pending_refresh.take().inspect(TimeoutHandle::clear));
    };
    Effect::new(move || {
        let delay = match &*fetch_state.read() {
            FetchState::Done(_) => REFRESH_INTERVAL,
            FetchState::Failed(_) => RETRY_INTERVAL,
            FetchState::Idle | FetchState::Loading => return stop(),
        };
        stop();
        let refresh_if_visible = move || {
            if !document().hidden() {
                refresh();
            }
        };
        pending_refresh.set_value(set_timeout_with_handle(refresh_if_visible, delay).ok());
    });
    let listener = window_event_listener_untyped("visibilitychange", move |_| {
        let has_result = matches!(fetch_state.try_get_untracked(), Some(FetchState::Done(_) | FetchState::Failed(_)));
        if has_result && !document().hidden() {
            refresh();
        }
    });
    on_cleanup(move || {
        listener.remove();
        stop();
    });
}
