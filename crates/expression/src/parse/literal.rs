//! Lowers string literals and patterns, and reports foreign and unterminated quotes.

use super::{Lowering, Pair, Rule, errors, escape, whitespace::is_unsupported_whitespace};
use crate::{
    ast::{Literal, LiteralKind},
    code,
};
use smol_str::SmolStr;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// The maximum number of `#` that may open a raw string.
const MAX_RAW_HASHES: usize = 255;

impl<'i> Lowering<'i> {
    /// Lowers any rule of `text` or `regex`. Returns `None` for other rules.
    pub(super) fn lower_string(&mut self, pair: &Pair<'i>) -> Option<Literal> {
        let span = self.span(pair);
        let text = pair.as_str();
        let kind = match pair.as_rule() {
            Rule::quoted => {
                let (bytes, problems) = escape::unescape(trim_ends(text, 1, 1), span.start + 1);
                self.diagnostics.append(problems);
                LiteralKind::Quoted(bytes)
            }
            Rule::regex => LiteralKind::Regex(decode_pattern(trim_ends(text, 1, 1))),
            Rule::raw => self.lower_raw(text, span),
            Rule::open_other => {
                self.report(
                    Diagnostic::error(
                        code::UNTERMINATED_STRING,
                        span,
                        "this quote is never closed, and strings use `\"`",
                    )
                    .with_help("use double quotes: `\"…\"`"),
                );
                LiteralKind::Invalid
            }
            Rule::open_quoted | Rule::open_raw | Rule::open_regex => {
                self.report_unterminated(pair.as_rule(), text, span);
                LiteralKind::Invalid
            }
            Rule::single_quoted => self.lower_foreign_quotes(span, code::SINGLE_QUOTES, "single", text),
            Rule::smart_quoted => self.lower_foreign_quotes(span, code::SMART_QUOTES, "typographic", text),
            Rule::backtick_quoted => self.lower_foreign_quotes(span, code::BACKTICK_QUOTES, "backtick", text),
            _ => return None,
        };
        Some(Literal { kind, span })
    }

    fn lower_raw(&mut self, text: &str, span: Span) -> LiteralKind {
        if text.starts_with('R') {
            let letter = Span::new(span.start, span.start + 1);
            self.report(
                Diagnostic::error(code::UNEXPECTED_TEXT, letter, "raw strings start with a lowercase `r`")
                    .with_fix(Fix::safe_edits("use `r`", vec![Edit::replace(letter, "r")])),
            );
        }
        let hashes = text.bytes().skip(1).take_while(|byte| *byte == b'#').count();
        if hashes > MAX_RAW_HASHES {
            self.report(Diagnostic::error(
                code::TOO_MANY_HASHES,
                Span::new(span.start, span.start + 1 + hashes),
                format!("a raw string starts with at most {MAX_RAW_HASHES} `#`, found {hashes}"),
            ));
            return LiteralKind::Invalid;
        }
        LiteralKind::Raw(trim_ends(text, 2 + hashes, 1 + hashes).to_owned())
    }

    fn report_unterminated(&mut self, rule: Rule, text: &str, span: Span) {
        self.is_cut_short = true;
        let quote = text.find('"').map_or(span, |at| Span::new(span.start, span.start + at + 1));
        let diagnostic = Diagnostic::error(code::UNTERMINATED_STRING, quote, "the string is never closed");
        self.report(match rule {
            Rule::open_regex if text.get(1..).unwrap_or_default().contains('"') => diagnostic.with_help(
                "inside `[…]`, a quote does not end the pattern: an unclosed `[` includes the closing quote",
            ),
            Rule::open_raw => diagnostic.with_help("a raw string ends with a quote and as many `#` as it starts with"),
            _ if text.len() == 1 => diagnostic
                .with_help("this quote opens a string, but nothing follows; write a quote inside a string as `\\\"`")
                .with_fix(Fix::unsafe_edits("remove the quote", vec![Edit::delete(span)])),
            _ => diagnostic.with_fix(Fix::unsafe_edits("add a quote at the end", vec![Edit::insert(span.end, "\"")])),
        });
    }

    /// Lowers a string in foreign quotes as if it had double quotes, and reports the quotes.
    fn lower_foreign_quotes(&mut self, span: Span, code: &'static str, kind: &str, text: &str) -> LiteralKind {
        let body = strip_quotes(text);
        let is_clear = !body.contains('\\') && self.is_delimited(span);
        self.report(errors::quotes_error(span, code, kind, &errors::quote(body), is_clear));
        LiteralKind::Quoted(body.as_bytes().to_vec())
    }

    /// Returns whether neither a word nor another quote touches a string. Such a neighbor may belong to the text of the
    /// string, as in `'it''s'`.
    fn is_delimited(&self, span: Span) -> bool {
        let touches = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '"' | '`' | '\\' | '\u{2018}'..='\u{201f}');
        !self.source.get(span.end..).is_some_and(|after| after.starts_with(touches))
            && !self.source.get(..span.start).is_some_and(|before| before.ends_with(touches))
    }

    /// Lowers a pattern of `matches` in foreign quotes, where a backslash is literal.
    pub(super) fn lower_foreign_pattern(&mut self, pair: &Pair<'i>) -> Literal {
        let span = self.span(pair);
        let body = strip_quotes(pair.as_str());
        let (code, kind) = match pair.as_rule() {
            Rule::single_quoted => (code::SINGLE_QUOTES, "single"),
            Rule::smart_quoted => (code::SMART_QUOTES, "typographic"),
            _ => (code::BACKTICK_QUOTES, "backtick"),
        };
        let is_clear = !body.contains("\\\\") && self.is_delimited(span);
        self.report(errors::quotes_error(span, code, kind, &format!("\"{}\"", body.replace('"', "\\\"")), is_clear));
        Literal { kind: LiteralKind::Regex(body.to_owned()), span }
    }

    /// Lowers a pattern without quotes, possibly between slashes as in other languages.
    pub(super) fn lower_bare_pattern(&mut self, pair: &Pair<'i>) -> Literal {
        let span = self.span(pair);
        let text = pair.as_str();
        let between_slashes = text.strip_prefix('/').and_then(|rest| rest.rsplit_once('/'));
        let pattern = match between_slashes {
            Some((pattern, flags)) if flags.bytes().all(|flag| flag.is_ascii_lowercase()) => match flags {
                "" => pattern.to_owned(),
                flags => format!("(?{flags}){pattern}"),
            },
            _ => text.to_owned(),
        };
        let quoted = format!("\"{}\"", pattern.replace('"', "\\\""));
        self.report(
            Diagnostic::error(code::MISSING_QUOTES, span, "regular expressions must be quoted")
                .with_fix(Fix::unsafe_edits(format!("use `{quoted}`"), vec![Edit::replace(span, quoted)])),
        );
        Literal { kind: LiteralKind::Regex(pattern), span }
    }

    /// Returns a word without unsupported whitespace inside it, which is reported separately.
    pub(super) fn strip_trivia(&self, word: &str, span: Span) -> SmolStr {
        // The text that the grammar reads has underscores in place of this whitespace.
        match span.text(self.source) {
            source if word.contains('_') && source.contains(is_unsupported_whitespace) => {
                source.replace(is_unsupported_whitespace, "").into()
            }
            _ => word.into(),
        }
    }
}

fn strip_quotes(text: &str) -> &str {
    let width = |end: Option<char>| end.map_or(0, char::len_utf8);
    trim_ends(text, width(text.chars().next()), width(text.chars().next_back()))
}

/// Decodes the body of a pattern. A backslash and the next character are preserved, except that `\"` outside a
/// character class becomes `"`.
fn decode_pattern(body: &str) -> String {
    let mut pattern = String::with_capacity(body.len());
    let mut in_class = false;
    let mut characters = body.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('"') if !in_class => pattern.push('"'),
                escaped => {
                    pattern.push('\\');
                    pattern.extend(escaped);
                }
            },
            other => {
                in_class = (in_class || other == '[') && other != ']';
                pattern.push(other);
            }
        }
    }
    pattern
}

fn trim_ends(text: &str, front: usize, back: usize) -> &str {
    text.get(front..text.len().saturating_sub(back)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_keep_backslashes_except_before_quotes() {
        let cases = [
            (r"^/a\.b", r"^/a\.b"),
            (r#"a\"b"#, r#"a"b"#),
            (r#"["\"]\""#, r#"["\"]""#),
            (r"\\", r"\\"),
            (r"[\]]", r"[\]]"),
        ];
        for (body, expected) in cases {
            assert_eq!(decode_pattern(body), expected, "{body}");
        }
    }
}
