//! `/{zones|accounts}/{id}/logpush/jobs`: log push jobs (`zone-security-service` §2.2, §4.1).

use super::bodies::{JobChange, NewJob};
use super::{ApiResult, success_response};
use crate::app::App;
use crate::blocking::run_blocking;
use crate::error::Error;
use crate::job_checks::{check_challenge, check_job_destination, job_rules};
use crate::request::{JobNumber, JsonBody};
use axum::Json;
use axum::extract::State;
use zonewright_api::logpush::{DeletedJob, Job, JobKind, JobSettings};
use zonewright_api::{Envelope, ErrorObject, error_code};
use zonewright_delivery::{LogPushConfig, unsupported_reason};
use zonewright_logpush::{Destination, read_job, read_update};
use zonewright_store::{Actor, Owner};

/// Creates a job.
#[utoipa::path(
    post,
    path = "/jobs",
    tag = "Log push",
    request_body(content = NewJob, example = json!({
        "name": "static-assets",
        "dataset": "http_requests",
        "destination_conf": "s3://logs/{DATE}?region=us-west-2&access-key-id=AKIDEXAMPLE&secret-access-key=example",
        "output_options": {"field_names": ["ClientIP", "EdgeStartTimestamp", "RayID"], "timestamp_format": "rfc3339"},
        "filter": "{\"where\":{\"key\":\"ClientRequestHost\",\"operator\":\"eq\",\"value\":\"example.com\"}}"
    })),
    responses(
        (status = 200, description = "The new job; `messages` lists settings that have no effect in this service", body = Envelope<Job>),
        (status = 400, description = "1002: a member is invalid; 1004: the filter is invalid, or the maximum number of jobs is reached"),
    )
)]
pub(crate) async fn create(
    actor: Actor,
    owner: Owner,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<Job> {
    let rules = job_rules(&owner, &app.log_push);
    let new = run_blocking(move || read_job(&body, &rules)).await??;
    check_job_destination(&app, &owner, &new, None).await?;
    let job = app.store.create_job(&actor, &owner, new.settings).await?;
    app.delivery.refresh().await;
    Ok(Json(Envelope { messages: ineffective_settings(&job.settings, &app.log_push), ..Envelope::success(job) }))
}

/// Lists all jobs, without pagination (observed).
#[utoipa::path(
    get,
    path = "/jobs",
    tag = "Log push",
    responses(
        (status = 200, description = "All jobs", body = Envelope<Vec<Job>>),
    )
)]
pub(crate) async fn list(owner: Owner, State(app): State<App>) -> ApiResult<Vec<Job>> {
    success_response(app.store.jobs(&owner).await?)
}

/// Returns one job, including the secrets of its destination: clients compare them (observed).
#[utoipa::path(
    get,
    path = "/jobs/{job_id}",
    tag = "Log push",
    responses(
        (status = 200, description = "The job, including the secrets of its destination", body = Envelope<Job>),
        (status = 404, description = "10001: job not found"),
    )
)]
pub(crate) async fn get(owner: Owner, State(app): State<App>, JobNumber(id): JobNumber) -> ApiResult<Job> {
    match app.store.job(&owner, id).await? {
        Some(job) => success_response(job),
        None => Err(Error::JobNotFound(owner, id)),
    }
}

/// Changes the members that are sent; the others keep their values (documented).
#[utoipa::path(
    put,
    path = "/jobs/{job_id}",
    tag = "Log push",
    request_body(content = JobChange, example = json!({"frequency": "low", "max_upload_records": 100000})),
    responses(
        (status = 200, description = "The changed job", body = Envelope<Job>),
        (status = 400, description = "1002: a member is invalid or cannot be changed; 1004: the filter is invalid"),
        (status = 404, description = "10001: job not found"),
    )
)]
pub(crate) async fn update(
    actor: Actor,
    owner: Owner,
    State(app): State<App>,
    JobNumber(id): JobNumber,
    JsonBody(body): JsonBody,
) -> ApiResult<Job> {
    let Some(mut current) = app.store.job(&owner, id).await? else {
        return Err(Error::JobNotFound(owner, id));
    };
    let rules = job_rules(&owner, &app.log_push);
    let validate = |current: JobSettings| {
        let body = body.clone();
        run_blocking(move || read_update(&body, &current, &rules))
    };
    // Writing to a destination takes seconds, so no transaction is open during the test. If another update was saved in
    // the meantime, this update is validated again. The loop repeats only if the resulting destination was not tested.
    loop {
        let validated = validate(current.settings.clone()).await??;
        check_job_destination(&app, &owner, &validated, Some(&current.settings)).await?;
        let Some(update) = app.store.update_job(&actor, &owner, id).await? else {
            return Err(Error::JobNotFound(owner, id));
        };
        let newer = update.job().settings.clone();
        let settings = if newer == current.settings {
            validated.settings
        } else {
            let revalidated = validate(newer.clone()).await??;
            check_challenge(&app, &owner, &revalidated, Some(&newer)).await?;
            if !is_tested(&revalidated.settings, &[&validated.settings, &newer]) {
                current = update.job().clone();
                update.discard().await?;
                continue;
            }
            revalidated.settings
        };
        let job = update.save(settings).await?;
        app.delivery.refresh().await;
        return Ok(Json(Envelope {
            messages: ineffective_settings(&job.settings, &app.log_push),
            ..Envelope::success(job)
        }));
    }
}

/// Returns whether the destination of an enabled job was tested by one of these enabled jobs. A disabled job needs no
/// test (assumption destination-test).
fn is_tested(settings: &JobSettings, tested: &[&JobSettings]) -> bool {
    let has_same_destination =
        |other: &&JobSettings| other.enabled && other.destination_conf == settings.destination_conf;
    !settings.enabled || tested.iter().any(has_same_destination)
}

/// Returns a note for each setting of a job that is stored but has no effect in this service (assumptions
/// not-delivered, merged-subrequests).
fn ineffective_settings(settings: &JobSettings, config: &LogPushConfig) -> Vec<ErrorObject> {
    let mut notes = Vec::new();
    let mut note = |pointer: &str, text: &str| {
        let message = format!("{text}; the job is saved as it was sent");
        notes.push(ErrorObject::new(error_code::NOT_SUPPORTED, message).with_pointer(pointer));
    };
    let destination = Destination::parse(&settings.destination_conf).ok();
    if let Some(reason) = destination.and_then(|destination| unsupported_reason(&destination, config)) {
        note("/destination_conf", &reason);
    }
    if JobKind::from_name(&settings.kind) != Some(JobKind::Batch) {
        note("/kind", "this service ignores `kind`");
    }
    if settings.filter_attack_traffic == Some(true) {
        note("/filter_attack_traffic", "this service does not detect attack traffic");
    }
    if settings.subrequest_merging == Some(true) {
        note("/subrequest_merging", "this service does not merge subrequests");
    }
    if settings.output_options.as_ref().is_some_and(|options| options.merge_subrequests == Some(true)) {
        note("/output_options/merge_subrequests", "this service does not merge subrequests");
    }
    notes
}

/// Deletes a job.
#[utoipa::path(
    delete,
    path = "/jobs/{job_id}",
    tag = "Log push",
    responses(
        (status = 200, description = "Deleted", body = Envelope<DeletedJob>),
        (status = 404, description = "10001: job not found"),
    )
)]
pub(crate) async fn delete(
    actor: Actor,
    owner: Owner,
    State(app): State<App>,
    JobNumber(id): JobNumber,
) -> ApiResult<DeletedJob> {
    if !app.store.delete_job(&actor, &owner, id).await? {
        return Err(Error::JobNotFound(owner, id));
    }
    app.delivery.refresh().await;
    success_response(DeletedJob { id })
}
