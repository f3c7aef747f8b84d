//! Splits runs of plain comparisons, which the grammar reads as one token.

use super::operator::parse_operator;
use crate::ast::{Comparison, ComparisonOperator, Expr, ExprKind, Literal, LiteralKind, LogicalOperator, Name, Value};
use zonewright_diagnostic::Span;

/// A plain comparison of a run, with the logical operator before it.
pub(super) struct PlainComparison {
    pub(super) infix: Option<(LogicalOperator, Span)>,
    pub(super) comparison: Expr,
}

/// Splits a run of comparisons that begins at `start` of the source. The grammar guarantees that each is `name operator
/// "text"`, with one space on both sides of the operator and no other quotes.
pub(super) fn split_comparisons(text: &str, start: usize) -> impl Iterator<Item = PlainComparison> {
    let mut remaining = text;
    let mut offset = start;
    std::iter::from_fn(move || {
        let infix = [(" or ", LogicalOperator::Or), (" and ", LogicalOperator::And)].into_iter().find_map(
            |(word, operator)| {
                remaining = remaining.strip_prefix(word)?;
                let span = Span::new(offset + 1, offset + word.len() - 1);
                offset += word.len();
                Some((operator, span))
            },
        );
        let (comparison, length) = parse_first(remaining, offset)?;
        remaining = remaining.get(length..)?;
        offset += length;
        Some(PlainComparison { infix, comparison })
    })
}

/// Returns the number of comparisons of a run.
pub(super) fn count_comparisons(text: &str) -> usize {
    memchr::memchr_iter(b'"', text.as_bytes()).count() / 2
}

/// Returns the comparison at the beginning of the text, with its length in bytes.
fn parse_first(text: &str, start: usize) -> Option<(Expr, usize)> {
    let space = memchr::memchr(b' ', text.as_bytes())?;
    let (name, predicate) = text.split_at_checked(space)?;
    let name = Name { text: name.into(), span: Span::new(start, start + space) };
    let left = Expr { span: name.span, kind: ExprKind::Value(Value { name, call: None, indexes: Vec::new() }) };
    let comparison = parse_operator_and_string(left, predicate, start + space)?;
    let length = comparison.span.end - start;
    Some((comparison, length))
}

/// Builds the comparison of a value with the ` operator "text"` at the beginning of `text`, which starts at `start` of
/// the source.
pub(super) fn parse_operator_and_string(left: Expr, text: &str, start: usize) -> Option<Expr> {
    let quote = memchr::memchr(b'"', text.as_bytes())?;
    let (spelling, string) = text.split_at_checked(quote)?;
    let string = string.get(1..)?;
    let body = string.get(..memchr::memchr(b'"', string.as_bytes())?)?;
    let operator = parse_operator(spelling.trim_ascii())?;
    let operator_span = Span::new(start + 1, start + quote - 1);
    let kind = match operator {
        ComparisonOperator::Matches => LiteralKind::Regex(body.to_owned()),
        _ => LiteralKind::Quoted(body.as_bytes().to_vec()),
    };
    let span = Span::new(start + quote, start + quote + body.len() + 2);
    let right = Expr { kind: ExprKind::Literal(Literal { kind, span }), span };
    let span = left.span.to(right.span);
    let comparison = Comparison { left, operator, operator_span, right };
    Some(Expr { kind: ExprKind::Comparison(Box::new(comparison)), span })
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn fast_path_parses_like_separate_tokens() {
        let texts = [
            r#"http.host eq "a""#,
            r#"http.host eq "a" or http.host ne "b" and cf.x contains "" or ip.src wildcard "*""#,
            r#"http.request.uri.path matches "^/[a-z\]]+\.php$" and http.host eq "a""#,
            r#"http.host matches "[\"]" or http.host matches "[""]" or http.host matches "\"""#,
            r#"http.host eq "a\"b" or http.host eq "a[b" or http.host matches "[a" and ssl"#,
            r#"(http.host eq "a" and not http.host eq "b") or ssl and http.host eq "c""#,
            r#"lower(http.host) eq "a" and any(http.x[*] contains "b") or (http.host) ne "c""#,
            r#"http.host eq "a"http.host eq "b" "c" eq "d""#,
            r#"not.x eq "a" or and.x eq "b" or or eq "c" xor eq eq "d""#,
            r#"ssl in or http.host eq "a""#,
        ];
        for text in texts {
            // A line break separates tokens like a space, but only spaces use the fast path.
            let long = text.replace(' ', "\n");
            assert_eq!(parse(text).ast, parse(&long).ast, "{text}");
        }
    }
}
