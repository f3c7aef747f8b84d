//! Runs the phases and rules of a zone in their order. Start with [`trace`].

use crate::actions::{apply_action, apply_firewall_action, extra_dependency, terminate_request_if};
use crate::conditions::{Condition, evaluate_condition};
use crate::report::{Effect, PhaseTrace, RuleTrace, ZoneTrace};
use crate::state::{RequestState, extend_unique};
use crate::zone::{Zone, ZoneRuleset};
use std::collections::{BTreeMap, BTreeSet};
use zonewright_api::firewall::FirewallRule;
use zonewright_api::ruleset::{ActionParameters, RulesetAction, RulesetKind, RulesetRule};
use zonewright_expression::schema::{FIELDS, Phase, Traffic};
use zonewright_expression::{MissingPolicy, Record, Ternary};
use zonewright_firewall::sort_for_evaluation;

/// The maximum number of evaluated rules. It bounds the work if many rules execute one large ruleset.
const MAX_RULES: usize = 20_000;
/// The phases that a custom rule can skip (documented).
const SKIPPABLE_PHASES: [Phase; 4] =
    [Phase::HttpRequestFirewallCustom, Phase::HttpRatelimit, Phase::HttpRequestFirewallManaged, Phase::HttpRequestSbfm];

/// Traces a request through all rules of a zone (assumption zone-trace). A list that the record does not provide is the
/// list of the zone.
pub fn trace(zone: &Zone, mut record: Record) -> ZoneTrace {
    for (name, items) in &zone.lists {
        if record.list(name).is_none() {
            record.set_list(name, items.clone());
        }
    }
    resolve_missing_policy(&mut record);
    let custom_rulesets =
        zone.rulesets.iter().filter(|ruleset| ruleset.kind == RulesetKind::Custom && !ruleset.id.is_empty());
    let mut tracer = Tracer {
        rulesets: custom_rulesets.map(|ruleset| (ruleset.id.as_str(), ruleset)).collect(),
        executed: BTreeSet::new(),
        rules_left: MAX_RULES,
        state: RequestState::new(record),
    };
    let mut phases = Vec::new();
    let mut reaches_origin = Ternary::Unknown;
    let mut is_response = false;
    for phase in Phase::ALL.iter().copied().filter(|phase| phase.traffic() != Traffic::Packet) {
        tracer.state.start_phase();
        if phase.traffic() == Traffic::Response && !std::mem::replace(&mut is_response, true) {
            reaches_origin = tracer.state.is_running;
            tracer.state.start_response();
        }
        if phase == Phase::HttpRequestFirewallCustom && !zone.firewall_rules.is_empty() {
            phases.push(tracer.trace_firewall_rules(zone));
        }
        for kind in [RulesetKind::Root, RulesetKind::Zone] {
            for ruleset in zone.rulesets.iter().filter(|ruleset| ruleset.phase == phase && ruleset.kind == kind) {
                let rules = tracer.trace_ruleset(ruleset, Ternary::True);
                let (pointer, name) = (ruleset.pointer.clone(), ruleset.name.clone());
                phases.push(PhaseTrace { phase, title: phase.title(), pointer, name, rules });
            }
        }
    }
    let mut notes = zone.notes.clone();
    let unused = tracer.rulesets.iter().filter(|(id, _)| !tracer.executed.contains(**id));
    notes.extend(unused.map(|(id, ruleset)| {
        format!("the custom ruleset `{}` at {} was not executed", ruleset.display_name(id), ruleset.pointer)
    }));
    if tracer.rules_left == 0 {
        notes.push(format!("only the first {MAX_RULES} rules were evaluated"));
    }
    ZoneTrace { phases, reaches_origin, terminating_rules: tracer.state.terminating_rules, notes }
}

/// If fields that the record does not provide are absent, marks them as absent: so a field that a rule makes unknown later
/// is not read as absent.
fn resolve_missing_policy(record: &mut Record) {
    if record.missing_policy() == MissingPolicy::Unknown {
        return;
    }
    let provided: BTreeSet<&str> = record.fields().map(|(name, _)| name).collect();
    for field in FIELDS.iter().filter(|field| !provided.contains(field.name)) {
        let result = record.set_absent(field.name);
        debug_assert!(result.is_ok(), "{result:?}");
    }
    record.set_missing_policy(MissingPolicy::Unknown);
}

struct Tracer<'z> {
    /// The custom rulesets by ID.
    rulesets: BTreeMap<&'z str, &'z ZoneRuleset>,
    /// The IDs of the custom rulesets that were executed.
    executed: BTreeSet<String>,
    rules_left: usize,
    state: RequestState,
}

/// The facts about a rule that every kind of rule has.
struct RuleFacts<'r> {
    pointer: String,
    name: &'r str,
    action: &'static str,
    expression: &'r str,
    is_enabled: bool,
    is_skipped: Ternary,
    /// A value outside of the expression on which it depends whether the rule fires.
    extra_dependency: Option<String>,
}

impl<'z> Tracer<'z> {
    /// Traces the rules of a ruleset; `runs` is whether the ruleset is executed.
    fn trace_ruleset(&mut self, ruleset: &'z ZoneRuleset, runs: Ternary) -> Vec<RuleTrace> {
        let mut is_rest_skipped = Ternary::False;
        let mut traces = Vec::new();
        for (index, rule) in ruleset.rules.iter().enumerate() {
            let is_skipped = is_rest_skipped
                .or(!runs)
                .or(self.state.skips_phase(ruleset.phase))
                .or(self.state.skips_rule(&ruleset.id, &rule.id));
            let mut trace = self.evaluate_rule(RuleFacts {
                pointer: format!("{}/rules/{index}", ruleset.pointer),
                name: rule_name(rule),
                action: rule.action.name(),
                expression: &rule.expression,
                is_enabled: rule.enabled,
                is_skipped,
                extra_dependency: extra_dependency(rule),
            });
            if trace.fires() != Ternary::False {
                if rule.action == RulesetAction::Execute {
                    self.execute(rule, ruleset, &mut trace);
                } else {
                    let skips = apply_action(rule, ruleset.phase, &mut trace, &mut self.state);
                    is_rest_skipped = is_rest_skipped.or(skips);
                }
            }
            traces.push(trace);
        }
        traces
    }

    /// Evaluates the condition of a rule if the request may reach it.
    fn evaluate_rule(&mut self, facts: RuleFacts<'_>) -> RuleTrace {
        let RuleFacts { pointer, name, action, expression, is_enabled, is_skipped, extra_dependency } = facts;
        let reached = self.state.is_running.and(!is_skipped);
        let mut condition = Condition { matches: Ternary::Unknown, depends_on: Vec::new(), error: None };
        if is_enabled && reached != Ternary::False && self.rules_left > 0 {
            self.rules_left -= 1;
            condition = evaluate_condition(expression, &self.state.record);
        }
        let mut depends_on = self.state.trace_back(condition.depends_on);
        if let Some(dependency) = extra_dependency.filter(|_| condition.matches != Ternary::False) {
            condition.matches = condition.matches.and(Ternary::Unknown);
            depends_on.push(dependency);
        }
        if is_enabled && reached == Ternary::Unknown && condition.matches != Ternary::False {
            extend_unique(&mut depends_on, &self.state.reach_depends_on);
        }
        RuleTrace {
            pointer,
            name: name.to_owned(),
            action,
            expression: expression.to_owned(),
            is_enabled,
            is_skipped,
            reached,
            matches: condition.matches,
            depends_on,
            error: condition.error,
            effects: Vec::new(),
            executed: Vec::new(),
        }
    }

    /// Traces the ruleset that a rule of an entry point executes.
    fn execute(&mut self, rule: &RulesetRule, entry_point: &ZoneRuleset, trace: &mut RuleTrace) {
        let default_parameters = ActionParameters::default();
        let parameters = rule.action_parameters.as_ref().unwrap_or(&default_parameters);
        let Some(id) = parameters.id.as_deref().filter(|id| !id.is_empty()) else {
            trace.error.get_or_insert_with(|| "the rule names no ruleset in `action_parameters.id`".to_owned());
            return;
        };
        // A custom ruleset cannot execute another one (documented).
        let can_execute = entry_point.kind != RulesetKind::Custom && self.rules_left > 0;
        let ruleset = self.rulesets.get(id).copied().filter(|_| can_execute);
        let name = ruleset.map_or(id, |ruleset| ruleset.display_name(id));
        let skipped = self.state.skips_ruleset(id);
        if skipped == Ternary::True {
            trace.effects.push(Effect::Other(format!("an earlier rule skips ruleset `{name}`")));
            return;
        }
        trace.effects.push(Effect::Other(format!("executes ruleset `{name}`")));
        match ruleset.filter(|_| parameters.overrides.is_none()) {
            Some(ruleset) => {
                self.executed.insert(id.to_owned());
                let runs = trace.fires_if_running().and(!skipped);
                if runs == Ternary::Unknown {
                    extend_unique(&mut self.state.reach_depends_on, &trace.depends_on);
                }
                trace.executed = self.trace_ruleset(ruleset, runs);
            }
            None => self.execute_unknown_ruleset(parameters, name, entry_point.phase, trace),
        }
    }

    /// Applies a ruleset whose rules are unknown: a managed one, one that the document does not contain, or one with
    /// overrides.
    fn execute_unknown_ruleset(
        &mut self,
        parameters: &ActionParameters,
        name: &str,
        phase: Phase,
        trace: &mut RuleTrace,
    ) {
        if !may_terminate_request(parameters, phase) {
            return;
        }
        extend_unique(&mut trace.depends_on, &[format!("the rules of ruleset `{name}`")]);
        if phase == Phase::HttpRequestFirewallCustom {
            // A custom ruleset may also skip the rest of the phase and later phases.
            for phase in SKIPPABLE_PHASES {
                self.state.skip_phase(phase, trace.fires_if_running().and(Ternary::Unknown));
            }
            extend_unique(&mut self.state.reach_depends_on, &trace.depends_on);
        }
        let description = format!("may block or challenge the request by a rule of `{name}`");
        terminate_request_if(Ternary::Unknown, description, trace, &mut self.state);
    }

    fn trace_firewall_rules(&mut self, zone: &Zone) -> PhaseTrace {
        let phase = Phase::HttpRequestFirewallCustom;
        let pointer = zone.firewall_rules_pointer.clone();
        let mut is_skipped = Ternary::False;
        let mut rules = Vec::new();
        for (index, rule) in sort_for_evaluation(&zone.firewall_rules) {
            let mut trace = self.evaluate_rule(RuleFacts {
                pointer: format!("{pointer}/{index}"),
                name: firewall_rule_name(rule),
                action: rule.action.name(),
                expression: &rule.filter.expression,
                is_enabled: !rule.paused && !rule.filter.paused,
                is_skipped,
                extra_dependency: None,
            });
            if trace.fires() != Ternary::False {
                is_skipped = is_skipped.or(apply_firewall_action(rule, &mut trace, &mut self.state));
            }
            rules.push(trace);
        }
        PhaseTrace { phase, title: "Firewall rules", pointer, name: String::new(), rules }
    }
}

/// Returns whether a ruleset with unknown rules may end the request: its overrides neither disable it nor set its action to
/// `log`, and it does more than normalize the URL.
fn may_terminate_request(parameters: &ActionParameters, phase: Phase) -> bool {
    let cannot_terminate = parameters.overrides.as_ref().is_some_and(|overrides| {
        let has_specific_overrides = !overrides.categories.is_empty() || !overrides.rules.is_empty();
        !has_specific_overrides && (overrides.enabled == Some(false) || overrides.action == Some(RulesetAction::Log))
    });
    phase != Phase::HttpRequestSanitize && !cannot_terminate
}

fn rule_name(rule: &RulesetRule) -> &str {
    [&rule.description, &rule.reference, &rule.id].into_iter().find(|name| !name.is_empty()).map_or("", |name| name)
}

fn firewall_rule_name(rule: &FirewallRule) -> &str {
    rule.description.as_deref().or(rule.reference.as_deref()).filter(|name| !name.is_empty()).unwrap_or(&rule.id)
}
