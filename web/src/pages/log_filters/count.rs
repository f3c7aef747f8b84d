//! The verb `logpush.count`, which evaluates a filter on log lines.

use crate::engine::answers::{CallDiagnostic, check_call};
use crate::engine::{Channel, EngineError, to_js};
use serde::Deserialize;
use serde_json::json;
use wasm_bindgen::JsValue;
use zonewright_logpush::Dataset;

/// Result of `logpush.count`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CountResult {
    pub(super) lines: usize,
    pub(super) kept: usize,
    pub(super) kept_bytes: usize,
    pub(super) dropped: usize,
    pub(super) dropped_bytes: usize,
    pub(super) rejected: usize,
    /// The operator of the outermost group; absent if the filter has errors.
    pub(super) operator: Option<String>,
    pub(super) conditions: Vec<ConditionCount>,
    /// The first lines of each outcome.
    pub(crate) samples: Vec<CountedLine>,
    diagnostics: Vec<CallDiagnostic>,
}

/// A condition of the outermost group, with the number of lines after it.
#[derive(Deserialize)]
pub(super) struct ConditionCount {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kept: usize,
}

/// A line with the reason for its outcome.
#[derive(Deserialize)]
pub(crate) struct CountedLine {
    /// The line number, from 1.
    pub(crate) line: usize,
    pub(super) text: String,
    /// `kept`, `dropped` or `rejected`.
    pub(crate) outcome: String,
    /// The reason in English.
    pub(crate) reason: String,
    /// The UTF-16 range of the deciding condition.
    pub(crate) start: Option<usize>,
    pub(crate) end: Option<usize>,
}

/// Evaluates a filter on lines, which are a text or its bytes.
pub(crate) async fn count_lines(
    channel: Channel,
    filter: &str,
    lines: JsValue,
    dataset: &Dataset,
    samples: usize,
) -> Result<CountResult, EngineError> {
    let options = to_js(&json!({ "dataset": dataset.name, "samples": samples }));
    let counted: CountResult = channel.call("logpush.count", vec![filter.into(), lines, options]).await?;
    check_call(&counted.diagnostics)?;
    Ok(counted)
}
