//! `/zones/{zone_id}/rulesets` and `/accounts/{account_id}/rulesets`: rulesets (§4.5; the rest is observed).

pub(crate) mod entry_points;
mod managed;
pub(crate) mod rules;
pub(crate) mod versions;

use super::bodies::{AnyRuleset, NewRulesetBody, RulesetChange};
use super::{ApiResult, success_response};
use crate::app::App;
use crate::blocking::run_blocking;
use crate::error::Error;
use crate::request::{JsonBody, ObjectId, QueryParams};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use std::collections::HashSet;
use zonewright_api::ruleset::{NewRuleset, Ruleset, RulesetKind, RulesetSummary, RulesetUpdate};
use zonewright_api::{Envelope, ErrorObject, ValidationError, ValidationWarning, error_code};
use zonewright_expression::schema::{Phase, Tier};
use zonewright_firewall::ruleset::{
    Level, RulesetCatalog, RulesetContext, RulesetInfo, read_ruleset, read_ruleset_update,
};
use zonewright_migration::catalog::known_rulesets;
use zonewright_migration::unlisted_references;
use zonewright_store::{
    ChangedPart, NextRuleset, Precondition, RulesetOwner, RulesetTarget, RulesetUpdateOptions, revision_tag,
};

/// Lists the rulesets of the owner and the managed rulesets that its rules may execute, without their rules.
#[utoipa::path(get, path = "/rulesets", tag = "Rulesets", responses((status = 200, description = "The rulesets", body = Envelope<Vec<RulesetSummary>>)))]
pub(crate) async fn list(owner: RulesetOwner, State(app): State<App>) -> ApiResult<Vec<RulesetSummary>> {
    let own = app.store.rulesets(&owner).await?;
    let managed = managed::executable_rulesets(&owner).map(managed::summary);
    success_response(managed.chain(own).collect())
}

/// Creates a ruleset: in a zone, the entry point of a phase; in an account, an entry point or a custom ruleset.
#[utoipa::path(
    post, path = "/rulesets", tag = "Rulesets",
    params(
        ("dry_run" = Option<bool>, Query, description = "Dry run: validates the change without saving it; `result` is null"),
        ("If-Match" = Option<String>, Header, description = "The expected `ETag`; if it is no longer current, nothing changes"),
    ),
    request_body(content = NewRulesetBody, example = json!({
        "name": "Slow down logins", "kind": "zone", "phase": "http_ratelimit",
        "rules": [{
            "action": "block", "expression": "http.request.uri.path eq \"/login\"",
            "ratelimit": {"characteristics": ["ip.src", "cf.colo.id"], "period": 60, "requests_per_period": 100, "mitigation_timeout": 600}
        }]
    })),
    responses(
        (status = 200, description = "The new ruleset; `messages` lists managed rules and categories that could not be checked", body = Envelope<Ruleset>),
        (status = 400, description = "20120, 20127, 20113, 20018, 10014: a value is invalid, see `source.pointer`; 20217: the maximum number is reached; 10303, 10304: the migration of the zone does not allow the change")
    )
)]
pub(crate) async fn create(
    owner: RulesetOwner,
    State(app): State<App>,
    mut query: QueryParams,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, Error> {
    let options = read_update_options(&mut query, &headers);
    query.finish()?;
    let (level, tier) = (owner.level(), owner.tier());
    let (new, warnings) =
        read_body(&app, &owner, body, move |body, catalog| read_ruleset(body, level, tier, catalog)).await?;
    let phase = Phase::from_name(&new.phase)
        .ok_or_else(|| Error::Internal("a validated ruleset has an unknown phase".into()))?;
    let target = RulesetTarget::New(new.kind, phase);
    let NewRuleset { name, description, rules, .. } = new;
    let next = NextRuleset { name, description, rules, changed: ChangedPart::Ruleset };
    Ok(changed_response(app.store.write_ruleset(&owner, &target, &options, |_| Ok(next)).await?, &options, warnings))
}

/// Returns one ruleset: a ruleset of the owner, or a managed ruleset with the known properties of its rules.
#[utoipa::path(
    get, path = "/rulesets/{id}", tag = "Rulesets",
    responses((status = 200, description = "The ruleset", body = Envelope<AnyRuleset>), (status = 404, description = "10001: ruleset not found"))
)]
pub(crate) async fn get(
    owner: RulesetOwner,
    ObjectId(id): ObjectId,
    State(app): State<App>,
) -> Result<Response, Error> {
    if let Some(managed) = managed::find(&owner, &id) {
        return Ok(success_response(managed::details(managed))?.into_response());
    }
    app.store.ruleset(&owner, &id).await?.map(response_with_etag).ok_or_else(|| owner.ruleset_not_found(&id).into())
}

/// Changes a ruleset: `rules` replaces all rules; omitted members keep their values.
#[utoipa::path(
    put, path = "/rulesets/{id}", tag = "Rulesets",
    params(
        ("dry_run" = Option<bool>, Query, description = "Dry run: validates the change without saving it; `result` is null"),
        ("If-Match" = Option<String>, Header, description = "The expected `ETag`; if it is no longer current, nothing changes"),
    ),
    request_body(content = RulesetChange, example = json!({"description": "Rules for the shop"})),
    responses(
        (status = 200, description = "The changed ruleset; `messages` lists managed rules and categories that could not be checked", body = Envelope<Ruleset>),
        (status = 400, description = "20120, 20127, 20113, 20018, 10014: a value is invalid, see `source.pointer`; 20217: the maximum number is reached; 10303, 10304: the migration of the zone does not allow the change"),
        (status = 404, description = "10001: ruleset not found")
    )
)]
pub(crate) async fn update(
    owner: RulesetOwner,
    ObjectId(id): ObjectId,
    State(app): State<App>,
    mut query: QueryParams,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, Error> {
    let options = read_update_options(&mut query, &headers);
    query.finish()?;
    let location = locate(&app, &owner, &id).await?;
    let read =
        read_body(&app, &owner, body, move |body, catalog| read_ruleset_update(body, &location.to_context(catalog)));
    let (new, warnings) = read.await?;
    let change = |current: Option<&Ruleset>| Ok(next_version(current, new));
    Ok(changed_response(
        app.store.write_ruleset(&owner, &RulesetTarget::Id(id), &options, change).await?,
        &options,
        warnings,
    ))
}

/// Deletes a ruleset that no rule executes.
#[utoipa::path(
    delete, path = "/rulesets/{id}", tag = "Rulesets",
    params(
        ("dry_run" = Option<bool>, Query, description = "Dry run: validates the deletion without performing it"),
        ("If-Match" = Option<String>, Header, description = "The expected `ETag`; if it is no longer current, nothing changes"),
    ),
    responses(
        (status = 204, description = "Deleted"),
        (status = 400, description = "20120: the ruleset is managed, or a rule executes it; 10303: the migration of the zone does not allow the change"),
        (status = 404, description = "10001: ruleset not found")
    )
)]
pub(crate) async fn delete(
    owner: RulesetOwner,
    ObjectId(id): ObjectId,
    State(app): State<App>,
    mut query: QueryParams,
    headers: HeaderMap,
) -> Result<StatusCode, Error> {
    let options = read_update_options(&mut query, &headers);
    query.finish()?;
    managed::reject_managed(&owner, &id)?;
    app.store.delete_ruleset(&owner, &id, &options).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the next version of a ruleset after an update. A new entry point has the default name (observed).
fn next_version(current: Option<&Ruleset>, update: RulesetUpdate) -> NextRuleset {
    let name = current.map(|current| current.name.clone());
    let description = current.map(|current| current.description.clone());
    NextRuleset {
        name: update.name.or(name).unwrap_or_else(|| "default".to_owned()),
        description: update.description.or(description).unwrap_or_default(),
        rules: update.rules.unwrap_or_else(|| current.map(|current| current.rules.clone()).unwrap_or_default()),
        changed: ChangedPart::Ruleset,
    }
}

/// The context of a ruleset that a request changes, without the rulesets that it may reference.
#[derive(Clone, Copy)]
struct RulesetLocation {
    level: Level,
    kind: RulesetKind,
    phase: Phase,
    tier: Tier,
}

impl RulesetLocation {
    fn to_context(self, catalog: RulesetCatalog<'_>) -> RulesetContext<'_> {
        let RulesetLocation { level, kind, phase, tier } = self;
        RulesetContext { level, kind, phase, tier, catalog }
    }
}

/// Returns the context of a ruleset of the owner. Rejects managed rulesets.
async fn locate(app: &App, owner: &RulesetOwner, id: &str) -> Result<RulesetLocation, Error> {
    managed::reject_managed(owner, id)?;
    let current = own_ruleset(app, owner, id).await?;
    let found = RulesetKind::from_name(&current.kind).zip(Phase::from_name(&current.phase));
    let (kind, phase) = found.ok_or_else(|| Error::Internal("a stored ruleset has an unknown kind or phase".into()))?;
    Ok(RulesetLocation { level: owner.level(), kind, phase, tier: owner.tier() })
}

/// Returns a ruleset of the owner, without its rules.
async fn own_ruleset(app: &App, owner: &RulesetOwner, id: &str) -> Result<RulesetSummary, Error> {
    app.store.ruleset_summary(owner, id).await?.ok_or_else(|| owner.ruleset_not_found(id).into())
}

/// Validates a body with the rulesets that it may reference. Runs on the pool of blocking threads, because a body may
/// contain thousands of expressions.
async fn read_body<T: Send + 'static>(
    app: &App,
    owner: &RulesetOwner,
    body: Value,
    read: impl FnOnce(&Value, RulesetCatalog<'_>) -> Result<T, Vec<ValidationError>> + Send + 'static,
) -> Result<(T, Vec<ValidationWarning>), Error> {
    let custom: Vec<RulesetInfo> = app.store.executable_rulesets(owner, &rulesets_with_named_rules(&body)).await?;
    let validate = move || {
        let read = read(&body, RulesetCatalog { managed: known_rulesets(), custom: &custom })?;
        Ok::<_, Vec<ValidationError>>((read, unlisted_references(&body)))
    };
    Ok(run_blocking(validate).await??)
}

/// Returns the IDs of the rulesets whose rules a body references, in overrides or in skip rules. The store loads the
/// rules of these rulesets only.
fn rulesets_with_named_rules(body: &Value) -> HashSet<String> {
    let rules = body.get("rules").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut named = HashSet::new();
    for parameters in rules.iter().chain([body]).filter_map(|rule| rule.get("action_parameters")) {
        if parameters.get("overrides").is_some() {
            named.extend(parameters.get("id").and_then(Value::as_str).map(str::to_owned));
        }
        named.extend(
            parameters.get("rules").and_then(Value::as_object).into_iter().flat_map(|rules| rules.keys().cloned()),
        );
    }
    named
}

/// Reads the options of a change that is not a step of a migration.
fn read_update_options(query: &mut QueryParams, headers: &HeaderMap) -> RulesetUpdateOptions {
    reject_migration_step(query);
    RulesetUpdateOptions { step: None, precondition: read_if_match(headers), dry_run: is_dry_run(query) }
}

/// Rejects a migration step on other paths, because the client would believe that the zone has migrated.
pub(crate) fn reject_migration_step(query: &mut QueryParams) {
    let remedy = "to migrate a zone, use `PUT …/rulesets/phases/http_request_firewall_managed/entrypoint`";
    query.reject_parameter("waf_migration", remedy);
}

/// Returns whether the change is a dry run.
pub(crate) fn is_dry_run(query: &mut QueryParams) -> bool {
    query.strict_choice("dry_run", &[("true", true), ("false", false)]).unwrap_or_default()
}

/// Reads the `If-Match` header. Tags without quotes are accepted too.
fn read_if_match(headers: &HeaderMap) -> Option<Precondition> {
    let mut lines = headers.get_all(header::IF_MATCH).iter().peekable();
    lines.peek()?;
    let lines: Vec<&str> = lines.map(|line| line.to_str().unwrap_or_default()).collect();
    let tags: Vec<String> =
        lines.iter().flat_map(|line| line.split(',')).map(|tag| tag.trim().trim_matches('"').to_owned()).collect();
    Some(if tags.iter().any(|tag| tag == "*") { Precondition::Exists } else { Precondition::Revision(tags) })
}

/// Returns the response to a change of a ruleset. After a dry run the result is null (documented by official clients).
fn changed_response(ruleset: Ruleset, options: &RulesetUpdateOptions, warnings: Vec<ValidationWarning>) -> Response {
    let messages: Vec<ErrorObject> = warnings.into_iter().map(ErrorObject::from).collect();
    if options.dry_run {
        return Json(Envelope::<()> { success: true, messages, ..Envelope::failure(Vec::new()) }).into_response();
    }
    let tag = format!("\"{}\"", revision_tag(&ruleset));
    ([(header::ETAG, tag)], Json(Envelope { messages, ..Envelope::success(ruleset) })).into_response()
}

fn response_with_etag(ruleset: Ruleset) -> Response {
    ([(header::ETAG, format!("\"{}\"", revision_tag(&ruleset)))], Json(Envelope::success(ruleset))).into_response()
}

/// Returns an error about the request as a whole.
fn request_error(message: String) -> Error {
    Error::Invalid(vec![ErrorObject::new(error_code::INVALID_RULE, message)])
}
