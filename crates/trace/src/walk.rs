//! The order of phases and rules.

use crate::actions::{apply_action, apply_firewall_action, end_request};
use crate::conditions::{Condition, evaluate_condition};
use crate::report::{Effect, PhaseTrace, RuleTrace, ZoneTrace};
use crate::state::RequestState;
use crate::zone::{Zone, ZoneRuleset};
use zonewright_api::firewall::FirewallRule;
use zonewright_api::ruleset::{ActionParameters, RulesetAction, RulesetKind, RulesetRule};
use zonewright_expression::schema::{Phase, Traffic};
use zonewright_expression::{Record, Ternary};
use zonewright_firewall::sort_for_evaluation;

/// The maximum number of rulesets that execute each other. A custom ruleset cannot execute another one, so the limit only
/// bounds the work for an invalid document.
const MAX_EXECUTION_DEPTH: usize = 3;

/// Traces a request through all rules of a zone. Rules of the account run before those of the zone in the same phase, and
/// firewall rules before the custom rules (assumption traced-order).
pub fn trace(zone: &Zone, record: Record) -> ZoneTrace {
    let mut walk = Walk { zone, state: RequestState::new(record) };
    let mut phases = Vec::new();
    let mut reaches_origin = None;
    for phase in Phase::ALL.iter().copied().filter(|phase| phase.traffic() != Traffic::Packet) {
        if phase.traffic() == Traffic::Response {
            reaches_origin.get_or_insert(walk.state.is_running);
        }
        if phase == Phase::HttpRequestFirewallCustom && !zone.firewall_rules.is_empty() {
            phases.push(walk.trace_firewall_rules());
        }
        for kind in [RulesetKind::Root, RulesetKind::Zone] {
            let entry_points = zone.rulesets.iter().filter(|ruleset| ruleset.phase == phase && ruleset.kind == kind);
            for ruleset in entry_points {
                let rules = walk.trace_ruleset(ruleset, Ternary::True, 0);
                phases.push(PhaseTrace {
                    phase,
                    title: phase.title(),
                    pointer: ruleset.pointer.clone(),
                    name: ruleset.name.clone(),
                    rules,
                });
            }
        }
    }
    let RequestState { is_running, endings, .. } = walk.state;
    ZoneTrace { phases, reaches_origin: reaches_origin.unwrap_or(is_running), endings }
}

struct Walk<'z> {
    zone: &'z Zone,
    state: RequestState,
}

impl Walk<'_> {
    /// Traces the rules of a ruleset that runs if `runs` is true.
    fn trace_ruleset(&mut self, ruleset: &ZoneRuleset, runs: Ternary, depth: usize) -> Vec<RuleTrace> {
        let mut is_skipped = Ternary::False;
        let mut traces = Vec::with_capacity(ruleset.rules.len());
        for (index, rule) in ruleset.rules.iter().enumerate() {
            let is_rule_skipped = is_skipped.or(!runs).or(self.state.skips_phase(ruleset.phase));
            let mut trace = self.start_rule(
                format!("{}/rules/{index}", ruleset.pointer),
                rule_name(rule).to_owned(),
                rule.action.name(),
                (&rule.expression, rule.enabled),
                is_rule_skipped,
            );
            if trace.acts() != Ternary::False {
                if rule.action == RulesetAction::Execute {
                    self.execute(rule, ruleset.phase, &mut trace, depth);
                } else {
                    let skips = apply_action(rule, ruleset.phase, &mut trace, &mut self.state);
                    is_skipped = is_skipped.or(skips);
                }
            }
            traces.push(trace);
        }
        traces
    }

    /// Evaluates the condition of a rule that the request may reach.
    fn start_rule(
        &self,
        pointer: String,
        name: String,
        action: &'static str,
        (expression, is_enabled): (&str, bool),
        is_skipped: Ternary,
    ) -> RuleTrace {
        let reached = self.state.is_running.and(!is_skipped);
        let condition = if is_enabled && reached != Ternary::False {
            evaluate_condition(expression, &self.state.record)
        } else {
            Condition { matches: Ternary::Unknown, needs: Vec::new(), error: None }
        };
        RuleTrace {
            pointer,
            name,
            action,
            expression: expression.to_owned(),
            is_enabled,
            is_skipped,
            reached,
            matches: condition.matches,
            needs: condition.needs,
            error: condition.error,
            effects: Vec::new(),
            executed: Vec::new(),
        }
    }

    /// Traces the ruleset that a rule executes.
    fn execute(&mut self, rule: &RulesetRule, phase: Phase, trace: &mut RuleTrace, depth: usize) {
        let default_parameters = ActionParameters::default();
        let parameters = rule.action_parameters.as_ref().unwrap_or(&default_parameters);
        let id = parameters.id.as_deref().unwrap_or_default();
        let ruleset = self.zone.rulesets.iter().find(|ruleset| ruleset.id == id && !id.is_empty());
        let name = ruleset.map(|ruleset| ruleset.name.as_str()).filter(|name| !name.is_empty()).unwrap_or(id);
        trace.effects.push(Effect::Does(format!("executes the ruleset `{name}`")));
        let skipped = self.state.skips_ruleset(id);
        if skipped == Ternary::True {
            trace.effects.push(Effect::Does("an earlier rule skips this ruleset".to_owned()));
            return;
        }
        match ruleset.filter(|ruleset| ruleset.kind != RulesetKind::Managed && depth < MAX_EXECUTION_DEPTH) {
            Some(ruleset) => {
                let runs = trace.acts_if_running().and(!skipped);
                trace.executed = self.trace_ruleset(ruleset, runs, depth + 1);
            }
            None if may_end_request(parameters, phase) => {
                let need = Some("the conditions of the ruleset, which are not in the file".to_owned());
                end_request(format!("a rule of the ruleset `{name}` acts"), need, trace, &mut self.state);
            }
            None => {}
        }
    }

    fn trace_firewall_rules(&mut self) -> PhaseTrace {
        let phase = Phase::HttpRequestFirewallCustom;
        let pointer = self.zone.firewall_rules_pointer.clone();
        let mut is_skipped = Ternary::False;
        let mut rules = Vec::new();
        for (index, rule) in sort_for_evaluation(&self.zone.firewall_rules) {
            let is_enabled = !rule.paused && !rule.filter.paused;
            let mut trace = self.start_rule(
                format!("{pointer}/{index}"),
                firewall_rule_name(rule).to_owned(),
                rule.action.name(),
                (&rule.filter.expression, is_enabled),
                is_skipped,
            );
            if trace.acts() != Ternary::False {
                is_skipped = is_skipped.or(apply_firewall_action(rule, &mut trace, &mut self.state));
            }
            rules.push(trace);
        }
        PhaseTrace { phase, title: "Firewall rules", pointer, name: String::new(), rules }
    }
}

/// Returns whether a ruleset with unknown conditions may end the request: its overrides neither disable it nor make it
/// only log, and it does more than normalize the URL.
fn may_end_request(parameters: &ActionParameters, phase: Phase) -> bool {
    let is_harmless = parameters.overrides.as_ref().is_some_and(|overrides| {
        let has_exceptions = !overrides.categories.is_empty() || !overrides.rules.is_empty();
        !has_exceptions && (overrides.enabled == Some(false) || overrides.action == Some(RulesetAction::Log))
    });
    phase != Phase::HttpRequestSanitize && !is_harmless
}

fn rule_name(rule: &RulesetRule) -> &str {
    [&rule.description, &rule.reference, &rule.id].into_iter().find(|name| !name.is_empty()).map_or("", |name| name)
}

fn firewall_rule_name(rule: &FirewallRule) -> &str {
    rule.description.as_deref().or(rule.reference.as_deref()).filter(|name| !name.is_empty()).unwrap_or(&rule.id)
}
