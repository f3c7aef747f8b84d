//! Entry points: the ruleset of each phase that runs first.

use super::{
    changed_response, is_dry_run, next_version, read_body, read_if_match, reject_migration_step, response_with_etag,
};
use crate::app::App;
use crate::error::Error;
use crate::request::{JsonBody, QueryParams, path_parameter};
use crate::routes::bodies::RulesetChange;
use crate::routes::waf_migration::read_phase;
use axum::extract::{FromRequestParts, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use zonewright_api::ruleset::{Ruleset, RulesetUpdate};
use zonewright_api::{Envelope, ErrorObject, error_code};
use zonewright_expression::schema::Phase;
use zonewright_firewall::ruleset::{RulesetContext, has_entry_point, read_ruleset_update, unknown_phase_message};
use zonewright_migration::MigrationStep;
use zonewright_migration::read::PHASE;
use zonewright_store::{MigrationCommand, RulesetOwner, RulesetTarget, RulesetUpdateOptions, Zone};

/// The phase in the path.
pub(crate) struct PhaseName(pub(super) Phase);

impl<S: Send + Sync> FromRequestParts<S> for PhaseName {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let name = path_parameter(parts, "phase").await.unwrap_or_default();
        Phase::from_name(&name).map(PhaseName).ok_or_else(|| unknown_phase_error(&name))
    }
}

/// Returns the error of a missing entry point, with the reason that the phase is unknown.
fn unknown_phase_error(name: &str) -> Error {
    let shown: String = name.chars().take(64).collect();
    let message = format!("could not find entrypoint ruleset in the {shown} phase: {}", unknown_phase_message(&shown));
    Error::NotFoundWithCode(error_code::NO_ENTRY_POINT, message)
}

/// Returns the error of a missing entry point. The message is observed.
pub(super) fn entry_point_not_found(phase: &str) -> Error {
    let message = format!("could not find entrypoint ruleset in the {phase} phase");
    Error::NotFoundWithCode(error_code::NO_ENTRY_POINT, message)
}

/// Returns the entry point of a phase.
#[utoipa::path(
    get, path = "/rulesets/phases/{phase}/entrypoint", tag = "Rulesets",
    responses((status = 200, description = "The entry point", body = Envelope<Ruleset>), (status = 404, description = "10003: the phase has no entry point"))
)]
pub(crate) async fn get(
    owner: RulesetOwner,
    PhaseName(phase): PhaseName,
    State(app): State<App>,
) -> Result<Response, Error> {
    let found = app.store.entry_point(&owner, phase.name()).await?;
    found.map(response_with_etag).ok_or_else(|| entry_point_not_found(phase.name()))
}

/// Changes the entry point of a phase, or creates it. For the managed rules of a zone, `waf_migration` also advances
/// the migration (§3).
#[utoipa::path(
    put, path = "/rulesets/phases/{phase}/entrypoint", tag = "Rulesets",
    params(
        ("waf_migration" = Option<String>, Query, description = "Migration step: `pending` or `1`, `validation` or `2`; only for the managed rules of a zone"),
        ("phase_two" = Option<String>, Query, description = "`1` to apply the conditions of phase two"),
        ("dry_run" = Option<bool>, Query, description = "Dry run: validates the change without saving it; `result` is null"),
        ("If-Match" = Option<String>, Header, description = "The expected `ETag`; if it is no longer current, nothing changes"),
    ),
    request_body(content = RulesetChange, example = json!({"rules": [{
        "action": "block", "expression": "http.request.uri.path contains \"/admin\" and ip.src ne 192.0.2.1"
    }]})),
    responses(
        (status = 200, description = "The changed entry point; `messages` lists managed rules and categories that could not be checked", body = Envelope<Ruleset>),
        (status = 400, description = "20120, 20127, 20113, 20018, 10014: a value is invalid, see `source.pointer`; 20217: the maximum number is reached; 10301, 10302, 10303, 10304: the migration of the zone does not allow the change"),
        (status = 404, description = "10003: the phase has no entry point in this zone or account"),
        (status = 409, description = "10409: the migration state changed in the meantime")
    )
)]
pub(crate) async fn update(
    owner: RulesetOwner,
    PhaseName(phase): PhaseName,
    State(app): State<App>,
    mut query: QueryParams,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, Error> {
    let migration_command = match &owner {
        RulesetOwner::Zone(zone) if phase.name() == PHASE => read_migration_command(&app, zone, &mut query).await?,
        _ => {
            reject_migration_step(&mut query);
            None
        }
    };
    let is_migration = migration_command.is_some();
    let options = RulesetUpdateOptions {
        step: migration_command,
        precondition: read_if_match(&headers),
        dry_run: is_dry_run(&mut query),
    };
    query.finish()?;
    let (level, tier) = (owner.level(), owner.tier());
    if !has_entry_point(phase, level) {
        let (phase, owner) = (phase.name(), level.name_with_article());
        let message = format!("'{phase}' is not a valid value for phase because it has no entry point in {owner}");
        return Err(Error::Invalid(vec![ErrorObject::new(error_code::INVALID_RULE, message).with_pointer("/phase")]));
    }
    let read = read_body(&app, &owner, body, move |body, catalog| {
        read_ruleset_update(body, &RulesetContext::entry_point(level, phase, tier, catalog))
    });
    let (new, warnings): (RulesetUpdate, _) = read.await?;
    let change = |current: Option<&Ruleset>| Ok(next_version(current, new));
    let saved = app.store.write_ruleset(&owner, &RulesetTarget::EntryPoint(phase), &options, change).await?;
    if is_migration {
        app.migration_task.notify();
    }
    Ok(changed_response(saved, &options, warnings))
}

/// Returns the migration step in the query.
pub(crate) fn read_migration_step(query: &mut QueryParams) -> Option<MigrationStep> {
    let steps = ["pending", "1", "validation", "2"].map(|text| (text, MigrationStep::from_parameter(text)));
    query.strict_choice("waf_migration", &steps).flatten()
}

/// Returns the migration step in the query with the current migration state of the zone.
async fn read_migration_command(
    app: &App,
    zone: &Zone,
    query: &mut QueryParams,
) -> Result<Option<MigrationCommand>, Error> {
    let step = read_migration_step(query);
    let phase = read_phase(query);
    let delay = app.migration_task.delay;
    match step {
        Some(step) => Ok(Some(MigrationCommand {
            step,
            phase,
            expected_state: app.store.migration_state(zone.id()).await?,
            delay,
        })),
        None => Ok(None),
    }
}
