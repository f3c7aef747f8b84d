//! Page rules that touch the previous managed rules become skip rules, or narrow the execute rules.
//!
//! Of all active page rules only one counts for a request: of those whose pattern fits, the one with the
//! highest priority. So a page rule that leaves the managed rules on, or says nothing about them, shields
//! its URLs from those below it, and the expressions say so: `e and not (shield or shield)`.

mod pattern;

pub(crate) use pattern::Pattern;
pub use pattern::{PatternError, matches_pattern, pattern_expression};

use crate::ZoneConfig;
use crate::finding::finding;
use crate::skip::{refused, skip};
use crate::support::MOST_EXPRESSION;
use serde_json::Value;
use std::cmp::Reverse;
use std::ops::Range;
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::legacy_waf::Switch;
use zonewright_api::page_rule::{PageRule, PageRuleStatus};
use zonewright_api::ruleset::RulesetRule;

/// What became of the page rules.
pub(crate) struct Pages {
    /// Skip rules behind those of the firewall rules.
    pub(crate) rules: Vec<RulesetRule>,
    /// The expression of the rules that execute managed rulesets.
    pub(crate) expression: String,
    /// Whether those rules are enabled: the managed rules are on, or a page rule turns them on somewhere.
    pub(crate) enabled: bool,
    /// One for each page rule, in the order of the list.
    pub(crate) findings: Vec<Finding>,
}

/// Whether a page rule has to do with the managed rules, disabled or not.
pub(crate) fn is_to_migrate(rule: &PageRule) -> bool {
    effect(rule) != Effect::None
}

/// What a page rule does to the previous managed rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// They do not run.
    Off,
    /// They run, even when they are switched off for the zone.
    On,
    /// It says nothing about them.
    None,
}

/// A page rule with what was read of it.
pub(crate) struct Read<'a> {
    pub(crate) index: usize,
    pub(crate) rule: &'a PageRule,
    pub(crate) effect: Effect,
    /// With the error, it fits nothing.
    pub(crate) pattern: Result<Pattern, PatternError>,
}

/// The requests for which a page rule counts: those of its pattern, without those that higher page rules
/// keep from it.
struct Region {
    own: Vec<String>,
    shields: Vec<String>,
}

impl Region {
    /// As an expression.
    fn expression(&self) -> String {
        match self.shields.as_slice() {
            [] => self.own.join(" or "),
            shields => format!("{} and not {}", bracketed(&self.own), bracketed(shields)),
        }
    }

    /// As a part of an expression that joins several by `or`.
    fn part(&self) -> String {
        if self.shields.is_empty() { self.expression() } else { format!("({})", self.expression()) }
    }
}

/// What becomes of the page rules. `first` is the place of their first skip rule in the entry point, and
/// `executed` the number of the rules that execute managed rulesets and come behind.
pub(crate) fn carried(config: &ZoneConfig, first: usize, executed: usize) -> Pages {
    let order = in_order(&config.page_rules);
    let mut rules = Vec::new();
    let mut findings = Vec::with_capacity(order.len());
    let mut ons = Vec::new();
    let mut questions = MOST_QUESTIONS;
    for (place, read) in order.iter().enumerate() {
        let higher = order.get(..place).unwrap_or_default();
        let finding = match (&read.pattern, read.effect) {
            (_, Effect::None) => say(
                read,
                Fate::Unaffected,
                "page-rule-unaffected",
                "does not switch the managed rules, and goes on as it is",
            ),
            (Err(error), _) => say(read, Fate::Unaffected, "page-rule-odd", &format!("applies to nothing: {error}")),
            (Ok(pattern), Effect::Off) => {
                let expression = region(pattern, read.effect, higher, &mut questions).expression();
                problem(read, &expression, config).unwrap_or_else(|| off(read, expression, first, &mut rules))
            }
            (Ok(_), Effect::On) if config.waf == Switch::On => on_where_on(read),
            (Ok(_), Effect::On) if !is_active(read.rule) => disabled_on(read),
            (Ok(pattern), Effect::On) => {
                ons.push((read, region(pattern, read.effect, higher, &mut questions)));
                continue;
            }
        };
        findings.push((read.index, finding));
    }
    let executing = first + rules.len()..first + rules.len() + executed;
    let only = narrow(config, &ons, executing, &mut findings);
    findings.sort_by_key(|(index, _)| *index);
    Pages {
        rules,
        enabled: config.waf == Switch::On || only.is_some(),
        expression: only.unwrap_or_else(|| "true".to_owned()),
        findings: findings.into_iter().map(|(_, finding)| finding).collect(),
    }
}

/// High priorities first; of equal ones the first in the list.
pub(crate) fn in_order(rules: &[PageRule]) -> Vec<Read<'_>> {
    let read = |(index, rule)| Read { index, rule, effect: effect(rule), pattern: Pattern::read(rule.pattern()) };
    let mut order: Vec<Read<'_>> = rules.iter().enumerate().map(read).collect();
    order.sort_by_key(|read| Reverse(read.rule.priority));
    order
}

/// What a page rule does to the previous managed rules. `disable_security` counts before `waf`.
fn effect(rule: &PageRule) -> Effect {
    let waf = rule.actions.iter().rfind(|action| action.id == "waf");
    match waf.and_then(|action| action.value.as_ref()).and_then(Value::as_str) {
        _ if rule.actions.iter().any(|action| action.id == "disable_security") => Effect::Off,
        Some("off") => Effect::Off,
        Some("on") => Effect::On,
        _ => Effect::None,
    }
}

pub(crate) fn is_active(rule: &PageRule) -> bool {
    rule.status == PageRuleStatus::Active
}

/// After so many pairs of page rules, the rest is taken to overlap: right, only longer. It is 100 times what
/// the 125 page rules of the largest plan can ask.
const MOST_QUESTIONS: usize = 1_000_000;

/// Where a page rule of this pattern and effect counts, with `higher` ones above it. One with the same
/// effect takes nothing away: what it takes has that effect anyway.
fn region(pattern: &Pattern, effect: Effect, higher: &[Read<'_>], questions: &mut usize) -> Region {
    let mut shields = Vec::new();
    let mut length = 0;
    for read in higher.iter().filter(|read| is_active(read.rule) && read.effect != effect) {
        let Ok(shield) = &read.pattern else { continue };
        *questions = questions.saturating_sub(1);
        if *questions > 0 && shield.is_apart(pattern) {
            continue;
        }
        for comparison in shield.comparisons() {
            length += comparison.len();
            shields.push(comparison);
        }
        // Already too long, so nothing is made of it; thousands of page rules stay a matter of seconds.
        if length > MOST_EXPRESSION {
            break;
        }
    }
    Region { own: pattern.comparisons().collect(), shields }
}

fn bracketed(comparisons: &[String]) -> String {
    match comparisons {
        [one] => one.clone(),
        several => format!("({})", several.join(" or ")),
    }
}

/// A page rule whose expression cannot be used.
fn problem(read: &Read<'_>, expression: &str, config: &ZoneConfig) -> Option<Finding> {
    let (mut finding, help) = if expression.len() > MOST_EXPRESSION {
        let message = "with the page rules that it depends on, its expression is longer than 4 KB";
        let help = "ask the provider's support, or make do with fewer page rules that overlap before you migrate";
        (say(read, Fate::NeedsSupport, "page-rule-too-long", message), help)
    } else {
        let message = format!("its pattern cannot be carried over: {}", refused(expression, config.tier)?);
        let help = "add a skip rule for its URLs before the managed rulesets";
        (say(read, Fate::Lost, "page-rule-refused", &message), help)
    };
    finding.help = Some(help.to_owned());
    Some(finding)
}

fn off(read: &Read<'_>, expression: String, first: usize, rules: &mut Vec<RulesetRule>) -> Finding {
    let place = first + rules.len();
    let active = is_active(read.rule);
    rules.push(skip(expression, format!("From page rule {}", read.rule.pattern().trim()), active));
    let both = read.rule.actions.iter().any(|action| action.id == "waf" && action.value == Some("on".into()));
    let mut finding = match (both, active) {
        (true, _) => say(
            read,
            Fate::Changed,
            "page-rule-contradiction",
            "disables security and turns the managed rules on at once; becomes a skip rule, as disabling security counts first",
        ),
        (false, true) => say(read, Fate::Carried, "page-rule-skips", "becomes a skip rule before the managed rulesets"),
        (false, false) => {
            say(read, Fate::Carried, "page-rule-skips", "becomes a skip rule that is disabled, as it is disabled")
        }
    };
    finding.became.push(format!("/rules/{place}"));
    finding
}

fn on_where_on(read: &Read<'_>) -> Finding {
    let message = if is_active(read.rule) {
        "the managed rules run here in any case; skip rules of page rules below it leave its URLs out"
    } else {
        "is disabled, and the managed rules run here in any case"
    };
    say(read, Fate::Carried, "page-rule-runs", message)
}

fn disabled_on(read: &Read<'_>) -> Finding {
    let message =
        "is disabled, and no rule can be kept for the day it is wanted: the managed rules are off for the zone";
    let help = "add its URLs to the expression of the rules that execute when you want them guarded";
    Finding { help: Some(help.to_owned()), ..say(read, Fate::Lost, "page-rule-disabled", message) }
}

/// For which requests alone managed rulesets, at the places `executing`, run, when that is so; and what
/// becomes of the active page rules that turn managed rules on while they are off for the zone.
fn narrow(
    config: &ZoneConfig,
    ons: &[(&Read<'_>, Region)],
    executing: Range<usize>,
    findings: &mut Vec<(usize, Finding)>,
) -> Option<String> {
    let expression = match ons {
        [] => return None,
        [(_, one)] => one.expression(),
        several => several.iter().map(|(_, region)| region.part()).collect::<Vec<_>>().join(" or "),
    };
    let mut usable = true;
    for (read, _) in ons {
        let finding = problem(read, &expression, config).inspect(|_| usable = false).unwrap_or_else(|| {
            let message =
                "the managed rules are off for the zone, so managed rulesets are executed for such URLs alone";
            let mut finding = say(read, Fate::Carried, "page-rule-executes", message);
            finding.became.extend(executing.clone().map(|place| format!("/rules/{place}/expression")));
            finding
        });
        findings.push((read.index, finding));
    }
    usable.then_some(expression)
}

fn say(read: &Read<'_>, fate: Fate, code: &'static str, message: &str) -> Finding {
    finding(fate, code, format!("/page_rules/{}", read.index), format!("Page rule {}", read.rule.pattern()), message)
}

#[cfg(test)]
mod tests;
