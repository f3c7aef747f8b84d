//! Single rules of a ruleset. Every response contains the whole ruleset (observed).

use super::{changed_response, locate, read_body, read_update_options};
use crate::app::App;
use crate::error::Error;
use crate::request::{JsonBody, ObjectId, QueryParams, path_identifier};
use crate::routes::bodies::{NewRulesetRule, RuleChange};
use axum::extract::{FromRequestParts, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use zonewright_api::Envelope;
use zonewright_api::ruleset::Ruleset;
use zonewright_firewall::ruleset::{EditedRules, add_rule, change_rule, read_ruleset_rule, read_ruleset_rule_change};
use zonewright_store::{ChangedPart, NextRuleset, RulesetOwner, RulesetTarget};

/// The path parameter `rule_id`, a valid ID.
pub(crate) struct RuleId(String);

impl<S: Send + Sync> FromRequestParts<S> for RuleId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        path_identifier(parts, "rule_id").await.map(RuleId)
    }
}

/// Adds a rule to a ruleset, at the end unless `position` is set.
#[utoipa::path(
    post, path = "/rulesets/{id}/rules", tag = "Rulesets",
    params(
        ("dry_run" = Option<bool>, Query, description = "Dry run: validates the change without saving it; `result` is null"),
        ("If-Match" = Option<String>, Header, description = "The expected `ETag`; if it is no longer current, nothing changes"),
    ),
    request_body(content = NewRulesetRule, example = json!({
        "action": "block", "expression": "ssl", "ref": "mine", "position": {"before": ""}
    })),
    responses(
        (status = 200, description = "The changed ruleset; `messages` lists managed rules and categories that could not be checked", body = Envelope<Ruleset>),
        (status = 400, description = "20120, 20127, 20113, 20018, 10014: a value is invalid, see `source.pointer`; 20217: the maximum number is reached; 10303, 10304: the migration of the zone does not allow the change"),
        (status = 404, description = "10001: ruleset not found")
    )
)]
pub(crate) async fn create(
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
        read_body(&app, &owner, body, move |body, catalog| read_ruleset_rule(body, &location.to_context(catalog)));
    let ((rule, position), warnings) = read.await?;
    let change = |current: Option<&Ruleset>| {
        let rules = current.map(|current| current.rules.clone()).unwrap_or_default();
        Ok(next_version_with_rules(current, add_rule(rules, rule, position.as_ref())?, None))
    };
    Ok(changed_response(
        app.store.write_ruleset(&owner, &RulesetTarget::Id(id), &options, change).await?,
        &options,
        warnings,
    ))
}

/// Changes a rule. A new definition replaces the existing one. Without a definition, only `enabled` and
/// `position` can change.
#[utoipa::path(
    patch, path = "/rulesets/{id}/rules/{rule_id}", tag = "Rulesets",
    params(
        ("dry_run" = Option<bool>, Query, description = "Dry run: validates the change without saving it; `result` is null"),
        ("If-Match" = Option<String>, Header, description = "The expected `ETag`; if it is no longer current, nothing changes"),
    ),
    request_body(content = RuleChange, example = json!({"enabled": false})),
    responses(
        (status = 200, description = "The changed ruleset; `messages` lists managed rules and categories that could not be checked", body = Envelope<Ruleset>),
        (status = 400, description = "20120, 20127, 20113, 20018, 10014: a value is invalid, see `source.pointer`; 20217: the maximum number is reached; 10303, 10304: the migration of the zone does not allow the change"),
        (status = 404, description = "10001: ruleset or rule not found")
    )
)]
pub(crate) async fn update(
    owner: RulesetOwner,
    ObjectId(id): ObjectId,
    RuleId(rule_id): RuleId,
    State(app): State<App>,
    mut query: QueryParams,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, Error> {
    let options = read_update_options(&mut query, &headers);
    query.finish()?;
    let location = locate(&app, &owner, &id).await?;
    let path_id = rule_id.clone();
    let read = read_body(&app, &owner, body, move |body, catalog| {
        read_ruleset_rule_change(body, &path_id, &location.to_context(catalog))
    });
    let (rule_change, warnings) = read.await?;
    let change = |current: Option<&Ruleset>| {
        let rules = current.map(|current| current.rules.clone()).unwrap_or_default();
        let edited = change_rule(rules, &rule_id, rule_change).ok_or_else(|| owner.rule_not_found(&rule_id))?;
        Ok(next_version_with_rules(current, edited?, Some(rule_id.clone())))
    };
    Ok(changed_response(
        app.store.write_ruleset(&owner, &RulesetTarget::Id(id), &options, change).await?,
        &options,
        warnings,
    ))
}

/// Deletes a rule.
#[utoipa::path(
    delete, path = "/rulesets/{id}/rules/{rule_id}", tag = "Rulesets",
    params(
        ("dry_run" = Option<bool>, Query, description = "Dry run: validates the deletion without performing it; `result` is null"),
        ("If-Match" = Option<String>, Header, description = "The expected `ETag`; if it is no longer current, nothing changes"),
    ),
    responses(
        (status = 200, description = "The changed ruleset", body = Envelope<Ruleset>),
        (status = 400, description = "20120: the ruleset is managed; 10303: the migration of the zone does not allow \
            the change"),
        (status = 404, description = "10001: ruleset or rule not found")
    )
)]
pub(crate) async fn delete(
    owner: RulesetOwner,
    ObjectId(id): ObjectId,
    RuleId(rule_id): RuleId,
    State(app): State<App>,
    mut query: QueryParams,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let options = read_update_options(&mut query, &headers);
    query.finish()?;
    locate(&app, &owner, &id).await?;
    let change = |current: Option<&Ruleset>| {
        let mut rules = current.map(|current| current.rules.clone()).unwrap_or_default();
        let before = rules.len();
        rules.retain(|rule| rule.id != rule_id);
        if rules.len() == before {
            return Err(owner.rule_not_found(&rule_id));
        }
        let next = next_version_with_rules(current, (rules, 0), None);
        Ok(NextRuleset { changed: ChangedPart::Rule { id: Some(rule_id.clone()), index: None }, ..next })
    };
    Ok(changed_response(
        app.store.write_ruleset(&owner, &RulesetTarget::Id(id), &options, change).await?,
        &options,
        Vec::new(),
    ))
}

/// Returns the next version of a ruleset, in which only the rules change.
fn next_version_with_rules(current: Option<&Ruleset>, (rules, index): EditedRules, id: Option<String>) -> NextRuleset {
    let text = |member: fn(&Ruleset) -> &String| current.map(member).cloned().unwrap_or_default();
    NextRuleset {
        name: text(|current| &current.name),
        description: text(|current| &current.description),
        rules,
        changed: ChangedPart::Rule { id, index: Some(index) },
    }
}
