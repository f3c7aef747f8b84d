//! The part of the draft that the browser stores.

use super::JobDraft;
use crate::job::{DestinationAddress, JobForm, StoredJobForm};
use crate::state::service::ServiceContext;
use crate::storage::{self, Item, Workspace};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use zonewright_api::logpush::{Job, JobSettings};
use zonewright_logpush::{Dataset, JobScope};

/// The draft without secrets.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredDraft {
    /// The key of the zone that the edited jobs belong to; empty without edits.
    zone: String,
    /// Whether the jobs of the account are listed.
    lists_account: bool,
    /// Whether the form of a new job is visible.
    is_new_job_open: bool,
    /// The form and the filter of a new job.
    new_job: Option<(StoredJobForm, String)>,
    /// The edits of existing jobs by ID.
    edits: BTreeMap<u64, StoredEdit>,
    /// The log lines of the preview.
    lines: Option<String>,
    /// The filter of a new job as edited on the log filters page; `None` while the page does not show it. The edit of an
    /// existing job contains its filter.
    new_job_filter: Option<String>,
    /// The user's own filter, as an earlier version stored it.
    #[serde(skip_serializing)]
    log_filters: Option<StoredLogFilters>,
}

/// An unsaved edit of an existing job, without the secrets of the job.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct StoredEdit {
    /// The settings when editing began, without the destination.
    settings: JobSettings,
    /// Whether the user changed the destination.
    changes_destination: bool,
    form: StoredJobForm,
    filter: String,
}

/// The state of the log filters page while it showed the filter of a job, as an earlier version stored it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct StoredLogFilters {
    /// The text before the page showed the filter of a job.
    source: String,
    /// The dataset at that time.
    dataset: String,
    new_job_filter: Option<String>,
}

impl StoredEdit {
    /// Returns the job as it was when editing began, its form, and its filter. `job` is the job as it is now, and
    /// `current` its destination. The stored edit does not have the destination from when editing began, so a change of
    /// it by another user since then is not an edit conflict.
    pub(super) fn resume(self, job: Job, current: DestinationAddress) -> (Job, JobForm, String) {
        let destination_conf = job.settings.destination_conf.clone();
        let original = Job { settings: JobSettings { destination_conf, ..self.settings }, ..job };
        let current = Some(current).filter(|_| !(self.changes_destination && self.form.has_whole_destination()));
        (original, self.form.into_form(current), self.filter)
    }
}

impl JobDraft {
    /// Stores every change of the draft.
    pub(super) fn persist(self, service: ServiceContext) {
        Workspace::get().persist(Item::Job, move || storage::to_json(&self.to_stored(service.zone_key())));
    }

    /// Restores the draft of the last visit. Edits of jobs are discarded if another zone is selected.
    pub(super) fn restore(self, zone: &str) {
        let Some(stored) = storage::restore_json::<StoredDraft>(Item::Job) else { return };
        if stored.lists_account {
            self.scope.set(JobScope::Account);
            self.form.set(JobForm::new(JobScope::Account));
        }
        if let Some((form, filter)) = stored.new_job {
            self.form.set(form.into_form(None));
            self.filter.set(filter);
        }
        self.open.set(stored.is_new_job_open);
        self.lines.set(stored.lines);
        if stored.zone == zone {
            self.unopened_edits.set(stored.edits);
        }
        let editor = self.log_filter;
        let mut new_job_filter = stored.new_job_filter;
        if let Some(earlier) = stored.log_filters {
            editor.dataset.set(Dataset::from_name(&earlier.dataset).unwrap_or_else(Dataset::http_requests));
            editor.source.set(earlier.source);
            new_job_filter = earlier.new_job_filter;
        }
        if let Some(filter) = new_job_filter {
            self.edit_in_log_filters();
            editor.source.set(filter);
        }
    }

    /// Returns the names of the jobs with an edit from before the page was reloaded, or their IDs if they have none.
    pub(crate) fn unopened_edit_labels(self) -> Vec<String> {
        let label = |(id, edit): (&u64, &StoredEdit)| {
            edit.settings.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| id.to_string())
        };
        self.unopened_edits.read().iter().map(label).collect()
    }

    /// Returns the edit of a job from before the page was reloaded, and forgets it.
    pub(super) fn take_unopened_edit(self, id: u64) -> Option<StoredEdit> {
        let is_known = self.unopened_edits.read_untracked().contains_key(&id);
        is_known.then(|| self.unopened_edits.try_update(|edits| edits.remove(&id)).flatten()).flatten()
    }

    fn to_stored(self, zone: String) -> StoredDraft {
        let form = self.form.get();
        let is_editing_filter = self.log_filter.stash.read().is_some();
        // While the log filters page shows the filter, the text there is newer.
        let filter = if is_editing_filter { self.log_filter.source.get() } else { self.filter.get() };
        let original = self.original.get();
        let is_new = original.is_none();
        let mut edits = self.unopened_edits.get();
        if let Some(Job { id, settings, .. }) = original.filter(|_| self.has_unsaved_edit()) {
            let edit = StoredEdit {
                changes_destination: form.destination != DestinationAddress::parse(&settings.destination_conf),
                settings: JobSettings { destination_conf: String::new(), ..settings },
                form: (&form).into(),
                filter: filter.clone(),
            };
            edits.insert(id, edit);
        }
        let new_job = if is_new {
            self.has_unsaved_new_job().then(|| ((&form).into(), self.filter.get()))
        } else {
            self.stashed_new_job.read().as_ref().map(|(form, filter)| (form.into(), filter.clone()))
        };
        StoredDraft {
            // Without edits, another zone is not a change of the draft.
            zone: if edits.is_empty() { String::new() } else { zone },
            lists_account: self.scope.get() == JobScope::Account,
            is_new_job_open: is_new && self.open.get(),
            new_job,
            edits,
            lines: self.lines.get(),
            new_job_filter: is_editing_filter.then_some(filter).filter(|_| is_new),
            log_filters: None,
        }
    }
}
