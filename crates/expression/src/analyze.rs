//! Diagnostics, semantic tokens and usage of limits in one call. Start with [`analyze`] and [`Analysis`].

use crate::{
    Options, Type,
    ast::{Expr, ExprKind, IndexKind, Literal, LiteralKind, MAX_DEPTH, Value},
    check::check_syntax,
    parse::parse_syntax,
    schema,
};
use zonewright_diagnostic::{Diagnostic, Span};

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
    pub tokens: Vec<Token>,
    /// The usage of each limit.
    pub meters: Meters,
}

/// A span with the role of its text, for syntax highlighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The span of the token.
    pub span: Span,
    /// The role of the token.
    pub kind: TokenKind,
}

/// The role of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// The name of a field.
    Field,
    /// The name of a function.
    Function,
    /// A comparison or logical operator.
    Operator,
    /// A quoted or raw string.
    String,
    /// A number, IP address or byte literal.
    Number,
    /// A named list.
    List,
}

impl TokenKind {
    /// Returns the name that JSON and style sheets use.
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

/// The usage of each limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meters {
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
    let mut walk = Walk { tokens: Vec::new(), depth: 0, deepest: 0, regexes: 0 };
    if let Some(ast) = &syntax.ast {
        walk.expr(ast);
    }
    walk.tokens.sort_by_key(|token| token.span);
    let checked = check_syntax(source, syntax, options);
    Analysis {
        ok: !checked.diagnostics.iter().any(Diagnostic::is_error),
        ty: checked.program.as_ref().map(|program| program.ty()),
        diagnostics: checked.diagnostics,
        tokens: walk.tokens,
        meters: Meters {
            length: source.trim().chars().count(),
            max_length: options.max_length,
            depth: walk.deepest,
            max_depth: MAX_DEPTH,
            regexes: walk.regexes,
        },
    }
}

/// A visitor that collects tokens and measures the nesting depth.
struct Walk {
    tokens: Vec<Token>,
    depth: usize,
    deepest: usize,
    regexes: usize,
}

impl Walk {
    fn token(&mut self, span: Span, kind: TokenKind) {
        if span.start < span.end {
            self.tokens.push(Token { span, kind });
        }
    }

    fn deeper(&mut self, walk: impl FnOnce(&mut Self)) {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        walk(self);
        self.depth -= 1;
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Logical(logical) => {
                logical.operands.iter().for_each(|operand| self.expr(operand));
                logical.operators.iter().for_each(|span| self.token(*span, TokenKind::Operator));
            }
            ExprKind::Not(not) => {
                self.token(not.operator, TokenKind::Operator);
                self.deeper(|walk| walk.expr(&not.operand));
            }
            ExprKind::Group(inside) => self.deeper(|walk| walk.expr(inside)),
            ExprKind::Comparison(comparison) => {
                self.expr(&comparison.left);
                self.token(comparison.operator_span, TokenKind::Operator);
                self.expr(&comparison.right);
                if comparison.operator == crate::ast::ComparisonOperator::Matches {
                    self.regexes += 1;
                }
            }
            ExprKind::Value(value) => self.value(value),
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Set(items) => items.iter().for_each(|item| self.literal(item)),
            ExprKind::List(_) => self.token(expr.span, TokenKind::List),
            ExprKind::Invalid => {}
        }
    }

    fn value(&mut self, value: &Value) {
        let name = value.name.text.as_str();
        let function = schema::function(name);
        match &value.call {
            Some(call) => {
                self.token(value.name.span, TokenKind::Function);
                self.regexes +=
                    usize::from(function.is_some_and(|function| function.id == schema::FunctionId::RegexReplace));
                self.deeper(|walk| call.arguments.iter().for_each(|argument| walk.expr(argument)));
            }
            None if name == "true" => self.token(value.name.span, TokenKind::Number),
            None if function.is_some() => self.token(value.name.span, TokenKind::Function),
            None => self.token(value.name.span, TokenKind::Field),
        }
        for index in &value.indexes {
            let inside = Span::new(index.span.start + 1, index.span.end.saturating_sub(1));
            match index.kind {
                IndexKind::Key(_) => self.token(inside, TokenKind::String),
                IndexKind::Element(_) => self.token(inside, TokenKind::Number),
                IndexKind::Each => self.token(inside, TokenKind::Operator),
                IndexKind::Invalid => {}
            }
        }
    }

    fn literal(&mut self, literal: &Literal) {
        let kind = match literal.kind {
            LiteralKind::Word(_) => TokenKind::Number,
            _ => TokenKind::String,
        };
        self.token(literal.span, kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_in_order_and_cover_what_they_name() {
        let source = "not lower(http.host) matches \"^a\" and ip.src in $cf.vpn or m[\"k\"][*] & 4";
        let analysis = analyze(source, &Options::default());
        let shown: Vec<(&str, &str)> =
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
        assert_eq!(shown, expected);
        assert_eq!((analysis.meters.depth, analysis.meters.regexes), (2, 1));
    }
}
