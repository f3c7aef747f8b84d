//! Simulates sample requests before and after a migration.
//!
//! A simulation computes only whether managed rules run for a request, as far as settings decide that. The conditions
//! of the managed rules themselves are unknown. Its logic is three-valued, because a request may not provide every
//! field.

use crate::ZoneConfig;
use crate::bypass::{self, bypasses_managed_rules};
use crate::catalog::{CORE_RULESET_ID, MANAGED_RULESET_ID, PackageKind};
use crate::entry_point::PHASE;
use crate::execution::{disables_ruleset, enables_rules};
use crate::page_rules::{ParsedPageRule, WafEffect, is_active, sort_page_rules};
use crate::plan::ResolvedZone;
use zonewright_api::firewall::FirewallRule;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::{ActionParameters, EntryPoint, RulesetAction, RulesetRule};
use zonewright_expression::{Options, Outcome, Program, Record, Value, check};

/// Whether managed rules run for a request, in three-valued logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ternary {
    /// They run.
    Yes,
    /// They do not run.
    No,
    /// The result depends on fields that the request does not provide.
    Unknown,
}

impl Ternary {
    fn and(self, other: Ternary) -> Ternary {
        match (self, other) {
            (Ternary::No, _) | (_, Ternary::No) => Ternary::No,
            (Ternary::Yes, Ternary::Yes) => Ternary::Yes,
            _ => Ternary::Unknown,
        }
    }

    fn or(self, other: Ternary) -> Ternary {
        self.not().and(other.not()).not()
    }

    fn not(self) -> Ternary {
        match self {
            Ternary::Yes => Ternary::No,
            Ternary::No => Ternary::Yes,
            Ternary::Unknown => Ternary::Unknown,
        }
    }
}

/// Which managed rules run for a request, with the reasons why others do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WafResult {
    /// Whether the rules that the provider writes run.
    pub managed: Ternary,
    /// Whether the core rule set runs.
    pub core: Ternary,
    /// JSON pointers to the settings, or to the rules of the new configuration, that stop managed rules from running,
    /// or may do so.
    pub decided_by: Vec<String>,
}

/// The results of one request before and after the migration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestComparison {
    /// The name of the request.
    pub name: String,
    /// The result with the previous managed rules; pointers lead into the old configuration.
    pub before: WafResult,
    /// The result with the new configuration; pointers lead into it.
    pub after: WafResult,
}

impl RequestComparison {
    /// Returns whether the results before and after differ; unknown if an unknown result could decide it.
    pub fn differs(&self) -> Ternary {
        let differ = |left: Ternary, right: Ternary| left.and(right.not()).or(left.not().and(right));
        differ(self.before.managed, self.after.managed).or(differ(self.before.core, self.after.core))
    }
}

/// Simulates requests before and after a migration. The results are in the order of the requests.
pub fn simulate(config: &ZoneConfig, new: &EntryPoint, requests: &[(String, Record)]) -> Vec<RequestComparison> {
    let old = LegacyEvaluator::new(config);
    let rules: Vec<CompiledRule<'_, RulesetRule>> = new
        .rules
        .iter()
        .enumerate()
        .filter(|(_, rule)| rule.enabled)
        .map(|(index, rule)| CompiledRule { index, item: rule, program: compile_expression(&rule.expression) })
        .collect();
    let simulated = |(name, record): &(String, Record)| RequestComparison {
        name: name.clone(),
        before: old.evaluate(record),
        after: evaluate_entry_point(&rules, record),
    };
    requests.iter().map(simulated).collect()
}

/// A rule with its compiled expression.
struct CompiledRule<'a, T> {
    index: usize,
    item: &'a T,
    /// The program; `None` if the expression is invalid, so that its result is unknown.
    program: Option<Program>,
}

impl<T> CompiledRule<'_, T> {
    fn holds(&self, record: &Record) -> Ternary {
        match self.program.as_ref().map(|program| program.evaluate(record)) {
            Some(Outcome::True) => Ternary::Yes,
            Some(Outcome::False) => Ternary::No,
            _ => Ternary::Unknown,
        }
    }
}

fn compile_expression(expression: &str) -> Option<Program> {
    check(expression, &Options::default()).program
}

/// The old configuration, compiled for evaluation.
struct LegacyEvaluator<'a> {
    config: &'a ZoneConfig,
    zone: ResolvedZone<'a>,
    /// Active firewall rules in the order of evaluation.
    firewall: Vec<CompiledRule<'a, FirewallRule>>,
    /// Active page rules by descending priority.
    pages: Vec<ParsedPageRule<'a>>,
}

impl<'a> LegacyEvaluator<'a> {
    fn new(config: &'a ZoneConfig) -> Self {
        let firewall = bypass::sort_firewall_rules(config)
            .filter(|(_, rule)| bypass::is_active(rule))
            .map(|(index, rule)| CompiledRule {
                index,
                item: rule,
                program: compile_expression(&rule.filter.expression),
            })
            .collect();
        let pages =
            sort_page_rules(&config.page_rules).into_iter().filter(|page_rule| is_active(page_rule.rule)).collect();
        LegacyEvaluator { config, zone: ResolvedZone::new(config), firewall, pages }
    }

    fn evaluate(&self, record: &Record) -> WafResult {
        let mut decided_by = Vec::new();
        let runs = self
            .evaluate_page_rules(record, &mut decided_by)
            .and(self.evaluate_firewall_rules(record, &mut decided_by));
        let executed = |kind| if self.zone.executes(kind) && self.zone.is_active(kind) { runs } else { Ternary::No };
        WafResult { managed: executed(PackageKind::Managed), core: executed(PackageKind::Core), decided_by }
    }

    /// Evaluates the first page rule that matches, else the switch of the zone.
    fn evaluate_page_rules(&self, record: &Record, decided_by: &mut Vec<String>) -> Ternary {
        let switch = match self.config.waf {
            Switch::On => Ternary::Yes,
            Switch::Off => Ternary::No,
        };
        let mut by_switch = || {
            if switch == Ternary::No {
                decided_by.push("/settings/waf".to_owned());
            }
            switch
        };
        if self.pages.iter().all(|page_rule| page_rule.effect == WafEffect::None) {
            return by_switch();
        }
        let Some(Value::Text(url)) = record.get("http.request.full_uri") else {
            decided_by.extend(self.pages.iter().map(|page_rule| format!("/page_rules/{}", page_rule.index)));
            return Ternary::Unknown;
        };
        let url = String::from_utf8_lossy(url);
        // A page rule with an unreadable pattern may match.
        let may_match = |page_rule: &&ParsedPageRule<'_>| match &page_rule.pattern {
            Ok(pattern) => pattern.matches(&url),
            Err(error) => !error.matches_nothing(),
        };
        match self.pages.iter().find(may_match) {
            Some(page_rule) if page_rule.pattern.is_err() || page_rule.effect == WafEffect::Unreadable => {
                decided_by.push(format!("/page_rules/{}", page_rule.index));
                Ternary::Unknown
            }
            Some(page_rule) if page_rule.effect == WafEffect::On => Ternary::Yes,
            Some(page_rule) if page_rule.effect == WafEffect::Off => {
                decided_by.push(format!("/page_rules/{}", page_rule.index));
                Ternary::No
            }
            _ => by_switch(),
        }
    }

    /// Returns whether no firewall rule bypasses the managed rules before another one ends the evaluation.
    fn evaluate_firewall_rules(&self, record: &Record, decided_by: &mut Vec<String>) -> Ternary {
        let mut reached = Ternary::Yes;
        let mut bypassed = Ternary::No;
        for rule in &self.firewall {
            let holds = rule.holds(record).and(reached);
            if holds == Ternary::No {
                continue;
            }
            if bypasses_managed_rules(rule.item) {
                bypassed = bypassed.or(holds);
                decided_by.push(format!("/firewall_rules/{}", rule.index));
            } else if zonewright_firewall::is_terminating(rule.item.action) {
                reached = reached.and(holds.not());
            }
            if bypassed == Ternary::Yes || reached == Ternary::No {
                break;
            }
        }
        bypassed.not()
    }
}

/// Evaluates the rules of the entry point in order; a skip rule affects the rules after it.
fn evaluate_entry_point(rules: &[CompiledRule<'_, RulesetRule>], record: &Record) -> WafResult {
    let mut result = WafResult { managed: Ternary::No, core: Ternary::No, decided_by: Vec::new() };
    let mut skipped = [Ternary::No; 2];
    for rule in rules {
        let holds = rule.holds(record);
        let Some(parameters) = &rule.item.action_parameters else { continue };
        match rule.item.action {
            RulesetAction::Skip if holds != Ternary::No => {
                for (skipped, id) in skipped.iter_mut().zip([MANAGED_RULESET_ID, CORE_RULESET_ID]) {
                    let skips = holds.and(skips_ruleset(parameters, id));
                    if skips != Ternary::No {
                        *skipped = skipped.or(skips);
                        record_decision(&mut result, rule.index);
                    }
                }
            }
            RulesetAction::Execute => {
                let holds = holds.and(has_enabled_rules(parameters));
                let [by_managed, by_core] = skipped;
                match parameters.id.as_deref() {
                    Some(MANAGED_RULESET_ID) => result.managed = result.managed.or(holds.and(by_managed.not())),
                    Some(CORE_RULESET_ID) => result.core = result.core.or(holds.and(by_core.not())),
                    _ => continue,
                }
                if holds != Ternary::Yes {
                    record_decision(&mut result, rule.index);
                }
            }
            _ => {}
        }
    }
    result
}

/// Returns whether a skip rule skips a managed ruleset. The result is unknown in two cases: the rule skips only some
/// rules of the ruleset, or it skips its own phase. Skipped products do not affect rulesets.
fn skips_ruleset(parameters: &ActionParameters, ruleset: &str) -> Ternary {
    if parameters.ruleset.is_some() || parameters.rulesets.iter().any(|id| id == ruleset) {
        return Ternary::Yes;
    }
    let some = parameters.rules.get(ruleset).is_some_and(|rules| !rules.is_empty());
    if some || parameters.phases.iter().any(|phase| phase == PHASE) { Ternary::Unknown } else { Ternary::No }
}

/// Returns whether the rules of an executed ruleset are enabled; unknown if a ruleset that is off has some rules on.
fn has_enabled_rules(parameters: &ActionParameters) -> Ternary {
    let ruleset = parameters.id.as_deref().unwrap_or_default();
    match &parameters.overrides {
        Some(overrides) if disables_ruleset(ruleset, overrides) => {
            if enables_rules(overrides) {
                Ternary::Unknown
            } else {
                Ternary::No
            }
        }
        _ => Ternary::Yes,
    }
}

fn record_decision(result: &mut WafResult, index: usize) {
    let pointer = format!("/rules/{index}");
    if result.decided_by.last() != Some(&pointer) {
        result.decided_by.push(pointer);
    }
}

#[cfg(test)]
mod tests;
