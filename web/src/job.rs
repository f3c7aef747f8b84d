//! The log push job being written; kept in memory while other pages are looked at. It holds secrets: it
//! is never stored, and nothing here can be printed.

mod address;
mod output;
mod owner;
mod providers;
mod saved;

pub(crate) use address::{Address, hidden};
pub(crate) use output::{Output, TEXTS};
pub(crate) use owner::{Owner, can_have};
pub(crate) use providers::{Input, InputKind, Provider};
pub(crate) use saved::JobInput;

use crate::session::Session;
use leptos::prelude::*;
use serde_json::{Map, Value, json};
use zonewright_api::logpush::{Job, JobSettings, OutputOptions};
use zonewright_logpush::{Dataset, FormatOptions, JobRules, JobScope, Style, format, read_job, read_update};

/// What a job may not name here and may in other services: which transformers there are only the service knows.
const TRANSFORMER: &str = "transformer_id";

/// The members of a job as the form holds them, but for the filter; numbers are what was typed.
#[derive(Clone, PartialEq)]
pub(crate) struct JobForm {
    /// Whose it is.
    pub(crate) scope: JobScope,
    /// The name; empty for none.
    pub(crate) name: String,
    /// The dataset.
    pub(crate) dataset: String,
    /// Whether it delivers.
    pub(crate) enabled: bool,
    /// Where to.
    pub(crate) address: Address,
    /// The token that proves whose the destination is; empty for none.
    pub(crate) challenge: String,
    /// Which fields, and how they are written.
    pub(crate) output: Output,
    /// The older form of the output options, which a job may still have.
    pub(crate) older: Option<Older>,
    /// Most bytes, seconds and records of a batch; empty for no bound.
    pub(crate) bounds: [String; 3],
    /// `high` or `low`.
    pub(crate) frequency: String,
    /// Empty, or `edge`.
    pub(crate) kind: String,
    /// Whether lines of attacks are left out.
    pub(crate) without_attacks: bool,
    /// Whether subrequests come inside their request, by the member of the job itself.
    pub(crate) merges: bool,
    /// Number of the transformer; empty for none.
    pub(crate) transformer: String,
}

/// Output options in their older form, and what they mean.
#[derive(Clone, PartialEq)]
pub(crate) struct Older {
    /// As they are written.
    pub(crate) text: String,
    /// The same in the present form.
    output: Output,
}

/// Names of the bounds of a batch, in the order of [`JobForm::bounds`].
pub(crate) const BOUNDS: [&str; 3] = ["max_upload_bytes", "max_upload_interval_seconds", "max_upload_records"];

impl JobForm {
    /// A new job.
    fn new(scope: JobScope) -> Self {
        JobForm {
            scope,
            name: String::new(),
            dataset: match scope {
                JobScope::Zone => "http_requests".to_owned(),
                JobScope::Account => "audit_logs".to_owned(),
            },
            enabled: true,
            address: Address::default(),
            challenge: String::new(),
            output: Output::default(),
            older: None,
            bounds: Default::default(),
            frequency: "high".to_owned(),
            kind: String::new(),
            without_attacks: false,
            merges: false,
            transformer: String::new(),
        }
    }

    /// A job that exists.
    fn of(settings: &JobSettings, scope: JobScope) -> Self {
        let output = Output::of(settings);
        let older = settings.logpull_options.clone().filter(|_| settings.output_options.is_none());
        let bound = |number: u64| if number == 0 { String::new() } else { number.to_string() };
        JobForm {
            scope,
            name: settings.name.clone().unwrap_or_default(),
            dataset: settings.dataset.clone(),
            enabled: settings.enabled,
            address: Address::read(&settings.destination_conf),
            challenge: String::new(),
            older: older.map(|text| Older { text, output: output.clone() }),
            output,
            bounds: [
                bound(settings.max_upload_bytes),
                bound(settings.max_upload_interval_seconds),
                bound(settings.max_upload_records),
            ],
            frequency: settings.frequency.clone().unwrap_or_else(|| "high".to_owned()),
            kind: settings.kind.clone(),
            without_attacks: settings.filter_attack_traffic == Some(true),
            merges: settings.subrequest_merging == Some(true),
            transformer: settings.transformer_id.map(|id| id.to_string()).unwrap_or_default(),
        }
    }

    /// Gives it to another owner, with a dataset that it can have.
    pub(crate) fn give_to(&mut self, scope: JobScope) {
        self.scope = scope;
        if !can_have(scope, self.dataset()) {
            self.dataset = JobForm::new(scope).dataset;
        }
    }

    /// The dataset with its fields; that of requests while the name is none.
    pub(crate) fn dataset(&self) -> &'static Dataset {
        Dataset::named(&self.dataset).unwrap_or_else(Dataset::http_requests)
    }

    /// The body of a request that creates it.
    fn body(&self, filter: &str) -> Map<String, Value> {
        let mut body = Map::new();
        let mut set = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
        if !self.name.is_empty() {
            set("name", json!(self.name));
        }
        set("dataset", json!(self.dataset));
        set("enabled", json!(self.enabled));
        set("destination_conf", json!(self.address.text()));
        if !self.challenge.trim().is_empty() {
            set("ownership_challenge", json!(self.challenge.trim()));
        }
        if !filter.trim().is_empty() {
            set("filter", json!(compact(filter)));
        }
        // The older form stays until something of the output is changed.
        let same = self.older.as_ref().is_some_and(|older| older.output == self.output);
        if let Some(options) = self.output.json().filter(|_| !same) {
            set("output_options", options);
        }
        if let Some(older) = &self.older {
            set("logpull_options", json!(older.text));
        }
        for (name, text) in BOUNDS.iter().zip(&self.bounds).chain([(&TRANSFORMER, &self.transformer)]) {
            let text = text.trim();
            if !text.is_empty() {
                // What is no number is sent as it is: the checks say that it is none.
                set(name, text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number)));
            }
        }
        set("frequency", json!(self.frequency));
        if !self.kind.is_empty() {
            set("kind", json!(self.kind));
        }
        if self.without_attacks {
            set("filter_attack_traffic", json!(true));
        }
        if self.merges {
            set("subrequest_merging", json!(true));
        }
        body
    }
}

/// A filter on one line, as jobs hold it; as it was written while it cannot be read.
pub(crate) fn compact(filter: &str) -> String {
    let options = FormatOptions { style: Style::Compact, ..FormatOptions::default() };
    format(filter, &options).text.unwrap_or_else(|| filter.to_owned())
}

/// A filter in lines, for people.
fn pretty(filter: &str) -> String {
    let options = FormatOptions { style: Style::Pretty, ..FormatOptions::default() };
    format(filter, &options).text.unwrap_or_else(|| filter.to_owned())
}

/// What the page of log filters held before the filter of a job was taken there.
#[derive(Clone, PartialEq)]
pub(crate) struct Carried {
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
    pub(crate) present: RwSignal<Option<Job>>,
    /// What somebody else saved of the edited job, once the user chose to overwrite it.
    pub(crate) accepted: RwSignal<Option<Job>>,
    /// The form.
    pub(crate) form: RwSignal<JobForm>,
    /// The filter; empty for none.
    pub(crate) filter: RwSignal<String>,
    /// Log lines for the preview; empty for the example of the dataset.
    pub(crate) lines: RwSignal<Option<String>>,
    /// Set while the filter is edited on the page of log filters.
    pub(crate) carried: RwSignal<Option<Carried>>,
    /// A new job that was begun, while another one is edited.
    begun: RwSignal<Option<(JobForm, String)>>,
    /// The job that has just been created.
    pub(crate) created: RwSignal<Option<Job>>,
}

impl JobDraft {
    /// An empty form that is not shown.
    pub(crate) fn new() -> Self {
        JobDraft {
            scope: RwSignal::new(JobScope::Zone),
            open: RwSignal::new(false),
            present: RwSignal::new(None),
            accepted: RwSignal::new(None),
            form: RwSignal::new(JobForm::new(JobScope::Zone)),
            filter: RwSignal::new(String::new()),
            lines: RwSignal::new(None),
            carried: RwSignal::new(None),
            begun: RwSignal::new(None),
            created: RwSignal::new(None),
        }
    }

    /// Shows the form of a new job: the one that was begun, if any.
    pub(crate) fn start(self) {
        if self.present.get_untracked().is_some() {
            self.clear();
        }
        if !untrack(move || self.has_begun()) {
            self.form.set(JobForm::new(self.scope.get_untracked()));
        }
        self.open.set(true);
    }

    /// Shows the form of a job that exists.
    pub(crate) fn edit(self, job: Job) {
        if self.has_begun() {
            self.begun.set(Some((self.form.get_untracked(), self.filter.get_untracked())));
        }
        self.form.set(JobForm::of(&job.settings, self.scope.get_untracked()));
        self.filter.set(job.settings.filter.as_deref().map(pretty).unwrap_or_default());
        self.lines.set(None);
        self.accepted.set(None);
        self.present.set(Some(job));
        self.open.set(true);
    }

    /// Whether a new job was begun that is not edited away by another.
    pub(crate) fn has_begun(self) -> bool {
        let is_new = self.present.read().is_none();
        let form = self.form.read();
        is_new && (*form != JobForm::new(form.scope) || !self.filter.read().trim().is_empty())
    }

    /// Forgets what was written, secrets with it; a new job that was begun before another was edited is
    /// there again.
    pub(crate) fn clear(self) {
        self.open.set(false);
        self.accepted.set(None);
        self.present.set(None);
        let blank = || (JobForm::new(self.scope.get_untracked()), String::new());
        let (form, filter) = self.begun.get_untracked().unwrap_or_else(blank);
        self.begun.set(None);
        self.form.set(form);
        self.filter.set(filter);
        self.lines.set(None);
        self.carried.set(None);
    }

    /// What is to be sent: all of a new job, of another what has changed.
    pub(crate) fn body(self) -> Map<String, Value> {
        let form = self.form.read();
        let now = form.body(&self.filter.read());
        let present = self.present.read();
        let Some(Job { settings, .. }) = present.as_ref() else { return now };
        let before = JobForm::of(settings, form.scope).body(settings.filter.as_deref().unwrap_or_default());
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
    pub(crate) fn whole(self) -> Map<String, Value> {
        self.form.read().body(&self.filter.read())
    }

    /// Every reason for which the service would refuse it.
    pub(crate) fn refusals(self, body: &Map<String, Value>) -> Vec<zonewright_api::Refusal> {
        let is_number = body.get(TRANSFORMER).is_some_and(Value::is_u64);
        let body = Value::Object(body.clone());
        let present = self.present.read();
        // Whether folders and plain `http://` are allowed only the service knows too.
        let rules = JobRules { scope: self.form.read().scope, files: true, plain_http: true };
        let read = match present.as_ref() {
            Some(job) => read_update(&body, &job.settings, &rules),
            None => read_job(&body, &rules),
        };
        let mut refusals = read.err().unwrap_or_default();
        refusals.retain(|refusal| !is_number || refusal.pointer.trim_start_matches('/') != TRANSFORMER);
        refusals
    }

    /// The settings that the preview renders: what stands in the form, right or wrong elsewhere.
    pub(crate) fn rendered(self) -> JobSettings {
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
    pub(crate) fn carry(self, session: Session) {
        let editor = session.log_filter;
        self.carried
            .set(Some(Carried { source: editor.source.get_untracked(), dataset: editor.dataset.get_untracked() }));
        editor.dataset.set(untrack(move || self.form.read().dataset()));
        editor.source.set(self.filter.get_untracked());
    }

    /// Brings the filter back, if `take` says so, and gives that page what it had.
    pub(crate) fn bring_back(self, session: Session, take: bool) {
        let Some(carried) = self.carried.get_untracked() else { return };
        self.carried.set(None);
        let editor = session.log_filter;
        if take {
            self.filter.set(pretty(&editor.source.get_untracked()));
        }
        editor.dataset.set(carried.dataset);
        editor.source.set(carried.source);
    }
}
