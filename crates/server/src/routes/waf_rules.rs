//! `/zones/{zone_id}/firewall/waf/packages/{package}/rules`: rules of a package (observed).

use super::{Answer, listed, success};
use crate::App;
use crate::error::Error;
use crate::legacy::{LegacyPackage, missing};
use crate::listing::Listing;
use crate::request::{JsonBody, Parameters, member};
use crate::store::{Change, Kind};
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use zonewright_api::legacy_waf::{RuleMode, WafRule};
use zonewright_migration::read::read_rule_mode;

/// The short names of modes in queries, and what a rule does then (observed).
const SHORT_MODES: [(&str, &[RuleMode]); 4] = [
    ("DIS", &[RuleMode::Disable, RuleMode::Off]),
    ("CHL", &[RuleMode::Challenge]),
    ("BLK", &[RuleMode::Block]),
    ("SIM", &[RuleMode::Simulate]),
];

/// The member `rule` of an address: identifiers of rules have no common form.
pub(crate) struct RuleId(String);

impl<S: Send + Sync> FromRequestParts<S> for RuleId {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        Ok(RuleId(member(parts, "rule").await.unwrap_or_default()))
    }
}

/// Lists the rules of a package.
pub(crate) async fn list(
    LegacyPackage { package, settings, .. }: LegacyPackage,
    mut query: Parameters,
) -> Answer<Vec<WafRule>> {
    let page = query.page(50, 5..=100);
    let mut wanted = Listing::<WafRule>::read(
        &mut query,
        &[
            ("priority", |left, right| number(&left.priority).cmp(&number(&right.priority))),
            ("group_id", |left, right| left.group.id.cmp(&right.group.id)),
            ("description", |left, right| left.description.cmp(&right.description)),
        ],
    );
    let mut modes: Vec<&'static str> = SHORT_MODES.iter().map(|(name, _)| *name).collect();
    modes.extend(RuleMode::ALL.iter().map(|mode| mode.name()));
    if let Some(name) = query.choice("mode", &modes) {
        wanted.filter(move |rule| has_mode(rule, name));
    }
    wanted.exactly(&mut query, "group_id", |rule| rule.group.id.clone());
    wanted.exactly(&mut query, "priority", |rule| rule.priority.clone());
    wanted.containing(&mut query, "description", |rule| rule.description.clone());
    query.finish()?;
    let rules = settings.rules().into_iter().filter(|rule| rule.package_id == package.id);
    listed(wanted.page_of(rules.collect(), page), page)
}

/// Gives one rule.
pub(crate) async fn get(LegacyPackage { package, settings, .. }: LegacyPackage, RuleId(id): RuleId) -> Answer<WafRule> {
    success(settings.rule(&package.id, &id).ok_or_else(|| missing("rule", &id))?)
}

/// Changes what a rule does.
pub(crate) async fn edit(
    LegacyPackage { zone, package, settings }: LegacyPackage,
    State(app): State<App>,
    RuleId(id): RuleId,
    JsonBody(body): JsonBody,
) -> Answer<WafRule> {
    let rule = settings.rule(&package.id, &id).ok_or_else(|| missing("rule", &id))?;
    let mode = read_rule_mode(&body, &rule)?;
    let change = Change { kind: Kind::Rule, object: id.clone(), value: mode.name() };
    let settings = app.store.change_waf(&zone, &[change]).await?;
    success(settings.rule(&package.id, &id).ok_or_else(|| missing("rule", &id))?)
}

/// Whether a rule is in the mode of this name. A short name asks for what the rule does, also as delivered.
fn has_mode(rule: &WafRule, name: &str) -> bool {
    let effective = if rule.mode == RuleMode::Default { rule.default_mode.unwrap_or(rule.mode) } else { rule.mode };
    match SHORT_MODES.iter().find(|(short, _)| *short == name) {
        Some((_, modes)) => modes.contains(&effective),
        None => rule.mode.name() == name,
    }
}

fn number(priority: &str) -> u64 {
    priority.parse().unwrap_or(u64::MAX)
}
