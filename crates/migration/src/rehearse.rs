//! Simulates sample requests before and after a migration.
//!
//! A simulation computes only whether managed rules run for a request, as far as settings decide that. The conditions
//! of the managed rules themselves are unknown. Its logic is three-valued, because a request may not provide every
//! field.

use crate::ZoneConfig;
use crate::bypass::{self, is_to_migrate};
use crate::catalogue::{CORE_RULESET, MANAGED_RULESET, PackageKind};
use crate::entry_point::PHASE;
use crate::page_rules::{Effect, Read, in_order, is_active};
use crate::plan::Zone;
use zonewright_api::firewall::FirewallRule;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::{ActionParameters, EntryPoint, Overrides, RulesetAction, RulesetRule};
use zonewright_expression::{Options, Outcome, Program, Record, Value, check};

/// Whether managed rules run for a request, in three-valued logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// They run.
    Yes,
    /// They do not run.
    No,
    /// The result depends on fields that the request does not provide.
    Unknown,
}

impl Runs {
    fn and(self, other: Runs) -> Runs {
        match (self, other) {
            (Runs::No, _) | (_, Runs::No) => Runs::No,
            (Runs::Yes, Runs::Yes) => Runs::Yes,
            _ => Runs::Unknown,
        }
    }

    fn or(self, other: Runs) -> Runs {
        self.not().and(other.not()).not()
    }

    fn not(self) -> Runs {
        match self {
            Runs::Yes => Runs::No,
            Runs::No => Runs::Yes,
            Runs::Unknown => Runs::Unknown,
        }
    }
}

/// The managed rules that run for a request, with the reasons why others do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// Whether the rules that the provider writes run.
    pub managed: Runs,
    /// Whether the core rule set runs.
    pub core: Runs,
    /// JSON pointers to the settings, or to the rules of the new configuration, that stop managed rules from running,
    /// or may do so.
    pub decided: Vec<String>,
}

/// The results of one request before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rehearsed {
    /// The name of the request.
    pub name: String,
    /// The result with the previous managed rules; pointers lead into the old configuration.
    pub before: Side,
    /// The result with the new configuration; pointers lead into it.
    pub after: Side,
}

impl Rehearsed {
    /// Returns whether the results before and after differ; unknown if either is unknown.
    pub fn differs(&self) -> Runs {
        let differ = |one: Runs, two: Runs| one.and(two.not()).or(one.not().and(two));
        differ(self.before.managed, self.after.managed).or(differ(self.before.core, self.after.core))
    }
}

/// Simulates requests before and after; the results are in the order of the requests.
pub fn rehearse(config: &ZoneConfig, new: &EntryPoint, requests: &[(String, Record)]) -> Vec<Rehearsed> {
    let old = Old::new(config);
    let rules: Vec<Conditional<'_, RulesetRule>> = new
        .rules
        .iter()
        .enumerate()
        .filter(|(_, rule)| rule.enabled)
        .map(|(place, rule)| Conditional { place, what: rule, when: program(&rule.expression) })
        .collect();
    let rehearsed = |(name, record): &(String, Record)| Rehearsed {
        name: name.clone(),
        before: old.side(record),
        after: after(&rules, record),
    };
    requests.iter().map(rehearsed).collect()
}

/// A rule with its compiled expression.
struct Conditional<'a, T> {
    place: usize,
    what: &'a T,
    /// The program; `None` if the expression is invalid, so that its result is unknown.
    when: Option<Program>,
}

impl<T> Conditional<'_, T> {
    fn holds(&self, record: &Record) -> Runs {
        match self.when.as_ref().map(|program| program.evaluate(record)) {
            Some(Outcome::True) => Runs::Yes,
            Some(Outcome::False) => Runs::No,
            _ => Runs::Unknown,
        }
    }
}

fn program(expression: &str) -> Option<Program> {
    check(expression, &Options::default()).program
}

/// The old configuration, compiled for evaluation.
struct Old<'a> {
    config: &'a ZoneConfig,
    zone: Zone<'a>,
    /// Active firewall rules in the order of evaluation.
    firewall: Vec<Conditional<'a, FirewallRule>>,
    /// Active page rules by descending priority.
    pages: Vec<Read<'a>>,
}

impl<'a> Old<'a> {
    fn new(config: &'a ZoneConfig) -> Self {
        let firewall = bypass::in_order(config)
            .filter(|(_, rule)| bypass::is_active(rule))
            .map(|(place, what)| Conditional { place, what, when: program(&what.filter.expression) })
            .collect();
        let pages = in_order(&config.page_rules).into_iter().filter(|read| is_active(read.rule)).collect();
        Old { config, zone: Zone::new(config), firewall, pages }
    }

    fn side(&self, record: &Record) -> Side {
        let mut decided = Vec::new();
        let runs = self.by_pages(record, &mut decided).and(self.by_firewall(record, &mut decided));
        let of = |kind| if self.zone.deploys(kind) && self.zone.is_active(kind) { runs } else { Runs::No };
        Side { managed: of(PackageKind::Managed), core: of(PackageKind::Core), decided }
    }

    /// Evaluates the first page rule that matches, else the switch of the zone.
    fn by_pages(&self, record: &Record, decided: &mut Vec<String>) -> Runs {
        let switch = match self.config.waf {
            Switch::On => Runs::Yes,
            Switch::Off => Runs::No,
        };
        let mut by_switch = || {
            if switch == Runs::No {
                decided.push("/settings/waf".to_owned());
            }
            switch
        };
        if self.pages.iter().all(|read| read.effect == Effect::None) {
            return by_switch();
        }
        let Some(Value::Text(url)) = record.get("http.request.full_uri") else {
            decided.extend(self.pages.iter().map(|read| format!("/page_rules/{}", read.index)));
            return Runs::Unknown;
        };
        let url = String::from_utf8_lossy(url);
        // A page rule with an unreadable pattern may match.
        let may_fit = |read: &&Read<'_>| match &read.pattern {
            Ok(pattern) => pattern.matches(&url),
            Err(unread) => !unread.fits_nothing(),
        };
        match self.pages.iter().find(may_fit) {
            Some(read) if read.pattern.is_err() || read.effect == Effect::Unreadable => {
                decided.push(format!("/page_rules/{}", read.index));
                Runs::Unknown
            }
            Some(read) if read.effect == Effect::On => Runs::Yes,
            Some(read) if read.effect == Effect::Off => {
                decided.push(format!("/page_rules/{}", read.index));
                Runs::No
            }
            _ => by_switch(),
        }
    }

    /// Returns whether no firewall rule bypasses the managed rules before another one ends the evaluation.
    fn by_firewall(&self, record: &Record, decided: &mut Vec<String>) -> Runs {
        let mut reached = Runs::Yes;
        let mut passed = Runs::No;
        for rule in &self.firewall {
            let holds = rule.holds(record).and(reached);
            if holds == Runs::No {
                continue;
            }
            if is_to_migrate(rule.what) {
                passed = passed.or(holds);
                decided.push(format!("/firewall_rules/{}", rule.place));
            } else if zonewright_firewall::ends_evaluation(rule.what.action) {
                reached = reached.and(holds.not());
            }
            if passed == Runs::Yes || reached == Runs::No {
                break;
            }
        }
        passed.not()
    }
}

/// Evaluates the rules of the entry point in order; a skip rule affects the rules after it.
fn after(rules: &[Conditional<'_, RulesetRule>], record: &Record) -> Side {
    let mut side = Side { managed: Runs::No, core: Runs::No, decided: Vec::new() };
    let mut skipped = [Runs::No; 2];
    for rule in rules {
        let holds = rule.holds(record);
        let Some(parameters) = &rule.what.action_parameters else { continue };
        match rule.what.action {
            RulesetAction::Skip if holds != Runs::No => {
                for (skipped, id) in skipped.iter_mut().zip([MANAGED_RULESET, CORE_RULESET]) {
                    let passes = holds.and(passes_over(parameters, id));
                    if passes != Runs::No {
                        *skipped = skipped.or(passes);
                        decide(&mut side, rule.place);
                    }
                }
            }
            RulesetAction::Execute => {
                let holds = holds.and(in_effect(parameters.overrides.as_ref()));
                let [by_managed, by_core] = skipped;
                match parameters.id.as_deref() {
                    Some(MANAGED_RULESET) => side.managed = side.managed.or(holds.and(by_managed.not())),
                    Some(CORE_RULESET) => side.core = side.core.or(holds.and(by_core.not())),
                    _ => continue,
                }
                if holds != Runs::Yes {
                    decide(&mut side, rule.place);
                }
            }
            _ => {}
        }
    }
    side
}

/// Returns whether a skip rule skips a managed ruleset. The result is unknown in two cases: it skips only some rules of
/// the ruleset, or it skips the phase in which it runs itself. Skipped products do not affect rulesets.
fn passes_over(parameters: &ActionParameters, ruleset: &str) -> Runs {
    if parameters.ruleset.is_some() || parameters.rulesets.iter().any(|one| one == ruleset) {
        return Runs::Yes;
    }
    let some = parameters.rules.get(ruleset).is_some_and(|rules| !rules.is_empty());
    if some || parameters.phases.iter().any(|phase| phase == PHASE) { Runs::Unknown } else { Runs::No }
}

/// Returns whether the rules of a ruleset are enabled; unknown if a ruleset that is off has some rules on.
fn in_effect(overrides: Option<&Overrides>) -> Runs {
    let Some(overrides) = overrides.filter(|overrides| overrides.enabled == Some(false)) else { return Runs::Yes };
    let on = |enabled: Option<bool>| enabled == Some(true);
    let some =
        overrides.categories.iter().any(|one| on(one.enabled)) || overrides.rules.iter().any(|one| on(one.enabled));
    if some { Runs::Unknown } else { Runs::No }
}

fn decide(side: &mut Side, place: usize) {
    let pointer = format!("/rules/{place}");
    if side.decided.last() != Some(&pointer) {
        side.decided.push(pointer);
    }
}

#[cfg(test)]
mod tests;
