//! The model of the form of a log push job.
//!
//! [`JobForm`] has one member for each control. It contains secrets, so it does not implement `Debug`, and only a
//! [`StoredJobForm`], which has none, is stored.

mod destination;
mod output;
mod owner;
mod providers;
mod rebase;
mod stored;

pub(crate) use destination::{DestinationAddress, provider_title, redact_with_labels, redacted_address};
pub(crate) use output::{OutputForm, RECORD_FORMAT_MEMBERS};
pub(crate) use owner::{JobOwner, supports_dataset};
pub(crate) use providers::{Provider, ProviderField, ProviderFieldKind};
pub(crate) use stored::StoredJobForm;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use zonewright_api::logpush::{Job, JobFrequency, JobKind, JobSettings};
use zonewright_logpush::{Dataset, FormatOptions, FormatStyle, JobScope, format};

/// The member that only the service can validate, because the app cannot list transformers.
pub(crate) const TRANSFORMER_ID: &str = "transformer_id";

/// The members of a job in the form, except the filter. Numbers are texts, as the user typed them.
#[derive(Clone, PartialEq)]
pub(crate) struct JobForm {
    /// The kind of the owner.
    pub(crate) scope: JobScope,
    /// The name; empty for none.
    pub(crate) name: String,
    /// The dataset.
    pub(crate) dataset: String,
    /// Whether the job delivers.
    pub(crate) enabled: bool,
    /// The destination.
    pub(crate) destination: DestinationAddress,
    /// The ownership challenge; empty for none.
    pub(crate) ownership_challenge: String,
    /// The fields and their format.
    pub(crate) output: OutputForm,
    /// The legacy output options (`logpull_options`), which an existing job may have.
    pub(crate) legacy_output: Option<LegacyOutputOptions>,
    /// The maximum bytes, seconds and records of a batch; empty for the default of the service.
    pub(crate) batch_limits: [String; BATCH_LIMITS.len()],
    /// How often the job delivers.
    pub(crate) frequency: JobFrequency,
    /// The kind.
    pub(crate) kind: JobKind,
    /// Whether lines of attack traffic are omitted.
    pub(crate) exclude_attack_traffic: bool,
    /// Whether subrequests are merged into their request (the job-level member).
    pub(crate) subrequest_merging: bool,
    /// The ID of the transformer; empty for none.
    pub(crate) transformer: String,
}

/// Legacy output options with their meaning.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct LegacyOutputOptions {
    /// The text of `logpull_options`.
    pub(crate) text: String,
    /// The equivalent output options.
    output: OutputForm,
}

/// The member names of the limits of a batch, in the order of [`JobForm::batch_limits`].
pub(crate) const BATCH_LIMITS: [&str; 3] = ["max_upload_bytes", "max_upload_interval_seconds", "max_upload_records"];

impl JobForm {
    /// Creates the form of a new job.
    pub(crate) fn new(scope: JobScope) -> Self {
        JobForm {
            scope,
            name: String::new(),
            dataset: match scope {
                JobScope::Zone => "http_requests".to_owned(),
                JobScope::Account => "audit_logs".to_owned(),
            },
            enabled: true,
            destination: DestinationAddress::default(),
            ownership_challenge: String::new(),
            output: OutputForm::default(),
            legacy_output: None,
            batch_limits: Default::default(),
            frequency: JobFrequency::High,
            kind: JobKind::Batch,
            exclude_attack_traffic: false,
            subrequest_merging: false,
            transformer: String::new(),
        }
    }

    /// Creates the form of an existing job.
    pub(crate) fn from_settings(settings: &JobSettings, scope: JobScope) -> Self {
        let output = OutputForm::from_settings(settings);
        let legacy = settings.logpull_options.clone().filter(|_| settings.output_options.is_none());
        let limit_text = |number: u64| if number == 0 { String::new() } else { number.to_string() };
        JobForm {
            scope,
            name: settings.name.clone().unwrap_or_default(),
            dataset: settings.dataset.clone(),
            enabled: settings.enabled,
            destination: DestinationAddress::parse(&settings.destination_conf),
            ownership_challenge: String::new(),
            legacy_output: legacy.map(|text| LegacyOutputOptions { text, output: output.clone() }),
            output,
            batch_limits: [
                limit_text(settings.max_upload_bytes),
                limit_text(settings.max_upload_interval_seconds),
                limit_text(settings.max_upload_records),
            ],
            frequency: settings.frequency.as_deref().and_then(JobFrequency::from_name).unwrap_or(JobFrequency::High),
            kind: JobKind::from_name(&settings.kind).unwrap_or(JobKind::Batch),
            exclude_attack_traffic: settings.filter_attack_traffic == Some(true),
            subrequest_merging: settings.subrequest_merging == Some(true),
            transformer: settings.transformer_id.map(|id| id.to_string()).unwrap_or_default(),
        }
    }

    /// Changes the owner, and the dataset if the owner cannot have it.
    pub(crate) fn set_owner(&mut self, scope: JobScope) {
        self.scope = scope;
        if !supports_dataset(scope, self.dataset()) {
            self.dataset = JobForm::new(scope).dataset;
        }
    }

    /// Returns the dataset, or that of HTTP requests if the name is unknown.
    pub(crate) fn dataset(&self) -> &'static Dataset {
        Dataset::from_name(&self.dataset).unwrap_or_else(Dataset::http_requests)
    }

    /// Returns the body of a request that creates the job. The body of an update is a part of it.
    pub(crate) fn to_request_body(&self, filter: &str) -> Map<String, Value> {
        // Without `..`, so that a new member does not compile until it is sent.
        let JobForm {
            scope: _,
            name,
            dataset,
            enabled,
            destination,
            ownership_challenge,
            output,
            legacy_output,
            batch_limits,
            frequency,
            kind,
            exclude_attack_traffic,
            subrequest_merging,
            transformer,
        } = self;
        let mut body = Map::new();
        let mut set = |name: &str, value: Value| drop(body.insert(name.to_owned(), value));
        if !name.is_empty() {
            set("name", json!(name));
        }
        set("dataset", json!(dataset));
        set("enabled", json!(enabled));
        set("destination_conf", json!(destination.to_text()));
        if !ownership_challenge.trim().is_empty() {
            set("ownership_challenge", json!(ownership_challenge.trim()));
        }
        if !filter.trim().is_empty() {
            set("filter", json!(minify_filter(filter)));
        }
        // The legacy options determine the output until the user changes it. Output options take precedence over them.
        let is_unchanged = legacy_output.as_ref().is_some_and(|legacy| legacy.output == *output);
        if let Some(options) = output.to_json().filter(|_| !is_unchanged) {
            set("output_options", options);
        }
        if let Some(legacy) = legacy_output {
            set("logpull_options", json!(legacy.text));
        }
        for (name, text) in BATCH_LIMITS.iter().zip(batch_limits).chain([(&TRANSFORMER_ID, transformer)]) {
            let text = text.trim();
            if !text.is_empty() {
                // A text that is not a number is sent verbatim, so that the validation reports it.
                set(name, text.parse::<u64>().map_or_else(|_| json!(text), |number| json!(number)));
            }
        }
        set("frequency", json!(frequency));
        if *kind != JobKind::Batch {
            set("kind", json!(kind));
        }
        if *exclude_attack_traffic {
            set("filter_attack_traffic", json!(true));
        }
        if *subrequest_merging {
            set("subrequest_merging", json!(true));
        }
        body
    }
}

/// Minifies a filter to one line, as jobs store it. An invalid filter is returned unchanged.
pub(crate) fn minify_filter(filter: &str) -> String {
    let options = FormatOptions { style: FormatStyle::Compact, ..FormatOptions::default() };
    format(filter, &options).text.unwrap_or_else(|| filter.to_owned())
}

/// Formats a filter on several lines. An invalid filter is returned unchanged.
pub(crate) fn format_filter(filter: &str) -> String {
    let options = FormatOptions { style: FormatStyle::Pretty, ..FormatOptions::default() };
    format(filter, &options).text.unwrap_or_else(|| filter.to_owned())
}

/// Returns the name of a job, or its ID if it has none.
pub(crate) fn job_label(job: &Job) -> String {
    job.settings.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| job.id.to_string())
}
