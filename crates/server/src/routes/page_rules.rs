//! `/zones/{zone_id}/pagerules`: page rules (observed). They go on after a migration.

use super::{Answer, success};
use crate::App;
use crate::auth::Zone;
use crate::listing::Listing;
use crate::request::{JsonBody, ObjectId, Parameters};
use axum::extract::State;
use zonewright_api::firewall::Deleted;
use zonewright_api::page_rule::{PageRule, PageRuleStatus};
use zonewright_migration::read::{read_page_rule, read_page_rule_change};

/// Creates a page rule.
pub(crate) async fn create(zone: Zone, State(app): State<App>, JsonBody(body): JsonBody) -> Answer<PageRule> {
    let new = read_page_rule(&body, zone.tier)?;
    success(app.store.create_page_rule(&zone, new).await?)
}

/// Lists page rules, largest priority first; there are no pages (observed).
pub(crate) async fn list(zone: Zone, State(app): State<App>, mut query: Parameters) -> Answer<Vec<PageRule>> {
    let mut wanted = Listing::<PageRule>::read(
        &mut query,
        &[
            ("status", |left, right| left.status.name().cmp(right.status.name())),
            ("priority", |left, right| left.priority.cmp(&right.priority)),
        ],
    );
    if let Some(status) = query.choice("status", &[PageRuleStatus::Active.name(), PageRuleStatus::Disabled.name()]) {
        wanted.filter(move |rule| rule.status.name() == status);
    }
    query.finish()?;
    success(wanted.of(app.store.page_rules(zone.id()).await?))
}

/// Gives one page rule.
pub(crate) async fn get(zone: Zone, State(app): State<App>, ObjectId(id): ObjectId) -> Answer<PageRule> {
    success(app.store.page_rule(zone.id(), &id).await?)
}

/// Replaces one page rule.
pub(crate) async fn replace(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> Answer<PageRule> {
    success(app.store.change_page_rule(&zone, &id, |_| read_page_rule(&body, zone.tier)).await?)
}

/// Changes the members that are sent.
pub(crate) async fn edit(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> Answer<PageRule> {
    let change = |present: &PageRule| read_page_rule_change(&body, present, zone.tier);
    success(app.store.change_page_rule(&zone, &id, change).await?)
}

/// Deletes one page rule.
pub(crate) async fn delete(zone: Zone, State(app): State<App>, ObjectId(id): ObjectId) -> Answer<Deleted> {
    app.store.delete_page_rule(&zone, &id).await?;
    success(Deleted { id })
}
