//! Decides whether an entry point executes a managed ruleset for any request.

use crate::catalogue::{CORE_RULESET, EXPOSED_CREDENTIALS};
use crate::paranoia::levels;
use zonewright_api::ruleset::{Overrides, RulesetAction, RulesetRule};
use zonewright_equivalence::{Acting, Budget};
use zonewright_expression::{Options, Program, check};

/// Enough steps to find contradictions; they take well under a tenth of a second.
const BUDGET: Budget = Budget { steps: 1_000_000 };

/// Returns whether an enabled rule executes a ruleset that is at least partly on, for any possible request
/// that no earlier rule skips (assumption migration-bare).
///
/// If the budget does not suffice for a proof, the result is `true`. The time is proportional to the number of rules,
/// plus the budget.
pub fn executes(rules: &[RulesetRule]) -> bool {
    let mut acting = Acting::default();
    for rule in rules.iter().filter(|rule| rule.enabled) {
        if let Some(ruleset) = executed(rule) {
            if !acting.is_closed(ruleset) {
                acting.acts(ruleset, program(rule).as_ref());
            }
        } else if let Some(skipped) = skipped(rule)
            // An unreadable rule skips nothing, because its requests are unknown.
            && let Some(program) = program(rule)
        {
            match skipped {
                Skipped::All => acting.closes_all(&program),
                Skipped::Rulesets(ids) => acting.closes(ids.iter().map(String::as_str), &program),
            }
        }
        if acting.always() {
            return true;
        }
    }
    !acting.never(&BUDGET)
}

/// Compiles the expression of a rule. Its length is not limited, because it was validated when the rule was saved.
fn program(rule: &RulesetRule) -> Option<Program> {
    let source = match rule.expression.trim() {
        // The constant is not an expression of the language, but its meaning is clear.
        "false" => "ssl and not ssl",
        source => source,
    };
    check(source, &Options { max_length: usize::MAX, ..Options::default() }).program
}

/// Returns the ruleset that a rule executes, unless its overrides disable all of it. The ruleset that detects leaked
/// credentials does not count, because it replaces none of the previous managed rules.
fn executed(rule: &RulesetRule) -> Option<&str> {
    let parameters = rule.action_parameters.as_ref().filter(|_| rule.action == RulesetAction::Execute)?;
    let ruleset = parameters.id.as_deref().filter(|id| *id != EXPOSED_CREDENTIALS)?;
    parameters.overrides.as_ref().is_none_or(|overrides| is_on(ruleset, overrides)).then_some(ruleset)
}

fn is_on(ruleset: &str, overrides: &Overrides) -> bool {
    let again = |enabled: Option<bool>| enabled == Some(true);
    let is_off =
        |level: &String| overrides.categories.iter().any(|one| one.category == *level && one.enabled == Some(false));
    // Every rule of the core ruleset belongs to exactly one paranoia level.
    let all_off = overrides.enabled == Some(false) || (ruleset == CORE_RULESET && levels().iter().all(is_off));
    !all_off
        || overrides.categories.iter().any(|one| again(one.enabled))
        || overrides.rules.iter().any(|one| again(one.enabled))
}

/// The rulesets that a rule skips.
enum Skipped<'a> {
    All,
    Rulesets(&'a [String]),
}

fn skipped(rule: &RulesetRule) -> Option<Skipped<'_>> {
    let parameters = rule.action_parameters.as_ref().filter(|_| rule.action == RulesetAction::Skip)?;
    match parameters.ruleset.as_deref() {
        Some("current") => Some(Skipped::All),
        _ => Some(Skipped::Rulesets(&parameters.rulesets)).filter(|_| !parameters.rulesets.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{MANAGED_RULESET, SCORE_RULE};
    use serde_json::{Value, json};

    #[test]
    fn what_no_request_meets_executes_nothing() {
        let execute = |expression: &str| json!({"action": "execute", "expression": expression, "action_parameters": {"id": MANAGED_RULESET}});
        let skip = |expression: &str, what: &str| json!({"action": "skip", "expression": expression, "action_parameters": {what: "current"}});
        let with = |mut rule: Value, member: &str, value: Value| {
            rule[member] = value;
            rule
        };
        let skip_rulesets =
            |rulesets: Value| with(skip("true", "ruleset"), "action_parameters", json!({"rulesets": rulesets}));
        let core = |overrides: Value| {
            let parameters = json!({"id": CORE_RULESET, "overrides": overrides});
            with(execute("true"), "action_parameters", parameters)
        };
        let levels_off = |number: usize| {
            let levels = levels().into_iter().take(number);
            levels.map(|level| json!({"category": level, "enabled": false})).collect::<Vec<_>>()
        };
        let long = |condition: &str| format!("{condition} and not http.host in {{{}}}", "\"a.example\" ".repeat(320));
        let off = |again: Value| json!({"id": MANAGED_RULESET, "overrides": {"enabled": false, "categories": again}});
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
            // A rejected expression may be true for any request, but says nothing about other rules.
            (vec![execute("no.such.field")], true),
            (vec![execute("ssl and not ssl"), execute("no.such.field")], true),
            (vec![skip("true", "ruleset"), execute("no.such.field")], false),
            (vec![skip("ssl", "ruleset"), skip("not ssl", "ruleset"), execute("no.such.field")], false),
            (vec![skip("no.such.field", "ruleset"), execute("ssl and not ssl")], false),
            (vec![skip("no.such.field", "ruleset"), execute("true")], true),
            // Each expression is below the limit of length; all of them together exceed it.
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
            (vec![skip_rulesets(json!([MANAGED_RULESET, CORE_RULESET])), execute("true"), core(json!({}))], false),
            (vec![skip_rulesets(json!([MANAGED_RULESET])), execute("true"), core(json!({}))], true),
            (vec![core(json!({"categories": levels_off(4)}))], false),
            (vec![core(json!({"categories": levels_off(3)}))], true),
            (vec![core(json!({"categories": levels_off(4), "rules": [{"id": SCORE_RULE, "enabled": true}]}))], true),
            (vec![with(execute("true"), "action_parameters", json!({"id": EXPOSED_CREDENTIALS}))], false),
            (vec![with(execute("true"), "action_parameters", off(json!([])))], false),
            (
                vec![with(execute("true"), "action_parameters", off(json!([{"category": "php", "enabled": true}])))],
                true,
            ),
        ];
        for (rules, expected) in cases {
            let read: Vec<RulesetRule> =
                rules.iter().map(|rule| serde_json::from_value(rule.clone()).unwrap()).collect();
            assert_eq!(executes(&read), expected, "{:.2000}", format!("{rules:?}"));
        }
    }
}
