//! What the functions over migrations give. Findings, rules and rulesets are what they are in JSON.

use super::{Diagnostic, Js, Refusal};
use serde::Serialize;
use zonewright_api::Warning;
use zonewright_api::finding::Finding;
use zonewright_api::ruleset::{EntryPoint, RulesetRule};

/// Answer of `plan`.
#[derive(Default, Serialize)]
pub(crate) struct Planned {
    pub(crate) compatible: bool,
    pub(crate) ruleset: Option<EntryPoint>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Answer of `check`.
#[derive(Default, Serialize)]
pub(crate) struct CheckedZone {
    pub(crate) compatible: bool,
    pub(crate) findings: Vec<Finding>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Answer of `report`.
#[derive(Default, Serialize)]
pub(crate) struct Report {
    pub(crate) text: Option<String>,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Answer of `convert`.
#[derive(Default, Serialize)]
pub(crate) struct ConvertedRules {
    pub(crate) rules: Option<Vec<RulesetRule>>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Answer of `diff`.
#[derive(Default, Serialize)]
pub(crate) struct Differences {
    pub(crate) changes: Option<Vec<Change>>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) refusals: Vec<Refusal>,
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

/// Answer of `rehearse`.
#[derive(Default, Serialize)]
pub(crate) struct Rehearsal {
    pub(crate) requests: Option<Vec<Rehearsed>>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) diagnostics: Vec<RequestDiagnostic>,
}

/// A request before and after.
#[derive(Serialize)]
pub(crate) struct Rehearsed {
    pub(crate) differs: Js,
    pub(crate) before: Side,
    pub(crate) after: Side,
    pub(crate) notes: Vec<String>,
}

/// Which managed rules look at a request.
#[derive(Serialize)]
pub(crate) struct Side {
    pub(crate) managed: Js,
    pub(crate) core: Js,
    pub(crate) decided: Vec<String>,
}

/// A problem of a request, or of the call.
#[derive(Serialize)]
pub(crate) struct RequestDiagnostic {
    pub(crate) request: Option<usize>,
    #[serde(flatten)]
    pub(crate) diagnostic: Diagnostic,
}
