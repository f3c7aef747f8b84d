//! Diagnostics, semantic tokens and usage of limits in one call. Start with [`analyze`] and [`Analysis`].

use crate::{
    Options, Type,
    ast::{Expr, ExprKind, IndexKind, Literal, LiteralKind, MAX_NESTING_DEPTH, Value},
    check::check_syntax,
    parse::parse_syntax,
    schema,
};
use zonewright_diagnostic::{Diagnostic, Span, sort_by_key};

/// Everything that an editor shows about an expression.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Whether there are no errors. Warnings and hints are allowed.
    pub ok: bool,
    /// The type of the whole expression; `None` if there is an error.
    pub ty: Option<Type>,
    /// All diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// The semantic tokens, in source order, without overlap.
    pub tokens: Vec<SemanticToken>,
    /// The usage of each limit.
    pub usage: Usage,
}

/// A span with the role of its text, for syntax highlighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// The span of the token.
    pub span: Span,
    /// The role of the token.
    pub kind: SemanticTokenKind,
}

/// The role of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticTokenKind {
    /// The name of a field.
    Field,
    /// The name of a function.
    Function,
    /// A comparison or logical operator, or the star of `[*]`.
    Operator,
    /// A quoted or raw string, or a key.
    String,
    /// A number, IP address or byte literal, or `true`.
    Number,
    /// A named list.
    List,
}

impl SemanticTokenKind {
    /// Returns the name that JSON and style sheets use.
    pub fn as_str(self) -> &'static str {
        match self {
            SemanticTokenKind::Field => "field",
            SemanticTokenKind::Function => "function",
            SemanticTokenKind::Operator => "operator",
            SemanticTokenKind::String => "string",
            SemanticTokenKind::Number => "number",
            SemanticTokenKind::List => "list",
        }
    }
}

/// The usage of each limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The length in characters (Unicode scalar values), without whitespace at the ends.
    pub length: usize,
    /// The maximum length in characters.
    pub max_length: usize,
    /// The nesting depth of parentheses, `not` and calls.
    pub depth: usize,
    /// The maximum nesting depth.
    pub max_depth: usize,
    /// The number of regular expressions.
    pub regexes: usize,
}

/// Analyzes an expression for an editor.
pub fn analyze(source: &str, options: &Options) -> Analysis {
    let syntax = parse_syntax(source);
    let mut visitor = UsageVisitor { tokens: Vec::new(), depth: 0, max_depth: 0, regexes: 0 };
    if let Some(ast) = &syntax.ast {
        visitor.visit_expr(ast);
    }
    sort_by_key(&mut visitor.tokens, |token| token.span);
    let checked = check_syntax(source, syntax, options);
    Analysis {
        ok: !checked.diagnostics.iter().any(Diagnostic::is_error),
        ty: checked.program.as_ref().map(|program| program.ty()),
        diagnostics: checked.diagnostics,
        tokens: visitor.tokens,
        usage: Usage {
            length: source.trim().chars().count(),
            max_length: options.max_length,
            depth: visitor.max_depth,
            max_depth: MAX_NESTING_DEPTH,
            regexes: visitor.regexes,
        },
    }
}

/// A visitor that collects semantic tokens, measures the nesting depth and counts regular expressions.
struct UsageVisitor {
    tokens: Vec<SemanticToken>,
    depth: usize,
    max_depth: usize,
    regexes: usize,
}

impl UsageVisitor {
    fn push_token(&mut self, span: Span, kind: SemanticTokenKind) {
        if span.start < span.end {
            self.tokens.push(SemanticToken { span, kind });
        }
    }

    fn with_nesting(&mut self, visit: impl FnOnce(&mut Self)) {
        self.depth += 1;
        self.max_depth = self.max_depth.max(self.depth);
        visit(self);
        self.depth -= 1;
    }

    fn visit_expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Logical(logical) => {
                logical.operands.iter().for_each(|operand| self.visit_expr(operand));
                logical.operators.iter().for_each(|span| self.push_token(*span, SemanticTokenKind::Operator));
            }
            ExprKind::Not(not) => {
                self.push_token(not.operator, SemanticTokenKind::Operator);
                self.with_nesting(|visitor| visitor.visit_expr(&not.operand));
            }
            ExprKind::Group(inner) => self.with_nesting(|visitor| visitor.visit_expr(inner)),
            ExprKind::Comparison(comparison) => {
                self.visit_expr(&comparison.left);
                self.push_token(comparison.operator_span, SemanticTokenKind::Operator);
                self.visit_expr(&comparison.right);
                if comparison.operator == crate::ast::ComparisonOperator::Matches {
                    self.regexes += 1;
                }
            }
            ExprKind::Value(value) => self.visit_value(value),
            ExprKind::Literal(literal) => self.visit_literal(literal),
            ExprKind::Set(items) => items.iter().for_each(|item| self.visit_literal(item)),
            ExprKind::List(_) => self.push_token(expr.span, SemanticTokenKind::List),
            ExprKind::Invalid => {}
        }
    }

    fn visit_value(&mut self, value: &Value) {
        let name = value.name.text.as_str();
        let function = schema::function(name);
        match &value.call {
            Some(call) => {
                self.push_token(value.name.span, SemanticTokenKind::Function);
                self.regexes +=
                    usize::from(function.is_some_and(|function| function.id == schema::FunctionId::RegexReplace));
                self.with_nesting(|visitor| call.arguments.iter().for_each(|argument| visitor.visit_expr(argument)));
            }
            None if name == "true" => self.push_token(value.name.span, SemanticTokenKind::Number),
            None if function.is_some() => self.push_token(value.name.span, SemanticTokenKind::Function),
            None => self.push_token(value.name.span, SemanticTokenKind::Field),
        }
        for index in &value.indexes {
            let inner = Span::new(index.span.start + 1, index.span.end.saturating_sub(1));
            match index.kind {
                IndexKind::Key(_) => self.push_token(inner, SemanticTokenKind::String),
                IndexKind::Element(_) => self.push_token(inner, SemanticTokenKind::Number),
                IndexKind::Each => self.push_token(inner, SemanticTokenKind::Operator),
                IndexKind::Invalid => {}
            }
        }
    }

    fn visit_literal(&mut self, literal: &Literal) {
        let kind = match literal.kind {
            LiteralKind::Unquoted(_) => SemanticTokenKind::Number,
            _ => SemanticTokenKind::String,
        };
        self.push_token(literal.span, kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_ordered_and_cover_their_text() {
        let source = "not lower(http.host) matches \"^a\" and ip.src in $cf.vpn or m[\"k\"][*] & 4";
        let analysis = analyze(source, &Options::default());
        let tokens: Vec<(&str, &str)> =
            analysis.tokens.iter().map(|token| (token.kind.as_str(), token.span.text(source))).collect();
        let expected = [
            ("operator", "not"),
            ("function", "lower"),
            ("field", "http.host"),
            ("operator", "matches"),
            ("string", "\"^a\""),
            ("operator", "and"),
            ("field", "ip.src"),
            ("operator", "in"),
            ("list", "$cf.vpn"),
            ("operator", "or"),
            ("field", "m"),
            ("string", "\"k\""),
            ("operator", "*"),
            ("operator", "&"),
            ("number", "4"),
        ];
        assert_eq!(tokens, expected);
        assert_eq!((analysis.usage.depth, analysis.usage.regexes), (2, 1));
    }
}
