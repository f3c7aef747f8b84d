//! Stands in for engine parts that are still to come.

use zonewright_diagnostic::{Diagnostic, Span};
use zonewright_expression::{Completions, Explained, Hover};
use zonewright_logpush::ast::{self, Form, Json, JsonKind, Node, NodeKind};
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Pretty,
    Compact,
    Escaped,
}

pub(crate) struct FormatOptions {
    pub(crate) style: Style,
}

impl Default for FormatOptions {
    fn default() -> Self {
        FormatOptions { style: Style::Pretty }
    }
}

pub(crate) struct Formatted {
    pub(crate) text: Option<String>,
}

pub(crate) fn format(source: &str, options: &FormatOptions) -> Formatted {
    Formatted { text: parse(source).ast.map(|ast| print(&ast.condition, options.style)) }
}

pub(crate) fn print(node: &Node, style: Style) -> String {
    let value = serde_json::json!({ "where": json(node) });
    match style {
        Style::Pretty => serde_json::to_string_pretty(&value).unwrap_or_default(),
        Style::Compact => value.to_string(),
        Style::Escaped => serde_json::Value::from(value.to_string()).to_string(),
    }
}

fn json(node: &Node) -> serde_json::Value {
    match &node.kind {
        NodeKind::And(nodes) => serde_json::json!({ "and": nodes.iter().map(json).collect::<Vec<_>>() }),
        NodeKind::Or(nodes) => serde_json::json!({ "or": nodes.iter().map(json).collect::<Vec<_>>() }),
        NodeKind::Condition(one) => {
            let text = |text: &Option<ast::Text>| text.as_ref().map(|text| text.text.clone());
            serde_json::json!({ "key": text(&one.key), "operator": text(&one.operator), "value": one.value.as_ref().map(plain) })
        }
        NodeKind::Invalid => serde_json::Value::Null,
    }
}

fn plain(value: &Json) -> serde_json::Value {
    match &value.kind {
        JsonKind::Bool(one) => (*one).into(),
        JsonKind::Number(text) => serde_json::from_str(text).unwrap_or_default(),
        JsonKind::String(text) => text.clone().into(),
        JsonKind::Array(items) => items.iter().map(plain).collect::<Vec<_>>().into(),
        _ => serde_json::Value::Null,
    }
}

pub(crate) fn analyze(source: &str, options: &Options) -> Analysis {
    let checked = check(source, options);
    Analysis {
        ok: checked.program.is_some(),
        form: Form::Object,
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
