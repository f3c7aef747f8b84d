//! Versions of rulesets: lists, single versions and deletion.

use super::entry_points::PhaseName;
use super::{managed, own_ruleset, read_update_options, response_with_etag};
use crate::app::App;
use crate::error::Error;
use crate::request::{ObjectId, QueryParams, invalid_path_error, path_parameter};
use crate::routes::bodies::AnyRuleset;
use crate::routes::{ApiResult, success_response};
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use zonewright_api::ruleset::{ManagedRulesetDetails, Ruleset, RulesetSummary};
use zonewright_api::{Envelope, ErrorObject, error_code};
use zonewright_store::{RulesetOwner, version_not_found};

/// The path parameter `version`: a positive number in its canonical format.
pub(crate) struct Version(i64);

impl<S: Send + Sync> FromRequestParts<S> for Version {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let text = path_parameter(parts, "version").await.unwrap_or_default();
        let number = text.parse().ok().filter(|number: &i64| *number > 0 && number.to_string() == text);
        number.map(Version).ok_or_else(|| invalid_path_error(parts))
    }
}

/// Lists the versions of a ruleset, oldest first, without their rules.
#[utoipa::path(get, path = "/rulesets/{id}/versions", tag = "Rulesets", responses((status = 200, description = "The versions", body = Envelope<Vec<RulesetSummary>>),
    (status = 404, description = "10001: ruleset not found")))]
pub(crate) async fn list(
    owner: RulesetOwner,
    ObjectId(id): ObjectId,
    State(app): State<App>,
) -> ApiResult<Vec<RulesetSummary>> {
    match managed::find(&owner, &id) {
        Some(managed) => success_response(vec![managed::summary(managed)]),
        None => success_response(app.store.ruleset_versions(&own_ruleset(&app, &owner, &id).await?).await?),
    }
}

/// Returns one version of a ruleset.
#[utoipa::path(
    get, path = "/rulesets/{id}/versions/{version}", tag = "Rulesets",
    responses((status = 200, description = "The requested version of the ruleset", body = Envelope<AnyRuleset>), (status = 404, description = "10001: ruleset or version not found"))
)]
pub(crate) async fn get(
    owner: RulesetOwner,
    ObjectId(id): ObjectId,
    Version(version): Version,
    State(app): State<App>,
) -> Result<Response, Error> {
    if let Some(managed) = managed::find(&owner, &id) {
        return match version.to_string() == managed::VERSION {
            true => Ok(success_response(managed::details(managed))?.into_response()),
            false => Err(version_not_found(&id, version).into()),
        };
    }
    let current = own_ruleset(&app, &owner, &id).await?;
    let found = app.store.ruleset_version(&current, version).await?;
    found.map(response_with_etag).ok_or_else(|| version_not_found(&id, version).into())
}

/// Deletes a former version of a ruleset.
#[utoipa::path(
    delete, path = "/rulesets/{id}/versions/{version}", tag = "Rulesets",
    params(
        ("dry_run" = Option<bool>, Query, description = "Dry run: validates the deletion without performing it"),
        ("If-Match" = Option<String>, Header, description = "The expected `ETag`; if it is no longer current, nothing changes"),
    ),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "20120: the ruleset is managed, or the version is the current version"),
        (status = 404, description = "10001: ruleset or version not found")
    )
)]
pub(crate) async fn delete(
    owner: RulesetOwner,
    ObjectId(id): ObjectId,
    Version(version): Version,
    State(app): State<App>,
    mut query: QueryParams,
    headers: HeaderMap,
) -> Result<StatusCode, Error> {
    let options = read_update_options(&mut query, &headers);
    query.finish()?;
    managed::reject_managed(&owner, &id)?;
    app.store.delete_ruleset_version(&owner, &id, version, &options).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists the versions of an entry point; the list is empty if there is no entry point (observed).
#[utoipa::path(get, path = "/rulesets/phases/{phase}/entrypoint/versions", tag = "Rulesets", responses((status = 200, description = "The versions", body = Envelope<Vec<RulesetSummary>>)))]
pub(crate) async fn list_of_entry_point(
    owner: RulesetOwner,
    PhaseName(phase): PhaseName,
    State(app): State<App>,
) -> ApiResult<Vec<RulesetSummary>> {
    match app.store.entry_point_summary(&owner, phase.name()).await? {
        Some(current) => success_response(app.store.ruleset_versions(&current).await?),
        None => success_response(Vec::new()),
    }
}

/// Returns one version of an entry point.
#[utoipa::path(
    get, path = "/rulesets/phases/{phase}/entrypoint/versions/{version}", tag = "Rulesets",
    responses((status = 200, description = "The requested version of the ruleset", body = Envelope<Ruleset>), (status = 404, description = "10001, 10003: entry point or version not found"))
)]
pub(crate) async fn get_of_entry_point(
    owner: RulesetOwner,
    PhaseName(phase): PhaseName,
    Version(version): Version,
    State(app): State<App>,
) -> Result<Response, Error> {
    let current = app.store.entry_point_summary(&owner, phase.name()).await?;
    let current = current.ok_or_else(|| super::entry_points::entry_point_not_found(phase.name()))?;
    let found = app.store.ruleset_version(&current, version).await?;
    found.map(response_with_etag).ok_or_else(|| version_not_found(&current.id, version).into())
}

/// Returns a version of a managed ruleset with its rules in one category.
#[utoipa::path(
    get, path = "/rulesets/{id}/versions/{version}/by_tag/{tag}", tag = "Rulesets",
    params(("id" = String, Path, description = "ID of a managed ruleset", example = "efb7b8c949ac4650a09736fc376e9aee")),
    responses((status = 200, description = "The ruleset with the rules of the category", body = Envelope<ManagedRulesetDetails>), (status = 400, description = "20120: the ruleset is not managed"), (status = 404, description = "10001: ruleset or version not found"))
)]
pub(crate) async fn by_tag(
    owner: RulesetOwner,
    ObjectId(id): ObjectId,
    Version(version): Version,
    Tag(tag): Tag,
    State(app): State<App>,
) -> ApiResult<ManagedRulesetDetails> {
    let Some(managed) = managed::find(&owner, &id) else {
        own_ruleset(&app, &owner, &id).await?;
        let message = format!("'{id}' is not a valid value for id because only managed rulesets have tags");
        return Err(Error::Invalid(vec![ErrorObject::new(error_code::INVALID_RULE, message)]));
    };
    if version.to_string() != managed::VERSION {
        return Err(version_not_found(&id, version).into());
    }
    let mut details = managed::details(managed);
    details.rules.retain(|rule| rule.categories.contains(&tag));
    success_response(details)
}

/// The path parameter `tag`: a category of managed rules.
pub(crate) struct Tag(String);

impl<S: Send + Sync> FromRequestParts<S> for Tag {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        Ok(Tag(path_parameter(parts, "tag").await.unwrap_or_default()))
    }
}
