//! The values that JavaScript receives.
//!
//! A test compares their members with the TypeScript declarations in `js/`, which document them.

use serde::{Serialize, Serializer};
use wasm_bindgen::JsValue;

mod cases;
mod logpush;
mod migration;
mod prove;
mod schema;
mod trace;

pub(crate) use cases::*;
pub(crate) use logpush::*;
pub(crate) use migration::*;
pub(crate) use prove::*;
pub(crate) use schema::*;
pub(crate) use trace::*;

/// The result of a function. A call with argument errors returns the default with their diagnostics.
pub(crate) trait CallResult: Default + Serialize {
    fn from_diagnostics(diagnostics: Vec<Diagnostic>) -> Self;
}

macro_rules! impl_call_result {
    ($($result:ident),*) => {$(
        impl CallResult for $result {
            fn from_diagnostics(diagnostics: Vec<Diagnostic>) -> Self {
                $result { diagnostics, ..$result::default() }
            }
        }
    )*};
}

impl_call_result!(
    CheckResult,
    Completions,
    HoverResult,
    SignatureResult,
    TextResult,
    FixResult,
    ExplainResult,
    EvaluateResult,
    SatisfiableResult,
    TestResult
);
impl_call_result!(FilterCheckResult, LineEvaluateResult, LineCountResult, FilterConvertResult, JobResult, RenderResult);
impl_call_result!(ManagedRulesResult, PlanResult, ZoneCheckResult, ReportResult, RuleConvertResult, DiffResult);
impl_call_result!(RulesetCheckResult, ZoneTraceResult);

impl CallResult for FilterAnalysis {
    fn from_diagnostics(diagnostics: Vec<Diagnostic>) -> Self {
        FilterAnalysis { checked: FilterCheckResult::from_diagnostics(diagnostics), ..FilterAnalysis::default() }
    }
}

impl CallResult for SampleResult {
    fn from_diagnostics(diagnostics: Vec<Diagnostic>) -> Self {
        SampleResult { evaluated: EvaluateResult::from_diagnostics(diagnostics), ..SampleResult::default() }
    }
}

impl CallResult for Analysis {
    fn from_diagnostics(diagnostics: Vec<Diagnostic>) -> Self {
        Analysis { checked: CheckResult::from_diagnostics(diagnostics), ..Analysis::default() }
    }
}

/// A JavaScript value that is serialized as it is.
pub(crate) struct RawJsValue(pub(crate) JsValue);

impl Default for RawJsValue {
    fn default() -> Self {
        RawJsValue(JsValue::NULL)
    }
}

impl Serialize for RawJsValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_wasm_bindgen::preserve::serialize(&self.0, serializer)
    }
}

/// Result of `check`.
#[derive(Default, Serialize)]
pub(crate) struct CheckResult {
    pub(crate) ok: bool,
    #[serde(rename = "type")]
    pub(crate) ty: Option<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `analyze`.
#[derive(Default, Serialize)]
pub(crate) struct Analysis {
    #[serde(flatten)]
    pub(crate) checked: CheckResult,
    pub(crate) tokens: Vec<Token>,
    pub(crate) usage: Usage,
}

/// Result of `complete`.
#[derive(Default, Serialize)]
pub(crate) struct Completions {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) items: Vec<Completion>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A diagnostic of a source or of a call.
#[derive(Serialize)]
pub(crate) struct Diagnostic {
    pub(crate) code: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) message: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
    pub(crate) fixes: Vec<Fix>,
    pub(crate) related: Vec<RelatedInformation>,
}

/// An error in the content of a document.
#[derive(Serialize)]
pub(crate) struct ValidationError {
    pub(crate) code: u32,
    pub(crate) pointer: String,
    pub(crate) message: String,
}

/// A set of edits that resolves a diagnostic.
#[derive(Serialize)]
pub(crate) struct Fix {
    pub(crate) title: String,
    pub(crate) safe: bool,
    pub(crate) edits: Vec<Edit>,
}

/// The replacement of one range of the source.
#[derive(Serialize)]
pub(crate) struct Edit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: String,
}

/// Another range of the source that explains a diagnostic.
#[derive(Serialize)]
pub(crate) struct RelatedInformation {
    pub(crate) message: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A range of the source with its role, for syntax highlighting.
#[derive(Serialize)]
pub(crate) struct Token {
    pub(crate) kind: &'static str,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The usage of each limit.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Usage {
    pub(crate) length: usize,
    pub(crate) max_length: usize,
    pub(crate) depth: usize,
    pub(crate) max_depth: usize,
    pub(crate) regexes: usize,
}

/// A text that may be inserted at an offset.
#[derive(Serialize)]
pub(crate) struct Completion {
    pub(crate) label: String,
    pub(crate) insert: String,
    pub(crate) cursor: usize,
    pub(crate) retrigger: bool,
    pub(crate) kind: &'static str,
    pub(crate) detail: String,
    pub(crate) note: String,
}

/// Result of `hover`.
#[derive(Default, Serialize)]
pub(crate) struct HoverResult {
    pub(crate) hover: Option<Hover>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The description of a token of the source.
#[derive(Serialize)]
pub(crate) struct Hover {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) title: String,
    pub(crate) detail: String,
    pub(crate) text: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) example: Option<String>,
}

/// Result of `signature`.
#[derive(Default, Serialize)]
pub(crate) struct SignatureResult {
    pub(crate) signature: Option<Signature>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The call around an offset.
#[derive(Serialize)]
pub(crate) struct Signature {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) label: String,
    pub(crate) returns: String,
    pub(crate) doc: &'static str,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) active: Option<usize>,
}

/// A parameter of a call.
#[derive(Serialize)]
pub(crate) struct Parameter {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) name: &'static str,
    pub(crate) detail: String,
    pub(crate) note: String,
}

/// Result of `format`.
#[derive(Default, Serialize)]
pub(crate) struct TextResult {
    pub(crate) text: Option<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `fix`.
#[derive(Default, Serialize)]
pub(crate) struct FixResult {
    pub(crate) text: Option<String>,
    pub(crate) finished: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Result of `explain`.
#[derive(Default, Serialize)]
pub(crate) struct ExplainResult {
    pub(crate) text: String,
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) tree: Option<OutlineNode>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A sentence, or a line of a list.
#[derive(Serialize)]
pub(crate) struct Sentence {
    pub(crate) text: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) depth: usize,
}

/// A part of an expression with its subexpressions.
#[derive(Serialize)]
pub(crate) struct OutlineNode {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) children: Vec<OutlineNode>,
}

/// Result of `evaluate`.
#[derive(Serialize)]
pub(crate) struct EvaluateResult {
    pub(crate) outcome: &'static str,
    pub(crate) result: RawJsValue,
    pub(crate) unknown: Vec<String>,
    pub(crate) notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<Vec<TraceStep>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Default for EvaluateResult {
    fn default() -> Self {
        EvaluateResult {
            outcome: "error",
            result: RawJsValue::default(),
            unknown: Vec::new(),
            notes: Vec::new(),
            trace: None,
            diagnostics: Vec::new(),
        }
    }
}

/// Result of `sample`.
#[derive(Default, Serialize)]
pub(crate) struct SampleResult {
    #[serde(flatten)]
    pub(crate) evaluated: EvaluateResult,
    pub(crate) format: Option<&'static str>,
    pub(crate) entries: Vec<String>,
    pub(crate) error: Option<RequestError>,
    pub(crate) inputs: Vec<SampleInput>,
}

/// An error in the text of a request.
#[derive(Serialize)]
pub(crate) struct RequestError {
    pub(crate) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) help: Option<String>,
}

/// A field or list that an expression reads.
#[derive(Serialize)]
pub(crate) struct SampleInput {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) ty: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<RawJsValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// The truth value of one condition.
#[derive(Serialize)]
pub(crate) struct TraceStep {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) truth: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<RawJsValue>,
}
