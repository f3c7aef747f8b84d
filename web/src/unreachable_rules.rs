//! The reachability of the rules of a list, computed in time slices.

use crate::part::PartResult;
use crate::time_slice::{TIME_SLICE_MS, now_ms, yield_to_browser};
use std::future::Future;
use std::pin::Pin;
use wasm_split_helpers::wasm_split;
use zonewright_equivalence::{Assumption, Budget, Reachability, Rule, UnreachableReason, never_fires};
use zonewright_expression::{Options, check};
use zonewright_firewall::RuleEntry;

/// Limit of proof steps for one rule. A proof blocks the page, so the limit amounts to some hundredths of a second.
const RULE_STEP_BUDGET: Budget = Budget { steps: 60_000 };

/// A rule with its reachability.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RuleReachability {
    /// The index of the rule in the input.
    pub(crate) index: usize,
    /// The name of the rule.
    pub(crate) name: String,
    /// The expression of the rule.
    pub(crate) expression: String,
    /// The result of the analysis.
    pub(crate) status: RuleStatus,
}

/// Whether a rule can fire.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RuleStatus {
    /// The rule can fire.
    Reachable,
    /// The rule never fires. The reason is a sentence without a period, with code between backticks.
    Unreachable(String),
    /// The proof was not decided, for this reason.
    Undecided(String),
    /// The rule is paused or disabled.
    Inactive,
    /// The expression has errors.
    Invalid,
}

/// The future of an analysis, which returns `None` if the analysis was stopped.
type Analysis = Pin<Box<dyn Future<Output = Option<Vec<RuleReachability>>>>>;

/// Loads the part of proofs, and starts [`analyze`] there.
#[wasm_split(proofs, fallible)]
pub(crate) fn start_analysis(list: Vec<RuleEntry>, is_wanted: Box<dyn Fn() -> bool>) -> PartResult<Analysis> {
    Ok(Box::pin(analyze(list, is_wanted)))
}

/// Analyzes a list of rules. Returns `None` once `is_wanted` returns false, which is checked before each proof.
pub(crate) async fn analyze(list: Vec<RuleEntry>, is_wanted: impl Fn() -> bool) -> Option<Vec<RuleReachability>> {
    let options = Options { max_length: usize::MAX, ..Options::default() };
    let mut slice_start_ms = now_ms();
    let mut rules = Vec::new();
    for entry in &list {
        let program = entry.is_active.then(|| check(&entry.expression, &options).program).flatten();
        rules.push(program.map(|program| Rule { program, is_terminating: entry.is_terminating }));
        yield_after_slice(&mut slice_start_ms).await;
    }
    let mut verdicts = never_fires(rules, &RULE_STEP_BUDGET);
    let mut results = Vec::with_capacity(list.len());
    for entry in &list {
        if !is_wanted() {
            return None;
        }
        let status = match verdicts.next().flatten() {
            None if entry.is_active => RuleStatus::Invalid,
            None => RuleStatus::Inactive,
            Some(Reachability::Reachable(_)) => RuleStatus::Reachable,
            Some(Reachability::Undecided(why)) => RuleStatus::Undecided(why),
            Some(Reachability::Unreachable { proof, assumptions }) => {
                RuleStatus::Unreachable(unreachable_reason(&proof, &assumptions, &list))
            }
        };
        results.push(RuleReachability {
            index: entry.index,
            name: rule_label(entry),
            expression: entry.expression.clone(),
            status,
        });
        yield_after_slice(&mut slice_start_ms).await;
    }
    is_wanted().then_some(results)
}

/// Yields to the browser at the end of a time slice.
async fn yield_after_slice(slice_start_ms: &mut f64) {
    if now_ms() - *slice_start_ms > TIME_SLICE_MS {
        yield_to_browser().await;
        *slice_start_ms = now_ms();
    }
}

/// Returns the quoted name of a rule, or its number.
fn rule_label(entry: &RuleEntry) -> String {
    entry.name.as_ref().map_or_else(|| format!("rule {}", entry.index + 1), |name| format!("“{name}”"))
}

fn unreachable_reason(proof: &UnreachableReason, assumptions: &[Assumption], list: &[RuleEntry]) -> String {
    let reason = match proof {
        UnreachableReason::Unsatisfiable => "no request matches it".to_owned(),
        UnreachableReason::Shadowed { by } => {
            let names: Vec<String> = by.iter().filter_map(|order| list.get(*order)).map(rule_label).collect();
            match names.as_slice() {
                [] => "earlier rules match everything that it matches".to_owned(),
                [only] => format!("{only} runs first and matches everything that it matches"),
                [most @ .., last] => {
                    format!("{} and {last} run first and together match everything that it matches", most.join(", "))
                }
            }
        }
    };
    match assumptions {
        [] => reason,
        assumptions => {
            let assumptions: Vec<String> = assumptions.iter().map(ToString::to_string).collect();
            format!("{reason}, assuming that {}", assumptions.join(" and "))
        }
    }
}
