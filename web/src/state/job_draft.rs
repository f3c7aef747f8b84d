//! The log push job being created or edited.
//!
//! The draft contains secrets, so it does not implement `Debug`. The browser stores it without them.

mod stored;

use crate::job::{JobForm, TRANSFORMER_ID, format_filter};
use crate::state::log_filter_draft::{LogFilterDraft, StashedLogFilter};
use crate::state::on_demand::get_or_provide;
use crate::state::service::ServiceContext;
use crate::storage::Item;
use leptos::prelude::*;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use stored::StoredEdit;
use zonewright_api::logpush::{Job, OutputOptions};
use zonewright_logpush::{Dataset, Feature, JobRules, JobScope, read_job_except_filter, read_update_except_filter};

/// A valid destination, because the preview does not depend on the destination.
const PREVIEW_DESTINATION: &str = "gs://preview";

/// The input of the form at the time of a request.
#[derive(Clone, PartialEq)]
pub(crate) struct JobFormSnapshot {
    /// The ID of the edited job; `None` for a new one.
    pub(crate) id: Option<u64>,
    form: JobForm,
    filter: String,
}

/// The job that the form opens.
#[derive(Clone)]
pub(crate) enum JobTarget {
    /// A new job, with its unsaved input if there is any.
    New,
    /// An existing job.
    Existing(Box<Job>),
}

/// The job being created or edited.
#[derive(Clone, Copy)]
pub(crate) struct JobDraft {
    /// The log filters page, on which the user can edit the filter.
    log_filter: LogFilterDraft,
    /// The kind of the owner of the listed jobs.
    pub(crate) scope: RwSignal<JobScope>,
    /// Whether the form is visible instead of the list.
    pub(crate) open: RwSignal<bool>,
    /// The edited job, as it was when editing began; `None` for a new one.
    pub(crate) original: RwSignal<Option<Job>>,
    /// The version of the edited job that another user saved and that the user chose to overwrite.
    pub(crate) overwrite_base: RwSignal<Option<Job>>,
    /// The input, except the filter.
    pub(crate) form: RwSignal<JobForm>,
    /// The filter; empty for none.
    pub(crate) filter: RwSignal<String>,
    /// The log lines of the preview; `None` for the example of the dataset.
    pub(crate) lines: RwSignal<Option<String>>,
    /// The input of a new job that was started before another job was edited.
    stashed_new_job: RwSignal<Option<(JobForm, String)>>,
    /// The edits of existing jobs from before the page was reloaded, by ID. An edit continues when the user opens its
    /// job, because the service has the secrets of the job.
    unopened_edits: RwSignal<BTreeMap<u64, StoredEdit>>,
    /// The job that the form opens as soon as the user discards the unsaved edit of another one.
    pub(crate) pending_target: RwSignal<Option<JobTarget>>,
    /// The job that was created last.
    pub(crate) created: RwSignal<Option<Job>>,
}

/// The members of the stored draft that concern the log filters page. The main module reads them, so it does not need the
/// code of the whole draft.
#[derive(Deserialize)]
struct StoredLogFilterMembers {
    new_job_filter: Option<IgnoredAny>,
    log_filters: Option<IgnoredAny>,
}

/// Returns whether restoring the stored draft changes the log filters page. The page then shows the filter of a job, or
/// the user's own filter as an earlier version stored it.
pub(crate) fn stored_draft_has_log_filter() -> bool {
    let stored = Item::Job.restore().and_then(|text| serde_json::from_str::<StoredLogFilterMembers>(&text).ok());
    stored.is_some_and(|stored| stored.new_job_filter.is_some() || stored.log_filters.is_some())
}

impl JobDraft {
    /// Provides the form of the last visit, and stores every change of it, except for secrets. Selecting another zone
    /// discards the edits of existing jobs.
    fn provide(service: ServiceContext, log_filter: LogFilterDraft) -> Self {
        let draft = JobDraft {
            log_filter,
            scope: RwSignal::new(JobScope::Zone),
            open: RwSignal::new(false),
            original: RwSignal::new(None),
            overwrite_base: RwSignal::new(None),
            form: RwSignal::new(JobForm::new(JobScope::Zone)),
            filter: RwSignal::new(String::new()),
            lines: RwSignal::new(None),
            stashed_new_job: RwSignal::new(None),
            unopened_edits: RwSignal::new(BTreeMap::new()),
            pending_target: RwSignal::new(None),
            created: RwSignal::new(None),
        };
        draft.restore(&untrack(move || service.zone_key()));
        draft.persist(service);
        service.on_zone_change(move || {
            draft.created.set(None);
            draft.unopened_edits.set(BTreeMap::new());
            if draft.original.read_untracked().is_some() {
                draft.clear();
            }
        });
        provide_context(draft);
        draft
    }

    /// Returns the draft of the app.
    pub(crate) fn get() -> Self {
        get_or_provide(|| JobDraft::provide(ServiceContext::get(), LogFilterDraft::get()))
    }

    /// Opens the form of a job. An unsaved edit of the same job is resumed. If the form contains an unsaved edit of
    /// another job, the page first asks whether to discard it. Returns whether the form is open.
    pub(crate) fn open_job(self, target: JobTarget) -> bool {
        if untrack(move || self.has_unsaved_edit()) {
            let is_same = matches!(&target, JobTarget::Existing(job) if self.edited_id() == Some(job.id));
            if is_same {
                self.open.set(true);
            } else {
                self.pending_target.set(Some(target));
            }
            return is_same;
        }
        match target {
            JobTarget::New => self.start(),
            JobTarget::Existing(job) => self.edit(*job),
        }
        true
    }

    /// Discards the unsaved edit, and opens the job that the user selected before.
    pub(crate) fn discard_and_open(self) {
        let target = self.pending_target.get_untracked();
        self.clear();
        if let Some(target) = target {
            self.open_job(target);
        }
    }

    /// Opens the form of a new job, with its unsaved input if there is any.
    fn start(self) {
        if self.original.get_untracked().is_some() {
            self.clear();
        }
        if !untrack(move || self.has_unsaved_new_job()) {
            self.form.set(JobForm::new(self.scope.get_untracked()));
        }
        self.open.set(true);
    }

    /// Opens the form of an existing job, and replaces its input if it is already open. Unsaved input of a new job is
    /// stashed until the form is cleared. An edit from before the page was reloaded is resumed.
    pub(crate) fn edit(self, job: Job) {
        self.return_from_log_filters(false);
        if self.has_unsaved_new_job() {
            self.stashed_new_job.set(Some((self.form.get_untracked(), self.filter.get_untracked())));
        }
        let current = JobForm::from_settings(&job.settings, self.scope.get_untracked());
        let (original, form, filter) = match self.take_unopened_edit(job.id) {
            Some(edit) => edit.resume(job, current.destination),
            None => {
                let filter = job.settings.filter.as_deref().map(format_filter).unwrap_or_default();
                (job, current, filter)
            }
        };
        self.form.set(form);
        self.filter.set(filter);
        self.lines.set(None);
        self.overwrite_base.set(None);
        self.original.set(Some(original));
        self.open.set(true);
    }

    /// Returns whether the form contains unsaved input of a new job.
    pub(crate) fn has_unsaved_new_job(self) -> bool {
        let is_new = self.original.read().is_none();
        let form = self.form.read();
        is_new && (*form != JobForm::new(form.scope) || !self.filter.read().trim().is_empty())
    }

    /// Returns whether the form contains an unsaved edit of an existing job. Its filter can be on the log filters page.
    fn has_unsaved_edit(self) -> bool {
        let is_edit = self.original.read().is_some();
        let is_filter_edited =
            self.log_filter.stash.read().is_some() && *self.log_filter.source.read() != *self.filter.read();
        is_edit && (is_filter_edited || !self.request_body().is_empty())
    }

    /// Closes the form and clears its input, including secrets. The stashed input of a new job is restored, and so is
    /// the log filters page.
    pub(crate) fn clear(self) {
        self.return_from_log_filters(false);
        self.open.set(false);
        self.pending_target.set(None);
        self.overwrite_base.set(None);
        self.original.set(None);
        let empty = || (JobForm::new(self.scope.get_untracked()), String::new());
        let (form, filter) = self.stashed_new_job.get_untracked().unwrap_or_else(empty);
        self.stashed_new_job.set(None);
        self.form.set(form);
        self.filter.set(filter);
        self.lines.set(None);
    }

    /// Forgets a job that was deleted: stops editing it, and removes the checks to make after its creation.
    pub(crate) fn remove_job(self, id: u64) {
        self.created.update(|created| *created = created.take().filter(|job| job.id != id));
        self.take_unopened_edit(id);
        if self.edited_id() == Some(id) {
            self.clear();
        }
    }

    /// Returns the body of the request: the whole new job, or the members of an existing job that have changed.
    pub(crate) fn request_body(self) -> Map<String, Value> {
        let form = self.form.read();
        let now = form.to_request_body(&self.filter.read());
        let original = self.original.read();
        let Some(Job { settings, .. }) = original.as_ref() else { return now };
        let before = JobForm::from_settings(settings, form.scope)
            .to_request_body(settings.filter.as_deref().unwrap_or_default());
        let mut changes: Map<String, Value> = now
            .iter()
            .filter(|(name, value)| before.get(*name) != Some(value))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        for name in before.keys().filter(|name| !now.contains_key(*name)) {
            changes.insert(name.clone(), Value::Null);
        }
        changes
    }

    /// Returns all members of the job, even if it exists already.
    pub(crate) fn full_body(self) -> Map<String, Value> {
        self.form.read().to_request_body(&self.filter.read())
    }

    /// Returns the errors that the service would report, except those of the filter.
    pub(crate) fn validate(self, body: &Map<String, Value>) -> Vec<zonewright_api::ValidationError> {
        let is_number = body.get(TRANSFORMER_ID).is_some_and(Value::is_u64);
        let body = Value::Object(body.clone());
        let original = self.original.read();
        // Only the service knows whether it allows directories and plain `http://`, so both are accepted.
        let rules = JobRules { scope: self.form.read().scope, files: true, plain_http: true };
        let read = match original.as_ref() {
            Some(job) => read_update_except_filter(&body, &job.settings, &rules),
            None => read_job_except_filter(&body, &rules),
        };
        let mut errors = read.err().unwrap_or_default();
        errors.retain(|error| !is_number || error.pointer.trim_start_matches('/') != TRANSFORMER_ID);
        errors
    }

    /// Returns the job that the preview renders, without the filter. Invalid members that do not affect the preview are
    /// omitted.
    pub(crate) fn preview_job(self) -> Map<String, Value> {
        let form = self.form.read();
        // Sampling does not change the bytes of a line, so it is disabled.
        let options = OutputOptions { sample_rate: None, ..form.output.to_options() };
        let mut job = Map::new();
        job.insert("dataset".to_owned(), json!(form.dataset));
        job.insert("destination_conf".to_owned(), json!(PREVIEW_DESTINATION));
        job.insert("output_options".to_owned(), json!(options));
        let merges_subrequests = form.subrequest_merging
            && Dataset::from_name(&form.dataset).is_some_and(|dataset| dataset.has(Feature::SubrequestMerging));
        if merges_subrequests {
            job.insert("subrequest_merging".to_owned(), json!(true));
        }
        job
    }

    /// Shows the filter on the log filters page. If that page already shows it, its text may be newer and remains.
    pub(crate) fn edit_in_log_filters(self) {
        let editor = self.log_filter;
        if self.log_filter.stash.read_untracked().is_some() {
            return;
        }
        self.log_filter.stash.set(Some(StashedLogFilter {
            source: editor.source.get_untracked(),
            dataset: editor.dataset.get_untracked(),
        }));
        editor.dataset.set(untrack(move || self.form.read().dataset()));
        editor.source.set(self.filter.get_untracked());
    }

    /// Restores the log filters page, and adopts its filter if `adopt` is set.
    pub(crate) fn return_from_log_filters(self, adopt: bool) {
        let editor = self.log_filter;
        let Some(stash) = self.log_filter.stash.get_untracked() else { return };
        self.log_filter.stash.set(None);
        if adopt {
            self.filter.set(format_filter(&editor.source.get_untracked()));
        }
        editor.dataset.set(stash.dataset);
        editor.source.set(stash.source);
    }
}

impl JobDraft {
    /// Returns the ID of the edited job; `None` for a new one.
    pub(crate) fn edited_id(self) -> Option<u64> {
        self.original.read_untracked().as_ref().map(|job| job.id)
    }

    /// Creates a snapshot of the input.
    pub(crate) fn snapshot(self) -> JobFormSnapshot {
        JobFormSnapshot { id: self.edited_id(), form: self.form.get_untracked(), filter: self.filter.get_untracked() }
    }

    /// Updates the form after a job was saved. Returns whether the form was cleared.
    ///
    /// A form with newer input remains open and edits the saved job. `is_same_form` states that the form was visible
    /// all the time. Only then does newer input in the form of a new job belong to the job that was created.
    pub(crate) fn apply_saved(self, sent: &JobFormSnapshot, saved: &Job, is_same_form: bool) -> bool {
        let now = self.snapshot();
        if sent.id.is_none() {
            let was_sent = |stashed: &(JobForm, String)| stashed.0 == sent.form && stashed.1 == sent.filter;
            self.stashed_new_job.update(|stashed| *stashed = stashed.take().filter(|stashed| !was_sent(stashed)));
        }
        if now.id != sent.id {
            return false;
        }
        // While the filter is edited on the log filters page, newer input may be there.
        if now == *sent && self.log_filter.stash.read_untracked().is_none() {
            // The list shows the jobs of this owner, so that it contains the saved job.
            self.scope.set(now.form.scope);
            self.clear();
            return true;
        }
        if sent.id.is_some() || is_same_form && now.form.is_same_stream(&sent.form) {
            let saved_form = JobForm::from_settings(&saved.settings, now.form.scope);
            self.form.update(|form| form.rebase(&sent.form, saved_form));
            if now.filter == sent.filter {
                self.filter.set(saved.settings.filter.as_deref().map(format_filter).unwrap_or_default());
            }
            self.overwrite_base.set(None);
            self.original.set(Some(saved.clone()));
        }
        false
    }
}
