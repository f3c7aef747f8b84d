//! Answers about lists of rules.

use super::diagnostics;
use crate::types::{JudgedRule, JudgedRules, RuleDiagnostic};
use zonewright_diagnostic::Diagnostic;
use zonewright_equivalence::{Budget, Fate, Proof, Rule, never_fires};
use zonewright_expression::{Options, check};
use zonewright_firewall::{Listed, RuleList};

/// Answer to a wrong call.
pub(crate) fn refused(refusal: &[Diagnostic]) -> JudgedRules {
    let of_none = |diagnostic| RuleDiagnostic { rule: None, diagnostic };
    JudgedRules { diagnostics: diagnostics("", refusal).into_iter().map(of_none).collect(), ..JudgedRules::default() }
}

/// Answer of `neverFires`.
pub(crate) fn judged(list: RuleList, options: &Options, budget: &Budget) -> JudgedRules {
    let mut problems = Vec::new();
    let mut rules = Vec::new();
    let mut otherwise = Vec::new();
    for listed in &list.rules {
        if !listed.active {
            rules.push(None);
            otherwise.push("inactive");
            continue;
        }
        let checked = check(&listed.expression, options);
        let found = diagnostics(&listed.expression, &checked.diagnostics).into_iter();
        problems.extend(found.map(|diagnostic| RuleDiagnostic { rule: Some(listed.place), diagnostic }));
        rules.push(checked.program.map(|program| Rule { program, ends: listed.ends }));
        otherwise.push("error");
    }
    let fates = never_fires(rules, budget);
    let judged = list.rules.iter().zip(otherwise).zip(fates);
    JudgedRules {
        rules: judged.map(|((listed, otherwise), fate)| rule(listed, otherwise, fate, &list.rules)).collect(),
        notes: list.notes,
        diagnostics: problems,
    }
}

fn rule(listed: &Listed, otherwise: &'static str, fate: Option<Fate>, all: &[Listed]) -> JudgedRule {
    let judged =
        JudgedRule { index: listed.place, name: listed.name.clone(), fires: otherwise, ..JudgedRule::default() };
    match fate {
        None => judged,
        Some(Fate::Fires(_)) => JudgedRule { fires: "yes", ..judged },
        Some(Fate::Undecided(reason)) => JudgedRule { fires: "undecided", reason: Some(reason), ..judged },
        Some(Fate::Never { proof, assumptions }) => {
            let (why, by) = match proof {
                Proof::NeverTrue => ("contradiction", None),
                Proof::Covered { by } => {
                    let places = by.iter().filter_map(|order| all.get(*order)).map(|other| other.place);
                    ("covered", Some(places.collect()))
                }
            };
            let assumptions = Some(assumptions.iter().map(ToString::to_string).collect());
            JudgedRule { fires: "never", why: Some(why), by, assumptions, ..judged }
        }
    }
}
