//! What a page rule says: for which URLs it is, and what it does to the previous managed rules.

use super::{Pattern, PatternError};
use crate::duplicates::repeated;
use serde_json::Value;
use std::cmp::Reverse;
use std::fmt;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::page_rule::{PageRule, PageRuleStatus};

/// The setting that switches off all that guards a URL.
pub(super) const SECURITY: &str = "disable_security";

/// What a page rule does to the previous managed rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// They do not run.
    Off,
    /// They run, even when they are switched off for the zone.
    On,
    /// It says nothing about them.
    None,
    /// It has `waf` or `disable_security`, and what that says is not known.
    Unreadable,
}

/// Why it is not known which URLs a page rule is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TargetError {
    /// Its pattern is none.
    Pattern(PatternError),
    /// It has not exactly one target.
    Targets(usize),
    /// What its target looks at, and how, when that is not a URL that matches.
    Target(String),
}

impl TargetError {
    /// Whether it surely fits nothing, so that it never counts.
    pub(crate) fn fits_nothing(&self) -> bool {
        matches!(self, TargetError::Pattern(error) if error.fits_nothing())
    }
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TargetError::Pattern(error) => error.fmt(f),
            TargetError::Targets(0) => f.write_str("it has no target"),
            TargetError::Targets(count) => write!(f, "it has {count} targets, a page rule has one"),
            TargetError::Target(found) => write!(f, "its target is {found}, known is only `url` with `matches`"),
        }
    }
}

/// A page rule with what was read of it.
pub(crate) struct Read<'a> {
    pub(crate) index: usize,
    pub(crate) rule: &'a PageRule,
    pub(crate) effect: Effect,
    pub(crate) pattern: Result<Pattern, TargetError>,
}

impl<'a> Read<'a> {
    pub(super) fn new((index, rule): (usize, &'a PageRule)) -> Self {
        Read { index, rule, effect: effect(rule), pattern: pattern(rule) }
    }

    /// Whether the managed rules run where this one counts; nothing when they run as the zone says.
    pub(crate) fn runs(&self) -> Option<bool> {
        match self.effect {
            Effect::Off => Some(false),
            Effect::On => Some(true),
            Effect::None | Effect::Unreadable => None,
        }
    }
}

/// Whether a page rule has to do with the managed rules, disabled or not.
pub(crate) fn is_to_migrate(rule: &PageRule) -> bool {
    effect(rule) != Effect::None
}

pub(crate) fn is_active(rule: &PageRule) -> bool {
    rule.status == PageRuleStatus::Active
}

/// High priorities first; of equal ones the first in the list. One that stands in the list again is left out.
pub(crate) fn in_order(rules: &[PageRule]) -> Vec<Read<'_>> {
    let repeated = repeated(rules.iter().map(|rule| rule.id.as_str()));
    let counting = rules.iter().enumerate().zip(repeated).filter(|(_, before)| before.is_none());
    let mut order: Vec<Read<'_>> = counting.map(|(rule, _)| Read::new(rule)).collect();
    order.sort_by_key(|read| Reverse(read.rule.priority));
    order
}

/// What a page rule does to the previous managed rules. `disable_security` counts before `waf`. It has no value; with
/// `off` it disables nothing.
pub(super) fn effect(rule: &PageRule) -> Effect {
    match disables(rule) {
        Effect::None => agreed(rule, "waf", |value| match value.and_then(Switch::from_name) {
            Some(Switch::Off) => Effect::Off,
            Some(Switch::On) => Effect::On,
            None => Effect::Unreadable,
        }),
        security => security,
    }
}

/// What its `disable_security` does.
pub(super) fn disables(rule: &PageRule) -> Effect {
    agreed(rule, SECURITY, |value| match value.map(Switch::from_name) {
        None | Some(Some(Switch::On)) => Effect::Off,
        Some(Some(Switch::Off)) => Effect::None,
        Some(None) => Effect::Unreadable,
    })
}

/// What a setting says, in all places where a page rule has it.
fn agreed(rule: &PageRule, setting: &str, meaning: impl Fn(Option<&str>) -> Effect) -> Effect {
    let value = |value: &Option<Value>| match value {
        None | Some(Value::Null) => meaning(None),
        Some(Value::String(text)) => meaning(Some(text)),
        Some(_) => Effect::Unreadable,
    };
    let mut said = rule.actions.iter().filter(|action| action.id == setting).map(|action| value(&action.value));
    match said.next() {
        None => Effect::None,
        Some(first) if said.all(|other| other == first) => first,
        Some(_) => Effect::Unreadable,
    }
}

fn pattern(rule: &PageRule) -> Result<Pattern, TargetError> {
    let [target] = rule.targets.as_slice() else { return Err(TargetError::Targets(rule.targets.len())) };
    let (kind, operator) = (target.target.as_str(), target.constraint.operator.as_str());
    if (kind, operator) != ("url", "matches") {
        let short = |text: &str| text.chars().filter(|char| !char.is_control()).take(40).collect::<String>();
        return Err(TargetError::Target(format!("`{}` with `{}`", short(kind), short(operator))));
    }
    Pattern::read(&target.constraint.value).map_err(TargetError::Pattern)
}
