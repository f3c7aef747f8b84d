//! Checks of regular expressions and wildcard patterns.

use super::Checker;
use crate::code;
use regex_syntax::hir::{Hir, HirKind, translate::TranslatorBuilder};
use zonewright_diagnostic::{Diagnostic, Span};

/// The maximum size of a compiled regular expression in bytes (observed in the open-source engine).
const MAX_REGEX_BYTES: usize = 10 << 20;
/// The maximum estimated number of states of a pattern that is accepted without compiling it. A state takes well under
/// 100 bytes.
const MAX_UNCOMPILED_STATES: u64 = 50_000;
/// The maximum estimated number of states of a pattern that is compiled. A larger pattern is rejected without compiling
/// it, because even the smallest states would exceed the maximum size.
const MAX_COMPILED_STATES: u64 = 5_000_000;
/// The maximum number of large patterns per expression that are compiled to measure their size.
const MAX_TRIAL_COMPILATIONS: usize = 4;

impl Checker<'_> {
    /// Checks a regular expression; `span` is the span of its literal.
    pub(super) fn check_regex(&mut self, pattern: &str, span: Span) {
        let mut parser = regex_syntax::ast::parse::Parser::new();
        let translated = match parser.parse(pattern) {
            Ok(_) if is_simple(pattern) => return,
            // As in the real engine, patterns match bytes, and Unicode classes need `(?u)`.
            Ok(ast) => TranslatorBuilder::new()
                .unicode(false)
                .utf8(false)
                .build()
                .translate(pattern, &ast)
                .map_err(regex_syntax::Error::from),
            Err(error) => Err(regex_syntax::Error::from(error)),
        };
        match translated {
            Ok(hir) => {
                if self.is_too_large(pattern, &hir) {
                    self.report(
                        Diagnostic::error(
                            code::REGEX_TOO_LARGE,
                            span,
                            "the regular expression compiles to more than 10 MiB",
                        )
                        .with_help("reduce the counts of repetitions such as `{1000}`, especially of nested ones"),
                    );
                }
            }
            Err(error) => {
                if let Some((message, at)) = describe_error(&error) {
                    let span = self.span_in_literal(pattern, span, at);
                    self.report(
                        Diagnostic::error(
                            code::MALFORMED_REGEX,
                            span,
                            format!("invalid regular expression: {message}"),
                        )
                        .with_help(help_for_pattern(pattern)),
                    );
                }
            }
        }
    }

    /// Returns whether the compiled pattern exceeds the maximum size. Compilation is slow, so only patterns that may be
    /// too large are compiled, each once. After [`MAX_TRIAL_COMPILATIONS`] patterns, the size of further patterns is
    /// unknown, and they are accepted.
    fn is_too_large(&mut self, pattern: &str, hir: &Hir) -> bool {
        let estimate = estimate_states(hir);
        if estimate <= MAX_UNCOMPILED_STATES {
            return false;
        }
        if let Some((_, is_oversized)) = self.regex_size_cache.iter().find(|(known, _)| known == pattern) {
            return *is_oversized;
        }
        if estimate > MAX_COMPILED_STATES {
            return true;
        }
        if self.regex_size_cache.len() >= MAX_TRIAL_COMPILATIONS {
            return false;
        }
        let is_oversized = exceeds_size_limit(hir);
        self.regex_size_cache.push((pattern.to_owned(), is_oversized));
        is_oversized
    }

    /// Returns the span of a part of a pattern, if the literal contains the pattern verbatim; otherwise the whole span.
    fn span_in_literal(&self, pattern: &str, span: Span, at: std::ops::Range<usize>) -> Span {
        let literal = self.text(span);
        let Some(start) = literal.find('"').map(|quote| quote + 1) else { return span };
        let verbatim = literal.get(start..).is_some_and(|body| body.starts_with(pattern));
        let part = Span::new(span.start + start + at.start, span.start + start + at.end);
        if verbatim && part.start < part.end && part.end <= span.end { part } else { span }
    }

    /// Checks a wildcard pattern. It may contain `*` and the escapes `\*` and `\\`, but not `**`.
    pub(super) fn check_wildcard(&mut self, pattern: &[u8], span: Span) {
        let mut follows_star = false;
        let mut bytes = pattern.iter();
        while let Some(byte) = bytes.next() {
            if *byte == b'\\' && !matches!(bytes.next(), Some(b'*' | b'\\')) {
                self.report(
                    Diagnostic::error(
                        code::MALFORMED_WILDCARD,
                        span,
                        "in a wildcard pattern, a backslash can only precede `*` or `\\`",
                    )
                    .with_help("escape a backslash as `\\\\`; in a quoted string, double each of the two again"),
                );
                return;
            }
            if *byte == b'*' && follows_star {
                self.report(
                    Diagnostic::error(code::MALFORMED_WILDCARD, span, "a wildcard pattern cannot contain `**`")
                        .with_help("a single `*` already matches any text"),
                );
                return;
            }
            follows_star = *byte == b'*';
        }
    }
}

/// Returns the message of a regex error and its range in the pattern. Returns `None` if validation needs Unicode tables
/// that this engine does not include (assumption unicode-regex).
fn describe_error(error: &regex_syntax::Error) -> Option<(String, std::ops::Range<usize>)> {
    use regex_syntax::hir::ErrorKind;
    let range = |span: &regex_syntax::ast::Span| span.start.offset..span.end.offset;
    match error {
        regex_syntax::Error::Parse(error) => Some((error.kind().to_string(), range(error.span()))),
        regex_syntax::Error::Translate(error) => match error.kind() {
            ErrorKind::UnicodePerlClassNotFound
            | ErrorKind::UnicodeCaseUnavailable
            | ErrorKind::UnicodePropertyNotFound => None,
            kind => Some((kind.to_string(), range(error.span()))),
        },
        other => Some((other.to_string(), 0..0)),
    }
}

/// Returns whether a syntactically valid pattern needs no further analysis, as most patterns do not. Such a pattern is
/// ASCII, sets no flags, and escapes only symbols and the common classes. It has no counted repetitions, and too few
/// `+` to have too many states.
fn is_simple(pattern: &str) -> bool {
    const ESCAPES: &[u8] = b"dDwWsSbB";
    let mut doublings = 0;
    let mut previous = b' ';
    for byte in pattern.bytes() {
        let escaped = previous == b'\\';
        match byte {
            _ if !byte.is_ascii() => return false,
            _ if escaped && byte.is_ascii_alphanumeric() && !ESCAPES.contains(&byte) => return false,
            b'{' => return false,
            b'?' if previous == b'(' => return false,
            // `x+` counts as `x` and `x*`, so it doubles the states.
            b'+' => doublings += 1,
            _ => {}
        }
        previous = if escaped { b' ' } else { byte };
    }
    // An upper bound of the states per byte of a pattern: `\W` has five, a group two.
    const MAX_STATES_PER_BYTE: u64 = 16;
    doublings <= 8 && (MAX_STATES_PER_BYTE * pattern.len() as u64) << doublings <= MAX_UNCOMPILED_STATES
}

/// Returns the help for syntax that other regex engines support and this one does not.
fn help_for_pattern(pattern: &str) -> &'static str {
    let has = |parts: &[&str]| parts.iter().any(|part| pattern.contains(part));
    if has(&["(?!", "(?<!"]) {
        return "lookaround is not supported; match one pattern and exclude the other with `and not`";
    }
    if has(&["(?=", "(?<="]) {
        return "lookaround is not supported; combine two patterns with `and`, or match the surrounding text too";
    }
    if has(&["(?>", "\\K", "\\R", "\\h", "\\Z"]) {
        return "this is PCRE syntax; use the syntax of Rust's regex crate: `(?:…)`, `\\s`, `\\z`";
    }
    "use the syntax of Rust's regex crate, which has no lookaround and no backreferences"
}

/// Estimates the number of states of the compiled expression.
fn estimate_states(hir: &Hir) -> u64 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(class) => match class {
            regex_syntax::hir::Class::Bytes(class) => class.ranges().len() as u64,
            // A range of characters compiles to several sequences of byte ranges.
            regex_syntax::hir::Class::Unicode(class) => 8 * class.ranges().len() as u64,
        },
        HirKind::Capture(capture) => 2 + estimate_states(&capture.sub),
        HirKind::Repetition(repetition) => {
            let times = u64::from(repetition.max.unwrap_or(repetition.min + 1)).max(1);
            estimate_states(&repetition.sub).saturating_add(2).saturating_mul(times)
        }
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().fold(1, |sum: u64, part| sum.saturating_add(estimate_states(part)))
        }
    }
}

fn exceeds_size_limit(hir: &Hir) -> bool {
    let config = regex_automata::nfa::thompson::Config::new().utf8(false).nfa_size_limit(Some(MAX_REGEX_BYTES));
    regex_automata::nfa::thompson::Compiler::new().configure(config).build_from_hir(hir).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simple_patterns_are_within_the_size_limit() {
        let fragments = [
            "a",
            "/",
            ".",
            "^",
            "$",
            "|",
            "(",
            ")",
            "[",
            "]",
            "^",
            "-",
            "&&",
            "[:alpha:]",
            "*",
            "+",
            "?",
            "+?",
            "++",
            "\\.",
            "\\d",
            "\\W",
            "\\b",
            "\\\\",
            "é",
            "\\x{e9}",
            "\\pL",
            "(?u)",
            "(?i)",
            "{2}",
            "{900}",
            "\\b{start}",
            "\\(?",
            "=",
        ];
        let mut simple_count = 0;
        for number in 0..fragments.len().pow(3) {
            let fragment = |position: u32| fragments[number / fragments.len().pow(position) % fragments.len()];
            let pattern = [fragment(0), fragment(1), fragment(2)].concat();
            let Ok(ast) = regex_syntax::ast::parse::Parser::new().parse(&pattern) else { continue };
            if !is_simple(&pattern) {
                continue;
            }
            simple_count += 1;
            let hir = TranslatorBuilder::new().unicode(false).utf8(false).build().translate(&pattern, &ast);
            assert!(hir.is_ok_and(|hir| estimate_states(&hir) <= MAX_UNCOMPILED_STATES), "{pattern}");
        }
        assert!(simple_count > 0);
        assert!(is_simple(r"^/api/v[0-9]+/\d\.\w$") && !is_simple(&"(a+)+".repeat(200)));
    }
}
