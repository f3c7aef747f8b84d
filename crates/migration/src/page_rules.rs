//! Page rules that touch the previous managed rules become skip rules, or narrow the execute rules.
//!
//! Of all active page rules only one counts for a request: of those whose pattern fits, the one with the
//! highest priority. So a page rule that leaves the managed rules on, or says nothing about them, shields
//! its URLs from those below it, and the expressions say so: `e and not (shield or shield)`.

mod pattern;

pub(crate) use pattern::Pattern;
pub use pattern::{PatternError, matches_pattern, pattern_expression};

use crate::ZoneConfig;
use crate::carried::{Carried, LONGEST_EXPRESSION, finding, refused, skip, with_help, with_rules};
use serde_json::Value;
use std::cmp::Reverse;
use std::ops::Range;
use zonewright_api::finding::{Fate, Finding};
use zonewright_api::legacy_waf::Switch;
use zonewright_api::page_rule::{PageRule, PageRuleStatus};
use zonewright_api::ruleset::RulesetRule;

/// For which requests the execute rules run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// For all: `true`.
    Everywhere,
    /// For none: `true`, and not enabled.
    Nowhere,
    /// For those of this expression.
    Only(String),
}

/// What a page rule does to the previous managed rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// They do not run.
    Off,
    /// They run, even when they are switched off for the zone.
    On,
    /// It says nothing about them.
    None,
}

/// A page rule with what was read of it.
struct Read<'a> {
    index: usize,
    rule: &'a PageRule,
    effect: Effect,
    /// With the error, it fits nothing.
    pattern: Result<Pattern, PatternError>,
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

/// Whether a page rule switches the previous managed rules, disabled or not.
pub(crate) fn is_switch(rule: &PageRule) -> bool {
    effect(rule) != Effect::None
}

/// Skip rules and what becomes of every page rule; and for which requests the execute rules run. `first` is
/// the place of the first skip rule in the entry point, `executes` how many execute rules follow the last.
pub(crate) fn carry(config: &ZoneConfig, first: usize, executes: usize) -> (Carried, Scope) {
    let order = in_order(&config.page_rules);
    let mut rules = Vec::new();
    let mut findings = Vec::with_capacity(order.len());
    let mut ons = Vec::new();
    for (place, read) in order.iter().enumerate() {
        let finding = match (&read.pattern, read.effect) {
            (_, Effect::None) => say(read, Fate::Unaffected, "other-page-rule", UNAFFECTED),
            (Err(error), _) => {
                say(read, Fate::Unaffected, "odd-pattern", &format!("{error}, so it applies to nothing"))
            }
            (Ok(pattern), Effect::Off) => {
                let expression = region(pattern, read.effect, order.get(..place).unwrap_or_default()).expression();
                problem(read, &expression, config).unwrap_or_else(|| off(read, expression, first, &mut rules))
            }
            (Ok(_), Effect::On) if config.waf == Switch::On => on_where_on(read),
            (Ok(_), Effect::On) if !is_active(read.rule) => disabled_on(read),
            (Ok(pattern), Effect::On) => {
                ons.push((read, region(pattern, read.effect, order.get(..place).unwrap_or_default())));
                continue;
            }
        };
        findings.push((read.index, finding));
    }
    let executing = first + rules.len()..first + rules.len() + executes;
    let scope = narrow(config, &ons, executing, &mut findings);
    findings.sort_by_key(|(index, _)| *index);
    (Carried { rules, findings: findings.into_iter().map(|(_, finding)| finding).collect() }, scope)
}

const UNAFFECTED: &str = "it says nothing about the managed rules and goes on as it is";

/// High priorities first; of equal ones the first in the list.
fn in_order(rules: &[PageRule]) -> Vec<Read<'_>> {
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

fn is_active(rule: &PageRule) -> bool {
    rule.status == PageRuleStatus::Active
}

/// Where a page rule of this pattern and effect counts, with `higher` ones above it. One with the same
/// effect takes nothing away: what it takes has that effect anyway.
fn region(pattern: &Pattern, effect: Effect, higher: &[Read<'_>]) -> Region {
    let shields = higher
        .iter()
        .filter(|read| is_active(read.rule) && read.effect != effect)
        .filter_map(|read| read.pattern.as_ref().ok())
        .filter(|shield| !shield.is_apart(pattern))
        .flat_map(Pattern::comparisons);
    Region { own: pattern.comparisons().collect(), shields: shields.collect() }
}

fn bracketed(comparisons: &[String]) -> String {
    match comparisons {
        [one] => one.clone(),
        several => format!("({})", several.join(" or ")),
    }
}

/// A page rule whose expression cannot be used.
fn problem(read: &Read<'_>, expression: &str, config: &ZoneConfig) -> Option<Finding> {
    if expression.chars().count() > LONGEST_EXPRESSION {
        let message = "with the page rules that it depends on, its expression is longer than 4 KB";
        let help = "ask the provider's support, or make do with fewer page rules that overlap before you migrate";
        return Some(with_help(say(read, Fate::NeedsSupport, "long-page-rule", message), help, None));
    }
    let message = format!("its pattern cannot be carried over: {}", refused(expression, config.tier)?);
    let help = "add a skip rule for its URLs before the execute rules";
    Some(with_help(say(read, Fate::Lost, "refused-pattern", &message), help, None))
}

fn off(read: &Read<'_>, expression: String, first: usize, rules: &mut Vec<RulesetRule>) -> Finding {
    let place = first + rules.len();
    let active = is_active(read.rule);
    rules.push(skip(expression, format!("From page rule {}", read.rule.pattern().trim()), active));
    let both = read.rule.actions.iter().any(|action| action.id == "waf" && action.value == Some("on".into()));
    let finding = match (both, active) {
        (true, _) => say(
            read,
            Fate::Changed,
            "contradictory-page-rule",
            "it disables security and turns the managed rules on at once; it becomes a skip rule, as disabling security counts first",
        ),
        (false, true) => say(read, Fate::Carried, "page-rule-off", "it becomes a skip rule before the managed rules"),
        (false, false) => say(
            read,
            Fate::Carried,
            "disabled-page-rule-off",
            "it is disabled and becomes a skip rule that is not enabled",
        ),
    };
    with_rules(finding, [place])
}

fn on_where_on(read: &Read<'_>) -> Finding {
    let message = if is_active(read.rule) {
        "the managed rules run here in any case; skip rules that come from page rules below it leave its URLs out"
    } else {
        "it is disabled, and the managed rules run here in any case"
    };
    say(read, Fate::Carried, "page-rule-on", message)
}

fn disabled_on(read: &Read<'_>) -> Finding {
    let message =
        "it is disabled, and no rule can be kept for the day it is wanted: the managed rules are off for the zone";
    let help = "add its URLs to the expression of the execute rules when you want them guarded";
    with_help(say(read, Fate::Lost, "disabled-page-rule-on", message), help, None)
}

/// For which requests the execute rules, at the places `executing`, run, and what becomes of the active page
/// rules that turn managed rules on while they are off for the zone.
fn narrow(
    config: &ZoneConfig,
    ons: &[(&Read<'_>, Region)],
    executing: Range<usize>,
    findings: &mut Vec<(usize, Finding)>,
) -> Scope {
    if config.waf == Switch::On {
        return Scope::Everywhere;
    }
    let expression = match ons {
        [] => return Scope::Nowhere,
        [(_, one)] => one.expression(),
        several => several.iter().map(|(_, region)| region.part()).collect::<Vec<_>>().join(" or "),
    };
    let mut usable = true;
    for (read, _) in ons {
        let finding = problem(read, &expression, config).inspect(|_| usable = false).unwrap_or_else(|| {
            let message = "the managed rules are off for the zone, so the execute rules run for the URLs of such page rules alone";
            let mut finding = say(read, Fate::Carried, "page-rule-on", message);
            finding.became.extend(executing.clone().map(|place| format!("/rules/{place}/expression")));
            finding
        });
        findings.push((read.index, finding));
    }
    if usable { Scope::Only(expression) } else { Scope::Nowhere }
}

fn say(read: &Read<'_>, fate: Fate, code: &'static str, message: &str) -> Finding {
    let name = format!("Page rule `{}`", read.rule.pattern().trim());
    finding(fate, code, format!("/page_rules/{}", read.index), name, message.to_owned())
}

#[cfg(test)]
mod tests;
