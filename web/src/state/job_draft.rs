//! The log push job being created or edited.
//!
//! The draft contains secrets, so it stays in memory and implements no `Debug`.

use crate::job::{JobForm, TRANSFORMER_ID, format_filter};
use crate::state::log_filter_draft::LogFilterDraft;
use crate::state::service::ServiceContext;
use leptos::prelude::*;
use serde_json::{Map, Value};
use zonewright_api::logpush::{Job, JobSettings, OutputOptions};
use zonewright_logpush::{Dataset, JobRules, JobScope, read_job, read_update};

/// A job as the form held it when it was sent.
#[derive(Clone, PartialEq)]
pub(crate) struct JobFormSnapshot {
    /// Number of the job that is edited; `None` for a new one.
    pub(crate) id: Option<u64>,
    form: JobForm,
    filter: String,
}

/// What the page of log filters held before the filter of a job was taken there.
#[derive(Clone, PartialEq)]
pub(crate) struct StashedLogFilter {
    source: String,
    dataset: &'static Dataset,
}

/// The job being written.
#[derive(Clone, Copy)]
pub(crate) struct JobDraft {
    /// Whose jobs are listed.
    pub(crate) scope: RwSignal<JobScope>,
    /// Whether the form is shown instead of the list.
    pub(crate) open: RwSignal<bool>,
    /// The job that is edited; `None` for a new one.
    pub(crate) original: RwSignal<Option<Job>>,
    /// What somebody else saved of the edited job, once the user chose to overwrite it.
    pub(crate) overwrite_base: RwSignal<Option<Job>>,
    /// The form.
    pub(crate) form: RwSignal<JobForm>,
    /// The filter; empty for none.
    pub(crate) filter: RwSignal<String>,
    /// Log lines for the preview; empty for the example of the dataset.
    pub(crate) lines: RwSignal<Option<String>>,
    /// Set while the filter is edited on the page of log filters.
    pub(crate) stashed_log_filter: RwSignal<Option<StashedLogFilter>>,
    /// A new job that was begun, while another one is edited.
    stashed_new_job: RwSignal<Option<(JobForm, String)>>,
    /// The job that has just been created.
    pub(crate) created: RwSignal<Option<Job>>,
}

impl JobDraft {
    /// Provides an empty form that is not shown.
    pub(crate) fn provide(service: ServiceContext) -> Self {
        let draft = JobDraft {
            scope: RwSignal::new(JobScope::Zone),
            open: RwSignal::new(false),
            original: RwSignal::new(None),
            overwrite_base: RwSignal::new(None),
            form: RwSignal::new(JobForm::new(JobScope::Zone)),
            filter: RwSignal::new(String::new()),
            lines: RwSignal::new(None),
            stashed_log_filter: RwSignal::new(None),
            stashed_new_job: RwSignal::new(None),
            created: RwSignal::new(None),
        };
        service.on_zone_change(move || {
            draft.created.set(None);
            if draft.original.read_untracked().is_some() {
                draft.clear();
            }
        });
        provide_context(draft);
        draft
    }

    /// The draft of the app.
    pub(crate) fn get() -> Self {
        expect_context()
    }

    /// Shows the form of a new job: the one that was begun, if any.
    pub(crate) fn start(self) {
        if self.original.get_untracked().is_some() {
            self.clear();
        }
        if !untrack(move || self.has_unsaved_new_job()) {
            self.form.set(JobForm::new(self.scope.get_untracked()));
        }
        self.open.set(true);
    }

    /// Shows the form of a job that exists.
    pub(crate) fn edit(self, job: Job) {
        if self.has_unsaved_new_job() {
            self.stashed_new_job.set(Some((self.form.get_untracked(), self.filter.get_untracked())));
        }
        self.form.set(JobForm::from_settings(&job.settings, self.scope.get_untracked()));
        self.filter.set(job.settings.filter.as_deref().map(format_filter).unwrap_or_default());
        self.lines.set(None);
        self.overwrite_base.set(None);
        self.original.set(Some(job));
        self.open.set(true);
    }

    /// Whether a new job was begun that is not edited away by another.
    pub(crate) fn has_unsaved_new_job(self) -> bool {
        let is_new = self.original.read().is_none();
        let form = self.form.read();
        is_new && (*form != JobForm::new(form.scope) || !self.filter.read().trim().is_empty())
    }

    /// Forgets what was written, secrets with it; a new job that was begun before another was edited is
    /// there again.
    pub(crate) fn clear(self) {
        self.open.set(false);
        self.overwrite_base.set(None);
        self.original.set(None);
        let blank = || (JobForm::new(self.scope.get_untracked()), String::new());
        let (form, filter) = self.stashed_new_job.get_untracked().unwrap_or_else(blank);
        self.stashed_new_job.set(None);
        self.form.set(form);
        self.filter.set(filter);
        self.lines.set(None);
        self.stashed_log_filter.set(None);
    }

    /// What is to be sent: all of a new job, of another what has changed.
    pub(crate) fn request_body(self) -> Map<String, Value> {
        let form = self.form.read();
        let now = form.to_request_body(&self.filter.read());
        let present = self.original.read();
        let Some(Job { settings, .. }) = present.as_ref() else { return now };
        let before = JobForm::from_settings(settings, form.scope)
            .to_request_body(settings.filter.as_deref().unwrap_or_default());
        let mut changes: Map<String, Value> = now
            .iter()
            .filter(|(name, value)| before.get(*name) != Some(value))
            .map(|(n, v)| (n.clone(), v.clone()))
            .collect();
        for name in before.keys().filter(|name| !now.contains_key(*name)) {
            changes.insert(name.clone(), Value::Null);
        }
        changes
    }

    /// All of the job, also of one that exists.
    pub(crate) fn full_body(self) -> Map<String, Value> {
        self.form.read().to_request_body(&self.filter.read())
    }

    /// Every reason for which the service would refuse it.
    pub(crate) fn validate(self, body: &Map<String, Value>) -> Vec<zonewright_api::Refusal> {
        let is_number = body.get(TRANSFORMER_ID).is_some_and(Value::is_u64);
        let body = Value::Object(body.clone());
        let present = self.original.read();
        // Whether folders and plain `http://` are allowed only the service knows too.
        let rules = JobRules { scope: self.form.read().scope, files: true, plain_http: true };
        let read = match present.as_ref() {
            Some(job) => read_update(&body, &job.settings, &rules),
            None => read_job(&body, &rules),
        };
        let mut refusals = read.err().unwrap_or_default();
        refusals.retain(|refusal| !is_number || refusal.pointer.trim_start_matches('/') != TRANSFORMER_ID);
        refusals
    }

    /// The settings that the preview renders: what stands in the form, right or wrong elsewhere.
    pub(crate) fn preview_settings(self) -> JobSettings {
        let form = self.form.read();
        JobSettings {
            dataset: form.dataset.clone(),
            // Which lines are sampled changes none of their bytes.
            output_options: Some(OutputOptions { sample_rate: None, ..form.output.options() }),
            subrequest_merging: form.merges.then_some(true),
            ..JobSettings::default()
        }
    }

    /// Takes the filter to the page of log filters.
    pub(crate) fn edit_in_log_filters(self, editor: LogFilterDraft) {
        self.stashed_log_filter.set(Some(StashedLogFilter {
            source: editor.source.get_untracked(),
            dataset: editor.dataset.get_untracked(),
        }));
        editor.dataset.set(untrack(move || self.form.read().dataset()));
        editor.source.set(self.filter.get_untracked());
    }

    /// Brings the filter back, if `take` says so, and gives that page what it had.
    pub(crate) fn return_from_log_filters(self, editor: LogFilterDraft, take: bool) {
        let Some(stashed_log_filter) = self.stashed_log_filter.get_untracked() else { return };
        self.stashed_log_filter.set(None);
        if take {
            self.filter.set(format_filter(&editor.source.get_untracked()));
        }
        editor.dataset.set(stashed_log_filter.dataset);
        editor.source.set(stashed_log_filter.source);
    }
}

impl JobDraft {
    /// The job as the form holds it.
    pub(crate) fn snapshot(self) -> JobFormSnapshot {
        JobFormSnapshot {
            id: self.original.read_untracked().as_ref().map(|job| job.id),
            form: self.form.get_untracked(),
            filter: self.filter.get_untracked(),
        }
    }

    /// Takes a job that was saved as it was sent, and says whether the form was emptied. A form with newer input stays
    /// open, as one that changes the saved job. `is_same_form` says that the form was shown all the time: only then newer
    /// input in the form of a new job belongs to the job that was created.
    pub(crate) fn take_saved(self, sent: &JobFormSnapshot, saved: &Job, is_same_form: bool) -> bool {
        let now = self.snapshot();
        if sent.id.is_none() {
            let is_sent = |stashed_new_job: &(JobForm, String)| {
                stashed_new_job.0 == sent.form && stashed_new_job.1 == sent.filter
            };
            self.stashed_new_job.update(|begun| *begun = begun.take().filter(|begun| !is_sent(begun)));
        }
        if now.id != sent.id {
            return false;
        }
        // While the filter is edited on the page of log filters, the newer input is there.
        if now == *sent && self.stashed_log_filter.read_untracked().is_none() {
            // The list shows where the job went.
            self.scope.set(now.form.scope);
            self.clear();
            return true;
        }
        if sent.id.is_some() || is_same_form && now.form.is_same_stream(&sent.form) {
            let form = JobForm::from_settings(&saved.settings, now.form.scope);
            self.form.update(|one| one.rebase(&sent.form, form));
            if now.filter == sent.filter {
                self.filter.set(saved.settings.filter.as_deref().map(format_filter).unwrap_or_default());
            }
            self.overwrite_base.set(None);
            self.original.set(Some(saved.clone()));
        }
        false
    }
}
