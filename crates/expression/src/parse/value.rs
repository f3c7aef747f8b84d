//! Fields, calls and their indexes.

use super::{Lowering, Pair, Rule, inner, invalid, mistake};
use crate::{
    ast::{Call, Expr, ExprKind, Index, IndexKind, Literal, LiteralKind, Name, Value},
    code,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl<'i> Lowering<'i> {
    /// A word with what follows it. A word that cannot be a name is a literal.
    pub(super) fn value(&mut self, pair: Pair<'i>) -> Expr {
        let span = self.span(&pair);
        let mut name = Name { text: String::new(), span };
        let mut call = None;
        let mut indexes = Vec::new();
        for part in inner(pair) {
            let at = self.span(&part);
            match part.as_rule() {
                Rule::word => name = Name { text: part.as_str().to_owned(), span: at },
                Rule::arguments => match self.deeper(at, |lowering| lowering.arguments(part)) {
                    Some(lowered) => call = Some(lowered),
                    None => return invalid(span),
                },
                Rule::index => indexes.extend(self.index(part)),
                Rule::spaced_index => indexes.extend(self.spaced_index(part)),
                _ => {
                    self.report_too_deep(at);
                    return invalid(span);
                }
            }
        }
        if call.is_none() && indexes.is_empty() && !is_name(&name.text) {
            return Expr { kind: ExprKind::Literal(Literal { kind: LiteralKind::Word(name.text), span }), span };
        }
        Expr { kind: ExprKind::Value(Value { name, call, indexes }), span }
    }

    fn arguments(&mut self, pair: Pair<'i>) -> Call {
        let span = self.span(&pair);
        let mut arguments = Vec::new();
        // Whether a comma (or the bracket) stands before the place we are at.
        let mut open = true;
        let mut last_comma = None;
        for part in inner(pair) {
            let at = self.span(&part);
            match part.as_rule() {
                Rule::chain => {
                    let before = if open { None } else { arguments.pop() };
                    arguments.extend(self.argument(part, before));
                    open = false;
                }
                Rule::inner_closer if part.as_str() == "," => {
                    if open {
                        self.report(missing_argument(at, last_comma));
                        arguments.push(invalid(Span::at(at.start)));
                    }
                    last_comma = Some(at);
                    open = true;
                }
                Rule::inner_closer => self.report(mistake::unopened_bracket(at, part.as_str())),
                Rule::close if at.start == at.end => {
                    let bracket = Span::new(span.start, span.start + 1);
                    self.report(mistake::unclosed_bracket(bracket, span.end, "(", ")"));
                    open = false;
                }
                _ => {}
            }
        }
        if let Some(comma) = last_comma.filter(|_| open) {
            self.report(missing_argument(comma, Some(comma)));
        }
        Call { arguments, span }
    }

    fn spaced_index(&mut self, pair: Pair<'i>) -> Option<Index> {
        let blank = self.span(&pair).start;
        let index = inner(pair).next()?;
        let gap = Span::new(blank, self.span(&index).start);
        self.report(
            Diagnostic::error(code::BLANK_BEFORE_INDEX, gap, "no blank may stand between a value and its index")
                .with_fix(Fix::safe("remove the blank", vec![Edit::delete(gap)])),
        );
        self.index(index)
    }

    fn index(&mut self, pair: Pair<'i>) -> Option<Index> {
        let span = self.span(&pair);
        let mut kind = None;
        let mut problem = None;
        for part in inner(pair) {
            let at = self.span(&part);
            match part.as_rule() {
                Rule::each => kind = Some(IndexKind::Each),
                Rule::word => {
                    kind = element(part.as_str()).map(IndexKind::Element);
                    if kind.is_none() {
                        problem = Some(wrong_word(at, part.as_str()));
                    }
                }
                Rule::quoted => kind = self.key(&part),
                Rule::raw => problem = Some(raw_key(at, part.as_str())),
                Rule::index_rest => problem = problem.or(Some(malformed(at))),
                Rule::index_close if at.start == at.end => {
                    let bracket = Span::new(span.start, span.start + 1);
                    problem = Some(mistake::unclosed_bracket(bracket, span.end, "[", "]"));
                }
                _ => {}
            }
        }
        if problem.is_none() && span.text(self.source).trim_matches(['[', ']', ' ', '\n', '\r']).is_empty() {
            problem = Some(malformed(span));
        }
        let kind = if problem.is_some() { IndexKind::Invalid } else { kind.unwrap_or(IndexKind::Invalid) };
        self.diagnostics.extend(problem);
        Some(Index { kind, span })
    }

    fn key(&mut self, pair: &Pair<'i>) -> Option<IndexKind> {
        let span = self.span(pair);
        let LiteralKind::Quoted(bytes) = self.text(pair)?.kind else { return None };
        match String::from_utf8(bytes) {
            Ok(key) => Some(IndexKind::Key(key)),
            Err(_) => {
                self.report(Diagnostic::error(code::MALFORMED_INDEX, span, "a key must be valid UTF-8"));
                Some(IndexKind::Invalid)
            }
        }
    }
}

/// Whether a word is meant as a name rather than as a number, address or byte literal.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_') && !word.contains(':')
}

/// An index number: decimal, hexadecimal or octal as integers are.
fn element(word: &str) -> Option<u32> {
    let digits = |text: &str, radix| {
        Some(text)
            .filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|t| u32::from_str_radix(t, radix).ok())
    };
    match word.strip_prefix("0x") {
        Some(hex) => digits(hex, 16),
        None if word.len() > 1 && word.starts_with('0') => digits(word, 8),
        None => digits(word, 10),
    }
}

fn malformed(span: Span) -> Diagnostic {
    Diagnostic::error(code::MALFORMED_INDEX, span, "expected one index")
        .with_help("an index is a number, a quoted key or `*`: `[0]`, `[\"name\"]`, `[*]`")
}

fn wrong_word(span: Span, word: &str) -> Diagnostic {
    if word.starts_with(|c: char| c.is_alphabetic()) {
        return malformed(span)
            .with_label("a key stands in quotes")
            .with_fix(Fix::safe("put quotes around it", vec![Edit::replace(span, mistake::quoted(word))]));
    }
    malformed(span).with_label("not a number from 0 to 4294967295")
}

fn raw_key(span: Span, text: &str) -> Diagnostic {
    let inner = text.trim_start_matches('r').trim_matches('#');
    let inner = inner.get(1..inner.len().saturating_sub(1)).unwrap_or_default();
    Diagnostic::error(code::MALFORMED_INDEX, span, "a raw string cannot be a key")
        .with_fix(Fix::safe("use a quoted string", vec![Edit::replace(span, mistake::quoted(inner))]))
}

fn missing_argument(at: Span, comma: Option<Span>) -> Diagnostic {
    let what = if comma.is_some() { "after" } else { "before" };
    Diagnostic::error(code::MISSING_ARGUMENT, at, format!("expected an argument {what} this comma"))
        .with_fix(Fix::unsafe_("remove the comma", vec![Edit::delete(at)]))
}
