//! Builds the diagnostics of common mistakes.

use super::string::quoted;
use crate::code;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// The maximum length of an excerpt in characters.
pub(crate) const MAX_EXCERPT_CHARS: usize = 60;

/// Returns an excerpt of user text for a message, on one line. An ellipsis replaces the rest of a longer text.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT_CHARS) {
        None => text.replace(['\n', '\r', '\t'], " "),
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().replace(['\n', '\r', '\t'], " ")),
    }
}

pub(super) fn trailing_text_error(span: Span, found: &str) -> Diagnostic {
    let fix = vec![Edit::delete(span)];
    let has_only_separators = found.bytes().all(|byte| matches!(byte, b',' | b';') || byte.is_ascii_whitespace());
    Diagnostic::error(code::TRAILING_TEXT, span, format!("unexpected `{}` after the filter", excerpt(found)))
        .with_help("a filter is a single object")
        .with_fix(match has_only_separators {
            true => Fix::safe_edits("remove it", fix),
            false => Fix::unsafe_edits("remove it", fix),
        })
}

pub(super) fn unexpected_text_error(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error(code::UNEXPECTED_TEXT, span, format!("unexpected `{}`", excerpt(span.text(text))))
        .with_label("not part of a filter")
        .with_fix(Fix::unsafe_edits("remove it", vec![Edit::delete(span)]))
}

pub(super) fn unopened_bracket_error(span: Span, found: &str) -> Diagnostic {
    Diagnostic::error(code::UNOPENED_DELIMITER, span, format!("unmatched `{found}`"))
        .with_fix(Fix::unsafe_edits("remove it", vec![Edit::delete(span)]))
}

/// Returns the error for a bracket that is still open when an enclosing bracket is closed.
pub(super) fn unclosed_bracket_error(open: Span, end: usize, bracket: &str) -> Diagnostic {
    let closing = if bracket == "{" { "}" } else { "]" };
    Diagnostic::error(code::UNCLOSED_DELIMITER, open, format!("`{bracket}` is never closed"))
        .with_label(format!("no matching `{closing}`"))
        .with_related(Span::empty(end), format!("expected `{closing}` here or earlier"))
        .with_fix(Fix::unsafe_edits(format!("insert `{closing}`"), vec![Edit::insert(end, closing)]))
}

/// Returns the error for brackets that are open at the end of the text. `closing` closes all of them.
pub(super) fn unclosed_brackets_at_end_error(open: Span, end: usize, closing: &str) -> Diagnostic {
    let message = match closing.len() {
        1 => "the filter ends before a bracket or brace is closed".to_owned(),
        many => format!("the filter ends before {many} brackets or braces are closed"),
    };
    Diagnostic::error(code::UNCLOSED_DELIMITER, open, message)
        .with_label("opened here")
        .with_related(Span::empty(end), format!("`{closing}` is missing here"))
        .with_fix(Fix::unsafe_edits(format!("add `{closing}` at the end"), vec![Edit::insert(end, closing)]))
}

pub(super) fn unterminated_string_error(span: Span, text: &str) -> Diagnostic {
    let source = span.text(text);
    let length = source.trim_end().trim_end_matches(['}', ']', ',', ' ']).len();
    let end = span.start + if length > 1 { length } else { source.len() };
    Diagnostic::error(code::UNTERMINATED_STRING, span, "unterminated string")
        .with_label("no closing quote on this line")
        .with_fix(Fix::unsafe_edits("add a closing quote", vec![Edit::insert(end, "\"")]))
}

/// Returns the error for a string that extends to the end of its line, because its closing quote is missing or
/// typographic.
pub(super) fn open_string_error(span: Span, text: &str) -> Diagnostic {
    smart_closing_quote_error(span, text).unwrap_or_else(|| unterminated_string_error(span, text))
}

/// Returns the error for a string with a straight opening quote and a typographic closing quote. The closing quote is
/// the first typographic quote before the end of the text or a token that may follow a string.
pub(super) fn smart_closing_quote_error(span: Span, text: &str) -> Option<Diagnostic> {
    let source = span.text(text);
    let is_double = |c: char| matches!(c, '\u{201C}'..='\u{201F}' | '\u{AB}' | '\u{BB}' | '\u{FF02}');
    let (offset, quote) = source.match_indices(is_double).find(|(offset, quote)| {
        let rest = source.get(offset + quote.len()..).unwrap_or_default().trim_start();
        rest.is_empty() || rest.starts_with([',', ':', '}', ']', '"'])
    })?;
    let quote = Span::new(span.start + offset, span.start + offset + quote.len());
    let string = Span::new(span.start, quote.end);
    Some(
        Diagnostic::error(code::SMART_QUOTES, string, "the string ends with a typographic quote")
            .with_help("JSON strings use straight double quotes")
            .with_fix(Fix::safe_edits("use a double quote", vec![Edit::replace(quote, "\"")])),
    )
}

/// Returns the error for a string in single quotes, backticks or typographic quotes. The fix is safe if `is_clear`.
pub(super) fn invalid_quotes_error(
    span: Span,
    code: &'static str,
    kind: &str,
    body: &str,
    is_clear: bool,
) -> Diagnostic {
    let edits = vec![Edit::replace(span, quoted(body))];
    Diagnostic::error(code, span, format!("the string is in {kind}"))
        .with_help("JSON strings use straight double quotes")
        .with_fix(match is_clear {
            true => Fix::safe_edits("use double quotes", edits),
            false => Fix::unsafe_edits("use double quotes", edits),
        })
}

pub(super) fn comment_error(span: Span, found: &str) -> Diagnostic {
    let edits = vec![Edit::delete(span)];
    let is_open = found.starts_with("/*") && !found.ends_with("*/");
    Diagnostic::error(code::COMMENT, span, "JSON does not support comments")
        .with_help("describe the filter in the job's name instead")
        .with_fix(if is_open {
            Fix::unsafe_edits("remove the comment", edits)
        } else {
            Fix::safe_edits("remove the comment", edits)
        })
}

pub(super) fn invalid_whitespace_error(span: Span, text: &str) -> Diagnostic {
    let (message, replacement) = match span.text(text).chars().next() {
        Some('\u{feff}') if span.start == 0 => ("byte order mark before the filter", ""),
        Some('\u{200b}'..='\u{200d}' | '\u{feff}' | '\0') => ("invisible character between tokens", ""),
        Some('\u{a0}' | '\u{202f}') => ("no-break space between tokens", " "),
        _ => ("whitespace that JSON does not allow", " "),
    };
    let diagnostic = Diagnostic::error(code::UNEXPECTED_WHITESPACE, span, message)
        .with_help("only spaces, tabs, and line breaks may separate tokens");
    let is_digit = |c: char| c.is_ascii_digit();
    let is_between_digits = text.get(..span.start).is_some_and(|before| before.ends_with(is_digit))
        && text.get(span.end..).is_some_and(|after| after.starts_with(is_digit));
    let use_space = vec![Edit::replace(span, " ")];
    if is_between_digits {
        // Only the author knows whether this is one number or two.
        return diagnostic
            .with_fix(Fix::unsafe_edits("use a space", use_space))
            .with_fix(Fix::unsafe_edits("remove it", vec![Edit::delete(span)]));
    }
    diagnostic.with_fix(match replacement {
        "" => Fix::safe_edits("remove it", vec![Edit::delete(span)]),
        _ => Fix::safe_edits("use a space", use_space),
    })
}

pub(super) fn nesting_too_deep_error(span: Span) -> Diagnostic {
    Diagnostic::error(
        code::NESTING_TOO_DEEP,
        span,
        format!("objects and lists are nested deeper than {} levels", crate::ast::MAX_DEPTH),
    )
    .with_label("one level too many")
    .with_help("remove lists with a single condition, and merge nested `and` lists")
}

pub(super) fn missing_comma_error(before: usize) -> Diagnostic {
    Diagnostic::error(code::MISSING_COMMA, Span::empty(before), "missing comma")
        .with_label("here")
        .with_fix(Fix::safe_edits("insert a comma", vec![Edit::insert(before, ",")]))
}

pub(super) fn stray_comma_error(span: Span) -> Diagnostic {
    Diagnostic::error(code::STRAY_COMMA, span, "unexpected comma")
        .with_fix(Fix::safe_edits("remove it", vec![Edit::delete(span)]))
}

pub(super) fn trailing_comma_error(span: Span) -> Diagnostic {
    Diagnostic::error(code::TRAILING_COMMA, span, "trailing comma")
        .with_help("JSON does not allow a comma before a closing bracket or brace")
        .with_fix(Fix::safe_edits("remove it", vec![Edit::delete(span)]))
}
