//! `/zones/{zone_id}/firewall/rules`: firewall rules, alone or with their filters
//! (`zone-security-service` §4.2).

use super::{Answer, judged, listed, success};
use crate::App;
use crate::auth::Zone;
use crate::error::Error;
use crate::request::{JsonBody, ObjectId, Parameters};
use crate::store::RuleSearch;
use axum::extract::State;
use zonewright_api::firewall::{Deleted, FirewallRule};
use zonewright_firewall::read_rules;

/// Creates rules: an array of them, each with a new filter or the id of one, all or none.
pub(crate) async fn create(zone: Zone, State(app): State<App>, JsonBody(body): JsonBody) -> Answer<Vec<FirewallRule>> {
    let batch = judged(body, zone.tier, read_rules).await?;
    success(app.store.create_rules(&zone, &batch).await?)
}

/// Lists rules.
pub(crate) async fn list(zone: Zone, State(app): State<App>, mut query: Parameters) -> Answer<Vec<FirewallRule>> {
    let page = query.page(25, 5..=100);
    let search = RuleSearch {
        id: query.text("id"),
        action: query.text("action"),
        description: query.text("description"),
        paused: query.flag("paused"),
    };
    query.finish()?;
    listed(app.store.rules(zone.id(), &search, page).await?, page)
}

/// Gives one rule.
pub(crate) async fn get(zone: Zone, State(app): State<App>, ObjectId(id): ObjectId) -> Answer<FirewallRule> {
    let rule = app.store.rule(zone.id(), &id).await?;
    success(rule.ok_or(Error::NotFound("firewall rule", id))?)
}

/// Deletes one rule and keeps its filter (assumption delete-rule).
pub(crate) async fn delete(zone: Zone, State(app): State<App>, ObjectId(id): ObjectId) -> Answer<Deleted> {
    if app.store.delete_rule(&zone, &id).await? {
        success(Deleted { id })
    } else {
        Err(Error::NotFound("firewall rule", id))
    }
}
