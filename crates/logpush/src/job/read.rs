//! Reads the settings of a job from JSON: members and their types.

use super::{JobRequest, filter::not_a_string_error};
use crate::output_options::read_output_options;
use serde_json::{Map, Value};
use zonewright_api::logpush::{JobFrequency, JobSettings};
use zonewright_api::{ObjectReader, ValidationError, parse_integer};

/// The members that a request may contain.
const WRITABLE_MEMBERS: [&str; 16] = [
    "dataset",
    "name",
    "enabled",
    "destination_conf",
    "ownership_challenge",
    "output_options",
    "logpull_options",
    "filter",
    "kind",
    "frequency",
    "max_upload_bytes",
    "max_upload_interval_seconds",
    "max_upload_records",
    "filter_attack_traffic",
    "subrequest_merging",
    "transformer_id",
];
/// The members that only the service sets. Clients send them back, and they are ignored.
const READ_ONLY_MEMBERS: [&str; 6] =
    ["id", "last_complete", "last_error", "error_message", "time_created", "time_modified"];

/// The dataset of a job that does not name one (documented).
const DEFAULT_DATASET: &str = "http_requests";

/// Returns the settings of a job whose request has no members.
fn default_settings() -> JobSettings {
    JobSettings {
        dataset: DEFAULT_DATASET.to_owned(),
        frequency: Some(JobFrequency::High.name().to_owned()),
        ..JobSettings::default()
    }
}

/// Reads a new job as far as possible, with the errors in types and names.
pub(super) fn parse_create(body: &Value) -> Result<(JobRequest, Vec<ValidationError>), Vec<ValidationError>> {
    let mut members = ObjectReader::new(body, "a job", &WRITABLE_MEMBERS, &READ_ONLY_MEMBERS)?;
    let mut settings = default_settings();
    let sent = body_members(body);
    settings.dataset = match members.get("dataset") {
        None => settings.dataset,
        Some(Value::String(name)) if name.is_empty() => settings.dataset,
        Some(Value::String(name)) => name.clone(),
        // No dataset has the empty name, so the filter and the output options are not checked.
        Some(other) => members.type_error("dataset", "a string", other).unwrap_or_default(),
    };
    settings.kind = members.text("kind").unwrap_or_default();
    members.required("destination_conf");
    let ownership_challenge = read_mutable_members(sent, &mut members, &mut settings);
    Ok((JobRequest { settings, ownership_challenge }, members.errors))
}

/// Applies changes to a job as far as possible, with the errors in types and names.
pub(super) fn parse_update(
    body: &Value,
    current: &JobSettings,
) -> Result<(JobRequest, Vec<ValidationError>), Vec<ValidationError>> {
    let mut members = ObjectReader::new(body, "a job", &WRITABLE_MEMBERS, &READ_ONLY_MEMBERS)?;
    let mut settings = current.clone();
    for (name, value) in [("dataset", &current.dataset), ("kind", &current.kind)] {
        match members.get(name) {
            Some(Value::String(sent)) if sent != value => {
                let current_value = if value.is_empty() { "empty".to_owned() } else { format!("`{value}`") };
                let message = format!(
                    "`{name}` of this job is {current_value} and cannot be changed; create another job instead"
                );
                members.errors.push(ValidationError::invalid_value(format!("/{name}"), message));
            }
            Some(Value::String(_)) | None => {}
            Some(other) => members.type_error(name, "a string", other).unwrap_or_default(),
        }
    }
    let sent = body_members(body);
    if sent.get("destination_conf").is_some_and(|value| value.is_null() || value == "") {
        let message = "`destination_conf` cannot be cleared: every job needs a destination";
        members.errors.push(ValidationError::invalid_value("/destination_conf", message));
    }
    let ownership_challenge = read_mutable_members(sent, &mut members, &mut settings);
    Ok((JobRequest { settings, ownership_challenge }, members.errors))
}

/// Returns the members of the body, which is an object at this point.
fn body_members(body: &Value) -> &Map<String, Value> {
    static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
    body.as_object().unwrap_or(&EMPTY)
}

/// Reads every mutable member into `settings`, and returns the ownership challenge.
fn read_mutable_members<'v>(
    sent: &'v Map<String, Value>,
    members: &mut ObjectReader<'v>,
    settings: &mut JobSettings,
) -> Option<String> {
    let mut reader = MemberReader { sent, members };
    reader.read_text("name", &mut settings.name);
    reader.read_flag("enabled", &mut settings.enabled);
    let mut destination = Some(std::mem::take(&mut settings.destination_conf));
    reader.read_text("destination_conf", &mut destination);
    settings.destination_conf = destination.unwrap_or_default();
    if let Some(value) = sent.get("output_options") {
        settings.output_options = match value {
            Value::Null => None,
            value => {
                let (options, errors) = read_output_options(value);
                reader.members.errors.extend(zonewright_api::prefix_pointers("/output_options", errors));
                Some(options)
            }
        };
    }
    reader.read_text("logpull_options", &mut settings.logpull_options);
    match sent.get("filter") {
        Some(value @ (Value::Object(_) | Value::Array(_))) => reader.members.errors.push(not_a_string_error(value)),
        _ => reader.read_text("filter", &mut settings.filter),
    }
    reader.read_text("frequency", &mut settings.frequency);
    if settings.frequency.is_none() {
        settings.frequency = default_settings().frequency;
    }
    reader.read_number("max_upload_bytes", &mut settings.max_upload_bytes);
    reader.read_number("max_upload_interval_seconds", &mut settings.max_upload_interval_seconds);
    reader.read_number("max_upload_records", &mut settings.max_upload_records);
    reader.read_optional_flag("filter_attack_traffic", &mut settings.filter_attack_traffic);
    reader.read_optional_flag("subrequest_merging", &mut settings.subrequest_merging);
    let mut transformer = settings.transformer_id.unwrap_or_default();
    reader.read_number("transformer_id", &mut transformer);
    settings.transformer_id = (transformer > 0).then_some(transformer);
    let mut challenge = None;
    reader.read_text("ownership_challenge", &mut challenge);
    challenge
}

/// A reader that updates existing values. An absent member changes nothing, `null` clears, and a wrong type is an
/// error.
struct MemberReader<'r, 'v> {
    sent: &'v Map<String, Value>,
    members: &'r mut ObjectReader<'v>,
}

impl MemberReader<'_, '_> {
    /// Reads a string. The empty string clears too, because clients send it for unset members (assumption job-null).
    fn read_text(&mut self, name: &str, into: &mut Option<String>) {
        match self.sent.get(name) {
            None => {}
            Some(Value::Null) => *into = None,
            Some(Value::String(text)) => *into = (!text.is_empty()).then(|| text.clone()),
            Some(other) => self.members.type_error(name, "a string", other).unwrap_or_default(),
        }
    }

    fn read_flag(&mut self, name: &str, into: &mut bool) {
        let mut flag = Some(*into);
        self.read_optional_flag(name, &mut flag);
        *into = flag.unwrap_or_default();
    }

    fn read_optional_flag(&mut self, name: &str, into: &mut Option<bool>) {
        match self.sent.get(name) {
            None => {}
            Some(Value::Null) => *into = None,
            Some(Value::Bool(flag)) => *into = Some(*flag),
            Some(other) => self.members.type_error(name, "true or false", other).unwrap_or_default(),
        }
    }

    fn read_number(&mut self, name: &str, into: &mut u64) {
        match self.sent.get(name) {
            None => {}
            Some(Value::Null) => *into = 0,
            Some(value) => match parse_integer(value).and_then(|number| u64::try_from(number).ok()) {
                Some(number) => *into = number,
                None => self.members.type_error(name, "a non-negative integer", value).unwrap_or_default(),
            },
        }
    }
}
