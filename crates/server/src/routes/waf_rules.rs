//! `/zones/{zone_id}/firewall/waf/packages/{package}/rules`: rules of a package (observed).

use super::bodies::WafRuleChange;
use super::{Answer, paginated, success_response};
use crate::app::App;
use crate::error::Error;
use crate::legacy_waf::{LegacyPackage, legacy_not_found};
use crate::list_query::ListQuery;
use crate::request::{JsonBody, QueryParams, path_parameter};
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use zonewright_api::Envelope;
use zonewright_api::legacy_waf::{RuleMode, WafRule};
use zonewright_migration::read::read_rule_mode;
use zonewright_store::{WafSettingChange, WafSettingKind};

/// The short names of modes in queries, with the modes that they select (observed).
const SHORT_MODES: [(&str, &[RuleMode]); 4] = [
    ("DIS", &[RuleMode::Disable, RuleMode::Off]),
    ("CHL", &[RuleMode::Challenge]),
    ("BLK", &[RuleMode::Block]),
    ("SIM", &[RuleMode::Simulate]),
];

/// The path parameter `rule`: IDs of these rules have no common format.
pub(crate) struct RuleId(String);

impl<S: Send + Sync> FromRequestParts<S> for RuleId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        Ok(RuleId(path_parameter(parts, "rule").await.unwrap_or_default()))
    }
}

/// Lists the rules of a package.
#[utoipa::path(
    get,
    path = "/packages/{package}/rules",
    tag = "Previous managed rules",
    params(
        ("page" = Option<u64>, Query, description = "Page number, starting at 1; pages after the last one are empty", minimum = 1, example = 1),
        ("per_page" = Option<u64>, Query, description = "Maximum number of items per page; default 50", minimum = 5, maximum = 100, example = 50),
        ("match" = Option<String>, Query, description = "`all`, the default: items match every condition; `any`: items match at least one condition", example = "all"),
        ("order" = Option<String>, Query, description = "Sort by `priority` or `group_id` or `description`"),
        ("direction" = Option<String>, Query, description = "Sort order: `asc` or `desc`"),
        ("mode" = Option<String>, Query, description = "Rules with this mode; `DIS`, `CHL`, `BLK` and `SIM` match the effective mode, including the default"),
        ("group_id" = Option<String>, Query, description = "Rules in this group"),
        ("priority" = Option<String>, Query, description = "Rules with this priority"),
        ("description" = Option<String>, Query, description = "Rules whose description contains this text; case-insensitive"),
    ),
    responses(
        (status = 200, description = "A page of the rules", body = Envelope<Vec<WafRule>>),
        (status = 404, description = "1002: package not found"),
    )
)]
pub(crate) async fn list(
    LegacyPackage { package, settings, .. }: LegacyPackage,
    mut query: QueryParams,
) -> Answer<Vec<WafRule>> {
    let page = query.page(50, 5..=100);
    let mut wanted = ListQuery::<WafRule>::read(
        &mut query,
        &[
            ("priority", |left, right| priority_rank(&left.priority).cmp(&priority_rank(&right.priority))),
            ("group_id", |left, right| left.group.id.cmp(&right.group.id)),
            ("description", |left, right| left.description.cmp(&right.description)),
        ],
    );
    let mut modes: Vec<&'static str> = SHORT_MODES.iter().map(|(name, _)| *name).collect();
    modes.extend(RuleMode::ALL.iter().map(|mode| mode.name()));
    if let Some(name) = query.choice("mode", &modes) {
        wanted.filter(move |rule| has_mode(rule, name));
    }
    wanted.filter_equal(&mut query, "group_id", |rule| rule.group.id.clone());
    wanted.filter_equal(&mut query, "priority", |rule| rule.priority.clone());
    wanted.filter_contains(&mut query, "description", |rule| rule.description.clone());
    query.finish()?;
    let rules = settings.rules().into_iter().filter(|rule| rule.package_id == package.id);
    paginated(wanted.apply_page(rules.collect(), page), page)
}

/// Returns one rule.
#[utoipa::path(
    get,
    path = "/packages/{package}/rules/{rule}",
    tag = "Previous managed rules",
    responses(
        (status = 200, description = "The rule", body = Envelope<WafRule>),
        (status = 404, description = "1002: package or rule not found"),
    )
)]
pub(crate) async fn get(LegacyPackage { package, settings, .. }: LegacyPackage, RuleId(id): RuleId) -> Answer<WafRule> {
    success_response(settings.rule(&package.id, &id).ok_or_else(|| legacy_not_found("rule", &id))?)
}

/// Changes the mode of a rule.
#[utoipa::path(
    patch,
    path = "/packages/{package}/rules/{rule}",
    tag = "Previous managed rules",
    request_body(content = WafRuleChange, example = json!({"mode": "off"})),
    responses(
        (status = 200, description = "The changed rule", body = Envelope<WafRule>),
        (status = 400, description = "10014, 10015: invalid body or value; 10303: not allowed while the migration of the zone is pending"),
        (status = 404, description = "1002: package or rule not found"),
    )
)]
pub(crate) async fn edit(
    LegacyPackage { zone, package, settings }: LegacyPackage,
    State(app): State<App>,
    RuleId(id): RuleId,
    JsonBody(body): JsonBody,
) -> Answer<WafRule> {
    let rule = settings.rule(&package.id, &id).ok_or_else(|| legacy_not_found("rule", &id))?;
    let mode = read_rule_mode(&body, &rule)?;
    let change = WafSettingChange { kind: WafSettingKind::Rule, object_id: id.clone(), value: mode.name() };
    let settings = app.store.change_waf(&zone, &[change]).await?;
    success_response(settings.rule(&package.id, &id).ok_or_else(|| legacy_not_found("rule", &id))?)
}

/// Whether a rule has the mode of this name. A short name is compared with the effective mode, which may be the
/// default.
fn has_mode(rule: &WafRule, name: &str) -> bool {
    let effective = if rule.mode == RuleMode::Default { rule.default_mode.unwrap_or(rule.mode) } else { rule.mode };
    match SHORT_MODES.iter().find(|(short, _)| *short == name) {
        Some((_, modes)) => modes.contains(&effective),
        None => rule.mode.name() == name,
    }
}

fn priority_rank(priority: &str) -> u64 {
    priority.parse().unwrap_or(u64::MAX)
}
