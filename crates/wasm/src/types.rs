//! The shapes that JavaScript sees; the `.d.ts` files of `js/` say the same to TypeScript.

use serde::{Serialize, Serializer};
use wasm_bindgen::JsValue;

mod cases;
mod logpush;
mod migration;
mod schema;

pub(crate) use cases::*;
pub(crate) use logpush::*;
pub(crate) use migration::*;
pub(crate) use schema::*;

/// What a function gives: its default, with what is wrong, is the answer to a wrong call.
pub(crate) trait Answer: Default + Serialize {
    fn with(diagnostics: Vec<Diagnostic>) -> Self;
}

macro_rules! answers {
    ($($answer:ident),*) => {$(
        impl Answer for $answer {
            fn with(diagnostics: Vec<Diagnostic>) -> Self {
                $answer { diagnostics, ..$answer::default() }
            }
        }
    )*};
}

answers!(Checked, Completions, HoverResult, SignatureResult, Rewritten, Fixed, Explained, Evaluated, TestResult);
answers!(CheckedFilter, EvaluatedLine, Converted, CheckedJob, Rendered);
answers!(Planned, CheckedZone, Report, ConvertedRules, Differences);

impl Answer for FilterAnalysis {
    fn with(diagnostics: Vec<Diagnostic>) -> Self {
        FilterAnalysis { checked: CheckedFilter::with(diagnostics), ..FilterAnalysis::default() }
    }
}

impl Answer for Analysis {
    fn with(diagnostics: Vec<Diagnostic>) -> Self {
        Analysis { checked: Checked::with(diagnostics), ..Analysis::default() }
    }
}

/// A value that JavaScript gets as it is.
pub(crate) struct Js(pub(crate) JsValue);

impl Default for Js {
    fn default() -> Self {
        Js(JsValue::NULL)
    }
}

impl Serialize for Js {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_wasm_bindgen::preserve::serialize(&self.0, serializer)
    }
}

/// Answer of `check`.
#[derive(Default, Serialize)]
pub(crate) struct Checked {
    pub(crate) ok: bool,
    #[serde(rename = "type")]
    pub(crate) ty: Option<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Answer of `analyze`.
#[derive(Default, Serialize)]
pub(crate) struct Analysis {
    #[serde(flatten)]
    pub(crate) checked: Checked,
    pub(crate) tokens: Vec<Token>,
    pub(crate) meters: Meters,
}

/// Answer of `complete`.
#[derive(Default, Serialize)]
pub(crate) struct Completions {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) items: Vec<Completion>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// One problem.
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
    pub(crate) related: Vec<Related>,
}

/// One reason to refuse what a document says.
#[derive(Serialize)]
pub(crate) struct Refusal {
    pub(crate) code: u32,
    pub(crate) pointer: String,
    pub(crate) message: String,
}

/// One way to mend a problem.
#[derive(Serialize)]
pub(crate) struct Fix {
    pub(crate) title: String,
    pub(crate) safe: bool,
    pub(crate) edits: Vec<Edit>,
}

/// One replaced piece of the source.
#[derive(Serialize)]
pub(crate) struct Edit {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) text: String,
}

/// A second place that explains the first.
#[derive(Serialize)]
pub(crate) struct Related {
    pub(crate) message: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A coloured piece of the source.
#[derive(Serialize)]
pub(crate) struct Token {
    pub(crate) kind: &'static str,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// How much of each limit is used.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Meters {
    pub(crate) length: usize,
    pub(crate) max_length: usize,
    pub(crate) depth: usize,
    pub(crate) max_depth: usize,
    pub(crate) regexes: usize,
}

/// One thing that may stand at a place.
#[derive(Serialize)]
pub(crate) struct Completion {
    pub(crate) label: String,
    pub(crate) insert: String,
    pub(crate) cursor: usize,
    pub(crate) again: bool,
    pub(crate) kind: &'static str,
    pub(crate) detail: String,
    pub(crate) note: String,
}

/// Answer of `hover`.
#[derive(Default, Serialize)]
pub(crate) struct HoverResult {
    pub(crate) hover: Option<Hover>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// What is known of a piece of the source.
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

/// Answer of `signature`.
#[derive(Default, Serialize)]
pub(crate) struct SignatureResult {
    pub(crate) signature: Option<Signature>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A call around a place.
#[derive(Serialize)]
pub(crate) struct Signature {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) form: String,
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

/// Answer of `format`.
#[derive(Default, Serialize)]
pub(crate) struct Rewritten {
    pub(crate) text: Option<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Answer of `fix`.
#[derive(Default, Serialize)]
pub(crate) struct Fixed {
    pub(crate) text: Option<String>,
    pub(crate) finished: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Answer of `explain`.
#[derive(Default, Serialize)]
pub(crate) struct Explained {
    pub(crate) text: String,
    pub(crate) sentences: Vec<Sentence>,
    pub(crate) tree: Option<Outline>,
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

/// A part of an expression with its parts.
#[derive(Serialize)]
pub(crate) struct Outline {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) children: Vec<Outline>,
}

/// Answer of `evaluate`.
#[derive(Serialize)]
pub(crate) struct Evaluated {
    pub(crate) outcome: &'static str,
    pub(crate) result: Js,
    pub(crate) unknown: Vec<String>,
    pub(crate) notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) trace: Option<Vec<Step>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Default for Evaluated {
    fn default() -> Self {
        Evaluated {
            outcome: "error",
            result: Js::default(),
            unknown: Vec::new(),
            notes: Vec::new(),
            trace: None,
            diagnostics: Vec::new(),
        }
    }
}

/// What one condition gave.
#[derive(Serialize)]
pub(crate) struct Step {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) truth: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Js>,
}

/// Answer of `equivalent` and `subsumes`.
#[derive(Default, Serialize)]
pub(crate) struct Verdict {
    pub(crate) answer: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) assumptions: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) record: Option<Js>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) second: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
    pub(crate) diagnostics: Vec<PairDiagnostic>,
}

/// A problem of one of two expressions.
#[derive(Serialize)]
pub(crate) struct PairDiagnostic {
    pub(crate) expression: &'static str,
    #[serde(flatten)]
    pub(crate) diagnostic: Diagnostic,
}

/// Answer of `neverFires`.
#[derive(Default, Serialize)]
pub(crate) struct JudgedRules {
    pub(crate) rules: Vec<JudgedRule>,
    pub(crate) notes: Vec<String>,
    pub(crate) diagnostics: Vec<RuleDiagnostic>,
}

/// What is said of a rule of a list.
#[derive(Default, Serialize)]
pub(crate) struct JudgedRule {
    pub(crate) index: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
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

/// A problem of a rule of a list, or of the call.
#[derive(Serialize)]
pub(crate) struct RuleDiagnostic {
    pub(crate) rule: Option<usize>,
    #[serde(flatten)]
    pub(crate) diagnostic: Diagnostic,
}
