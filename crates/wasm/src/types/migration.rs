//! Results of the migration functions. Findings, rules and rulesets have the JSON of the service.

use super::{Diagnostic, RawJsValue, ValidationError};
use serde::Serialize;
use zonewright_api::ValidationWarning;
use zonewright_api::finding::Finding;
use zonewright_api::ruleset::{EntryPoint, RulesetRule};

/// Result of `plan`.
#[derive(Default, Serialize)]
pub(crate) struct PlanResult {
    pub(crate) compatible: bool,
    pub(crate) ruleset: Option<EntryPoint>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) warnings: Vec<ValidationWarning>,
    pub(crate) errors: Vec<ValidationError>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `check`.
#[derive(Default, Serialize)]
pub(crate) struct ZoneCheckResult {
    pub(crate) compatible: bool,
    pub(crate) findings: Vec<Finding>,
    pub(crate) warnings: Vec<ValidationWarning>,
    pub(crate) errors: Vec<ValidationError>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `runsManagedRules`.
#[derive(Default, Serialize)]
pub(crate) struct ManagedRulesResult {
    pub(crate) runs: Option<bool>,
    pub(crate) errors: Vec<ValidationError>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `report`.
#[derive(Default, Serialize)]
pub(crate) struct ReportResult {
    pub(crate) text: Option<String>,
    pub(crate) errors: Vec<ValidationError>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `convert`.
#[derive(Default, Serialize)]
pub(crate) struct RuleConvertResult {
    pub(crate) rules: Option<Vec<RulesetRule>>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) errors: Vec<ValidationError>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `diff`.
#[derive(Default, Serialize)]
pub(crate) struct DiffResult {
    pub(crate) changes: Option<Vec<Change>>,
    pub(crate) warnings: Vec<ValidationWarning>,
    pub(crate) errors: Vec<ValidationError>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A change of one rule.
#[derive(Serialize)]
pub(crate) struct Change {
    pub(crate) kind: &'static str,
    pub(crate) from: Option<usize>,
    pub(crate) to: Option<usize>,
    pub(crate) members: Vec<&'static str>,
}

/// Result of `checkRuleset`.
#[derive(Default, Serialize)]
pub(crate) struct RulesetCheckResult {
    pub(crate) ruleset: Option<EntryPoint>,
    pub(crate) warnings: Vec<ValidationWarning>,
    pub(crate) errors: Vec<ValidationError>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `simulate`.
#[derive(Default, Serialize)]
pub(crate) struct SimulateResult {
    pub(crate) requests: Option<Vec<RequestComparison>>,
    pub(crate) omitted: usize,
    pub(crate) warnings: Vec<ValidationWarning>,
    pub(crate) errors: Vec<ValidationError>,
    pub(crate) diagnostics: Vec<RequestDiagnostic>,
}

/// A request before and after the migration.
#[derive(Serialize)]
pub(crate) struct RequestComparison {
    pub(crate) name: String,
    pub(crate) differs: RawJsValue,
    pub(crate) before: ManagedRulesStatus,
    pub(crate) after: ManagedRulesStatus,
    pub(crate) notes: Vec<String>,
}

/// Which managed rules run for a request.
#[derive(Serialize)]
pub(crate) struct ManagedRulesStatus {
    pub(crate) managed: RawJsValue,
    pub(crate) core: RawJsValue,
    #[serde(rename = "decidedBy")]
    pub(crate) decided_by: Vec<String>,
}

/// A diagnostic of a request, or of the call.
#[derive(Serialize)]
pub(crate) struct RequestDiagnostic {
    pub(crate) request: Option<usize>,
    #[serde(flatten)]
    pub(crate) diagnostic: Diagnostic,
}
