//! `/zones/{zone_id}/firewall/waf/overrides`: overrides of the previous managed rules by URL. Deleting one
//! is `zone-security-service` §4.7; the rest is observed.

use super::{Answer, listed, success};
use crate::App;
use crate::legacy::LegacyWaf;
use crate::request::{JsonBody, ObjectId, Parameters};
use axum::extract::State;
use zonewright_api::firewall::Deleted;
use zonewright_api::legacy_waf::Override;
use zonewright_migration::read::{read_override, read_override_update};

/// Creates an override.
pub(crate) async fn create(
    LegacyWaf(zone): LegacyWaf,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> Answer<Override> {
    let new = read_override(&body, zone.tier)?;
    success(app.store.create_override(&zone, new).await?)
}

/// Lists overrides, smallest priority first.
pub(crate) async fn list(
    LegacyWaf(zone): LegacyWaf,
    State(app): State<App>,
    mut query: Parameters,
) -> Answer<Vec<Override>> {
    let page = query.page(50, 5..=100);
    query.finish()?;
    listed(app.store.overrides(zone.id(), page).await?, page)
}

/// Gives one override.
pub(crate) async fn get(
    LegacyWaf(zone): LegacyWaf,
    State(app): State<App>,
    ObjectId(id): ObjectId,
) -> Answer<Override> {
    success(app.store.waf_override(zone.id(), &id).await?)
}

/// Replaces one override.
pub(crate) async fn replace(
    LegacyWaf(zone): LegacyWaf,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> Answer<Override> {
    app.store.waf_override(zone.id(), &id).await?;
    let new = read_override_update(&body, &id, zone.tier)?;
    success(app.store.replace_override(&zone, new).await?)
}

/// Deletes one override.
pub(crate) async fn delete(
    LegacyWaf(zone): LegacyWaf,
    State(app): State<App>,
    ObjectId(id): ObjectId,
) -> Answer<Deleted> {
    app.store.delete_override(&zone, &id).await?;
    success(Deleted { id })
}
