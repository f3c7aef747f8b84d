//! `/zones/{zone_id}/firewall/rules`: firewall rules, with or without their filters (`zone-security-service` §4.2).

use super::{ApiResult, cached_response, page_response, parse_validated, single_response, success_response};
use crate::app::App;
use crate::error::Error;
use crate::request::{JsonBody, ObjectId, OptionalJsonBody, QueryParams};
use axum::extract::State;
use axum::http::Uri;
use axum::response::Response;
use zonewright_api::Envelope;
use zonewright_api::firewall::{
    Action, DeletedRule, DeletionRequest, FirewallRule, NewRule, PriorityChange, RuleDeletionRequest, RuleUpdate,
};
use zonewright_firewall::{
    read_priority_change, read_priority_changes, read_rule_deletion, read_rule_deletions, read_rule_update,
    read_rule_updates, read_rules,
};
use zonewright_store::{Resource, RuleSearch, Zone};

/// Creates rules from an array, each with a new filter or the ID of an existing filter.
///
/// If a rule or a filter is invalid, nothing is created. If the zone would have more active rules than its plan allows,
/// only the new filters are created; `meta.filter_id` lists their IDs, so that rules can refer to them later. A single
/// object is treated as an array of one.
#[utoipa::path(
    post,
    path = "/firewall/rules",
    tag = "Firewall rules",
    request_body(
        content = Vec<NewRule>,
        example = json!([{
            "filter": {"expression": "http.request.uri.path contains \"/autodiscover.xml\" and ip.src eq 192.0.2.1"},
            "action": "block"
        }])
    ),
    responses(
        (status = 200, description = "The new rules with their filters, in the order of the request", body = Envelope<Vec<FirewallRule>>),
        (
            status = 400,
            description = "No rule was created. 10016: an expression is invalid; 10202: a filter already exists; \
                           10001: filter not found; 10103: the zone would have too many active rules \
                           (the new filters are created) or too many filters (nothing is created); 10303: not allowed \
                           while the migration of the zone is pending; 10014, 10015: invalid body or value, or not \
                           available on the plan"
        ),
    )
)]
pub(crate) async fn create(
    zone: Zone,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<Vec<FirewallRule>> {
    let batch = parse_validated(body, zone.tier, read_rules).await?;
    success_response(app.store.create_rules(&zone, &batch).await?)
}

/// Lists rules in creation order.
#[utoipa::path(
    get,
    path = "/firewall/rules",
    tag = "Firewall rules",
    params(
        ("id" = Option<String>, Query, description = "Only the rule with this ID"),
        ("action" = Option<Action>, Query, description = "Rules with this action"),
        ("description" = Option<String>, Query, description = "Rules whose description contains this text; case-insensitive"),
        ("paused" = Option<bool>, Query, description = "Only rules that are paused, or only rules that are not"),
        ("page" = Option<u64>, Query, description = "Page number, starting at 1; pages after the last one are empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Maximum number of rules per page; default 25", minimum = 5, maximum = 100, example = 25),
    ),
    responses(
        (status = 200, description = "A page of the rules with their filters", body = Envelope<Vec<FirewallRule>>),
    )
)]
pub(crate) async fn list(zone: Zone, State(app): State<App>, uri: Uri) -> Result<Response, Error> {
    let response = async {
        let mut query = QueryParams::from_uri(&uri)?;
        let page = query.page(25, 5..=100);
        let actions: Vec<_> = Action::ALL.iter().map(|action| (action.name(), *action)).collect();
        let search = RuleSearch {
            id: query.text("id"),
            action: query.choice("action", &actions),
            description: query.text("description"),
            paused: query.bool("paused"),
        };
        query.finish()?;
        page_response(app.store.rules(zone.id(), &search, page).await?, page)
    };
    cached_response(&app, &zone, &uri, response).await
}

/// Updates at most 25 rules by ID, as one atomic batch.
///
/// Replaces each rule: omitted members have the defaults of a new rule. Only `id` of `filter` is used; the filter
/// itself never changes.
#[utoipa::path(
    put,
    path = "/firewall/rules",
    tag = "Firewall rules",
    request_body(
        content = Vec<RuleUpdate>,
        example = json!([{
            "id": "f2d427378e7542acb295380d352e2ebd",
            "filter": {"id": "b7ff25282d394be7b945e23c7106ce8a"},
            "action": "managed_challenge",
            "priority": 50
        }])
    ),
    responses(
        (status = 200, description = "The rules, in the order of the request", body = Envelope<Vec<FirewallRule>>),
        (
            status = 400,
            description = "Nothing was changed. 10303: not allowed while the migration of the zone is pending; 10001: \
                           rule or filter not found; 10103: too many rules would be active; 10014, 10015: \
                           invalid body or value, a repeated rule, more than 25 rules, or not available on the plan"
        ),
    )
)]
pub(crate) async fn update_many(
    zone: Zone,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<Vec<FirewallRule>> {
    let batch = parse_validated(body, zone.tier, read_rule_updates).await?;
    success_response(app.store.update_rules(&zone, &batch).await?)
}

/// Changes only the priorities of rules, as one atomic batch.
#[utoipa::path(
    patch,
    path = "/firewall/rules",
    tag = "Firewall rules",
    request_body(
        content = Vec<PriorityChange>,
        example = json!([
            {"id": "f2d427378e7542acb295380d352e2ebd", "priority": 1},
            {"id": "cbf4b7a5a2a24e59a03044d6d44ceb09", "priority": null}
        ])
    ),
    responses(
        (status = 200, description = "The rules, in the order of the request", body = Envelope<Vec<FirewallRule>>),
        (
            status = 400,
            description = "Nothing was changed. 10001: rule not found; 10014, 10015: invalid body or value, or \
                           a repeated rule"
        ),
    )
)]
pub(crate) async fn edit_many(
    zone: Zone,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> ApiResult<Vec<FirewallRule>> {
    let batch = read_priority_changes(&body)?;
    success_response(app.store.change_priorities(&zone, &batch).await?)
}

/// Deletes rules, as one atomic batch.
///
/// Send the IDs in the query, with `id` once per ID, or in the body. Unknown IDs are ignored. Without IDs, nothing is
/// deleted.
#[utoipa::path(
    delete,
    path = "/firewall/rules",
    tag = "Firewall rules",
    params(("id" = Option<Vec<String>>, Query, description = "IDs; repeat the parameter for each one")),
    request_body(
        content = Option<Vec<DeletionRequest>>,
        example = json!([{"id": "f2d427378e7542acb295380d352e2ebd", "delete_filter_if_unused": true}])
    ),
    responses(
        (status = 200, description = "The deleted objects", body = Envelope<Vec<DeletedRule>>),
        (status = 400, description = "10014: invalid body or too many items; 10015: malformed ID; 10303: not allowed while the migration of the zone is pending"),
    )
)]
pub(crate) async fn delete_many(
    zone: Zone,
    State(app): State<App>,
    mut query: QueryParams,
    OptionalJsonBody(body): OptionalJsonBody,
) -> ApiResult<Vec<DeletedRule>> {
    let ids = query.identifiers("id");
    query.finish()?;
    let deletions = read_rule_deletions(ids, body.as_ref())?;
    success_response(app.store.delete_rules(&zone, &deletions).await?)
}

/// Returns one rule.
#[utoipa::path(
    get,
    path = "/firewall/rules/{id}",
    tag = "Firewall rules",
    responses(
        (status = 200, description = "The rule with its filter", body = Envelope<FirewallRule>),
        (status = 404, description = "10001: rule not found"),
    )
)]
pub(crate) async fn get(
    zone: Zone,
    State(app): State<App>,
    uri: Uri,
    ObjectId(id): ObjectId,
) -> Result<Response, Error> {
    let response = async {
        let rule = app.store.rule(zone.id(), &id).await?;
        success_response(rule.ok_or(Error::NotFound(Resource::FirewallRule(id)))?)
    };
    cached_response(&app, &zone, &uri, response).await
}

/// Replaces one rule: omitted members have the defaults of a new rule.
///
/// Only `id` of `filter` is used; the filter itself never changes.
#[utoipa::path(
    put,
    path = "/firewall/rules/{id}",
    tag = "Firewall rules",
    request_body(
        content = RuleUpdate,
        example = json!({
            "id": "f2d427378e7542acb295380d352e2ebd",
            "filter": {"id": "b7ff25282d394be7b945e23c7106ce8a"},
            "action": "log",
            "paused": true
        })
    ),
    responses(
        (status = 200, description = "The changed rule", body = Envelope<FirewallRule>),
        (
            status = 400,
            description = "10303: not allowed while the migration of the zone is pending; 10001: filter not \
                           found; 10103: too many rules would be active; 10014, 10015: invalid body (for example \
                           without `filter.id`) or value, or not available on the plan"
        ),
        (status = 404, description = "10001: rule not found"),
    )
)]
pub(crate) async fn update(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> ApiResult<FirewallRule> {
    let batch = parse_validated(body, zone.tier, move |body, tier| read_rule_update(body, &id, tier)).await?;
    single_response(app.store.update_rules(&zone, &batch).await?)
}

/// Changes the priority of one rule. The result is an array of one, because clients expect it.
#[utoipa::path(
    patch,
    path = "/firewall/rules/{id}",
    tag = "Firewall rules",
    request_body(content = PriorityChange, example = json!({"priority": 50})),
    responses(
        (status = 200, description = "The changed rule", body = Envelope<Vec<FirewallRule>>),
        (status = 400, description = "10014, 10015: invalid body or value"),
        (status = 404, description = "10001: rule not found"),
    )
)]
pub(crate) async fn edit(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    OptionalJsonBody(body): OptionalJsonBody,
) -> ApiResult<Vec<FirewallRule>> {
    // Generated clients send an empty body.
    let batch = read_priority_change(&body.unwrap_or_else(|| serde_json::json!({})), &id)?;
    success_response(app.store.change_priorities(&zone, &batch).await?)
}

/// Deletes one rule. Its filter is deleted only on request and if no other rule uses it.
#[utoipa::path(
    delete,
    path = "/firewall/rules/{id}",
    tag = "Firewall rules",
    request_body(content = Option<RuleDeletionRequest>, example = json!({"delete_filter_if_unused": true})),
    responses(
        (status = 200, description = "Deleted; `filter` is present if the filter was deleted too", body = Envelope<DeletedRule>),
        (status = 400, description = "10014: invalid body; 10303: not allowed while the migration of the zone is pending"),
        (status = 404, description = "10001: rule not found"),
    )
)]
pub(crate) async fn delete(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    OptionalJsonBody(body): OptionalJsonBody,
) -> ApiResult<DeletedRule> {
    let RuleDeletionRequest { delete_filter_if_unused } = read_rule_deletion(body.as_ref())?;
    success_response(app.store.delete_rule(&zone, DeletionRequest { id, delete_filter_if_unused }).await?)
}
