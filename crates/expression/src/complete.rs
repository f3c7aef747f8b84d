//! What may stand at a cursor.
use crate::Options;
use zonewright_diagnostic::Span;

/// What may stand at a place.
#[derive(Clone, Debug)]
pub struct Completions {
    /// The text that a chosen completion replaces.
    pub span: Span,
    /// The likeliest first.
    pub items: Vec<Completion>,
}

/// One thing that may stand at a place.
#[derive(Clone, Debug)]
pub struct Completion {
    /// What is shown and matched against what was typed.
    pub label: String,
    /// What is inserted.
    pub insert: String,
    /// What it is.
    pub kind: CompletionKind,
    /// Its type or signature.
    pub detail: String,
    /// A few words on it, with what it needs.
    pub note: String,
}

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A field.
    Field,
    /// A function.
    Function,
    /// A comparison or logical operator.
    Operator,
    /// A literal value.
    Value,
    /// A named list.
    List,
}

impl CompletionKind {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            CompletionKind::Field => "field",
            CompletionKind::Function => "function",
            CompletionKind::Operator => "operator",
            CompletionKind::Value => "value",
            CompletionKind::List => "list",
        }
    }
}

/// What may stand at the byte `offset` of `source`.
pub fn complete(_source: &str, offset: usize, _options: &Options) -> Completions {
    Completions { span: Span::at(offset), items: Vec::new() }
}
