//! Validates log push jobs: converts JSON to settings, and returns every error.
//!
//! [`read_job`] and [`read_update`] return a [`JobRequest`], and [`check_job`] validates existing settings. Read the
//! modules in this order: [`read`](mod@read) checks the types of members, and [`check`](mod@check) checks their values.
//! The filter, the destination and the output options have separate files.

mod check;
mod filter;
mod read;

use crate::Dataset;
use filter::check_filter;
use serde_json::Value;
use std::fmt;
use zonewright_api::logpush::JobSettings;
use zonewright_api::{ValidationError, error_code};

/// The rules for jobs beyond the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobRules {
    /// The kind of owner of the job.
    pub scope: JobScope,
    /// Whether `file://` is allowed, because the service has a directory for it.
    pub files: bool,
    /// Whether `http://` is allowed.
    pub plain_http: bool,
}

impl JobRules {
    /// Returns the documented rules.
    pub fn documented(scope: JobScope) -> Self {
        JobRules { scope, files: false, plain_http: false }
    }
}

/// The kind of owner of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobScope {
    /// A zone.
    Zone,
    /// An account.
    Account,
}

/// The content of a request that creates or updates a job.
#[derive(Clone, PartialEq)]
pub struct JobRequest {
    /// The settings of the job.
    pub settings: JobSettings,
    /// The token that proves control of the destination; it is not stored.
    pub ownership_challenge: Option<String>,
}

impl fmt::Debug for JobRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let JobRequest { settings, ownership_challenge } = self;
        let challenge = ownership_challenge.as_ref().map(|_| "***");
        formatter
            .debug_struct("JobRequest")
            .field("settings", settings)
            .field("ownership_challenge", &challenge)
            .finish()
    }
}

/// The operation on a job, as the observed messages name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobOperation {
    Create,
    Update,
}

impl JobOperation {
    /// Returns the message for a rejected operation: `creating a new job is not allowed`.
    pub(crate) fn rejection_message(self) -> &'static str {
        match self {
            JobOperation::Create => "creating a new job is not allowed",
            JobOperation::Update => "updating a job is not allowed",
        }
    }
}

/// A function that returns the error in the filter of a job, if there is one.
type FilterCheck = fn(&str, &'static Dataset, JobOperation) -> Option<ValidationError>;

/// Accepts every filter.
const ANY_FILTER: FilterCheck = |_, _, _| None;

/// Reads the body of a request that creates a job, or returns every error, with pointers from the root of the body.
pub fn read_job(body: &Value, rules: &JobRules) -> Result<JobRequest, Vec<ValidationError>> {
    read_create(body, rules, check_filter)
}

/// Reads the body like [`read_job`], but accepts every filter. It does not need the engine.
pub fn read_job_except_filter(body: &Value, rules: &JobRules) -> Result<JobRequest, Vec<ValidationError>> {
    read_create(body, rules, ANY_FILTER)
}

fn read_create(body: &Value, rules: &JobRules, check_filter: FilterCheck) -> Result<JobRequest, Vec<ValidationError>> {
    let (job, mut errors) = read::parse_create(body).map_err(with_job_codes)?;
    // A member of the wrong type has its default value now. That value must not cause a second error.
    let value_errors = check::check(&job.settings, rules, JobOperation::Create, check_filter);
    add_unreported(value_errors, &mut errors);
    errors.extend(check::check_challenge(job.ownership_challenge.as_deref()));
    finish(job, errors)
}

/// Reads the body of a request that updates a job. Only the members in the body change, and `null` restores a default.
/// Other members are not validated again (assumption job-update).
pub fn read_update(body: &Value, current: &JobSettings, rules: &JobRules) -> Result<JobRequest, Vec<ValidationError>> {
    read_changes(body, current, rules, check_filter)
}

/// Reads the body like [`read_update`], but accepts every filter. It does not need the engine.
pub fn read_update_except_filter(
    body: &Value,
    current: &JobSettings,
    rules: &JobRules,
) -> Result<JobRequest, Vec<ValidationError>> {
    read_changes(body, current, rules, ANY_FILTER)
}

fn read_changes(
    body: &Value,
    current: &JobSettings,
    rules: &JobRules,
    check_filter: FilterCheck,
) -> Result<JobRequest, Vec<ValidationError>> {
    let (job, mut errors) = read::parse_update(body, current).map_err(with_job_codes)?;
    let mut value_errors = check::check(&job.settings, rules, JobOperation::Update, check_filter);
    let is_sent = |name: &str| body.get(name).is_some();
    value_errors.retain(|error| match first_member(&error.pointer) {
        // Without output options, `logpull_options` are in effect again.
        "logpull_options" => is_sent("logpull_options") || is_sent("output_options"),
        name => is_sent(name),
    });
    add_unreported(value_errors, &mut errors);
    errors.extend(check::check_challenge(job.ownership_challenge.as_deref()));
    finish(job, errors)
}

/// Returns every error in the settings of a job.
pub fn check_job(settings: &JobSettings, rules: &JobRules) -> Vec<ValidationError> {
    with_job_codes(check::check(settings, rules, JobOperation::Create, check_filter))
}

fn finish(job: JobRequest, errors: Vec<ValidationError>) -> Result<JobRequest, Vec<ValidationError>> {
    if errors.is_empty() { Ok(job) } else { Err(with_job_codes(errors)) }
}

/// Replaces the codes of errors. Log push has two: invalid input, and operation not allowed (assumption job-codes).
fn with_job_codes(mut errors: Vec<ValidationError>) -> Vec<ValidationError> {
    for error in &mut errors {
        if error.code != error_code::JOB_NOT_ALLOWED {
            error.code = error_code::INVALID_JOB;
        }
    }
    errors
}

/// Returns `filter` for `/filter/where`.
fn first_member(pointer: &str) -> &str {
    pointer.trim_start_matches('/').split('/').next().unwrap_or_default()
}

/// Adds the errors whose pointers have no error yet.
fn add_unreported(value_errors: Vec<ValidationError>, errors: &mut Vec<ValidationError>) {
    let pointers: Vec<String> = errors.iter().map(|error| error.pointer.clone()).collect();
    errors.extend(value_errors.into_iter().filter(|error| !pointers.contains(&error.pointer)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const RULES: JobRules = JobRules { scope: JobScope::Zone, files: true, plain_http: true };

    fn pointers(mut body: Value) -> Vec<String> {
        let members = body.as_object_mut().unwrap();
        members.entry("destination_conf").or_insert(json!("gs://bucket"));
        let errors = read_job(&body, &RULES).err().unwrap_or_default();
        errors.into_iter().map(|error| error.pointer).collect()
    }

    #[test]
    fn texts_and_lists_have_limits() {
        let fields = |count: usize| json!({"output_options": {"field_names": vec!["RayID"; count]}});
        let unknown = |count: usize| json!({"output_options": {"field_names": vec!["x"; count]}});
        let template = |length: usize| json!({"output_options": {"record_template": "{".repeat(length)}});
        let folder = |length: usize| json!({"destination_conf": format!("gs://b/{}", "é".repeat(length - 7))});
        for (body, expected) in [
            (json!({"name": "n".repeat(512)}), vec![]),
            (json!({"name": "n".repeat(513)}), vec!["/name"]),
            (json!({"ownership_challenge": "c".repeat(4_096)}), vec![]),
            (json!({"ownership_challenge": "c".repeat(4_097)}), vec!["/ownership_challenge"]),
            (folder(4_096), vec![]),
            (folder(4_097), vec!["/destination_conf"]),
            (json!({"logpull_options": "&".repeat(4_096)}), vec![]),
            (json!({"logpull_options": "&".repeat(4_097)}), vec!["/logpull_options"]),
            (json!({"logpull_options": "\0", "output_options": {}}), vec!["/logpull_options"]),
            (fields(1_000), vec![]),
            (fields(1_001), vec!["/output_options/field_names"]),
            (fields(100_000), vec!["/output_options/field_names"]),
            (template(1), vec![]),
            (template(65_537), vec!["/output_options/record_template"]),
        ] {
            assert_eq!(pointers(body.clone()), expected, "{:.60}", body.to_string());
        }
        assert_eq!(pointers(unknown(1_000)).len(), 101);
    }

    #[test]
    fn debug_of_a_job_request_hides_its_secrets() {
        let destination = "https://host/?header_Authorization=S3cr3t";
        let body = json!({"name": "logs", "destination_conf": destination, "ownership_challenge": "t0k3n"});
        let shown = format!("{:?}", read_job(&body, &RULES).unwrap());
        assert!(shown.contains("logs") && shown.contains("***"), "{shown}");
        assert!(!shown.contains("S3cr3t") && !shown.contains("t0k3n"), "{shown}");
    }

    #[test]
    fn rejected_filter_returns_its_diagnostics() {
        let body = json!({"destination_conf": "gs://bucket", "filter": r#"{"where":{"key":"x","operator":"eq","value":"a"}}"#});
        let errors = read_job(&body, &RULES).unwrap_err();
        assert_eq!(errors[0].diagnostics[0].code, crate::code::UNKNOWN_KEY);
        assert!(errors[0].message.starts_with("creating a new job is not allowed: bad predicate: "));
        let errors =
            read_update(&body, &JobSettings { dataset: "http_requests".to_owned(), ..JobSettings::default() }, &RULES)
                .unwrap_err();
        assert!(errors[0].message.starts_with("updating a job is not allowed: bad predicate: "));
    }

    #[test]
    fn deprecated_options_are_checked_once_they_take_effect() {
        let body = json!({"destination_conf": "gs://bucket", "logpull_options": "zzz", "output_options": {}});
        let settings = read_job(&body, &RULES).unwrap().settings;
        let errors = read_update(&json!({"output_options": null}), &settings, &RULES).unwrap_err();
        assert_eq!(errors[0].pointer, "/logpull_options");
        assert!(read_update(&json!({"enabled": true}), &settings, &RULES).is_ok());
    }
}
