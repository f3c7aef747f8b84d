//! Reads page rules: the URLs that they apply to, and their effect on the previous managed rules.

use super::{PatternError, UrlPattern};
use crate::duplicates::find_duplicates;
use serde_json::Value;
use std::cmp::Reverse;
use std::fmt;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::page_rule::{PageRule, PageRuleStatus};
use zonewright_diagnostic::sort_by_key;

/// The setting that turns off all security features for a URL.
pub(super) const DISABLE_SECURITY: &str = "disable_security";

/// The effect of a page rule on the previous managed rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WafEffect {
    /// The managed rules do not run.
    Off,
    /// The managed rules run, even if they are off for the zone.
    On,
    /// The page rule has no effect on them.
    None,
    /// The page rule has `waf` or `disable_security` with an unreadable value.
    Unreadable,
}

/// The reason why the URLs of a page rule are unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TargetError {
    /// Its pattern is invalid.
    Pattern(PatternError),
    /// It has this number of targets, not one.
    TargetCount(usize),
    /// It has this target and operator, not `url` and `matches`.
    Unsupported(String),
}

impl TargetError {
    /// Returns whether the page rule certainly matches no URL, so that it never takes effect.
    pub(crate) fn matches_nothing(&self) -> bool {
        matches!(self, TargetError::Pattern(error) if error.matches_nothing())
    }
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetError::Pattern(error) => error.fmt(f),
            TargetError::TargetCount(0) => f.write_str("it has no target"),
            TargetError::TargetCount(count) => write!(f, "it has {count} targets; a page rule has exactly one"),
            TargetError::Unsupported(found) => {
                write!(f, "its target is {found}; only `url` with `matches` is supported")
            }
        }
    }
}

/// A page rule with its effect and its pattern.
pub(crate) struct ParsedPageRule<'a> {
    pub(crate) index: usize,
    pub(crate) rule: &'a PageRule,
    pub(crate) effect: WafEffect,
    pub(crate) pattern: Result<UrlPattern, TargetError>,
}

impl<'a> ParsedPageRule<'a> {
    pub(super) fn new((index, rule): (usize, &'a PageRule)) -> Self {
        ParsedPageRule { index, rule, effect: waf_effect(rule), pattern: parse_target(rule) }
    }

    /// Returns whether the managed rules run where this page rule takes effect; `None` if the zone decides.
    pub(crate) fn runs(&self) -> Option<bool> {
        match self.effect {
            WafEffect::Off => Some(false),
            WafEffect::On => Some(true),
            WafEffect::None | WafEffect::Unreadable => None,
        }
    }
}

/// Returns whether a page rule switches the managed rules, disabled or not.
pub(crate) fn affects_managed_rules(rule: &PageRule) -> bool {
    waf_effect(rule) != WafEffect::None
}

pub(crate) fn is_active(rule: &PageRule) -> bool {
    rule.status == PageRuleStatus::Active
}

/// Returns page rules by descending priority, without duplicates. Rules of equal priority keep the order of the list.
pub(crate) fn sort_page_rules(rules: &[PageRule]) -> Vec<ParsedPageRule<'_>> {
    let first_indexes = find_duplicates(rules.iter().map(|rule| rule.id.as_str()));
    let unique_rules = rules.iter().enumerate().zip(first_indexes).filter(|(_, first)| first.is_none());
    let mut order: Vec<ParsedPageRule<'_>> = unique_rules.map(|(rule, _)| ParsedPageRule::new(rule)).collect();
    sort_by_key(&mut order, |page_rule| Reverse(page_rule.rule.priority));
    order
}

/// Returns the effect of a page rule on the previous managed rules. `disable_security` takes precedence over `waf`.
/// Normally `disable_security` has no value; with the value `off` it does nothing.
pub(super) fn waf_effect(rule: &PageRule) -> WafEffect {
    match disable_security_effect(rule) {
        WafEffect::None => consistent_effect(rule, "waf", |value| match value.and_then(Switch::from_name) {
            Some(Switch::Off) => WafEffect::Off,
            Some(Switch::On) => WafEffect::On,
            None => WafEffect::Unreadable,
        }),
        security => security,
    }
}

/// Returns the effect of `disable_security` alone.
pub(super) fn disable_security_effect(rule: &PageRule) -> WafEffect {
    consistent_effect(rule, DISABLE_SECURITY, |value| match value.map(Switch::from_name) {
        None | Some(Some(Switch::On)) => WafEffect::Off,
        Some(Some(Switch::Off)) => WafEffect::None,
        Some(None) => WafEffect::Unreadable,
    })
}

/// Returns the effect of a setting, if all its occurrences in a page rule agree.
fn consistent_effect(rule: &PageRule, setting: &str, meaning: impl Fn(Option<&str>) -> WafEffect) -> WafEffect {
    let value = |value: &Option<Value>| match value {
        None | Some(Value::Null) => meaning(None),
        Some(Value::String(text)) => meaning(Some(text)),
        Some(_) => WafEffect::Unreadable,
    };
    let mut values = rule.actions.iter().filter(|action| action.id == setting).map(|action| value(&action.value));
    match values.next() {
        None => WafEffect::None,
        Some(first) if values.all(|other| other == first) => first,
        Some(_) => WafEffect::Unreadable,
    }
}

fn parse_target(rule: &PageRule) -> Result<UrlPattern, TargetError> {
    let [target] = rule.targets.as_slice() else { return Err(TargetError::TargetCount(rule.targets.len())) };
    let (kind, operator) = (target.target.as_str(), target.constraint.operator.as_str());
    if (kind, operator) != ("url", "matches") {
        let short = |text: &str| text.chars().filter(|char| !char.is_control()).take(40).collect::<String>();
        return Err(TargetError::Unsupported(format!("`{}` with `{}`", short(kind), short(operator))));
    }
    UrlPattern::parse(&target.constraint.value).map_err(TargetError::Pattern)
}
