//! `/zones/{zone_id}/waf_migration/{check,config,status}`: eligibility, migration plan and migration state (§4.3, §4.4,
//! §4.6).

use super::{Answer, success_response};
use crate::app::App;
use crate::blocking::run_blocking;
use crate::error::Error;
use crate::request::QueryParams;
use axum::Json;
use axum::extract::State;
use axum::http::header::ETAG;
use axum::response::IntoResponse;
use zonewright_api::ruleset::EntryPoint;
use zonewright_api::waf_migration::{MigrationCompatibility, MigrationStatus};
use zonewright_api::{Envelope, error_code};
use zonewright_migration::{MigrationPhase, plan};
use zonewright_store::{Zone, obstacle_error, obstacles};

/// Returns the phase of the migration whose conditions apply: phase two if the query requests it (§9 rule 2).
pub(crate) fn phase(query: &mut QueryParams) -> MigrationPhase {
    if query.strict_choice("phase_two", &["1"]).is_some() { MigrationPhase::Two } else { MigrationPhase::One }
}

/// Says whether the zone can migrate. What stands in the way, and what needs support, is in the messages.
#[utoipa::path(
    get,
    path = "/waf_migration/check",
    tag = "Migration to rulesets",
    params(
        ("phase_two" = Option<String>, Query, description = "`1` for the conditions of phase two", example = "1"),
    ),
    responses(
        (status = 200, description = "Whether it can; `messages` says what stands in the way", body = Envelope<MigrationCompatibility>),
    )
)]
pub(crate) async fn check(
    zone: Zone,
    State(app): State<App>,
    mut query: QueryParams,
) -> Answer<MigrationCompatibility> {
    let phase = phase(&mut query);
    query.finish()?;
    let outlook = app.store.outlook(&zone).await?;
    let migration_state = outlook.state;
    let found = run_blocking(move || obstacles(&outlook, phase)).await?;
    let compatible = !found.iter().any(|(code, _)| *code == error_code::MIGRATION_NOT_ELIGIBLE);
    let messages = found.into_iter().map(obstacle_error).collect();
    Ok(Json(Envelope { messages, ..Envelope::success(MigrationCompatibility { compatible, migration_state }) }))
}

/// Gives the new configuration. Its `ETag` names all that it was made of, for `If-Match` (assumption
/// migration-match).
#[utoipa::path(
    get,
    path = "/waf_migration/config",
    tag = "Migration to rulesets",
    params(
        ("phase_two" = Option<String>, Query, description = "`1` for the conditions of phase two", example = "1"),
    ),
    responses(
        (status = 200, description = "The new configuration", body = Envelope<EntryPoint>),
        (status = 400, description = "10301: the zone cannot migrate; 10302: it needs support; each error points at a setting"),
    )
)]
pub(crate) async fn config(
    zone: Zone,
    State(app): State<App>,
    mut query: QueryParams,
) -> Result<impl IntoResponse, Error> {
    let phase = phase(&mut query);
    query.finish()?;
    let outlook = app.store.outlook(&zone).await?;
    let work = move || {
        let found = obstacles(&outlook, phase);
        if found.is_empty() {
            Ok((outlook.tag(), plan(&outlook.config).entry_point))
        } else {
            Err(Error::Invalid(found.into_iter().map(obstacle_error).collect()))
        }
    };
    let (tag, entry_point) = run_blocking(work).await??;
    Ok(([(ETAG, format!("\"{tag}\""))], Json(Envelope::success(entry_point))))
}

/// Says which managed rules run and how far the migration is.
#[utoipa::path(
    get,
    path = "/waf_migration/status",
    tag = "Migration to rulesets",
    responses(
        (status = 200, description = "How far it is", body = Envelope<MigrationStatus>),
    )
)]
pub(crate) async fn status(zone: Zone, State(app): State<App>) -> Answer<MigrationStatus> {
    success_response(app.store.migration_status(&zone).await?)
}
