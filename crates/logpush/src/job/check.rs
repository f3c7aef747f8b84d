//! Checks the values of a job's settings.

use super::{FilterCheck, JobOperation, JobRules, JobScope};
use crate::{
    Dataset, Destination, Feature, Scope,
    destination::Scheme,
    excerpt::escaped_excerpt,
    output_options::{check_output_options, read_logpull_options},
};
use std::ops::RangeInclusive;
use zonewright_api::logpush::{JobFrequency, JobKind, JobSettings};
use zonewright_api::{ValidationError, check_no_nul, join_names, prefix_pointers};
use zonewright_diagnostic::find_similar;

/// The maximum length of a name in characters (documented).
const MAX_NAME_CHARS: usize = 512;
/// The maximum length of a destination, an ownership challenge or `logpull_options`, in characters (documented).
const MAX_TEXT_CHARS: usize = 4_096;
/// The ranges of the limits of a batch, in bytes, seconds and records. 0 is allowed too (documented).
const MAX_UPLOAD_BYTES_RANGE: RangeInclusive<u64> = 5_000_000..=1_000_000_000;
const MAX_UPLOAD_INTERVAL_SECONDS_RANGE: RangeInclusive<u64> = 30..=300;
const MAX_UPLOAD_RECORDS_RANGE: RangeInclusive<u64> = 1_000..=1_000_000;

/// Returns every error in the settings.
pub(super) fn check(
    settings: &JobSettings,
    rules: &JobRules,
    operation: JobOperation,
    check_filter: FilterCheck,
) -> Vec<ValidationError> {
    let mut errors = Vec::new();
    let dataset = check_dataset(&settings.dataset, rules.scope).map_err(|error| errors.push(error)).ok();
    errors.extend(settings.name.as_deref().and_then(check_name));
    errors.extend(check_destination(&settings.destination_conf, rules));
    if let Some(dataset) = dataset {
        errors.extend(settings.filter.as_deref().and_then(|filter| check_filter(filter, dataset, operation)));
    }
    errors.extend(check_output(settings, dataset));
    errors.extend(check_restricted_members(settings));
    for (name, value, range) in [
        ("max_upload_bytes", settings.max_upload_bytes, MAX_UPLOAD_BYTES_RANGE),
        ("max_upload_interval_seconds", settings.max_upload_interval_seconds, MAX_UPLOAD_INTERVAL_SECONDS_RANGE),
        ("max_upload_records", settings.max_upload_records, MAX_UPLOAD_RECORDS_RANGE),
    ] {
        if value != 0 && !range.contains(&value) {
            let message = format!("`{name}` must be 0 or from {} to {}, not {value}", range.start(), range.end());
            errors.push(ValidationError::invalid_value(format!("/{name}"), message));
        }
    }
    errors
}

/// Returns the dataset if jobs of this scope may use it.
fn check_dataset(name: &str, scope: JobScope) -> Result<&'static Dataset, ValidationError> {
    let invalid = |message: String| ValidationError::invalid_value("/dataset", message);
    let Some(dataset) = Dataset::from_name(name) else {
        let close = find_similar(name, Dataset::all().iter().map(|dataset| dataset.name));
        let help = match close.first() {
            Some(similar) => format!("did you mean `{similar}`?"),
            None => {
                format!("use one of the {} datasets, such as `http_requests` or `audit_logs`", Dataset::all().len())
            }
        };
        return Err(invalid(format!("unknown dataset `{}`; {help}", escaped_excerpt(name))));
    };
    match (scope, dataset.scope) {
        (JobScope::Account, Scope::Zone) => {
            Err(invalid(format!("`{name}` is a zone dataset; create the job under `/zones/{{zone_id}}/logpush/jobs`")))
        }
        (JobScope::Zone, Scope::Account) => {
            let path = "/accounts/{account_id}/logpush/jobs";
            Err(invalid(format!("`{name}` is an account dataset; create the job under `{path}`")))
        }
        _ => Ok(dataset),
    }
}

fn check_name(name: &str) -> Option<ValidationError> {
    let invalid_name = |message: String| Some(ValidationError::invalid_value("/name", message));
    let length = name.chars().count();
    if length > MAX_NAME_CHARS {
        return invalid_name(format!("`name` has {length} characters; at most {MAX_NAME_CHARS} are allowed"));
    }
    let invalid = name.chars().find(|char| !char.is_ascii_alphanumeric() && !matches!(char, '.' | '_' | '-'))?;
    let found = if invalid == ' ' { "a space".to_owned() } else { format!("`{}`", invalid.escape_debug()) };
    invalid_name(format!("`name` may contain only letters, digits, `.`, `_`, and `-`, not {found}"))
}

/// Returns the error in the syntax of an ownership challenge, if there is one.
pub(super) fn check_challenge(challenge: Option<&str>) -> Option<ValidationError> {
    let challenge = challenge?;
    let invalid = |message: String| Some(ValidationError::invalid_value("/ownership_challenge", message));
    let length = challenge.chars().count();
    if length > MAX_TEXT_CHARS {
        return invalid(format!("`ownership_challenge` has {length} characters; at most {MAX_TEXT_CHARS} are allowed"));
    }
    let is_allowed = |char: &char| char.is_ascii_alphanumeric() || matches!(char, '/' | '+' | '.' | '_' | '-');
    if challenge.chars().all(|char| is_allowed(&char)) {
        return None;
    }
    invalid(
        "`ownership_challenge` may contain only letters, digits, `/`, `+`, `.`, `_`, and `-`; copy all of it from the file"
            .to_owned(),
    )
}

fn check_destination(destination_conf: &str, rules: &JobRules) -> Vec<ValidationError> {
    let invalid = |message: String| vec![ValidationError::invalid_value("/destination_conf", message)];
    let length = destination_conf.chars().count();
    if length > MAX_TEXT_CHARS {
        return invalid(format!("`destination_conf` has {length} characters; at most {MAX_TEXT_CHARS} are allowed"));
    }
    match Destination::parse(destination_conf) {
        // `destination_conf` is one JSON string, so no JSON pointer leads into it.
        Err(errors) => errors.into_iter().flat_map(|error| invalid(error.message)).collect(),
        Ok(Destination::File { .. }) if !rules.files => {
            invalid("this service does not allow `file://` destinations".to_owned())
        }
        Ok(destination) if destination.scheme() == Scheme::Http && !rules.plain_http => {
            invalid("this service does not allow `http://` destinations; use `https://`".to_owned())
        }
        Ok(_) => Vec::new(),
    }
}

fn check_output(settings: &JobSettings, dataset: Option<&'static Dataset>) -> Vec<ValidationError> {
    let mut errors = Vec::new();
    if let (Some(options), Some(dataset)) = (&settings.output_options, dataset) {
        errors.extend(prefix_pointers("/output_options", check_output_options(options, dataset)));
    }
    let Some(logpull) = &settings.logpull_options else { return errors };
    let length = logpull.chars().count();
    let invalid = |message: String| ValidationError::invalid_value("/logpull_options", message);
    if length > MAX_TEXT_CHARS {
        errors
            .push(invalid(format!("`logpull_options` has {length} characters; at most {MAX_TEXT_CHARS} are allowed")));
    } else if let (None, Some(dataset)) = (&settings.output_options, dataset) {
        // With output options, `logpull_options` are ignored (documented).
        let problems = read_logpull_options(logpull, dataset).err().unwrap_or_default();
        errors.extend(prefix_pointers("/logpull_options", problems));
    }
    errors.extend(check_no_nul("logpull_options", logpull));
    errors
}

/// Checks the members that allow only a few values, or that only some datasets or services support.
fn check_restricted_members(settings: &JobSettings) -> Vec<ValidationError> {
    let mut errors = Vec::new();
    let mut report =
        |name: &str, message: String| errors.push(ValidationError::invalid_value(format!("/{name}"), message));
    let dataset = settings.dataset.as_str();
    let has = |feature| Dataset::from_name(dataset).is_some_and(|dataset| dataset.has(feature));
    match JobKind::from_name(&settings.kind) {
        Some(JobKind::Batch) => {}
        Some(JobKind::Edge) if has(Feature::EdgeJobs) => {}
        Some(JobKind::Edge) => report(
            "kind",
            format!("`kind` can be `edge` only for `http_requests`, not for `{}`", escaped_excerpt(dataset)),
        ),
        Some(JobKind::InstantLogs) => {
            report("kind", "`kind` can be `instant-logs` only for jobs under `/logpush/edge/jobs`".to_owned())
        }
        None => {
            report("kind", format!("`kind` must be empty or `edge`, not `{}`", escaped_excerpt(&settings.kind)));
        }
    }
    if let Some(other) = settings.frequency.as_deref().filter(|name| JobFrequency::from_name(name).is_none()) {
        report("frequency", format!("`frequency` must be `high` or `low`, not `{}`", escaped_excerpt(other)));
    }
    if settings.filter_attack_traffic == Some(true) && !has(Feature::AttackFilter) {
        let names: Vec<&str> = Dataset::with_feature(Feature::AttackFilter).map(|dataset| dataset.name).collect();
        let datasets = join_names(&names);
        let message =
            format!("`filter_attack_traffic` is only supported for {datasets}, not for `{}`", escaped_excerpt(dataset));
        report("filter_attack_traffic", message);
    }
    if settings.subrequest_merging == Some(true) && !has(Feature::SubrequestMerging) {
        let message = format!(
            "`subrequest_merging` is only supported for `http_requests`, not for `{}`",
            escaped_excerpt(dataset)
        );
        report("subrequest_merging", message);
    }
    // There are no transformers (assumption job-transformers).
    if let Some(id) = settings.transformer_id {
        let message = format!("transformer {id} not found for this account: this service has no transformers");
        report("transformer_id", message);
    }
    errors
}
