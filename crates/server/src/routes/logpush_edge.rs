//! `/zones/{zone_id}/logpush/edge/jobs`, and the documented path without `/jobs`: instant logs, which this service does
//! not have.
//!
//! A request is validated, so that the client learns of its errors. Nothing is streamed, and the response reports that
//! (assumption instant-logs).

use super::bodies::{InstantLogs, NewInstantLogs};
use super::{ApiResult, success_response};
use crate::blocking::run_blocking;
use crate::error::Error;
use crate::request::JsonBody;
use serde_json::Value;
use zonewright_api::logpush::JobKind;
use zonewright_api::{Envelope, ErrorObject, ObjectReader, ValidationError, error_code, parse_integer};
use zonewright_logpush::{Dataset, Options, check};
use zonewright_store::Zone;

/// Lists the sessions; the list is always empty.
#[utoipa::path(
    get,
    path = "/edge/jobs",
    tag = "Log push",
    responses(
        (status = 200, description = "An empty list", body = Envelope<Vec<InstantLogs>>),
    )
)]
pub(crate) async fn list(_: Zone) -> ApiResult<Vec<()>> {
    success_response(Vec::new())
}

/// Rejects every session: with the errors of the request, or because instant logs are not available.
#[utoipa::path(
    post,
    path = "/edge/jobs",
    tag = "Log push",
    request_body(content = NewInstantLogs, example = json!({"fields": "ClientIP,ClientRequestHost", "sample": 100})),
    responses(
        (status = 400, description = "1002: a member is invalid; 1004: the filter is invalid; 10501: instant logs are not available"),
    )
)]
pub(crate) async fn create(_: Zone, JsonBody(body): JsonBody) -> ApiResult<()> {
    run_blocking(move || validate_instant_logs(&body)).await?.map_err(Error::from_job_errors)?;
    let message = "instant logs are not available; this service delivers logs in batches, with log push jobs";
    Err(Error::Invalid(vec![ErrorObject::new(error_code::NOT_SUPPORTED, message)]))
}

pub(crate) fn validate_instant_logs(body: &Value) -> Result<(), Vec<ValidationError>> {
    let mut reader = ObjectReader::new(body, "an instant logs job", &["fields", "filter", "kind", "sample"], &[])?;
    let dataset = Dataset::http_requests();
    if let Some(fields) = reader.text("fields") {
        let unknown = fields.split(',').map(str::trim).find(|name| dataset.field(name).is_none());
        reader.errors.extend(unknown.map(|name| {
            let shown: String = name.chars().take(64).collect();
            ValidationError::invalid_value("/fields", format!("the dataset `http_requests` has no field `{shown}`"))
        }));
    }
    if reader.text("kind").is_some_and(|kind| JobKind::from_name(&kind) != Some(JobKind::InstantLogs)) {
        reader.errors.push(ValidationError::invalid_value("/kind", "`kind` must be `instant-logs`"));
    }
    if let Some(sample) = reader.get("sample")
        && parse_integer(sample).is_none_or(|sample| sample <= 0)
    {
        reader.type_error::<()>("sample", "a positive integer: one line out of this many", sample);
    }
    if let Some(filter) = reader.text("filter") {
        let checked = check(&filter, &Options::default());
        let problem = checked.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        reader.errors.extend(problem.map(|problem| {
            let message = format!("creating a new instant logs job is not allowed: bad predicate: {}", problem.message);
            ValidationError { code: error_code::JOB_NOT_ALLOWED, ..ValidationError::invalid_value("/filter", message) }
        }));
    }
    if reader.errors.is_empty() { Ok(()) } else { Err(reader.errors) }
}
