//! `/zones/{zone_id}/rulesets` (§4.5; what is not shown there is observed). There is one phase with an entry
//! point, that of managed rules.

use super::waf_migration::phase;
use super::{Answer, beside, success};
use crate::App;
use crate::auth::Zone;
use crate::error::Error;
use crate::request::{JsonBody, ObjectId, Parameters, member};
use crate::store::migration::{IfMatch, Migrating, Update, tag};
use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use zonewright_api::ruleset::{ManagedRuleAnswer, ManagedRulesetAnswer, Ruleset, RulesetSummary};
use zonewright_api::{Envelope, error_code};
use zonewright_expression::schema::Tier;
use zonewright_migration::Step;
use zonewright_migration::catalogue::{MANAGED, ManagedRuleset, managed_rules, ruleset};
use zonewright_migration::read::{PHASE, read_entry_point};

/// The version and time of all managed rulesets, which change with the service only.
const MANAGED_VERSION: &str = "1";
const MANAGED_TIME: &str = "2022-09-19T00:00:00Z";

/// The phase of an address, when it is the one that entry points can have here.
pub(crate) struct ManagedPhase;

impl<S: Send + Sync> FromRequestParts<S> for ManagedPhase {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        match member(parts, "phase").await.unwrap_or_default() {
            name if name == PHASE => Ok(ManagedPhase),
            name => Err(no_entry_point(&name)),
        }
    }
}

/// The message is observed.
fn no_entry_point(phase: &str) -> Error {
    let shown: String = phase.chars().take(64).collect();
    let message = format!("could not find entrypoint ruleset in the {shown} phase");
    Error::Missing(error_code::NO_ENTRY_POINT, message)
}

/// Lists the rulesets of the zone and those that it may execute, without their rules.
pub(crate) async fn list(zone: Zone, State(app): State<App>) -> Answer<Vec<RulesetSummary>> {
    let own = app.store.rulesets(zone.id()).await?;
    let managed = MANAGED.iter().filter(|_| has_managed(zone.tier)).map(summary);
    success(managed.chain(own.into_iter().map(RulesetSummary::from)).collect())
}

/// Gives one ruleset: of the zone, or a managed one with what is known of its rules.
pub(crate) async fn get(zone: Zone, ObjectId(id): ObjectId, State(app): State<App>) -> Result<Response, Error> {
    if let Some(managed) = ruleset(&id).filter(|_| has_managed(zone.tier)) {
        return Ok(success(with_rules(managed))?.into_response());
    }
    match app.store.ruleset(zone.id(), &id).await? {
        Some(found) => Ok(tagged(found)),
        None => Err(Error::NotFound("ruleset", id)),
    }
}

/// Gives the entry point.
pub(crate) async fn entry_point(zone: Zone, _: ManagedPhase, State(app): State<App>) -> Result<Response, Error> {
    let found = app.store.entry_point(zone.id(), PHASE).await?;
    found.map(tagged).ok_or_else(|| no_entry_point(PHASE))
}

/// Replaces the entry point, and moves the migration on when `waf_migration` asks for it (§3).
pub(crate) async fn update_entry_point(
    zone: Zone,
    _: ManagedPhase,
    State(app): State<App>,
    mut query: Parameters,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Response, Error> {
    let step = query.decision("waf_migration", &["pending", "1", "validation", "2"]).and_then(Step::from_parameter);
    let phase = phase(&mut query);
    let dry_run = query.decision("dry_run", &["true", "false"]) == Some("true");
    query.finish()?;
    let (if_match, tier, delay) = (if_match(&headers), zone.tier, app.completion.delay);
    let step = match step {
        Some(step) => Some(Migrating { step, phase, seen: app.store.migration_state(zone.id()).await?, delay }),
        None => None,
    };
    let new = beside(move || read_entry_point(&body, tier)).await??;
    let saved = app.store.update_entry_point(&zone, new, Update { step, if_match, dry_run }).await?;
    app.completion.notify();
    Ok(tagged(saved))
}

/// What the client wants to be there still. Tags are taken without their quotes, too.
fn if_match(headers: &HeaderMap) -> Option<IfMatch> {
    let mut lines = headers.get_all(header::IF_MATCH).iter().peekable();
    lines.peek()?;
    let lines: Vec<&str> = lines.map(|line| line.to_str().unwrap_or_default()).collect();
    let tags: Vec<String> =
        lines.iter().flat_map(|line| line.split(',')).map(|tag| tag.trim().trim_matches('"').to_owned()).collect();
    Some(if tags.iter().any(|tag| tag == "*") { IfMatch::Any } else { IfMatch::Tags(tags) })
}

fn tagged(ruleset: Ruleset) -> Response {
    ([(header::ETAG, format!("\"{}\"", tag(&ruleset)))], Json(Envelope::success(ruleset))).into_response()
}

fn has_managed(tier: Tier) -> bool {
    tier > Tier::Free
}

fn summary(managed: &ManagedRuleset) -> RulesetSummary {
    RulesetSummary {
        id: managed.id.to_owned(),
        name: managed.name.to_owned(),
        description: managed.description.to_owned(),
        kind: "managed".to_owned(),
        phase: PHASE.to_owned(),
        version: MANAGED_VERSION.to_owned(),
        last_updated: MANAGED_TIME.to_owned(),
    }
}

fn with_rules(managed: &ManagedRuleset) -> ManagedRulesetAnswer {
    let rules = managed_rules(managed.id).into_iter().map(|rule| ManagedRuleAnswer {
        id: rule.id.to_owned(),
        version: MANAGED_VERSION.to_owned(),
        action: rule.action,
        categories: rule.categories.into_iter().map(str::to_owned).collect(),
        description: rule.description.to_owned(),
        last_updated: MANAGED_TIME.to_owned(),
        reference: rule.id.to_owned(),
        enabled: rule.enabled,
        score_threshold: rule.score_threshold,
    });
    ManagedRulesetAnswer { summary: summary(managed), rules: rules.collect() }
}
