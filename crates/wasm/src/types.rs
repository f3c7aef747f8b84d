//! The shapes that JavaScript sees; `js/index.d.ts` says the same to TypeScript.

use serde::Serialize;

/// Answer of `check`.
#[derive(Serialize)]
pub(crate) struct Checked {
    pub(crate) ok: bool,
    #[serde(rename = "type")]
    pub(crate) ty: Option<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Answer of `analyze`.
#[derive(Serialize)]
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
