//! Results of verbs that several pages read, converted to the types of the engine. The declarations of the npm package
//! (`crates/wasm/js`) document the members.

use crate::engine::EngineError;
use serde::Deserialize;
use zonewright_diagnostic::{Applicability, Edit, RelatedInformation, Severity, Span, Utf16Offsets};
use zonewright_expression::{Explanation, OutlineKind};

/// Returns the static name of a diagnostic code.
pub(crate) type CodeName = fn(&str) -> &'static str;

/// A diagnostic.
#[derive(Deserialize)]
pub(crate) struct Diagnostic {
    code: String,
    severity: String,
    message: String,
    start: usize,
    end: usize,
    label: String,
    help: Option<String>,
    fixes: Vec<Fix>,
    related: Vec<Related>,
}

impl Diagnostic {
    /// Returns the message of an error, and `None` for a warning or a hint.
    pub(crate) fn into_error(self) -> Option<String> {
        (self.severity == Severity::Error.as_str()).then_some(self.message)
    }
}

#[derive(Deserialize)]
struct Fix {
    title: String,
    safe: bool,
    edits: Vec<TextEdit>,
}

#[derive(Deserialize)]
struct TextEdit {
    start: usize,
    end: usize,
    text: String,
}

#[derive(Deserialize)]
struct Related {
    message: String,
    start: usize,
    end: usize,
}

/// Result of `fix`, `format` and `logpush.simplify`.
#[derive(Deserialize)]
pub(crate) struct TextResult {
    /// The new text; absent if the source has errors.
    pub(crate) text: Option<String>,
}

/// Result of `explain`.
#[derive(Deserialize)]
pub(crate) struct ExplainResult {
    text: String,
    sentences: Vec<Sentence>,
    tree: Option<OutlineNode>,
}

#[derive(Deserialize)]
struct Sentence {
    text: String,
    start: usize,
    end: usize,
    depth: usize,
}

#[derive(Deserialize)]
struct OutlineNode {
    kind: String,
    text: String,
    start: usize,
    end: usize,
    children: Vec<OutlineNode>,
}

/// Converts the offsets of one source.
pub(crate) struct Spans(Utf16Offsets);

impl Spans {
    /// Indexes a source.
    pub(crate) fn new(source: &str) -> Self {
        Spans(Utf16Offsets::new(source))
    }

    /// Converts a range.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.0.utf16_to_byte(start), self.0.utf16_to_byte(end))
    }
}

/// Converts the diagnostics of a source.
pub(crate) fn to_diagnostics(
    source: &str,
    diagnostics: Vec<Diagnostic>,
    code_name: CodeName,
) -> Vec<zonewright_diagnostic::Diagnostic> {
    let spans = Spans::new(source);
    let convert = |diagnostic: Diagnostic| zonewright_diagnostic::Diagnostic {
        code: code_name(&diagnostic.code),
        severity: severity(&diagnostic.severity),
        message: diagnostic.message,
        span: spans.span(diagnostic.start, diagnostic.end),
        label: diagnostic.label,
        help: diagnostic.help,
        fixes: diagnostic.fixes.into_iter().map(|fix| to_fix(&spans, fix)).collect(),
        related: diagnostic.related.into_iter().map(|related| to_related(&spans, related)).collect(),
    };
    diagnostics.into_iter().map(convert).collect()
}

fn severity(name: &str) -> Severity {
    let all = [Severity::Error, Severity::Warning, Severity::Hint];
    all.into_iter().find(|severity| severity.as_str() == name).unwrap_or(Severity::Error)
}

fn to_fix(spans: &Spans, fix: Fix) -> zonewright_diagnostic::Fix {
    let edit = |edit: TextEdit| Edit { span: spans.span(edit.start, edit.end), text: edit.text };
    zonewright_diagnostic::Fix {
        title: fix.title,
        edits: fix.edits.into_iter().map(edit).collect(),
        applicability: if fix.safe { Applicability::Safe } else { Applicability::Unsafe },
    }
}

fn to_related(spans: &Spans, related: Related) -> RelatedInformation {
    RelatedInformation { span: spans.span(related.start, related.end), message: related.message }
}

impl ExplainResult {
    /// Converts the explanation of a source. The diagnostics are those of its analysis.
    pub(crate) fn into_explanation(self, source: &str) -> Explanation {
        let spans = Spans::new(source);
        let sentence = |sentence: Sentence| zonewright_expression::Sentence {
            text: sentence.text,
            span: spans.span(sentence.start, sentence.end),
            depth: sentence.depth,
        };
        Explanation {
            text: self.text,
            sentences: self.sentences.into_iter().map(sentence).collect(),
            tree: self.tree.map(|tree| to_outline(&spans, tree)),
            diagnostics: Vec::new(),
        }
    }
}

/// Converts a tree. The engine bounds its depth, so the recursion is bounded.
fn to_outline(spans: &Spans, node: OutlineNode) -> zonewright_expression::OutlineNode {
    zonewright_expression::OutlineNode {
        kind: match node.kind.as_str() {
            "all" => OutlineKind::All,
            "any" => OutlineKind::Any,
            "xor" => OutlineKind::Xor,
            "not" => OutlineKind::Not,
            "value" => OutlineKind::Value,
            _ => OutlineKind::Condition,
        },
        text: node.text,
        span: spans.span(node.start, node.end),
        children: node.children.into_iter().map(|child| to_outline(spans, child)).collect(),
    }
}

/// The code and the message of a diagnostic.
#[derive(Deserialize)]
pub(crate) struct CallDiagnostic {
    code: String,
    message: String,
}

/// Returns the failure of a call: a crash of the engine, or an invalid argument. Other diagnostics are about the source.
pub(crate) fn check_call(diagnostics: &[CallDiagnostic]) -> Result<(), EngineError> {
    let is_failure = |diagnostic: &&CallDiagnostic| {
        matches!(diagnostic.code.as_str(), "internal-error" | "invalid-source" | "invalid-option")
    };
    match diagnostics.iter().find(is_failure) {
        Some(diagnostic) => Err(EngineError::Failed(diagnostic.message.clone())),
        None => Ok(()),
    }
}
