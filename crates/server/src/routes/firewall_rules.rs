//! `/zones/{zone_id}/firewall/rules`: firewall rules, with or without their filters (`zone-security-service` §4.2).

use super::{Answer, cached, paginated, parse_validated, single, success_response};
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
    read_priority_change, read_priority_changes, read_rule_removal, read_rule_removals, read_rule_update,
    read_rule_updates, read_rules,
};
use zonewright_store::{RuleSearch, Zone};

/// Creates rules: an array of them, each with a new filter or the identifier of one.
///
/// When a rule or a filter is wrong, nothing is created. Only when the zone would have more active rules than its
/// plan allows, the new filters stay without their rules; `meta.filter_id` names them, and rules can refer to them
/// later. A single object counts as an array of one.
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
        (status = 200, description = "The new rules with their filters, in the order they were sent", body = Envelope<Vec<FirewallRule>>),
        (
            status = 400,
            description = "No rule was created. 10016: an expression is refused; 10202: a filter is there already; \
                           10001: there is no filter of this identifier; 10103: there would be too many active rules, \
                           and the filters stay, or too many filters, and nothing stays; 10303: the pending migration \
                           of the zone does not allow it; 10014, 10015: the shape of the body, a value, what the \
                           plan does not have"
        ),
    )
)]
pub(crate) async fn create(zone: Zone, State(app): State<App>, JsonBody(body): JsonBody) -> Answer<Vec<FirewallRule>> {
    let batch = parse_validated(body, zone.tier, read_rules).await?;
    success_response(app.store.create_rules(&zone, &batch).await?)
}

/// Lists rules, in the order of creation.
#[utoipa::path(
    get,
    path = "/firewall/rules",
    tag = "Firewall rules",
    params(
        ("id" = Option<String>, Query, description = "The rule with this identifier"),
        ("action" = Option<Action>, Query, description = "Rules with exactly this action"),
        ("description" = Option<String>, Query, description = "Rules whose description has this text in it, in any letter case"),
        ("paused" = Option<bool>, Query, description = "Rules that are paused, or that are not"),
        ("page" = Option<u64>, Query, description = "Number of the page, from 1; behind the last one the list is empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Most rules of a page; 25 when it is left out", minimum = 5, maximum = 100, example = 25),
    ),
    responses(
        (status = 200, description = "A page of the rules with their filters", body = Envelope<Vec<FirewallRule>>),
    )
)]
pub(crate) async fn list(zone: Zone, State(app): State<App>, uri: Uri) -> Result<Response, Error> {
    let answer = async {
        let mut query = QueryParams::from_uri(&uri)?;
        let page = query.page(25, 5..=100);
        let actions: Vec<&'static str> = Action::ALL.iter().map(|action| action.name()).collect();
        let search = RuleSearch {
            id: query.text("id"),
            action: query.choice("action", &actions).and_then(Action::from_name),
            description: query.text("description"),
            paused: query.bool("paused"),
        };
        query.finish()?;
        paginated(app.store.rules(zone.id(), &search, page).await?, page)
    };
    cached(&app, &zone, &uri, answer).await
}

/// Updates rules: an array of at most 25 with their identifiers, all or none.
///
/// Each becomes what is sent: what is left out is what it is in a new rule. Of `filter` only `id` counts; the filter
/// itself is never changed.
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
        (status = 200, description = "The rules, in the order they were sent", body = Envelope<Vec<FirewallRule>>),
        (
            status = 400,
            description = "Nothing was changed. 10303: the pending migration of the zone does not allow it; \
                           10001: there is no such rule or filter; 10103: too many rules would \
                           be active; 10014, 10015: the shape of the body, a value, the same rule twice, more than \
                           25 rules, what the plan does not have"
        ),
    )
)]
pub(crate) async fn update_many(
    zone: Zone,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> Answer<Vec<FirewallRule>> {
    let batch = parse_validated(body, zone.tier, read_rule_updates).await?;
    success_response(app.store.update_rules(&zone, &batch).await?)
}

/// Changes priorities of rules, all or none, and nothing else of them.
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
        (status = 200, description = "The rules, in the order they were sent", body = Envelope<Vec<FirewallRule>>),
        (
            status = 400,
            description = "Nothing was changed. 10001: there is no such rule; 10014, 10015: the shape of the body, a \
                           value, the same rule twice"
        ),
    )
)]
pub(crate) async fn edit_many(
    zone: Zone,
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> Answer<Vec<FirewallRule>> {
    let batch = read_priority_changes(&body)?;
    success_response(app.store.change_priorities(&zone, &batch).await?)
}

/// Deletes rules, all or none.
///
/// Identifiers stand in the query, which may have `id` many times, or in the body. What does not exist is not spoken
/// of, and without any identifier nothing is deleted.
#[utoipa::path(
    delete,
    path = "/firewall/rules",
    tag = "Firewall rules",
    params(("id" = Option<Vec<String>>, Query, description = "Identifiers, each in a parameter of its own")),
    request_body(
        content = Option<Vec<DeletionRequest>>,
        example = json!([{"id": "f2d427378e7542acb295380d352e2ebd", "delete_filter_if_unused": true}])
    ),
    responses(
        (status = 200, description = "What was deleted", body = Envelope<Vec<DeletedRule>>),
        (status = 400, description = "10014: the shape of the body, or too many items; 10015: an identifier cannot be one; 10303: the pending migration of the zone does not allow it"),
    )
)]
pub(crate) async fn delete_many(
    zone: Zone,
    State(app): State<App>,
    mut query: QueryParams,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Answer<Vec<DeletedRule>> {
    let ids = query.identifiers("id");
    query.finish()?;
    let removals = read_rule_removals(ids, body.as_ref())?;
    success_response(app.store.delete_rules(&zone, &removals).await?)
}

/// Gives one rule.
#[utoipa::path(
    get,
    path = "/firewall/rules/{id}",
    tag = "Firewall rules",
    responses(
        (status = 200, description = "The rule with its filter", body = Envelope<FirewallRule>),
        (status = 404, description = "10001: there is no such rule"),
    )
)]
pub(crate) async fn get(
    zone: Zone,
    State(app): State<App>,
    uri: Uri,
    ObjectId(id): ObjectId,
) -> Result<Response, Error> {
    let answer = async {
        let rule = app.store.rule(zone.id(), &id).await?;
        success_response(rule.ok_or(Error::NotFound("firewall rule", id))?)
    };
    cached(&app, &zone, &uri, answer).await
}

/// Updates one rule: it becomes what is sent, and what is left out is what it is in a new rule.
///
/// Of `filter` only `id` counts; the filter itself is never changed.
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
        (status = 200, description = "The rule as it is now", body = Envelope<FirewallRule>),
        (
            status = 400,
            description = "10303: the pending migration of the zone does not allow it; \
                           10001: there is no such filter; 10103: too many rules would be active; 10014, 10015: the \
                           shape of the body, as without `filter.id`, a value, what the plan does not have"
        ),
        (status = 404, description = "10001: there is no such rule"),
    )
)]
pub(crate) async fn update(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    JsonBody(body): JsonBody,
) -> Answer<FirewallRule> {
    let batch = parse_validated(body, zone.tier, move |body, tier| read_rule_update(body, &id, tier)).await?;
    single(app.store.update_rules(&zone, &batch).await?)
}

/// Changes the priority of one rule. The answer is an array of one, as clients expect it.
#[utoipa::path(
    patch,
    path = "/firewall/rules/{id}",
    tag = "Firewall rules",
    request_body(content = PriorityChange, example = json!({"priority": 50})),
    responses(
        (status = 200, description = "The rule as it is now", body = Envelope<Vec<FirewallRule>>),
        (status = 400, description = "10014, 10015: the shape of the body, a value"),
        (status = 404, description = "10001: there is no such rule"),
    )
)]
pub(crate) async fn edit(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Answer<Vec<FirewallRule>> {
    // Generated clients send an empty body.
    let batch = read_priority_change(&body.unwrap_or_else(|| serde_json::json!({})), &id)?;
    success_response(app.store.change_priorities(&zone, &batch).await?)
}

/// Deletes one rule. Its filter stays, unless it is asked for and no other rule uses it.
#[utoipa::path(
    delete,
    path = "/firewall/rules/{id}",
    tag = "Firewall rules",
    request_body(content = Option<RuleDeletionRequest>, example = json!({"delete_filter_if_unused": true})),
    responses(
        (status = 200, description = "It is gone; `filter` is there when that is gone too", body = Envelope<DeletedRule>),
        (status = 400, description = "10014: the shape of the body; 10303: the pending migration of the zone does not allow it"),
        (status = 404, description = "10001: there is no such rule"),
    )
)]
pub(crate) async fn delete(
    zone: Zone,
    State(app): State<App>,
    ObjectId(id): ObjectId,
    OptionalJsonBody(body): OptionalJsonBody,
) -> Answer<DeletedRule> {
    let RuleDeletionRequest { delete_filter_if_unused } = read_rule_removal(body.as_ref())?;
    success_response(app.store.delete_rule(&zone, DeletionRequest { id, delete_filter_if_unused }).await?)
}
