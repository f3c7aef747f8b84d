//! Decides whether an entry point executes a managed ruleset for at least one possible request.

use crate::catalog::{CORE_RULESET_ID, EXPOSED_CREDENTIALS_RULESET_ID};
use crate::paranoia::paranoia_categories;
use zonewright_api::ruleset::{ActionParameters, Overrides, RulesetAction, RulesetRule};
use zonewright_equivalence::{Budget, ExecutionAnalysis};
use zonewright_expression::{Options, Program, check};

/// The budget of a proof: enough steps to find contradictions, in well under a tenth of a second.
const PROOF_BUDGET: Budget = Budget { steps: 1_000_000 };

/// Returns whether an enabled rule executes a ruleset that is at least partly on, for at least one possible request
/// that no earlier rule skips (assumption migration-bare).
///
/// If the budget does not suffice for a proof, the result is `true`. The time is proportional to the number of rules,
/// plus the budget.
pub fn executes_managed_ruleset(rules: &[RulesetRule]) -> bool {
    let mut analysis = ExecutionAnalysis::default();
    for rule in rules.iter().filter(|rule| rule.enabled) {
        if let Some(ruleset) = executed_ruleset(rule) {
            if !analysis.is_always_skipped(ruleset) {
                analysis.add_execute_rule(ruleset, compile_expression(rule).as_ref());
            }
        } else if let Some(skipped) = skip_scope(rule)
            // An unreadable rule skips nothing, because its requests are unknown.
            && let Some(program) = compile_expression(rule)
        {
            match skipped {
                SkipScope::All => analysis.add_skip_all_rule(&program),
                SkipScope::Rulesets(ids) => analysis.add_skip_rule(ids.iter().map(String::as_str), &program),
            }
        }
        if analysis.is_always_executed() {
            return true;
        }
    }
    !analysis.prove_never_executed(&PROOF_BUDGET)
}

/// Compiles the expression of a rule. Its length is not limited, because it was validated when the rule was saved.
fn compile_expression(rule: &RulesetRule) -> Option<Program> {
    let source = match rule.expression.trim() {
        // The language has no constant `false`, but its meaning is clear.
        "false" => "ssl and not ssl",
        source => source,
    };
    check(source, &Options { max_length: usize::MAX, ..Options::default() }).program
}

/// Returns the ruleset that a rule executes, unless its overrides disable all of it. The ruleset that detects leaked
/// credentials does not count, because it replaces none of the previous managed rules.
fn executed_ruleset(rule: &RulesetRule) -> Option<&str> {
    let parameters = rule.action_parameters.as_ref().filter(|_| rule.action == RulesetAction::Execute)?;
    let ruleset = parameters.id.as_deref().filter(|id| *id != EXPOSED_CREDENTIALS_RULESET_ID)?;
    let has_enabled_rules = parameters
        .overrides
        .as_ref()
        .is_none_or(|overrides| !disables_ruleset(ruleset, overrides) || enables_rules(overrides));
    has_enabled_rules.then_some(ruleset)
}

/// Returns whether overrides disable all rules of a ruleset that they do not enable explicitly.
pub(crate) fn disables_ruleset(ruleset: &str, overrides: &Overrides) -> bool {
    let is_off = |level: &String| {
        overrides.categories.iter().any(|category| category.category == *level && category.enabled == Some(false))
    };
    // Every rule of the core rule set belongs to exactly one paranoia level, except the last one, which only acts on
    // the score.
    overrides.enabled == Some(false) || (ruleset == CORE_RULESET_ID && paranoia_categories().iter().all(is_off))
}

/// Returns whether overrides enable a category or a rule explicitly.
pub(crate) fn enables_rules(overrides: &Overrides) -> bool {
    overrides.categories.iter().any(|category| category.enabled == Some(true))
        || overrides.rules.iter().any(|rule| rule.enabled == Some(true))
}

/// The rulesets that a rule skips.
enum SkipScope<'a> {
    All,
    Rulesets(&'a [String]),
}

fn skip_scope(rule: &RulesetRule) -> Option<SkipScope<'_>> {
    let parameters = rule.action_parameters.as_ref().filter(|_| rule.action == RulesetAction::Skip)?;
    match parameters.ruleset.as_deref() {
        Some(ActionParameters::CURRENT) => Some(SkipScope::All),
        _ => Some(SkipScope::Rulesets(&parameters.rulesets)).filter(|_| !parameters.rulesets.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{MANAGED_RULESET_ID, SCORE_RULE_ID};
    use serde_json::{Value, json};

    #[test]
    fn unreachable_execute_rules_execute_nothing() {
        let execute = |expression: &str| json!({"action": "execute", "expression": expression, "action_parameters": {"id": MANAGED_RULESET_ID}});
        let skip = |expression: &str, member: &str| json!({"action": "skip", "expression": expression, "action_parameters": {member: "current"}});
        let with = |mut rule: Value, member: &str, value: Value| {
            rule[member] = value;
            rule
        };
        let skip_rulesets =
            |rulesets: Value| with(skip("true", "ruleset"), "action_parameters", json!({"rulesets": rulesets}));
        let core = |overrides: Value| {
            let parameters = json!({"id": CORE_RULESET_ID, "overrides": overrides});
            with(execute("true"), "action_parameters", parameters)
        };
        let levels_off = |number: usize| {
            let levels = paranoia_categories().into_iter().take(number);
            levels.map(|level| json!({"category": level, "enabled": false})).collect::<Vec<_>>()
        };
        let long = |condition: &str| format!("{condition} and not http.host in {{{}}}", "\"a.example\" ".repeat(320));
        let off = |categories: Value| json!({"id": MANAGED_RULESET_ID, "overrides": {"enabled": false, "categories": categories}});
        let cases = [
            (vec![], false),
            (vec![execute("true")], true),
            (vec![execute(" true\n")], true),
            (vec![execute("false")], false),
            (vec![execute("ssl")], true),
            (vec![execute("ssl and not ssl")], false),
            (vec![execute("not ssl and ssl"), execute("ip.src in {1.2.3.4} and ip.src eq ::1")], false),
            (vec![execute("not ssl and ssl"), execute("ip.src eq 192.0.2.1")], true),
            (vec![execute("http.host eq \"a\" and http.host eq \"b\"")], false),
            (vec![execute("http.host matches \"(a|b)*c\" and http.host matches \"^d*$\"")], false),
            // A rejected expression may be true for some request, but it does not affect other rules.
            (vec![execute("no.such.field")], true),
            (vec![execute("ssl and not ssl"), execute("no.such.field")], true),
            (vec![skip("true", "ruleset"), execute("no.such.field")], false),
            (vec![skip("ssl", "ruleset"), skip("not ssl", "ruleset"), execute("no.such.field")], false),
            (vec![skip("no.such.field", "ruleset"), execute("ssl and not ssl")], false),
            (vec![skip("no.such.field", "ruleset"), execute("true")], true),
            // Each expression is shorter than the maximum length; together they exceed it.
            (vec![skip("true", "ruleset"), execute(&long("ssl")), execute(&long("not ssl"))], false),
            (vec![skip("ssl", "ruleset"), execute(&long("ssl")), execute(&long("ssl"))], false),
            (vec![skip("ssl", "ruleset"), execute(&long("ssl")), execute(&long("not ssl"))], true),
            (vec![skip(&long("ssl"), "ruleset"), skip("not ssl", "ruleset"), execute(&long("ssl"))], false),
            (vec![skip("ssl", "ruleset"), skip("not ssl", "ruleset"), execute(&long("not ssl"))], false),
            (vec![with(execute("true"), "enabled", json!(false))], false),
            (vec![skip("true", "ruleset"), execute("true")], false),
            (vec![skip("ssl", "ruleset"), execute("true")], true),
            (vec![skip("true", "phase"), execute("true")], true),
            (vec![execute("true"), skip("true", "ruleset")], true),
            (vec![skip("ssl or not ssl", "ruleset"), execute("true")], false),
            (vec![skip("ssl", "ruleset"), skip("not ssl", "ruleset"), execute("true")], false),
            (vec![skip("ssl", "ruleset"), execute("ssl")], false),
            (vec![skip("ssl", "ruleset"), execute("ssl"), execute("not ssl")], true),
            (
                vec![skip_rulesets(json!([MANAGED_RULESET_ID, CORE_RULESET_ID])), execute("true"), core(json!({}))],
                false,
            ),
            (vec![skip_rulesets(json!([MANAGED_RULESET_ID])), execute("true"), core(json!({}))], true),
            (vec![core(json!({"categories": levels_off(4)}))], false),
            (vec![core(json!({"categories": levels_off(3)}))], true),
            (vec![core(json!({"categories": levels_off(4), "rules": [{"id": SCORE_RULE_ID, "enabled": true}]}))], true),
            (vec![with(execute("true"), "action_parameters", json!({"id": EXPOSED_CREDENTIALS_RULESET_ID}))], false),
            (vec![with(execute("true"), "action_parameters", off(json!([])))], false),
            (
                vec![with(execute("true"), "action_parameters", off(json!([{"category": "php", "enabled": true}])))],
                true,
            ),
        ];
        for (rules, expected) in cases {
            let read: Vec<RulesetRule> =
                rules.iter().map(|rule| serde_json::from_value(rule.clone()).unwrap()).collect();
            assert_eq!(executes_managed_ruleset(&read), expected, "{:.2000}", format!("{rules:?}"));
        }
    }
}
