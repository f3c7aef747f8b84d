//! `/zones/{zone_id}/firewall/waf/packages/{package}/rules`: rules of a package (observed).

use super::bodies::WafRuleChange;
use super::{ApiResult, page_response, success_response};
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

/// The modes that the parameter `mode` selects.
#[derive(Clone, Copy)]
enum ModeFilter {
    /// Rules whose own mode is this one.
    Exact(RuleMode),
    /// Rules whose effective mode, which may be the default, is one of these.
    Effective(&'static [RuleMode]),
}

/// The short names of modes in queries (observed).
const SHORT_MODES: [(&str, ModeFilter); 4] = [
    ("DIS", ModeFilter::Effective(&[RuleMode::Disable, RuleMode::Off])),
    ("CHL", ModeFilter::Effective(&[RuleMode::Challenge])),
    ("BLK", ModeFilter::Effective(&[RuleMode::Block])),
    ("SIM", ModeFilter::Effective(&[RuleMode::Simulate])),
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
        ("mode" = Option<String>, Query, description = "Rules with this mode; `DIS`, `CHL`, `BLK`, and `SIM` match the effective mode, including the default"),
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
) -> ApiResult<Vec<WafRule>> {
    let page = query.page(50, 5..=100);
    let mut list_query = ListQuery::<WafRule>::read(
        &mut query,
        &[
            ("priority", |left, right| priority_rank(&left.priority).cmp(&priority_rank(&right.priority))),
            ("group_id", |left, right| left.group.id.cmp(&right.group.id)),
            ("description", |left, right| left.description.cmp(&right.description)),
        ],
    );
    let mut modes = SHORT_MODES.to_vec();
    modes.extend(RuleMode::ALL.iter().map(|mode| (mode.name(), ModeFilter::Exact(*mode))));
    if let Some(mode) = query.choice("mode", &modes) {
        list_query.add_condition(move |rule| mode.matches(rule));
    }
    list_query.filter_equal(&mut query, "group_id", |rule| rule.group.id.clone());
    list_query.filter_equal(&mut query, "priority", |rule| rule.priority.clone());
    list_query.filter_contains(&mut query, "description", |rule| rule.description.clone());
    query.finish()?;
    let rules = settings.rules().into_iter().filter(|rule| rule.package_id == package.id);
    page_response(list_query.apply_page(rules.collect(), page), page)
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
pub(crate) async fn get(
    LegacyPackage { package, settings, .. }: LegacyPackage,
    RuleId(id): RuleId,
) -> ApiResult<WafRule> {
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
) -> ApiResult<WafRule> {
    let rule = settings.rule(&package.id, &id).ok_or_else(|| legacy_not_found("rule", &id))?;
    let mode = read_rule_mode(&body, &rule)?;
    let change = WafSettingChange { kind: WafSettingKind::Rule, object_id: id.clone(), value: mode.name() };
    let settings = app.store.change_waf(&zone, &[change]).await?;
    success_response(settings.rule(&package.id, &id).ok_or_else(|| legacy_not_found("rule", &id))?)
}

impl ModeFilter {
    fn matches(self, rule: &WafRule) -> bool {
        match self {
            ModeFilter::Exact(mode) => rule.mode == mode,
            ModeFilter::Effective(modes) if rule.mode == RuleMode::Default => {
                modes.contains(&rule.default_mode.unwrap_or(rule.mode))
            }
            ModeFilter::Effective(modes) => modes.contains(&rule.mode),
        }
    }
}

fn priority_rank(priority: &str) -> u64 {
    priority.parse().unwrap_or(u64::MAX)
}
