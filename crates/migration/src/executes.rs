//! Whether an entry point has managed rules run for any request.

use zonewright_api::ruleset::{RulesetAction, RulesetRule};
use zonewright_equivalence::{Budget, Satisfiable, satisfiable};
use zonewright_expression::{Options, check};

/// Enough to see what contradicts itself; well under a tenth of a second.
const BUDGET: Budget = Budget { steps: 1_000_000 };

/// Whether a rule that is enabled executes a ruleset of which something is on, for requests that can be, and no rule
/// before it skips everything (assumption migration-bare). Where it is not known whether a request can meet an
/// expression, one can.
pub fn executes(rules: &[RulesetRule]) -> bool {
    let enabled = rules.iter().filter(|rule| rule.enabled).take_while(|rule| !skips_all(rule));
    let executing = enabled.filter(|rule| rule.action == RulesetAction::Execute && is_on(rule));
    let expressions: Vec<&str> = executing.map(|rule| rule.expression.trim()).collect();
    expressions.contains(&"true") || can_be_true(&expressions)
}

fn skips_all(rule: &RulesetRule) -> bool {
    let current = rule.action_parameters.as_ref().is_some_and(|one| one.ruleset.as_deref() == Some("current"));
    rule.action == RulesetAction::Skip && current && rule.expression.trim() == "true"
}

/// Whether anything of the ruleset that a rule executes is on.
fn is_on(rule: &RulesetRule) -> bool {
    let Some(overrides) = rule.action_parameters.as_ref().and_then(|one| one.overrides.as_ref()) else { return true };
    let again = |enabled: Option<bool>| enabled == Some(true);
    overrides.enabled != Some(false)
        || overrides.categories.iter().any(|one| again(one.enabled))
        || overrides.rules.iter().any(|one| again(one.enabled))
}

/// Whether one of the expressions can be true; asked of all at once, so that many take no longer than one may.
fn can_be_true(expressions: &[&str]) -> bool {
    if expressions.is_empty() {
        return false;
    }
    let any = format!("({})", expressions.join(") or ("));
    let program = check(&any, &Options::default()).program;
    program.is_none_or(|program| !matches!(satisfiable(&program, &BUDGET), Satisfiable::Never { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::MANAGED_RULESET;
    use serde_json::{Value, json};

    #[test]
    fn what_no_request_meets_executes_nothing() {
        let execute = |expression: &str| json!({"action": "execute", "expression": expression, "action_parameters": {"id": MANAGED_RULESET}});
        let skip = |expression: &str, what: &str| json!({"action": "skip", "expression": expression, "action_parameters": {what: "current"}});
        let with = |mut rule: Value, member: &str, value: Value| {
            rule[member] = value;
            rule
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
