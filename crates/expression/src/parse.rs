//! The parser: lowers the output of the grammar to the syntax tree.
//!
//! Start with [`parse`] and `Lowering`. The grammar `expression.pest` reads every source to its end. The modules here
//! lower its pairs and report syntax errors.
//!
//! Invariant: pairs and grammar rules never leave this directory.

mod adjacent_items;
mod adjacent_operands;
mod chain;
mod comparison;
mod comparison_run;
mod errors;
mod escape;
mod literal;
mod number;
mod operator;
mod set;
mod trivia;
mod value;
mod whitespace;
mod wrapping;

use crate::{
    ast::{Expr, ExprKind, MAX_NESTING_DEPTH},
    code,
};
use pest::{
    Parser as _,
    iterators::{Pair as PestPair, Pairs},
};
use std::iter::Peekable;
use zonewright_diagnostic::{Diagnostic, Problems, Span, group_digits};

/// The maximum size of a source, in bytes. A larger source is rejected without parsing.
pub(crate) const MAX_SOURCE_BYTES: usize = 1 << 20;

#[allow(missing_docs, unreachable_pub, reason = "made by pest_derive")]
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "expression.pest"]
    pub(super) struct Grammar;
}
pub(crate) use escape::unescape;
use grammar::{Grammar, Rule};
pub(crate) use set::has_mixed_separators;

type Pair<'i> = PestPair<'i, Rule>;

/// The result of [`parse`].
#[derive(Clone, Debug)]
pub struct ParseOutput {
    /// The syntax tree, with [`ExprKind::Invalid`] nodes where the source has errors. `None` if the source is empty,
    /// too large, or an escaped expression inside a string.
    pub ast: Option<Expr>,
    /// The diagnostics of the syntax, in source order. At most 1,000 are listed; an additional diagnostic
    /// counts the others.
    pub diagnostics: Vec<Diagnostic>,
}

/// A syntax tree with the problems of its source, to which the checker adds its own.
pub(crate) struct Syntax {
    pub(crate) ast: Option<Expr>,
    pub(crate) problems: Problems,
}

/// Parses an expression without a schema. [`check`](crate::check()) resolves names and types.
pub fn parse(source: &str) -> ParseOutput {
    let Syntax { ast, problems } = parse_syntax(source);
    ParseOutput { ast, diagnostics: problems.into_diagnostics(code::TOO_MANY_DIAGNOSTICS) }
}

/// Parses an expression for callers that add more problems.
pub(crate) fn parse_syntax(source: &str) -> Syntax {
    if source.len() > MAX_SOURCE_BYTES {
        return reject(
            Diagnostic::error(
                code::SOURCE_TOO_LARGE,
                Span::empty(0),
                format!(
                    "the text has {} bytes; the limit is {}",
                    group_digits(source.len()),
                    group_digits(MAX_SOURCE_BYTES)
                ),
            )
            .with_help("split it: the limit for an expression is 4,096 characters"),
        );
    }
    // The engine trims Unicode whitespace, although inside an expression it accepts only three kinds.
    let start = source.len() - source.trim_start().len();
    let text = source.trim();
    if text.is_empty() {
        return reject(
            Diagnostic::error(code::EMPTY_EXPRESSION, Span::new(0, source.len()), "the expression is empty")
                .with_help("write a condition, such as `http.host eq \"example.com\"`, or `true` for all requests"),
        );
    }
    let syntax = parse_text(source, text, start);
    let is_suspicious = syntax.problems.has_errors() || syntax.ast.as_ref().is_some_and(wrapping::may_be_wrapped);
    let wrapping = if is_suspicious { wrapping::find_wrapper(source, text, start) } else { None };
    wrapping.and_then(|wrapping| wrapping.parse_inner()).unwrap_or(syntax)
}

/// Parses a text that begins at `start` of the source.
fn parse_text(source: &str, text: &str, start: usize) -> Syntax {
    let mut attempt = parse_once(source, text, start);
    let mut all_trivia_problems = Problems::default();
    if attempt.may_have_trivia {
        let mut clean = text.to_owned();
        // One piece of trivia can hide another, which is found only after the first is removed. Few passes suffice.
        for _ in 0..MAX_PARSE_PASSES {
            let trivia_problems = trivia::blank_out_trivia(&mut clean, &attempt.literals, start, source);
            if trivia_problems.is_empty() {
                break;
            }
            all_trivia_problems.append(trivia_problems);
            attempt = parse_once(source, &clean, start);
            if !attempt.may_have_trivia {
                break;
            }
        }
    }
    let mut problems = attempt.diagnostics;
    problems.append(all_trivia_problems);
    Syntax { ast: attempt.ast, problems }
}

/// The maximum number of passes that remove trivia from an invalid text.
const MAX_PARSE_PASSES: usize = 4;

/// The result of one pass over a text.
struct ParseAttempt {
    ast: Option<Expr>,
    diagnostics: Problems,
    /// Whether the text may contain unsupported whitespace or comments, so that another pass without them is needed.
    may_have_trivia: bool,
    /// The spans of strings in the text, if another pass may be needed.
    literals: Vec<Span>,
}

/// Parses a text that begins at `offset` of the source, in a single pass.
fn parse_once(source: &str, text: &str, offset: usize) -> ParseAttempt {
    let mut lowering = Lowering {
        source,
        offset,
        depth: 0,
        is_cut_short: false,
        is_depth_reported: false,
        has_trivia: false,
        diagnostics: Problems::default(),
    };
    let mut literals = Vec::new();
    let ast = match Grammar::parse(Rule::source, text) {
        Ok(mut pairs) => pairs.next().map(|root| {
            let ast = lowering.lower_source(root.clone());
            if lowering.has_trivia || !lowering.diagnostics.is_empty() || trivia::has_control_characters(text) {
                lowering.has_trivia = true;
                let strings = root.into_inner().flatten().filter(|pair| is_string_rule(pair.as_rule()));
                literals.extend(strings.map(|pair| Span::new(pair.as_span().start(), pair.as_span().end())));
            }
            ast
        }),
        // Unreachable: the grammar accepts every text. This guards against a defect in the grammar.
        Err(_) => {
            let span = Span::new(offset, offset + text.len());
            lowering.report(Diagnostic::error(code::UNEXPECTED_TEXT, span, "the expression cannot be parsed"));
            None
        }
    };
    ParseAttempt { ast, diagnostics: lowering.diagnostics, may_have_trivia: lowering.has_trivia, literals }
}

/// Returns whether a rule is a string of any kind, including foreign quotes and unterminated strings.
fn is_string_rule(rule: Rule) -> bool {
    matches!(
        rule,
        // Comparisons that are one token have no trivia outside their strings.
        Rule::plain
            | Rule::text_comparison
            | Rule::quoted
            | Rule::raw
            | Rule::regex
            | Rule::open_quoted
            | Rule::open_raw
            | Rule::open_regex
            | Rule::single_quoted
            | Rule::smart_quoted
            | Rule::backtick_quoted
    )
}

fn reject(diagnostic: Diagnostic) -> Syntax {
    let mut problems = Problems::default();
    problems.push(diagnostic);
    Syntax { ast: None, problems }
}

/// Lowers pairs to a syntax tree and collects diagnostics.
struct Lowering<'i> {
    source: &'i str,
    /// The number of bytes of whitespace before the text that the grammar reads.
    offset: usize,
    depth: usize,
    /// Set if the end of the text was not read, which suppresses errors about unclosed delimiters.
    is_cut_short: bool,
    /// Set once excessive depth is reported, so that it is reported only once.
    is_depth_reported: bool,
    /// Set if sets may contain unsupported whitespace or comments, because the tokens of sets hide them.
    has_trivia: bool,
    diagnostics: Problems,
}

impl<'i> Lowering<'i> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn span(&self, pair: &Pair<'i>) -> Span {
        let span = pair.as_span();
        Span::new(span.start() + self.offset, span.end() + self.offset)
    }

    /// Returns the span of a rule that begins after its opening delimiter, extended by the delimiter.
    fn opened_span(&self, pair: &Pair<'i>) -> Span {
        let span = self.span(pair);
        Span::new(span.start.saturating_sub(1), span.end)
    }

    /// Reports an unclosed delimiter, unless it follows from another error.
    fn report_unclosed(&mut self, span: Span, bracket: &str, closing: &str) {
        if !self.is_cut_short {
            let open = Span::new(span.start, span.start + bracket.len());
            self.report(errors::unclosed_bracket(open, span.end, bracket, closing));
        }
    }

    /// Runs `lower` one level deeper. Beyond the maximum depth, it returns `None` and reports the depth once.
    fn with_nesting<T>(&mut self, at: Span, lower: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_NESTING_DEPTH {
            self.report_too_deep(at);
            return None;
        }
        self.depth += 1;
        let lowered = lower(self);
        self.depth -= 1;
        Some(lowered)
    }

    fn report_too_deep(&mut self, at: Span) {
        if self.is_depth_reported {
            return;
        }
        self.is_depth_reported = true;
        self.is_cut_short = true;
        self.report(
            Diagnostic::error(
                code::NESTING_TOO_DEEP,
                at,
                format!("parentheses, `not`, and calls are nested more than {MAX_NESTING_DEPTH} levels deep"),
            )
            .with_label("one level too many")
            .with_help("remove redundant parentheses, or split the expression into several rules"),
        );
    }
}

type ChildPairs<'i> = Peekable<Pairs<'i, Rule>>;

fn child_pairs(pair: Pair<'_>) -> ChildPairs<'_> {
    pair.into_inner().peekable()
}

fn invalid_expr(span: Span) -> Expr {
    Expr { kind: ExprKind::Invalid, span }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{LiteralKind, LogicalOperator};

    /// Returns the number of tokens that the grammar produced: a measure of work that is independent of the machine.
    fn tokens(source: &str) -> usize {
        Grammar::parse(Rule::source, source).map_or(0, |pairs| pairs.tokens().count())
    }

    #[test]
    fn token_count_is_linear_in_length() {
        let fragments =
            ["(ssl) and ", "lower(http.host) eq \"a\" or ", "ip.src in {1.2.3.4 5.6.7.8} xor ", "'a", "((", "not "];
        for fragment in fragments {
            let small = tokens(&fragment.repeat(50));
            let large = tokens(&fragment.repeat(100));
            assert!(small > 0 && large <= 2 * small + 8, "{fragment:?}: {small} then {large}");
        }
    }

    #[test]
    fn chains_are_flat_and_preserve_spelling() {
        let source = "ssl && not a == r\"x\" and m[\"k\"] eq 0x1F or b";
        let Some(Expr { kind: ExprKind::Logical(outer), .. }) = parse(source).ast else { panic!("no chain") };
        assert_eq!((outer.operator, outer.operands.len()), (LogicalOperator::Or, 2));
        let ExprKind::Logical(inner) = &outer.operands[0].kind else { panic!("no inner chain") };
        let spellings: Vec<&str> = inner.operators.iter().map(|span| span.text(source)).collect();
        assert_eq!((inner.operands.len(), spellings), (3, vec!["&&", "and"]));
        let ExprKind::Comparison(comparison) = &inner.operands[2].kind else { panic!("no comparison") };
        assert_eq!(comparison.operator_span.text(source), "eq");
        let ExprKind::Literal(literal) = &comparison.right.kind else { panic!("no literal") };
        assert_eq!(literal.kind, LiteralKind::Unquoted("0x1F".into()));
    }

    #[test]
    fn every_name_may_follow_an_operator_that_touches_a_literal() {
        let fields = crate::schema::FIELDS.iter().map(|field| field.name.to_owned());
        let functions = crate::schema::FUNCTIONS.iter().map(|function| format!("{}(", function.name));
        for name in fields.chain(functions) {
            let source = format!("x eq 1or{name}");
            let tree = Grammar::parse(Rule::source, &source).unwrap();
            assert!(tree.flatten().any(|pair| pair.as_rule() == Rule::touched_literal), "{source}");
        }
    }

    #[test]
    fn every_source_is_parsed_to_its_end() {
        let texts = [
            "", "(", ")", "[", "]", "{", "}", "\"", "'", "&", "|", "^", ",", "@", "\\", "\u{0}", "é", "“", "r#", "$",
            "a[", "a(", "~", "\u{200b}",
        ];
        for first in texts {
            for second in texts {
                for third in texts {
                    let text = format!("{first}{second}{third}");
                    assert!(Grammar::parse(Rule::source, &text).is_ok(), "{text:?}");
                }
            }
        }
    }
}
