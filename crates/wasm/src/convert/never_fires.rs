//! Runs `neverFires` and converts its result.

use super::diagnostics;
use crate::types::{NeverFiresResult, RuleDiagnostic, RuleVerdict};
use zonewright_diagnostic::Diagnostic;
use zonewright_equivalence::{Budget, Reachability, Rule, UnreachableReason, never_fires};
use zonewright_expression::{Options, check};
use zonewright_firewall::{RuleEntry, RuleList};

/// Returns the result of a call with argument errors.
pub(crate) fn error_result(errors: &[Diagnostic]) -> NeverFiresResult {
    let convert = |diagnostic| RuleDiagnostic { rule: None, diagnostic };
    let diagnostics = diagnostics("", errors).into_iter().map(convert).collect();
    NeverFiresResult { diagnostics, ..NeverFiresResult::default() }
}

/// Checks the rules of a list and finds those that never fire.
pub(crate) fn never_fires_result(list: RuleList, options: &Options, budget: &Budget) -> NeverFiresResult {
    let mut rule_diagnostics = Vec::new();
    let mut rules = Vec::new();
    // The status of each rule if the solver does not compare it with the others.
    let mut fallback_status = Vec::new();
    for entry in &list.rules {
        if !entry.is_active {
            rules.push(None);
            fallback_status.push("inactive");
            continue;
        }
        let checked = check(&entry.expression, options);
        let diagnostics = diagnostics(&entry.expression, &checked.diagnostics).into_iter();
        rule_diagnostics.extend(diagnostics.map(|diagnostic| RuleDiagnostic { rule: Some(entry.index), diagnostic }));
        rules.push(checked.program.map(|program| Rule { program, is_terminating: entry.is_terminating }));
        fallback_status.push("error");
    }
    let verdicts = never_fires(rules, budget);
    let rules = list.rules.iter().zip(fallback_status).zip(verdicts);
    NeverFiresResult {
        rules: rules.map(|((entry, status), reachability)| verdict(entry, status, reachability, &list.rules)).collect(),
        notes: list.notes,
        diagnostics: rule_diagnostics,
    }
}

fn verdict(
    entry: &RuleEntry,
    fallback_status: &'static str,
    reachability: Option<Reachability>,
    entries: &[RuleEntry],
) -> RuleVerdict {
    let verdict = RuleVerdict {
        index: entry.index,
        name: entry.name.clone(),
        expression: entry.expression.clone(),
        fires: fallback_status,
        ..RuleVerdict::default()
    };
    match reachability {
        None => verdict,
        Some(Reachability::Reachable(_)) => RuleVerdict { fires: "yes", ..verdict },
        Some(Reachability::Undecided(reason)) => RuleVerdict { fires: "undecided", reason: Some(reason), ..verdict },
        Some(Reachability::Unreachable { proof, assumptions }) => {
            let (why, by) = match proof {
                UnreachableReason::Unsatisfiable => ("contradiction", None),
                UnreachableReason::Shadowed { by } => {
                    let indexes = by.iter().filter_map(|order| entries.get(*order)).map(|other| other.index);
                    ("shadowed", Some(indexes.collect()))
                }
            };
            let assumptions = Some(assumptions.iter().map(ToString::to_string).collect());
            RuleVerdict { fires: "never", why: Some(why), by, assumptions, ..verdict }
        }
    }
}
