//! Migrates page rules that switch the previous managed rules: they become skip rules, or the expressions of execute
//! rules.
//!
//! Of the active page rules that match a request, only the one with the highest priority takes effect. A page rule that
//! leaves the managed rules unchanged therefore takes precedence for its URLs over page rules of lower priority. The
//! expressions exclude those URLs: `e and not (exclusion or exclusion)`.
//!
//! [`Coverage`] computes the exclusions, and `packing` joins comparisons into expressions. If an expression with
//! exclusions would be too long, the page rules of higher priority are
//! [settled](PageRulePlanner::settle_page_rules_before) first: earlier rules of the entry point decide all their
//! requests, so that no exclusion is necessary (assumption page-rules-settled).

mod coverage;
mod findings;
mod packing;
mod pattern;
mod read;

pub(crate) use pattern::UrlPattern;
pub use pattern::{PatternError, matches_pattern, pattern_expression};
pub(crate) use read::{ParsedPageRule, WafEffect, affects_managed_rules, is_active, sort_page_rules};

use crate::ZoneConfig;
use crate::duplicates::find_duplicates;
use crate::entry_point::MAX_ENTRY_POINT_RULES;
use crate::limits::MAX_EXPRESSION_BYTES;
use crate::skip::skip_rule;
use coverage::Coverage;
use packing::{AND_NOT_SEPARATOR, OR_SEPARATOR, RuleError, check_expression, pack_expressions, parenthesize};
use zonewright_api::finding::Finding;
use zonewright_api::legacy_waf::Switch;
use zonewright_api::ruleset::RulesetRule;

/// The result of migrating the page rules.
pub(crate) struct PageRuleMigration {
    /// The steps after the skip rules of the firewall rules, including those that execute managed rulesets.
    pub(crate) steps: Vec<PlannedStep>,
    /// Whether managed rulesets are executed for some request: they are on, or a page rule turns them on.
    pub(crate) any_executed: bool,
    /// One finding for each page rule, in the order of the list.
    pub(crate) findings: Vec<Finding>,
}

/// A part of the new entry point.
pub(crate) enum PlannedStep {
    /// A skip rule.
    Skip(Box<RulesetRule>),
    /// An execute rule with this expression for each managed ruleset.
    Execute(String),
}

/// The maximum total size of the rules that page rules become, so that the update stays well below 4 MiB. Each execute
/// rule counts as its expression plus [`OVERRIDES_BYTES`].
const MAX_RULES_BYTES: usize = 1 << 20;
/// The approximate size of the overrides of an execute rule if every known rule has one.
const OVERRIDES_BYTES: usize = 8 << 10;

/// The managed rulesets that a zone executes.
#[derive(Clone, Copy)]
pub(crate) struct Deployment {
    /// The number of these rulesets.
    pub(crate) ruleset_count: usize,
    /// Whether the package of at least one of them is active.
    pub(crate) is_active: bool,
}

/// Migrates the page rules. `first_rule` is the index of their first rule in the entry point.
pub(crate) fn migrate_page_rules(config: &ZoneConfig, first_rule: usize, deployed: Deployment) -> PageRuleMigration {
    let page_rules = sort_page_rules(&config.page_rules);
    let mut planner = PageRulePlanner::new(config, &page_rules, first_rule, deployed);
    for position in 0..page_rules.len() {
        planner.plan_rule(position);
        if planner.exceeds_limits() {
            page_rules
                .iter()
                .for_each(|page_rule| planner.record_finding(page_rule, findings::report_too_many(page_rule)));
            let findings = fill_duplicate_findings(config, planner.findings);
            return PageRuleMigration {
                findings,
                ..PageRulePlanner::new(config, &[], first_rule, deployed).into_migration()
            };
        }
    }
    planner.into_migration()
}

/// Processes the page rules in order of priority. A position is an index in that order.
struct PageRulePlanner<'a> {
    config: &'a ZoneConfig,
    page_rules: &'a [ParsedPageRule<'a>],
    coverage: Coverage<'a>,
    deployed: Deployment,
    /// The position after the last page rule that switches the managed rules, or may switch them.
    relevant_len: usize,
    steps: Vec<PlannedStep>,
    /// The index of the next rule in the entry point.
    next_rule_index: usize,
    rules_bytes: usize,
    /// The number of settled page rules, which come first in the order. They need no exclusions because earlier steps
    /// already decide their requests.
    settled_len: usize,
    /// Positions of page rules that turn managed rules on, with the expressions of their requests. No step executes the
    /// managed rulesets for these requests yet.
    pending: Vec<(usize, String)>,
    pending_bytes: usize,
    /// The finding of each page rule of the list; `None` until the page rule is processed.
    findings: Vec<Option<Finding>>,
}

impl<'a> PageRulePlanner<'a> {
    fn new(
        config: &'a ZoneConfig,
        page_rules: &'a [ParsedPageRule<'a>],
        first_rule: usize,
        deployed: Deployment,
    ) -> Self {
        PageRulePlanner {
            config,
            page_rules,
            coverage: Coverage::new(page_rules),
            deployed,
            relevant_len: page_rules
                .iter()
                .rposition(|page_rule| page_rule.effect != WafEffect::None)
                .map_or(0, |last| last + 1),
            steps: Vec::new(),
            next_rule_index: first_rule,
            rules_bytes: 0,
            settled_len: 0,
            pending: Vec::new(),
            pending_bytes: 0,
            findings: vec![None; config.page_rules.len()],
        }
    }

    fn record_finding(&mut self, page_rule: &ParsedPageRule<'_>, finding: Finding) {
        if let Some(slot) = self.findings.get_mut(page_rule.index) {
            *slot = Some(finding);
        }
    }

    /// Returns whether the managed rules run for requests that no page rule decides.
    fn runs_by_default(&self) -> bool {
        self.config.waf == Switch::On
    }

    fn plan_rule(&mut self, position: usize) {
        let page_rules = self.page_rules;
        let Some(page_rule) = page_rules.get(position) else { return };
        let finding = match (&page_rule.pattern, page_rule.effect) {
            (Err(error), WafEffect::None)
                if !error.matches_nothing() && is_active(page_rule.rule) && position < self.relevant_len =>
            {
                findings::report_unreadable_exclusion(page_rule, error)
            }
            (_, WafEffect::None) => findings::report_unaffected(page_rule),
            (Err(error), _) if error.matches_nothing() => findings::report_invalid_pattern(page_rule, error),
            (Err(_), WafEffect::On) if self.deployed.ruleset_count == 0 => findings::report_no_ruleset(page_rule),
            (Err(_), WafEffect::On) if !is_active(page_rule.rule) && self.runs_by_default() => {
                findings::report_already_on(page_rule, self.deployed)
            }
            (Err(_), WafEffect::On) if !is_active(page_rule.rule) => findings::report_disabled_turn_on(page_rule),
            (Err(error), WafEffect::On) if self.runs_by_default() && self.has_off_rule_below(position) => {
                findings::report_unreadable_exclusion(page_rule, error)
            }
            (Err(error), WafEffect::On) if self.runs_by_default() => findings::report_unreadable_on(page_rule, error),
            (Err(error), _) => findings::report_unreadable_target(page_rule, error),
            (Ok(_), _) if self.coverage.remaining(position).is_empty() => findings::report_shadowed(page_rule),
            (Ok(_), WafEffect::Unreadable) => findings::report_unreadable_value(page_rule),
            (Ok(_), WafEffect::Off) => match self.plan_skip(page_rule, position) {
                Ok(targets) => findings::report_skip(page_rule, targets),
                Err(error) => findings::report_rule_error(page_rule, &error),
            },
            (Ok(_), WafEffect::On) if self.deployed.ruleset_count == 0 => findings::report_no_ruleset(page_rule),
            (Ok(_), WafEffect::On) if self.runs_by_default() => findings::report_already_on(page_rule, self.deployed),
            (Ok(_), WafEffect::On) if !is_active(page_rule.rule) => findings::report_disabled_turn_on(page_rule),
            (Ok(_), WafEffect::On) => match self.plan_execute(position) {
                // `add_execute` creates the finding together with the rules.
                Ok(()) => return,
                Err(error) => findings::report_rule_error(page_rule, &error),
            },
        };
        self.record_finding(page_rule, finding);
    }

    /// Returns whether an active page rule of lower priority switches the managed rules off.
    fn has_off_rule_below(&self, position: usize) -> bool {
        self.page_rules
            .iter()
            .skip(position + 1)
            .any(|page_rule| is_active(page_rule.rule) && page_rule.effect == WafEffect::Off)
    }

    /// Adds skip rules for a page rule that switches the managed rules off, and returns pointers to them.
    fn plan_skip(&mut self, page_rule: &ParsedPageRule<'_>, position: usize) -> Result<Vec<String>, RuleError> {
        let by_default = self.runs_by_default();
        let mut targets = Vec::new();
        for expression in self.match_expressions(position, |higher| higher.runs().unwrap_or(by_default))? {
            targets.push(format!("/rules/{}", self.next_rule_index));
            self.add_skip(expression, &findings::skip_rule_description(page_rule), is_active(page_rule.rule));
        }
        Ok(targets)
    }

    /// Records the requests for which a page rule turns on managed rules that are off for the zone. Page rules of
    /// higher priority that switch them off need no exclusion, because their skip rules come first.
    fn plan_execute(&mut self, position: usize) -> Result<(), RuleError> {
        for expression in self.match_expressions(position, |higher| higher.runs().is_none())? {
            self.pending_bytes += expression.len() + OR_SEPARATOR.len() + 2;
            self.pending.push((position, expression));
        }
        Ok(())
    }

    /// Returns expressions for the requests that a page rule decides: a single one if possible. If the exclusions do
    /// not fit into it, this method settles the page rules of higher priority and returns expressions without
    /// exclusions.
    fn match_expressions(
        &mut self,
        position: usize,
        needs_exclusion: impl Fn(&ParsedPageRule<'_>) -> bool,
    ) -> Result<Vec<String>, RuleError> {
        let comparisons = self.coverage.match_comparisons(position);
        let exclusions = self.coverage.exclusions(self.settled_len, position, needs_exclusion);
        let pack_without_exclusions = |comparisons: Vec<String>| -> Result<Vec<String>, RuleError> {
            let parts = comparisons.into_iter().map(|comparison| (position, comparison)).collect();
            Ok(pack_expressions(parts, self.config.tier)?.into_iter().map(|(_, expression)| expression).collect())
        };
        if let Some(exclusions) = exclusions {
            if exclusions.is_empty() {
                return pack_without_exclusions(comparisons);
            }
            let expression = format!("{}{AND_NOT_SEPARATOR}{}", parenthesize(&comparisons), parenthesize(&exclusions));
            if expression.len() <= MAX_EXPRESSION_BYTES {
                return check_expression(expression, self.config.tier).map(|expression| vec![expression]);
            }
        }
        let expressions = pack_without_exclusions(comparisons)?;
        self.settle_page_rules_before(position)?;
        Ok(expressions)
    }

    /// Settles the page rules before `position`: adds steps that decide their requests. If the managed rules run for
    /// these requests, a step executes the rulesets. A skip rule then skips the remaining rules. Page rules that switch
    /// the managed rules off already have skip rules.
    fn settle_page_rules_before(&mut self, position: usize) -> Result<(), RuleError> {
        let mut groups: Vec<(bool, Vec<(usize, String)>)> = Vec::new();
        for (higher_position, page_rule) in self.page_rules.iter().enumerate().take(position).skip(self.settled_len) {
            if !is_active(page_rule.rule) || page_rule.effect == WafEffect::Off {
                continue;
            }
            let runs = page_rule.runs().unwrap_or_else(|| self.runs_by_default());
            let parts = self
                .coverage
                .match_comparisons(higher_position)
                .into_iter()
                .map(|comparison| (higher_position, comparison));
            match groups.last_mut() {
                Some((group_runs, group)) if *group_runs == runs => group.extend(parts),
                _ => groups.push((runs, parts.collect())),
            }
        }
        let mut chunks = Vec::new();
        for (runs, parts) in groups {
            chunks.extend(pack_expressions(parts, self.config.tier)?.into_iter().map(|chunk| (runs, chunk)));
        }
        for (runs, (positions, expression)) in chunks {
            if runs {
                self.add_execute(expression.clone(), &positions);
            }
            self.add_skip_rest(expression, &positions);
        }
        self.settled_len = position;
        self.pending.clear();
        self.pending_bytes = 0;
        Ok(())
    }

    /// Adds the last steps: for requests that no page rule decides, and for pending page rules.
    fn into_migration(mut self) -> PageRuleMigration {
        // Each expression was validated separately.
        let chunks = pack_expressions(std::mem::take(&mut self.pending), self.config.tier).unwrap_or_default();
        let has_url_steps = !chunks.is_empty() || self.steps.iter().any(|step| matches!(step, PlannedStep::Execute(_)));
        if self.runs_by_default() || !has_url_steps {
            self.add_execute("true".to_owned(), &[]);
        }
        let mut rest = chunks.as_slice();
        while let [(positions, expression), later @ ..] = rest {
            self.add_execute(expression.clone(), positions);
            let later_positions: Vec<usize> = later.iter().flat_map(|(positions, _)| positions).copied().collect();
            // Skipping the later steps keeps a request from executing a ruleset twice.
            if self.coverage.may_overlap(positions, &later_positions) {
                self.add_skip_rest(expression.clone(), positions);
            }
            rest = later;
        }
        let any_executed = self.runs_by_default() || has_url_steps;
        PageRuleMigration {
            steps: self.steps,
            any_executed,
            findings: fill_duplicate_findings(self.config, self.findings),
        }
    }

    /// Adds a step that executes the rulesets, with pointers to it in the findings of page rules that turn them on.
    fn add_execute(&mut self, expression: String, positions: &[usize]) {
        let page_rules = self.page_rules;
        let rule_indexes = self.next_rule_index..self.next_rule_index + self.deployed.ruleset_count;
        let pointers: Vec<String> = rule_indexes.map(|index| format!("/rules/{index}/expression")).collect();
        for position in positions {
            let Some(page_rule) = page_rules.get(*position) else { continue };
            if page_rule.effect != WafEffect::On || self.runs_by_default() {
                continue;
            }
            match self.findings.get_mut(page_rule.index) {
                Some(Some(finding)) => finding.targets.extend(pointers.iter().cloned()),
                _ => {
                    self.record_finding(page_rule, findings::report_execute(page_rule, self.deployed, pointers.clone()))
                }
            }
        }
        self.next_rule_index += self.deployed.ruleset_count;
        self.rules_bytes += self.deployed.ruleset_count * (expression.len() + OVERRIDES_BYTES);
        self.steps.push(PlannedStep::Execute(expression));
    }

    /// Adds a rule that skips all later rules for the requests that the page rules at `positions` decide.
    fn add_skip_rest(&mut self, expression: String, positions: &[usize]) {
        let Some(first) = positions.first().and_then(|position| self.page_rules.get(*position)) else { return };
        self.add_skip(expression, &findings::decision_description(first, positions.len() - 1), true);
    }

    fn add_skip(&mut self, expression: String, description: &str, enabled: bool) {
        self.next_rule_index += 1;
        self.rules_bytes += expression.len();
        self.steps.push(PlannedStep::Skip(Box::new(skip_rule(expression, description, enabled))));
    }

    /// Returns whether all rules, including the pending ones, would exceed the limits of an update. Two consecutive
    /// packed expressions are together longer than [`MAX_EXPRESSION_BYTES`], so each is at least half full on average.
    /// The estimated number of pending expressions therefore doubles their bytes.
    fn exceeds_limits(&self) -> bool {
        let pending_expressions = self.pending_bytes * 2 / MAX_EXPRESSION_BYTES + 1;
        let ruleset_count = self.deployed.ruleset_count;
        let rules = self.next_rule_index + pending_expressions * (ruleset_count + 1);
        let pending_bytes =
            self.pending_bytes * (ruleset_count + 1) + pending_expressions * ruleset_count * OVERRIDES_BYTES;
        let bytes = self.rules_bytes + pending_bytes;
        rules > MAX_ENTRY_POINT_RULES || bytes > MAX_RULES_BYTES
    }
}

/// Completes the findings with those of duplicates.
fn fill_duplicate_findings(config: &ZoneConfig, mut findings: Vec<Option<Finding>>) -> Vec<Finding> {
    let rules = &config.page_rules;
    let switched = rules.iter().any(|rule| is_active(rule) && affects_managed_rules(rule));
    for (index, first_index) in find_duplicates(rules.iter().map(|rule| rule.id.as_str())).into_iter().enumerate() {
        let parse = |index: usize| rules.get(index).map(|rule| ParsedPageRule::new((index, rule)));
        let Some(first_index) = first_index else { continue };
        let (Some(first), Some(finding)) = (findings.get(first_index).cloned().flatten(), findings.get_mut(index))
        else {
            continue;
        };
        *finding = parse(index)
            .zip(parse(first_index))
            .map(|(page_rule, before)| findings::report_duplicate(&page_rule, &before, first, switched));
    }
    findings.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests;
