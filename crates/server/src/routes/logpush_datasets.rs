//! `/{zones|accounts}/{id}/logpush/datasets/{dataset}`: the fields of a dataset, and the jobs that push it.
//!
//! Fields are returned in either scope, even if the owner cannot push the dataset (observed).

use super::{ApiResult, success_response};
use crate::app::App;
use crate::request::DatasetName;
use axum::extract::State;
use std::collections::BTreeMap;
use zonewright_api::Envelope;
use zonewright_api::logpush::Job;
use zonewright_logpush::Field;
use zonewright_store::Owner;

/// Type and description of fields, by name.
type Fields = BTreeMap<&'static str, String>;

/// Lists the fields of a dataset.
#[utoipa::path(
    get,
    path = "/datasets/{dataset}/fields",
    tag = "Log push",
    responses(
        (status = 200, description = "Type and description of each field, by name", body = Envelope<BTreeMap<String, String>>),
        (status = 404, description = "10001: dataset not found"),
    )
)]
pub(crate) async fn fields(_: Owner, DatasetName(dataset): DatasetName) -> ApiResult<Fields> {
    success_response(describe_fields(dataset.fields.iter()))
}

/// Lists the fields of a job that selects no fields (assumption default-fields).
#[utoipa::path(
    get,
    path = "/datasets/{dataset}/fields/default",
    tag = "Log push",
    responses(
        (status = 200, description = "Type and description of each field, by name", body = Envelope<BTreeMap<String, String>>),
        (status = 404, description = "10001: dataset not found"),
    )
)]
pub(crate) async fn default_fields(_: Owner, DatasetName(dataset): DatasetName) -> ApiResult<Fields> {
    success_response(describe_fields(dataset.default_fields()))
}

/// Lists the jobs of the owner that deliver a dataset.
#[utoipa::path(
    get,
    path = "/datasets/{dataset}/jobs",
    tag = "Log push",
    responses(
        (status = 200, description = "The jobs", body = Envelope<Vec<Job>>),
        (status = 404, description = "10001: dataset not found"),
    )
)]
pub(crate) async fn jobs(
    owner: Owner,
    State(app): State<App>,
    DatasetName(dataset): DatasetName,
) -> ApiResult<Vec<Job>> {
    let mut jobs = app.store.jobs(&owner).await?;
    jobs.retain(|job| job.settings.dataset == dataset.name);
    success_response(jobs)
}

fn describe_fields<'a>(fields: impl Iterator<Item = &'a Field>) -> Fields {
    fields.map(|field| (field.name, format!("{}; {}", field.ty.name(), field.title()))).collect()
}
