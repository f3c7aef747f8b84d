//! `/{zones|accounts}/{id}/logpush/ownership` and `…/validate`: checks of a destination, and of output options in the
//! older format. A problem of the checked object is part of the result, not an error.

use super::bodies::{ChallengeQuery, DestinationToCheck, LogpullOptionsQuery};
use super::{ApiResult, success_response};
use crate::blocking::run_blocking;
use crate::error::Error;
use crate::job_checks::{job_rules, test_destination, write_challenge};
use crate::request::JsonBody;
use crate::{App, challenge};
use axum::Json;
use axum::extract::State;
use serde_json::Value;
use zonewright_api::logpush::{DestinationExists, JobSettings, OwnershipChallenge, ValidationResult};
use zonewright_api::{Envelope, ErrorObject, ObjectReader, ValidationError, error_code};
use zonewright_delivery::unsupported_reason;
use zonewright_logpush::{Destination, JobRules, check_job};
use zonewright_store::Owner;

/// Writes an ownership challenge to a destination.
#[utoipa::path(
    post,
    path = "/ownership",
    tag = "Log push",
    request_body(content = DestinationToCheck, example = json!({"destination_conf": "file:///team/{DATE}"})),
    responses(
        (status = 200, description = "The name of the object with the challenge, or the reason why it was not written", body = Envelope<OwnershipChallenge>),
        (status = 400, description = "1002: invalid body"),
    )
)]
pub(crate) async fn request_challenge(
    owner: Owner,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<OwnershipChallenge> {
    let [destination_conf] = required_texts(&body, ["destination_conf"])?;
    let settings = JobSettings { destination_conf, ..JobSettings::default() };
    let problems = job_problems(settings.clone(), job_rules(&owner, &app.log_push), &["/destination_conf"]).await?;
    if let Some(problems) = problems {
        return success_response(challenge_not_written(format!("destination is invalid: {problems}")));
    }
    success_response(match write_challenge(&app, &owner, &settings.destination_conf).await? {
        Ok(filename) => OwnershipChallenge { filename, message: String::new(), valid: true },
        Err(problem) => challenge_not_written(format!("the challenge could not be written: {problem}")),
    })
}

fn challenge_not_written(message: String) -> OwnershipChallenge {
    OwnershipChallenge { filename: String::new(), message, valid: false }
}

/// Checks whether an ownership challenge is valid for a destination.
#[utoipa::path(
    post,
    path = "/ownership/validate",
    tag = "Log push",
    request_body(content = ChallengeQuery, example = json!({"destination_conf": "file:///team/{DATE}", "ownership_challenge": "contents of the challenge file"})),
    responses(
        (status = 200, description = "Whether the challenge is valid", body = Envelope<ValidationResult>),
        (status = 400, description = "1002: invalid body"),
    )
)]
pub(crate) async fn check_challenge(
    owner: Owner,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<ValidationResult> {
    let [destination_conf, sent] = required_texts(&body, ["destination_conf", "ownership_challenge"])?;
    let key = app.store.challenge_key().await?;
    let valid = Destination::parse(&destination_conf)
        .is_ok_and(|destination| challenge::verify(key.as_bytes(), &sent, &owner, &destination).is_ok());
    success_response(ValidationResult { valid, message: None })
}

/// Checks whether a destination is valid for a job.
#[utoipa::path(
    post,
    path = "/validate/destination",
    tag = "Log push",
    request_body(content = DestinationToCheck, example = json!({"destination_conf": "s3://logs/{DATE}?region=us-west-2"})),
    responses(
        (status = 200, description = "Whether the destination is valid, and the reason if not. `messages` has a note if this service would not deliver to it", body = Envelope<ValidationResult>),
        (status = 400, description = "1002: invalid body"),
    )
)]
pub(crate) async fn check_destination(
    owner: Owner,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<ValidationResult> {
    let [destination_conf] = required_texts(&body, ["destination_conf"])?;
    let settings = JobSettings { destination_conf: destination_conf.clone(), ..JobSettings::default() };
    let problems = job_problems(settings, job_rules(&owner, &app.log_push), &["/destination_conf"]).await?;
    if problems.is_some() {
        return success_response(to_validity(problems));
    }
    let destination = Destination::parse(&destination_conf)?;
    let validity = to_validity(test_destination(&app, &destination).await.err());
    let note = |reason| ErrorObject::new(error_code::NOT_SUPPORTED, reason).with_pointer("/destination_conf");
    let messages = unsupported_reason(&destination, &app.log_push).filter(|_| validity.valid).map(note);
    Ok(Json(Envelope { messages: messages.into_iter().collect(), ..Envelope::success(validity) }))
}

/// Checks whether a job of the owner already has the destination.
#[utoipa::path(
    post,
    path = "/validate/destination/exists",
    tag = "Log push",
    request_body(content = DestinationToCheck, example = json!({"destination_conf": "s3://logs/{DATE}?region=us-west-2"})),
    responses(
        (status = 200, description = "Whether a job has the destination", body = Envelope<DestinationExists>),
        (status = 400, description = "1002: invalid body"),
    )
)]
pub(crate) async fn destination_exists(
    owner: Owner,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<DestinationExists> {
    let [destination_conf] = required_texts(&body, ["destination_conf"])?;
    let digest = |destination_conf: &str| {
        Destination::parse(destination_conf).ok().map(|destination| challenge::destination_digest(&destination))
    };
    let requested = digest(&destination_conf);
    let jobs = app.store.jobs(&owner).await?;
    let exists = requested.is_some() && jobs.iter().any(|job| digest(&job.settings.destination_conf) == requested);
    success_response(DestinationExists { exists })
}

/// Checks whether older output options are valid for a job.
#[utoipa::path(
    post,
    path = "/validate/origin",
    tag = "Log push",
    request_body(content = LogpullOptionsQuery, example = json!({"logpull_options": "fields=RayID,ClientIP&timestamps=rfc3339"})),
    responses(
        (status = 200, description = "Whether the options are valid, and the reason if not", body = Envelope<ValidationResult>),
        (status = 400, description = "1002: invalid body"),
    )
)]
pub(crate) async fn check_origin(
    owner: Owner,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<ValidationResult> {
    let mut reader = ObjectReader::new(&body, "the request", &["logpull_options", "dataset"], &[])
        .map_err(Error::from_job_errors)?;
    let options = required_text(&mut reader, "logpull_options");
    let dataset = reader.text("dataset");
    if !reader.errors.is_empty() {
        return Err(Error::from_job_errors(reader.errors));
    }
    let mut pointers = vec!["/logpull_options"];
    pointers.extend(dataset.is_some().then_some("/dataset"));
    let dataset = dataset.unwrap_or_else(|| "http_requests".to_owned());
    let settings = JobSettings { logpull_options: options, dataset, ..JobSettings::default() };
    success_response(to_validity(job_problems(settings, job_rules(&owner, &app.log_push), &pointers).await?))
}

/// Returns the problems of a job at these JSON pointers, or `None`.
async fn job_problems(settings: JobSettings, rules: JobRules, pointers: &[&str]) -> Result<Option<String>, Error> {
    let errors = run_blocking(move || check_job(&settings, &rules)).await?;
    let is_relevant = |error: &ValidationError| pointers.iter().any(|pointer| error.pointer.starts_with(pointer));
    let messages: Vec<String> = errors.into_iter().filter(is_relevant).map(|error| error.message).collect();
    Ok((!messages.is_empty()).then(|| messages.join("; ")))
}

fn to_validity(problems: Option<String>) -> ValidationResult {
    ValidationResult { valid: problems.is_none(), message: Some(problems.unwrap_or_default()) }
}

/// Returns the members of a body that has exactly these members, all strings.
fn required_texts<const N: usize>(body: &Value, names: [&str; N]) -> Result<[String; N], Error> {
    let mut reader = ObjectReader::new(body, "the request", &names, &[]).map_err(Error::from_job_errors)?;
    let texts = names.map(|name| required_text(&mut reader, name).unwrap_or_default());
    if reader.errors.is_empty() { Ok(texts) } else { Err(Error::from_job_errors(reader.errors)) }
}

fn required_text(reader: &mut ObjectReader, name: &str) -> Option<String> {
    match reader.required(name)? {
        Value::String(text) => Some(text.clone()),
        other => reader.type_error(name, "a string", other),
    }
}
