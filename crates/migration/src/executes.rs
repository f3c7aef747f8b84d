//! Whether an entry point has managed rules run for any request.

use crate::catalogue::{CORE_RULESET, EXPOSED_CREDENTIALS};
use crate::paranoia::levels;
use zonewright_api::ruleset::{Overrides, RulesetAction, RulesetRule};
use zonewright_equivalence::{Budget, Satisfiable, satisfiable};
use zonewright_expression::{Options, check};

/// Enough to see what contradicts itself; well under a tenth of a second.
const BUDGET: Budget = Budget { steps: 1_000_000 };

const ALWAYS: &str = "ssl or not ssl";

/// Whether a rule that is enabled executes a ruleset of which something is on, for requests that can be and that no rule
/// before it skips (assumption migration-bare). Where it is not known whether there is such a request, there is one.
pub fn executes(rules: &[RulesetRule]) -> bool {
    let enabled: Vec<&RulesetRule> = rules.iter().filter(|rule| rule.enabled).collect();
    let reached = enabled.iter().enumerate().filter_map(|(place, rule)| {
        let ruleset = executed(rule)?;
        let skips = enabled.iter().take(place).filter(|skip| passes_over(skip, ruleset));
        Some((condition(rule), skips.map(|skip| condition(skip)).collect()))
    });
    let reached: Vec<(&str, Vec<&str>)> = reached.collect();
    reached.iter().any(|(expression, skips)| *expression == ALWAYS && skips.is_empty()) || can_be_true(&reached)
}

/// A rule's expression as part of another one, where `true` and `false` alone cannot stand.
fn condition(rule: &RulesetRule) -> &str {
    match rule.expression.trim() {
        "true" => ALWAYS,
        "false" => "ssl and not ssl",
        expression => expression,
    }
}

/// The ruleset that a rule executes, when anything of it is on that replaces the previous managed rules.
fn executed(rule: &RulesetRule) -> Option<&str> {
    let parameters = rule.action_parameters.as_ref().filter(|_| rule.action == RulesetAction::Execute)?;
    let ruleset = parameters.id.as_deref().filter(|id| *id != EXPOSED_CREDENTIALS)?;
    parameters.overrides.as_ref().is_none_or(|overrides| is_on(ruleset, overrides)).then_some(ruleset)
}

fn is_on(ruleset: &str, overrides: &Overrides) -> bool {
    let again = |enabled: Option<bool>| enabled == Some(true);
    let is_off =
        |level: &String| overrides.categories.iter().any(|one| one.category == *level && one.enabled == Some(false));
    // Every rule of the core ruleset is of one level.
    let all_off = overrides.enabled == Some(false) || (ruleset == CORE_RULESET && levels().iter().all(is_off));
    !all_off
        || overrides.categories.iter().any(|one| again(one.enabled))
        || overrides.rules.iter().any(|one| again(one.enabled))
}

/// Whether a rule skips a whole ruleset.
fn passes_over(rule: &RulesetRule, ruleset: &str) -> bool {
    let parameters = rule.action_parameters.as_ref().filter(|_| rule.action == RulesetAction::Skip);
    parameters.is_some_and(|one| {
        one.ruleset.as_deref() == Some("current") || one.rulesets.iter().any(|skipped| skipped == ruleset)
    })
}

/// Whether one of the expressions can be true where none of those beside it is; asked of all at once, so that many take
/// no longer than one may.
fn can_be_true(reached: &[(&str, Vec<&str>)]) -> bool {
    if reached.is_empty() {
        return false;
    }
    let one = |(expression, skips): &(&str, Vec<&str>)| match skips.as_slice() {
        [] => format!("({expression})"),
        skips => format!("(({expression}) and not (({})))", skips.join(") or (")),
    };
    let any = reached.iter().map(one).collect::<Vec<_>>().join(" or ");
    let program = check(&any, &Options::default()).program;
    program.is_none_or(|program| !matches!(satisfiable(&program, &BUDGET), Satisfiable::Never { .. }))
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
        let off = |again: Value| json!({"id": MANAGED_RULESET, "overrides": {"enabled": false, "categories": again}});
        let cases = [
            (vec![], false),
            (vec![execute("true")], true),
            (vec![execute(" true\n")], true),
            (vec![execute("ssl")], true),
            (vec![execute("ssl and not ssl")], false),
            (vec![execute("not ssl and ssl"), execute("ip.src in {1.2.3.4} and ip.src eq ::1")], false),
            (vec![execute("not ssl and ssl"), execute("ip.src eq 192.0.2.1")], true),
            (vec![execute("http.host eq \"a\" and http.host eq \"b\"")], false),
            (vec![execute("http.host matches \"(a|b)*c\" and http.host matches \"^d*$\"")], false),
            // Nobody can say what the service refuses.
            (vec![execute("no.such.field")], true),
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
            assert_eq!(executes(&read), expected, "{rules:?}");
        }
    }
}
