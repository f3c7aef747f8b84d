//! `/zones/{zone_id}/pagerules`: page rules (observed). They remain after a migration.

use super::bodies::{NewPageRule, PageRuleChange};
use super::{ApiResult, success_response};
use crate::app::App;
use crate::list_query::ListQuery;
use crate::request::{JsonBody, ObjectId, QueryParams};
use axum::extract::State;
use zonewright_api::Envelope;
use zonewright_api::firewall::DeletedObject;
use zonewright_api::page_rule::{PageRule, PageRuleStatus};
use zonewright_migration::read::{read_page_rule, read_page_rule_change};
use zonewright_store::Zone;

/// Creates a page rule.
#[utoipa::path(
    post,
    path = "/pagerules",
    tag = "Page rules",
    request_body(content = NewPageRule, example = json!({
        "targets": [{"target": "url", "constraint": {"operator": "matches", "value": "*example.com/images/*"}}],
        "actions": [{"id": "waf", "value": "off"}],
        "status": "active"
    })),
    responses(
        (status = 200, description = "The new page rule", body = Envelope<PageRule>),
        (status = 400, description = "1004: a member is invalid, or the maximum number of page rules is reached; 10303: not allowed while the migration of the zone is pending"),
    )
)]
pub(crate) async fn create(zone: Zone, State(app): State<App>, JsonBody(body): JsonBody) -> ApiResult<PageRule> {
    let new = read_page_rule(&body, zone.tier)?;
    success_response(app.store.create_page_rule(&zone, new).await?)
}

/// Lists page rules, highest priority first, without pagination (observed).
#[utoipa::path(
    get,
    path = "/pagerules",
    tag = "Page rules",
    params(
        ("status" = Option<PageRuleStatus>, Query, description = "Only page rules with this status: `active` or \
            `disabled`", example = "active"),
        ("match" = Option<String>, Query, description = "`all`, the default: items match every condition; `any`: items match at least one condition", example = "all"),
        ("order" = Option<String>, Query, description = "Sort by `status` or `priority`"),
        ("direction" = Option<String>, Query, description = "Sort order: `asc` or `desc`"),
    ),
    responses(
        (status = 200, description = "All page rules", body = Envelope<Vec<PageRule>>),
    )
)]
pub(crate) async fn list(zone: Zone, State(app): State<App>, mut query: QueryParams) -> ApiResult<Vec<PageRule>> {
    let mut list_query = ListQuery::<PageRule>::read(
        &mut query,
        &[
            ("status", |left, right| left.status.name().cmp(right.status.name())),
            ("priority", |left, right| left.priority.cmp(&right.priority)),
        ],
    );
    let statuses = [PageRuleStatus::Active, PageRuleStatus::Disabled].map(|status| (status.name(), status));
    if let Some(status) = query.choice("status", &statuses) {
        list_query.add_condition(move |rule| rule.status == status);
    }
    query.finish()?;
    success_response(list_query.apply(app.store.page_rules(zone.id()).await?))
}

/// Returns one page rule.
#[utoipa::path(
    get,
    path = "/pagerules/{id}",
    tag = "Page rules",
    responses(
        (status = 200, description = "The page rule", body = Envelope<PageRule>),
        (status = 404, description = "1002: page rule not found"),
    )
)]
pub(crate) async fn get(zone: Zone, State(app): State<App>, ObjectId(id): ObjectId) -> ApiResult<PageRule> {
    success_response(app.store.page_rule(zone.id(), &id).await?)
}

/// Replaces one page rule.
#[utoipa::path(
    put,
    path = "/pagerules/{id}",
    tag = "Page rules",
    request_body(content = NewPageRule, example = json!({
        "targets": [{"target": "url", "constraint": {"operator": "matches", "value": "*example.com/media/*"}}],
        "actions": [{"id": "waf", "value": "off"}],
        "status": "active"
    })),
    responses(
        (status = 200, description = "The changed page rule", body = Envelope<PageRule>),
        (status = 400, description = "1004: a member is invalid, or the maximum number of page rules is reached; 10303: not allowed while the migration of the zone is pending"),
        (status = 404, description = "1002: page rule not found"),
    )
)]
pub(crate) async fn replace(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> ApiResult<PageRule> {
    success_response(app.store.change_page_rule(&zone, &id, |_| read_page_rule(&body, zone.tier)).await?)
}

/// Changes the members that are sent; the others keep their values.
#[utoipa::path(
    patch,
    path = "/pagerules/{id}",
    tag = "Page rules",
    request_body(content = PageRuleChange, example = json!({"priority": 7, "status": "disabled"})),
    responses(
        (status = 200, description = "The changed page rule", body = Envelope<PageRule>),
        (status = 400, description = "1004: a member is invalid, or the maximum number of page rules is reached; 10303: not allowed while the migration of the zone is pending"),
        (status = 404, description = "1002: page rule not found"),
    )
)]
pub(crate) async fn edit(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> ApiResult<PageRule> {
    let change = |current: &PageRule| read_page_rule_change(&body, current, zone.tier);
    success_response(app.store.change_page_rule(&zone, &id, change).await?)
}

/// Deletes one page rule.
#[utoipa::path(
    delete,
    path = "/pagerules/{id}",
    tag = "Page rules",
    responses(
        (status = 200, description = "Deleted", body = Envelope<DeletedObject>),
        (status = 400, description = "10303: not allowed while the migration of the zone is pending"),
        (status = 404, description = "1002: page rule not found"),
    )
)]
pub(crate) async fn delete(zone: Zone, State(app): State<App>, ObjectId(id): ObjectId) -> ApiResult<DeletedObject> {
    app.store.delete_page_rule(&zone, &id).await?;
    success_response(DeletedObject { id })
}
