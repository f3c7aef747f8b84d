//! Results of the log push functions.

use super::{Diagnostic, RawJsValue, Token, TraceStep, ValidationError};
use serde::Serialize;

/// Result of `check`.
#[derive(Default, Serialize)]
pub(crate) struct FilterCheckResult {
    pub(crate) ok: bool,
    pub(crate) encoding: Option<&'static str>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `analyze`.
#[derive(Default, Serialize)]
pub(crate) struct FilterAnalysis {
    #[serde(flatten)]
    pub(crate) checked: FilterCheckResult,
    pub(crate) tokens: Vec<Token>,
    pub(crate) usage: FilterUsage,
}

/// The usage of each limit.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FilterUsage {
    pub(crate) operators: usize,
    pub(crate) max_operators: usize,
    pub(crate) bytes: usize,
    pub(crate) max_bytes: usize,
}

/// Result of `evaluate`.
#[derive(Default, Serialize)]
pub(crate) struct LineEvaluateResult {
    pub(crate) result: RawJsValue,
    pub(crate) unknown: Vec<String>,
    pub(crate) error: Option<LineError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<Vec<LineStep>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// An error in a log line.
#[derive(Serialize)]
pub(crate) struct LineError {
    pub(crate) message: String,
    pub(crate) offset: usize,
}

/// The truth value of one condition for a line.
#[derive(Serialize)]
pub(crate) struct LineStep {
    #[serde(flatten)]
    pub(crate) step: TraceStep,
    pub(crate) missing: bool,
}

/// Result of `count`.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LineCountResult {
    pub(crate) lines: u64,
    pub(crate) kept: u64,
    pub(crate) kept_bytes: u64,
    pub(crate) dropped: u64,
    pub(crate) dropped_bytes: u64,
    pub(crate) rejected: u64,
    pub(crate) rejected_bytes: u64,
    pub(crate) operator: Option<&'static str>,
    pub(crate) conditions: Vec<ConditionCount>,
    pub(crate) samples: Vec<LineSample>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The number of lines after one condition.
#[derive(Serialize)]
pub(crate) struct ConditionCount {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kept: u64,
}

/// A line with the reason for its outcome.
#[derive(Serialize)]
pub(crate) struct LineSample {
    pub(crate) line: u64,
    pub(crate) text: String,
    pub(crate) outcome: &'static str,
    pub(crate) reason: String,
    pub(crate) start: Option<usize>,
    pub(crate) end: Option<usize>,
}

/// Result of `convert`.
#[derive(Default, Serialize)]
pub(crate) struct FilterConvertResult {
    pub(crate) text: Option<String>,
    pub(crate) losses: Vec<Loss>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A part of the source that cannot be converted.
#[derive(Serialize)]
pub(crate) struct Loss {
    pub(crate) message: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// An error in a job.
#[derive(Serialize)]
pub(crate) struct JobError {
    #[serde(flatten)]
    pub(crate) error: ValidationError,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `job`.
#[derive(Default, Serialize)]
pub(crate) struct JobResult {
    pub(crate) ok: bool,
    pub(crate) errors: Vec<JobError>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `render`.
#[derive(Default, Serialize)]
pub(crate) struct RenderResult {
    pub(crate) text: Option<String>,
    pub(crate) kept: usize,
    pub(crate) dropped: usize,
    pub(crate) rejected: Vec<RejectedLine>,
    pub(crate) errors: Vec<JobError>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A line that is not a JSON object, or in which a field of the filter has the wrong type.
#[derive(Serialize)]
pub(crate) struct RejectedLine {
    pub(crate) line: usize,
    pub(crate) message: String,
}

/// A dataset.
#[derive(Serialize)]
pub(crate) struct DatasetEntry {
    pub(crate) name: &'static str,
    pub(crate) zone: bool,
    pub(crate) account: bool,
    pub(crate) fields: Vec<LogField>,
}

/// A field of a dataset.
#[derive(Serialize)]
pub(crate) struct LogField {
    pub(crate) name: &'static str,
    #[serde(rename = "type")]
    pub(crate) ty: &'static str,
    pub(crate) filterable: bool,
    pub(crate) deprecated: bool,
}
