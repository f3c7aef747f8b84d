//! Stands in for engine parts that are still to come.

use zonewright_diagnostic::{Diagnostic, Span};
use zonewright_expression::{Completions, Explained, Hover};
use zonewright_logpush::ast::{Form, Node};
use zonewright_logpush::{Options, Program, check, parse};

#[derive(Clone, Debug)]
pub(crate) struct Analysis {
    pub(crate) ok: bool,
    pub(crate) form: Form,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) meters: Meters,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Meters {
    pub(crate) operators: usize,
    pub(crate) max_operators: usize,
    pub(crate) bytes: usize,
    pub(crate) max_bytes: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) span: Span,
    pub(crate) kind: TokenKind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum TokenKind {
    Key,
}

impl TokenKind {
    pub(crate) fn as_str(self) -> &'static str {
        "key"
    }
}

pub(crate) use zonewright_logpush::{FormatOptions, Style, format, print};

pub(crate) fn analyze(source: &str, options: &Options) -> Analysis {
    let checked = check(source, options);
    Analysis {
        ok: checked.program.is_some(),
        form: parse(source).form,
        diagnostics: checked.diagnostics,
        tokens: Vec::new(),
        meters: Meters { operators: 0, max_operators: 30, bytes: source.len(), max_bytes: 1000 },
    }
}

pub(crate) fn complete(_: &str, offset: usize, _: &Options) -> Completions {
    Completions { span: Span::at(offset), items: Vec::new() }
}

pub(crate) fn hover(_: &str, _: usize, _: &Options) -> Option<Hover> {
    None
}

pub(crate) fn explain(source: &str, options: &Options) -> Explained {
    let diagnostics = check(source, options).diagnostics;
    Explained { text: String::new(), sentences: Vec::new(), tree: None, diagnostics }
}

pub(crate) fn simplify(program: &Program) -> Node {
    program.filter().condition.clone()
}

pub(crate) struct Loss {
    pub(crate) span: Span,
    pub(crate) message: String,
}

pub(crate) struct Conversion {
    pub(crate) text: Option<String>,
    pub(crate) lost: Vec<Loss>,
}

pub(crate) fn to_expression(_: &Program) -> Conversion {
    Conversion { text: Some("true".to_owned()), lost: vec![Loss { span: Span::new(0, 1), message: "all".to_owned() }] }
}

pub(crate) fn from_expression(_: &zonewright_expression::Program, _: &'static zonewright_logpush::Dataset) -> Conversion {
    Conversion { text: None, lost: Vec::new() }
}
