//! The reachability of the rules of a list.

use crate::engine::{Channel, EngineError, to_js};
use serde::Deserialize;
use serde_json::json;
use wasm_bindgen::JsValue;

/// Limit of proof steps for one rule. A list can have a thousand rules, and the engine should answer within seconds.
const RULE_STEP_BUDGET: u32 = 60_000;

/// The reachability of the rules of a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ListReachability {
    /// The reachability of each rule, in evaluation order.
    pub(crate) rules: Vec<RuleReachability>,
    /// The notes about the list.
    pub(crate) notes: Vec<String>,
    /// The errors if the input is not a list of rules.
    pub(crate) errors: Vec<String>,
}

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

/// Result of `neverFires`.
#[derive(Deserialize)]
struct NeverFiresResult {
    rules: Vec<RuleVerdict>,
    notes: Vec<String>,
    diagnostics: Vec<RuleDiagnostic>,
}

#[derive(Deserialize)]
struct RuleVerdict {
    index: usize,
    name: Option<String>,
    expression: String,
    fires: String,
    by: Option<Vec<usize>>,
    assumptions: Option<Vec<String>>,
    reason: Option<String>,
}

#[derive(Deserialize)]
struct RuleDiagnostic {
    rule: Option<usize>,
    message: String,
}

/// Analyzes a list of rules: a text, or the rules of the service.
pub(crate) async fn analyze(channel: Channel, rules: JsValue) -> Result<ListReachability, EngineError> {
    let options = to_js(&json!({ "steps": RULE_STEP_BUDGET, "maxLength": u32::MAX }));
    let result: NeverFiresResult = channel.call("neverFires", vec![rules, options]).await?;
    let rule = |verdict: &RuleVerdict| RuleReachability {
        index: verdict.index,
        name: rule_label(verdict),
        expression: verdict.expression.clone(),
        status: status(verdict, &result.rules),
    };
    Ok(ListReachability {
        rules: result.rules.iter().map(rule).collect(),
        errors: result
            .diagnostics
            .into_iter()
            .filter(|error| error.rule.is_none())
            .map(|error| error.message)
            .collect(),
        notes: result.notes,
    })
}

fn status(verdict: &RuleVerdict, list: &[RuleVerdict]) -> RuleStatus {
    match verdict.fires.as_str() {
        "yes" => RuleStatus::Reachable,
        "never" => RuleStatus::Unreachable(unreachable_reason(verdict, list)),
        "inactive" => RuleStatus::Inactive,
        "error" => RuleStatus::Invalid,
        _ => RuleStatus::Undecided(verdict.reason.clone().unwrap_or_default()),
    }
}

/// Returns the quoted name of a rule, or its number.
fn rule_label(verdict: &RuleVerdict) -> String {
    verdict.name.as_ref().map_or_else(|| format!("rule {}", verdict.index + 1), |name| format!("“{name}”"))
}

fn unreachable_reason(verdict: &RuleVerdict, list: &[RuleVerdict]) -> String {
    let reason = match &verdict.by {
        None => "no request matches it".to_owned(),
        Some(by) => {
            let rule = |index: &usize| list.iter().find(|rule| rule.index == *index);
            let names: Vec<String> = by.iter().filter_map(rule).map(rule_label).collect();
            match names.as_slice() {
                [] => "earlier rules match everything that it matches".to_owned(),
                [only] => format!("{only} runs first and matches everything that it matches"),
                [most @ .., last] => {
                    format!("{} and {last} run first and together match everything that it matches", most.join(", "))
                }
            }
        }
    };
    match verdict.assumptions.as_deref() {
        None | Some([]) => reason,
        Some(assumptions) => format!("{reason}, assuming that {}", assumptions.join(" and ")),
    }
}
