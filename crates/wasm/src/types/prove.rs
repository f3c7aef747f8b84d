//! Results of proofs.

use super::{Diagnostic, RawJsValue};
use serde::Serialize;

/// Result of `satisfiable`.
#[derive(Default, Serialize)]
pub(crate) struct SatisfiableResult {
    pub(crate) answer: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) assumptions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) record: Option<RawJsValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `equivalent` and `subsumes`.
#[derive(Default, Serialize)]
pub(crate) struct EquivalenceResult {
    pub(crate) answer: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) assumptions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) record: Option<RawJsValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) second: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    pub(crate) diagnostics: Vec<PairDiagnostic>,
}

/// A diagnostic of one of two expressions.
#[derive(Serialize)]
pub(crate) struct PairDiagnostic {
    pub(crate) expression: &'static str,
    #[serde(flatten)]
    pub(crate) diagnostic: Diagnostic,
}

/// Result of `neverFires`.
#[derive(Default, Serialize)]
pub(crate) struct NeverFiresResult {
    pub(crate) rules: Vec<RuleVerdict>,
    pub(crate) notes: Vec<String>,
    pub(crate) diagnostics: Vec<RuleDiagnostic>,
}

/// Whether a rule of a list can fire.
#[derive(Default, Serialize)]
pub(crate) struct RuleVerdict {
    pub(crate) index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    pub(crate) expression: String,
    pub(crate) fires: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) assumptions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

/// A diagnostic of a rule of a list, or of the call.
#[derive(Serialize)]
pub(crate) struct RuleDiagnostic {
    pub(crate) rule: Option<usize>,
    #[serde(flatten)]
    pub(crate) diagnostic: Diagnostic,
}
