//! A log push job as its form holds it.
//!
//! [`JobForm`] has one member for each control. It contains secrets, so it is never stored and implements no `Debug`.

mod destination;
mod output;
mod owner;
mod providers;
mod rebase;

pub(crate) use destination::{DestinationAddress, hidden, provider_title, redacted_address};
pub(crate) use output::{OutputForm, TEXTS};
pub(crate) use owner::{JobOwner, can_have};
pub(crate) use providers::{Provider, ProviderField, ProviderFieldKind};

use serde_json::{Map, Value, json};
use zonewright_api::logpush::{Job, JobSettings};
use zonewright_logpush::{Dataset, FormatOptions, JobScope, Style, format};

/// The member that only the service can validate: it alone knows which transformers exist.
pub(crate) const TRANSFORMER_ID: &str = "transformer_id";

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
    pub(crate) address: DestinationAddress,
    /// The token that proves whose the destination is; empty for none.
    pub(crate) challenge: String,
    /// Which fields, and how they are written.
    pub(crate) output: OutputForm,
    /// The older form of the output options, which a job may still have.
    pub(crate) older: Option<LegacyOutputOptions>,
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
pub(crate) struct LegacyOutputOptions {
    /// As they are written.
    pub(crate) text: String,
    /// The same in the present form.
    output: OutputForm,
}

/// Names of the bounds of a batch, in the order of [`JobForm::bounds`].
pub(crate) const BOUNDS: [&str; 3] = ["max_upload_bytes", "max_upload_interval_seconds", "max_upload_records"];

impl JobForm {
    /// The form of a new job.
    pub(crate) fn new(scope: JobScope) -> Self {
        JobForm {
            scope,
            name: String::new(),
            dataset: match scope {
                JobScope::Zone => "http_requests".to_owned(),
                JobScope::Account => "audit_logs".to_owned(),
            },
            enabled: true,
            address: DestinationAddress::default(),
            challenge: String::new(),
            output: OutputForm::default(),
            older: None,
            bounds: Default::default(),
            frequency: "high".to_owned(),
            kind: String::new(),
            without_attacks: false,
            merges: false,
            transformer: String::new(),
        }
    }

    /// The form of an existing job.
    pub(crate) fn from_settings(settings: &JobSettings, scope: JobScope) -> Self {
        let output = OutputForm::of(settings);
        let older = settings.logpull_options.clone().filter(|_| settings.output_options.is_none());
        let bound = |number: u64| if number == 0 { String::new() } else { number.to_string() };
        JobForm {
            scope,
            name: settings.name.clone().unwrap_or_default(),
            dataset: settings.dataset.clone(),
            enabled: settings.enabled,
            address: DestinationAddress::read(&settings.destination_conf),
            challenge: String::new(),
            older: older.map(|text| LegacyOutputOptions { text, output: output.clone() }),
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

    /// The body of a request that creates the job.
    pub(crate) fn to_request_body(&self, filter: &str) -> Map<String, Value> {
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
            set("filter", json!(minify_filter(filter)));
        }
        // The older form stays until something of the output is changed.
        let same = self.older.as_ref().is_some_and(|older| older.output == self.output);
        if let Some(options) = self.output.json().filter(|_| !same) {
            set("output_options", options);
        }
        if let Some(older) = &self.older {
            set("logpull_options", json!(older.text));
        }
        for (name, text) in BOUNDS.iter().zip(&self.bounds).chain([(&TRANSFORMER_ID, &self.transformer)]) {
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

/// A filter on one line, as jobs hold it. An invalid filter stays unchanged.
pub(crate) fn minify_filter(filter: &str) -> String {
    let options = FormatOptions { style: Style::Compact, ..FormatOptions::default() };
    format(filter, &options).text.unwrap_or_else(|| filter.to_owned())
}

/// A filter in lines, for people.
pub(crate) fn format_filter(filter: &str) -> String {
    let options = FormatOptions { style: Style::Pretty, ..FormatOptions::default() };
    format(filter, &options).text.unwrap_or_else(|| filter.to_owned())
}

/// The name of a job, or its number if it has none.
pub(crate) fn job_label(job: &Job) -> String {
    job.settings.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| job.id.to_string())
}
