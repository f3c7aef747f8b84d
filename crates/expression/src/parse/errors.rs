//! Constructors of the diagnostics of known mistakes.

use super::{operator::parse_operator, whitespace::is_invisible};
use crate::{ast::LogicalOperator, code};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

pub(super) fn unexpected_whitespace_error(span: Span, text: &str, between_digits: bool) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        code::UNEXPECTED_WHITESPACE,
        span,
        format!("{} is not allowed between words", whitespace_name(text)),
    )
    .with_help("only spaces and line breaks can separate words");
    let edits = vec![Edit::replace(span, " ")];
    if between_digits && text.starts_with(is_invisible) {
        // It may be one number or two, so both fixes need a decision.
        return diagnostic
            .with_fix(Fix::unsafe_edits("use a space", edits))
            .with_fix(Fix::unsafe_edits("remove it", vec![Edit::delete(span)]));
    }
    diagnostic.with_fix(Fix::safe_edits("use a space", edits))
}

pub(super) fn whitespace_in_word_error(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error(
        code::UNEXPECTED_WHITESPACE,
        span,
        format!("{} is not allowed inside a word", whitespace_name(text)),
    )
    .with_fix(Fix::safe_edits("remove it", vec![Edit::delete(span)]))
}

fn whitespace_name(text: &str) -> &'static str {
    match text.chars().next() {
        Some('\t') => "a tab",
        Some('\u{a0}' | '\u{202f}') => "a no-break space",
        Some(invisible) if is_invisible(invisible) => "an invisible character",
        _ => "an unsupported whitespace character",
    }
}

pub(super) fn comment_error(span: Span, source: &str) -> Diagnostic {
    // If the whitespace before the comment is removed too, two words must not merge.
    let touches = source.get(span.end..).is_some_and(|rest| rest.starts_with(|c: char| !c.is_whitespace()));
    let edits = vec![Edit::replace(extend_over_leading_spaces(span, source), if touches { " " } else { "" })];
    let text = span.text(source);
    let is_open = text.starts_with("/*") && !text.ends_with("*/");
    // After an operator it may be a value without quotes: `eq #top`.
    let before = source.get(..span.start).unwrap_or_default().trim_end_matches(' ');
    let start = before.rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |index| index + 1);
    let is_value =
        parse_operator(before.get(start..).unwrap_or_default()).is_some() || before.ends_with(['=', '~', '<', '>']);
    let fix = if is_open || is_value || closes_brackets(text) {
        Fix::unsafe_edits("remove the comment", edits)
    } else {
        Fix::safe_edits("remove the comment", edits)
    };
    Diagnostic::error(code::COMMENT, span, "the language has no comments")
        .with_help("put comments in the rule's description")
        .with_fix(fix)
}

/// Returns whether a line comment contains more closing delimiters than it opens, as in `{192.0.2.1 #office 192.0.2.2}
/// and ssl`.
fn closes_brackets(comment: &str) -> bool {
    let count = |brackets: [char; 3]| comment.matches(brackets).count();
    !comment.starts_with("/*") && count([')', ']', '}']) > count(['(', '[', '{'])
}

/// Extends a span by the spaces before it, so that its deletion leaves none behind.
pub(super) fn extend_over_leading_spaces(span: Span, source: &str) -> Span {
    let before = source.get(..span.start).unwrap_or_default();
    Span::new(before.trim_end_matches(' ').len(), span.end)
}

pub(super) fn uppercase_operator_error(span: Span, found: &str, word: &str) -> Diagnostic {
    Diagnostic::error(code::UPPERCASE_OPERATOR, span, format!("`{found}` must be lowercase: `{word}`"))
        .with_fix(Fix::safe_edits(format!("use `{word}`"), vec![Edit::replace(span, word)]))
}

/// Returns the diagnostic of a misspelled logical operator. The fix is safe if `is_clear`.
pub(super) fn logical_operator_error(span: Span, found: &str, operator: LogicalOperator, is_clear: bool) -> Diagnostic {
    if found.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return uppercase_operator_error(span, found, operator.word());
    }
    let (word, doubled) = (operator.word(), found.repeat(2));
    let title = format!("use `{doubled}`");
    let edits = vec![Edit::replace(span, doubled.as_str())];
    Diagnostic::error(code::SINGLE_AMPERSAND, span, format!("`{found}` is not a logical operator"))
        .with_help(format!("use `{word}` or `{doubled}`"))
        .with_fix(if is_clear { Fix::safe_edits(title, edits) } else { Fix::unsafe_edits(title, edits) })
}

pub(super) fn misplaced_operator_error(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error(code::MISPLACED_OPERATOR, span, format!("expected a condition, found the operator `{found}`"))
        .with_label("nothing to compare on its left")
        .with_help("a comparison has one operator, between a field and a value")
}

pub(super) fn unopened_bracket_error(span: Span, found: &str) -> Diagnostic {
    if found == "," {
        return Diagnostic::error(code::UNEXPECTED_TEXT, span, "unexpected `,`")
            .with_help("commas are only allowed between the arguments of a function");
    }
    Diagnostic::error(code::UNOPENED_DELIMITER, span, format!("unmatched `{found}`"))
        .with_fix(Fix::unsafe_edits("remove it", vec![Edit::delete(span)]))
}

pub(super) fn unclosed_bracket_error(open: Span, end: usize, bracket: &str, closing: &str) -> Diagnostic {
    Diagnostic::error(code::UNCLOSED_DELIMITER, open, format!("`{bracket}` is never closed"))
        .with_label(format!("there is no matching `{closing}`"))
        .with_related(Span::empty(end), format!("expected `{closing}` here or earlier"))
        .with_fix(Fix::unsafe_edits(format!("add `{closing}` at the end"), vec![Edit::insert(end, closing)]))
}

/// Returns the diagnostic of an unclosed set whose end is clear from the text that follows.
pub(super) fn unclosed_set_error(open: Span, end: usize, bracket: &str, closing: &str) -> Diagnostic {
    Diagnostic::error(code::UNCLOSED_DELIMITER, open, format!("`{bracket}` is never closed"))
        .with_label(format!("there is no matching `{closing}`"))
        .with_related(Span::empty(end), format!("expected `{closing}` here or earlier"))
        .with_fix(Fix::unsafe_edits(format!("add `{closing}` after the last item"), vec![Edit::insert(end, closing)]))
}

pub(super) fn placeholder_error(span: Span, text: &str) -> Diagnostic {
    let excerpt: String = text.chars().take(40).collect();
    Diagnostic::error(
        code::TEMPLATE_PLACEHOLDER,
        span,
        format!("the template placeholder `{excerpt}` was not replaced"),
    )
    .with_help("render the template first, or write the value itself")
}

pub(super) fn unexpected_text_error(span: Span, text: &str) -> Diagnostic {
    let excerpt: String = text.chars().take(40).collect();
    if text.contains('\u{0}') {
        return Diagnostic::error(code::UNEXPECTED_TEXT, span, "unexpected NUL byte");
    }
    Diagnostic::error(code::UNEXPECTED_TEXT, span, format!("unexpected `{excerpt}`"))
        .with_label("this is not part of the language")
}

/// Returns the diagnostic of a string in foreign quotes; `literal` is the replacement. The fix is safe if `is_clear`.
pub(super) fn quotes_error(span: Span, code: &'static str, kind: &str, literal: &str, is_clear: bool) -> Diagnostic {
    let edits = vec![Edit::replace(span, literal)];
    Diagnostic::error(code, span, format!("the string uses {kind} quotes"))
        .with_help("use double quotes, or `r\"…\"` for a string without escapes")
        .with_fix(match is_clear {
            true => Fix::safe_edits("use double quotes", edits),
            false => Fix::unsafe_edits("use double quotes", edits),
        })
}

/// Returns the text as a quoted string literal.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
