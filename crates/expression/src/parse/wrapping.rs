//! Removes and reports the text around an expression that was copied from a configuration, a program or a document.
//!
//! Start with [`find_wrapper`] and [`Wrapping`]. The parser calls them only for a text with syntax errors, and for a
//! tree that [`may_be_wrapped`] accepts. [`find_wrapper`] examines only the ends of a text, layer by layer.
//! [`Wrapping::parse_inner`] then parses the text inside, and accepts the wrapping if that is an expression.

mod layer;

use super::{Syntax, parse_text};
use crate::{
    ast::{Expr, ExprKind},
    code,
};
use layer::Confidence;
use std::borrow::Cow;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Problems, Span};

/// The maximum number of layers that are removed, such as a code fence, a key and quotes.
const MAX_LAYERS: usize = 4;

/// An expression with the text that wraps it.
pub(super) struct Wrapping<'s> {
    source: &'s str,
    /// The span of the text with its wrapping, without whitespace at its ends.
    span: Span,
    /// The end offset of the part of the wrapping before the expression.
    opening_end: usize,
    /// The message about the outermost layer.
    message: String,
    inner: Cow<'s, str>,
    /// The offset of the inner text in the source; `None` if it was unescaped.
    offset: Option<usize>,
    confidence: Confidence,
    /// Whether parentheses around the expression belong to the wrapping.
    is_bracketed: bool,
    /// Whether the fix removes other members of an object too.
    loses_members: bool,
}

/// Returns whether a syntactically valid tree may come from a wrapped text.
pub(super) fn may_be_wrapped(ast: &Expr) -> bool {
    match &ast.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Value(value) => value.call.is_some() && layer::is_conditional(&value.name.text),
        _ => false,
    }
}

/// Returns the wrapping of a text that begins at `start` of the source, or `None` if there is none.
pub(super) fn find_wrapper<'s>(source: &'s str, text: &'s str, start: usize) -> Option<Wrapping<'s>> {
    let outermost = layer::read_layer(text)?;
    let mut wrapping = Wrapping {
        source,
        span: Span::new(start, start + text.len()),
        opening_end: start,
        message: outermost.message.clone(),
        inner: Cow::Borrowed(text),
        offset: Some(start),
        confidence: outermost.confidence,
        is_bracketed: false,
        loses_members: false,
    };
    let mut next = Some(outermost);
    for _ in 0..MAX_LAYERS {
        let Some(layer) = next else { break };
        wrapping.confidence = wrapping.confidence.max(layer.confidence);
        wrapping.is_bracketed = layer.is_bracketed;
        wrapping.loses_members |= layer.loses_members;
        if let Some(offset) = wrapping.offset {
            wrapping.opening_end = offset + layer.inner.start;
        }
        wrapping.offset = wrapping.offset.filter(|_| layer.unescaped.is_none()).map(|at| at + layer.inner.start);
        let range = layer.inner.start..layer.inner.end;
        wrapping.inner = match (layer.unescaped, &wrapping.inner) {
            (Some(text), _) => Cow::Owned(text.trim().to_owned()),
            (None, Cow::Borrowed(text)) => Cow::Borrowed(text.get(range)?),
            (None, Cow::Owned(text)) => Cow::Owned(text.get(range)?.to_owned()),
        };
        next = layer::read_layer(&wrapping.inner);
    }
    (!wrapping.inner.is_empty()).then_some(wrapping)
}

impl Wrapping<'_> {
    /// Parses the inner expression. Returns a problem about the wrapping, followed by the problems of the expression.
    /// Returns only the former, without a tree, if the inner text was unescaped, because its offsets are not those of
    /// the source. Returns `None` if the inner text is not an expression.
    pub(super) fn parse_inner(&self) -> Option<Syntax> {
        let Syntax { ast, problems: found } = match self.offset {
            Some(offset) => parse_text(self.source, &self.inner, offset),
            None => parse_text(&self.inner, &self.inner, 0),
        };
        let is_clean = !found.has_errors();
        let is_accepted = match self.confidence {
            Confidence::Certain => true,
            Confidence::Likely => ast.as_ref().is_some_and(contains_condition),
            Confidence::Unconfirmed => is_clean && ast.as_ref().is_some_and(contains_condition),
        };
        if !is_accepted {
            return None;
        }
        let (ast, inner, opening_end) = self.strip_brackets(ast);
        let is_expression =
            ast.as_ref().is_some_and(|ast| !matches!(ast.kind, ExprKind::Literal(_) | ExprKind::Invalid));
        let edits = vec![Edit::replace(self.span, inner)];
        let title = "keep only the expression";
        let opening = Span::new(self.span.start, opening_end);
        let opening = Span::new(opening.start, opening.start + opening.text(self.source).trim_end().len());
        let diagnostic = Diagnostic::error(code::WRAPPED_EXPRESSION, opening, self.message.as_str())
            .with_help("enter only the condition, without a setting name, quotes or an action around it")
            .with_fix(match is_clean && is_expression && !self.loses_members {
                true => Fix::safe_edits(title, edits),
                false => Fix::unsafe_edits(title, edits),
            });
        let mut problems = Problems::default();
        problems.push(diagnostic);
        if self.offset.is_none() {
            return Some(Syntax { ast: None, problems });
        }
        problems.append(found);
        Some(Syntax { ast, problems })
    }
}

impl Wrapping<'_> {
    /// Removes the parentheses that `if (…)` has around the whole condition. Returns the tree, its text and its start
    /// offset.
    fn strip_brackets(&self, ast: Option<Expr>) -> (Option<Expr>, &str, usize) {
        let inner_span = self.offset.map(|offset| Span::new(offset, offset + self.inner.len()));
        match ast {
            Some(Expr { kind: ExprKind::Group(inner), span }) if self.is_bracketed && Some(span) == inner_span => {
                let text = self.inner.get(1..self.inner.len() - 1).unwrap_or_default();
                let start = span.start + 1 + text.len() - text.trim_start().len();
                (Some(*inner), text.trim(), start)
            }
            ast => (ast, &self.inner, self.opening_end),
        }
    }
}

/// Returns whether a tree contains a call, or a comparison of a value that resembles a field. Prose contains neither.
fn contains_condition(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Logical(logical) => logical.operands.iter().any(contains_condition),
        ExprKind::Not(not) => contains_condition(&not.operand),
        ExprKind::Group(inner) => contains_condition(inner),
        ExprKind::Comparison(comparison) => match &comparison.left.kind {
            ExprKind::Value(value) => {
                value.name.text.contains('.') || value.call.is_some() || !value.indexes.is_empty()
            }
            _ => false,
        },
        ExprKind::Value(value) => value.call.as_ref().is_some_and(|call| call.span.start == value.name.span.end),
        _ => false,
    }
}
