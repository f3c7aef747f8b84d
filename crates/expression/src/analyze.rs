//! All that an editor shows, in one call.
use crate::{Options, Type};
use zonewright_diagnostic::{Diagnostic, Span};

/// What an editor shows of an expression.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Whether there is no error (warnings and hints allowed).
    pub ok: bool,
    /// Type of the whole, when it has one.
    pub ty: Option<Type>,
    /// Every problem, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
    /// Coloured pieces in the order of the source, without overlap.
    pub tokens: Vec<Token>,
    /// How much of each limit is used.
    pub meters: Meters,
}

/// A piece of the source with its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: TokenKind,
}

/// What a piece of the source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A field's name.
    Field,
    /// A function's name.
    Function,
    /// A comparison or logical operator.
    Operator,
    /// A quoted or raw string.
    String,
    /// A number, address or byte literal.
    Number,
    /// A named list.
    List,
}

impl TokenKind {
    /// The word used in JSON and as a style name.
    pub fn as_str(self) -> &'static str {
        match self {
            TokenKind::Field => "field",
            TokenKind::Function => "function",
            TokenKind::Operator => "operator",
            TokenKind::String => "string",
            TokenKind::Number => "number",
            TokenKind::List => "list",
        }
    }
}

/// How much of each limit is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meters {
    /// Characters (Unicode scalar values).
    pub length: usize,
    /// Most characters allowed.
    pub max_length: usize,
    /// Deepest nesting of brackets, `not` and calls.
    pub depth: usize,
    /// Deepest nesting allowed.
    pub max_depth: usize,
    /// Regular expressions.
    pub regexes: usize,
}

/// Analyzes an expression for an editor.
pub fn analyze(_source: &str, _options: &Options) -> Analysis {
    Analysis { ok: true, ty: None, diagnostics: Vec::new(), tokens: Vec::new(), meters: Meters::default() }
}
