//! `/zones/{zone_id}/waf_migration/{check,config,status}`: eligibility, migration plan and migration state (§4.3, §4.4,
//! §4.6).

use super::{ApiResult, success_response};
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
use zonewright_store::{Zone, blocker_error, find_blockers};

/// Returns the phase of the migration whose conditions apply: phase two if the query requests it (§9 rule 2).
pub(crate) fn read_phase(query: &mut QueryParams) -> MigrationPhase {
    query.strict_choice("phase_two", &[("1", MigrationPhase::Two)]).unwrap_or(MigrationPhase::One)
}

/// Checks whether the zone can migrate. The messages list the blockers and the settings that need support.
#[utoipa::path(
    get,
    path = "/waf_migration/check",
    tag = "Migration to rulesets",
    params(
        ("phase_two" = Option<String>, Query, description = "`1` to apply the conditions of phase two", example = "1"),
    ),
    responses(
        (status = 200, description = "Whether the zone can migrate; `messages` lists the blockers", body = Envelope<MigrationCompatibility>),
    )
)]
pub(crate) async fn check(
    zone: Zone,
    State(app): State<App>,
    mut query: QueryParams,
) -> ApiResult<MigrationCompatibility> {
    let phase = read_phase(&mut query);
    query.finish()?;
    let migration_input = app.store.migration_input(&zone).await?;
    let migration_state = migration_input.state;
    let found = run_blocking(move || find_blockers(&migration_input, phase)).await?;
    let compatible = !found.iter().any(|(code, _)| *code == error_code::MIGRATION_NOT_ELIGIBLE);
    let messages = found.into_iter().map(blocker_error).collect();
    Ok(Json(Envelope { messages, ..Envelope::success(MigrationCompatibility { compatible, migration_state }) }))
}

/// Returns the new configuration. Its `ETag` identifies everything that it was created from, for `If-Match` (assumption
/// migration-match).
#[utoipa::path(
    get,
    path = "/waf_migration/config",
    tag = "Migration to rulesets",
    params(
        ("phase_two" = Option<String>, Query, description = "`1` to apply the conditions of phase two", example = "1"),
    ),
    responses(
        (status = 200, description = "The new configuration", body = Envelope<EntryPoint>),
        (status = 400, description = "10301: the zone cannot migrate; 10302: the migration needs support; each error points to a setting"),
    )
)]
pub(crate) async fn config(
    zone: Zone,
    State(app): State<App>,
    mut query: QueryParams,
) -> Result<impl IntoResponse, Error> {
    let phase = read_phase(&mut query);
    query.finish()?;
    let migration_input = app.store.migration_input(&zone).await?;
    let build_config = move || {
        let found = find_blockers(&migration_input, phase);
        if found.is_empty() {
            Ok((migration_input.revision_tag(), plan(&migration_input.config).entry_point))
        } else {
            Err(Error::Invalid(found.into_iter().map(blocker_error).collect()))
        }
    };
    let (tag, entry_point) = run_blocking(build_config).await??;
    Ok(([(ETAG, format!("\"{tag}\""))], Json(Envelope::success(entry_point))))
}

/// Returns which managed rules are active and the state of the migration.
#[utoipa::path(
    get,
    path = "/waf_migration/status",
    tag = "Migration to rulesets",
    responses(
        (status = 200, description = "The migration state", body = Envelope<MigrationStatus>),
    )
)]
pub(crate) async fn status(zone: Zone, State(app): State<App>) -> ApiResult<MigrationStatus> {
    success_response(app.store.migration_status(&zone).await?)
}
