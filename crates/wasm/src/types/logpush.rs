//! What the functions over log push give.

use super::{Diagnostic, Js, Refusal, Step, Token};
use serde::Serialize;

/// Answer of `check`.
#[derive(Default, Serialize)]
pub(crate) struct CheckedFilter {
    pub(crate) ok: bool,
    pub(crate) form: Option<&'static str>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Answer of `analyze`.
#[derive(Default, Serialize)]
pub(crate) struct FilterAnalysis {
    #[serde(flatten)]
    pub(crate) checked: CheckedFilter,
    pub(crate) tokens: Vec<Token>,
    pub(crate) meters: FilterMeters,
}

/// How much of each limit is used.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FilterMeters {
    pub(crate) operators: usize,
    pub(crate) max_operators: usize,
    pub(crate) bytes: usize,
    pub(crate) max_bytes: usize,
}

/// Answer of `evaluate`.
#[derive(Default, Serialize)]
pub(crate) struct EvaluatedLine {
    pub(crate) result: Js,
    pub(crate) unknown: Vec<String>,
    pub(crate) error: Option<LineError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<Vec<LineStep>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// What is wrong with a log line.
#[derive(Serialize)]
pub(crate) struct LineError {
    pub(crate) message: String,
    pub(crate) offset: usize,
}

/// What one condition gave for a line.
#[derive(Serialize)]
pub(crate) struct LineStep {
    #[serde(flatten)]
    pub(crate) step: Step,
    pub(crate) missing: bool,
}

/// Answer of `convert`.
#[derive(Default, Serialize)]
pub(crate) struct Converted {
    pub(crate) text: Option<String>,
    pub(crate) lost: Vec<Lost>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// What cannot be carried over.
#[derive(Serialize)]
pub(crate) struct Lost {
    pub(crate) message: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Answer of `job`.
#[derive(Default, Serialize)]
pub(crate) struct CheckedJob {
    pub(crate) ok: bool,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Answer of `render`.
#[derive(Default, Serialize)]
pub(crate) struct Rendered {
    pub(crate) text: Option<String>,
    pub(crate) kept: usize,
    pub(crate) dropped: usize,
    pub(crate) rejected: Vec<RejectedLine>,
    pub(crate) refusals: Vec<Refusal>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A line that is no line of the dataset.
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
