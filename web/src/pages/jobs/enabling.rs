//! Enables and disables jobs of the list.

use super::submit::UPDATE_MESSAGES;
use crate::api::{Client, InDoubtWrite, JobWriteProbe, WriteOutcome};
use crate::components::in_doubt::{WriteFailure, WriteFailureNotice, in_doubt_toast};
use crate::job::job_label;
use crate::state::job_draft::JobDraft;
use crate::state::service::ServiceContext;
use crate::state::toasts::ToastContext;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Map, json};
use zonewright_api::logpush::Job;

/// Enables or disables one job at a time.
#[derive(Clone, Copy)]
pub(super) struct JobSwitch {
    service: ServiceContext,
    toasts: ToastContext,
    draft: JobDraft,
    busy: RwSignal<bool>,
    failure: RwSignal<Option<WriteFailure<JobWriteProbe>>>,
    changes: RwSignal<u32>,
}

impl JobSwitch {
    /// Creates a switch that increments `changes` after each attempt.
    pub(super) fn new(changes: RwSignal<u32>) -> Self {
        JobSwitch {
            service: ServiceContext::get(),
            toasts: ToastContext::get(),
            draft: JobDraft::get(),
            busy: RwSignal::new(false),
            failure: RwSignal::new(None),
            changes,
        }
    }

    /// Disables an enabled job, and enables a disabled one.
    pub(super) fn toggle(self, job: Job) {
        let JobSwitch { service, draft, .. } = self;
        if self.busy.get_untracked() {
            return;
        }
        let owner = untrack(move || service.job_owner(draft.scope.get()));
        let client = Client::detached(service.connection.get_untracked());
        self.busy.set(true);
        self.failure.set(None);
        spawn_local(async move {
            let body: Map<_, _> = [("enabled".to_owned(), json!(!job.settings.enabled))].into_iter().collect();
            self.finish(client.update_job(&owner, &job, &body).await);
        });
    }

    fn probe_again(self, write: InDoubtWrite<JobWriteProbe>) {
        self.busy.set(true);
        spawn_local(async move { self.finish(write.probe().await) });
    }

    fn finish(self, write: WriteOutcome<JobWriteProbe>) {
        let JobSwitch { toasts, failure, .. } = self;
        self.busy.try_set(false);
        let unreported = match write {
            WriteOutcome::Applied(job) => {
                let state = if job.settings.enabled { "enabled" } else { "disabled" };
                toasts.show_success(format!("Job {} {state}", job_label(&job)));
                failure.try_set(None);
                None
            }
            WriteOutcome::Rejected(error) => {
                failure.try_set(Some(WriteFailure::Rejected(error))).map(|_| UPDATE_MESSAGES.rejected.to_owned())
            }
            WriteOutcome::InDoubt(write) => failure
                .try_set(Some(WriteFailure::InDoubt(Box::new(((), write)))))
                .map(|_| in_doubt_toast(UPDATE_MESSAGES.in_doubt)),
        };
        // The user left the page, so no notice reports the failure.
        if let Some(message) = unreported {
            toasts.show_error(message);
        }
        self.changes.try_update(|changes| *changes = changes.wrapping_add(1));
    }
}

/// Explains the failure of the last attempt.
#[component]
pub(super) fn SwitchNotice(switch: JobSwitch) -> impl IntoView {
    let probe_again = Callback::new(move |((), write): ((), InDoubtWrite<JobWriteProbe>)| switch.probe_again(write));
    view! { <WriteFailureNotice rejected_title=UPDATE_MESSAGES.rejected in_doubt_title=UPDATE_MESSAGES.in_doubt failure=switch.failure busy=switch.busy probe_again /> }
}
