//! From syntax to a program: keys, operators, values and limits.

use crate::{
    Program,
    ast::{Condition, Json, JsonKind, Node, NodeKind},
    code,
    datasets::{Dataset, Field, FieldType},
    lint::lint,
    number::Number,
    operator::Operator,
    parse::{Parsed, parse},
    program::{Comparison, Operand, Test, TestKind},
};
use zonewright_diagnostic::{Diagnostic, Span};
use zonewright_expression::Lint;

/// Most operators of a filter (documented as approximate; assumption filter-limits).
pub const MAX_OPERATORS: usize = 30;
/// Longest filter in bytes (documented as approximate; assumption filter-limits).
pub const MAX_BYTES: usize = 1000;

/// What to check a filter against.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whose fields it may name.
    pub dataset: &'static Dataset,
    /// Most conditions.
    pub max_operators: usize,
    /// Longest filter in bytes of UTF-8, as its string is sent: an escaped one without its escapes.
    pub max_bytes: usize,
    /// Which lints are reported beside the other diagnostics of a right filter; none without.
    pub lint: Option<Lint>,
}

impl Default for Options {
    fn default() -> Self {
        Options { dataset: Dataset::http_requests(), max_operators: MAX_OPERATORS, max_bytes: MAX_BYTES, lint: None }
    }
}

/// The result of [`check()`].
#[derive(Clone, Debug)]
pub struct Checked {
    /// The program; `None` when there is an error.
    pub program: Option<Program>,
    /// Every problem, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and checks a filter.
pub fn check(source: &str, options: &Options) -> Checked {
    check_parsed(source, parse(source), options)
}

/// Checks what was parsed already.
pub(crate) fn check_parsed(source: &str, parsed: Parsed, options: &Options) -> Checked {
    let mut diagnostics = parsed.diagnostics;
    let test = parsed.ast.as_ref().and_then(|ast| node(&ast.condition, options, &mut diagnostics));
    let refused = diagnostics.iter().any(Diagnostic::is_error);
    let program = match (parsed.ast, test) {
        (Some(ast), Some(test)) if !refused => Some(Program::new(ast, options.dataset, test)),
        _ => None,
    };
    if let Some(program) = program.as_ref().filter(|_| options.lint.is_some()) {
        diagnostics.extend(lint(source, program, options));
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    }
    Checked { program, diagnostics }
}

fn node(node_: &Node, options: &Options, diagnostics: &mut Vec<Diagnostic>) -> Option<Test> {
    let mut many = |nodes: &[Node]| nodes.iter().map(|item| node(item, options, diagnostics)).collect::<Option<_>>();
    let kind = match &node_.kind {
        NodeKind::And(nodes) => TestKind::All(many(nodes)?),
        NodeKind::Or(nodes) => TestKind::Any(many(nodes)?),
        NodeKind::Condition(condition) => TestKind::Comparison(comparison(condition, options, diagnostics)?),
        NodeKind::Invalid => return None,
    };
    Some(Test { kind, span: node_.span })
}

fn comparison(condition: &Condition, options: &Options, diagnostics: &mut Vec<Diagnostic>) -> Option<Comparison> {
    let (key, name, value) = (condition.key.as_ref()?, condition.operator.as_ref()?, condition.value.as_ref()?);
    let mut wrong = |span: Span, message: String| {
        diagnostics.push(Diagnostic::error(code::UNKNOWN_KEY, span, message));
        None
    };
    let Some(field) = options.dataset.field(&key.text) else {
        return wrong(key.span, format!("unknown key `{}`", key.text));
    };
    let Some(operator) = Operator::named(&name.text).filter(|operator| operator.takes(field.ty)) else {
        return wrong(name.span, format!("unknown operator `{}`", name.text));
    };
    let Some(operand) = operand(value, field, operator.takes_list()) else {
        return wrong(value.span, "wrong value".to_owned());
    };
    Some(Comparison { field, key: key.span, operator, operator_span: name.span, operand, operand_span: value.span })
}

fn operand(value: &Json, field: &Field, list: bool) -> Option<Operand> {
    let text = match &value.kind {
        JsonKind::Array(items) if list => {
            return items.iter().map(|item| operand(item, field, false)).collect::<Option<_>>().map(Operand::Items);
        }
        _ if list => return None,
        JsonKind::String(text) | JsonKind::Number(text) => text.as_str(),
        JsonKind::Bool(true) => "true",
        JsonKind::Bool(false) => "false",
        _ => return None,
    };
    match field.ty {
        FieldType::String | FieldType::Strings => Some(Operand::Text(text.to_owned())),
        FieldType::Bool => text.parse().ok().map(Operand::Bool),
        _ => Number::read(text).map(Operand::Number),
    }
}
