//! Lowers fields and calls with their indexes.

use super::{ChildPairs, Lowering, Pair, Rule, chain::OperandChain, child_pairs, errors, invalid_expr};
use crate::{
    ast::{Call, Expr, ExprKind, Index, IndexKind, Literal, LiteralKind, Name, Value},
    code,
    number::{self, IntegerError},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl<'i> Lowering<'i> {
    /// Lowers a word with the arguments and indexes that follow it. A word that cannot be a name becomes a literal.
    pub(super) fn lower_value(&mut self, word: &Pair<'i>, pairs: &mut ChildPairs<'i>) -> Expr {
        let name = Name { text: word.as_str().into(), span: self.span(word) };
        let mut span = name.span;
        let mut call = None;
        let mut indexes = Vec::new();
        let mut is_valid = true;
        while let Some(part) = pairs.next_if(|next| matches!(next.as_rule(), Rule::arguments | Rule::index)) {
            let at = self.opened_span(&part);
            if part.as_rule() == Rule::index {
                let index = self.lower_index(part);
                if span.end < at.start {
                    let is_index = index.as_ref().is_some_and(|index| index.kind != IndexKind::Invalid);
                    self.report(whitespace_before_index_error(Span::new(span.end, at.start), is_index));
                }
                indexes.extend(index);
            } else if call.is_some() || !indexes.is_empty() {
                let bracket = Span::new(at.start, at.start + 1);
                self.report(
                    Diagnostic::error(code::UNEXPECTED_TEXT, bracket, "unexpected `(`")
                        .with_help("only function names can be followed by arguments"),
                );
                is_valid = false;
            } else {
                call = self.with_nesting(at, |lowering| lowering.lower_arguments(part)).flatten().map(Box::new);
                is_valid = call.is_some();
            }
            span = span.to(at);
        }
        if !is_valid {
            return invalid_expr(span);
        }
        if call.is_none() && indexes.is_empty() && !is_name(&name.text) {
            let word = self.strip_trivia(&name.text, name.span);
            return Expr { kind: ExprKind::Literal(Literal { kind: LiteralKind::Unquoted(word), span }), span };
        }
        Expr { kind: ExprKind::Value(Value { name, call, indexes }), span }
    }

    /// Lowers the arguments between parentheses. Returns `None` if the parentheses are not closed or too deep.
    fn lower_arguments(&mut self, pair: Pair<'i>) -> Option<Call> {
        let span = self.opened_span(&pair);
        let mut arguments = Vec::new();
        // The current argument; `None` after a comma or the opening parenthesis.
        let mut chain: Option<OperandChain> = None;
        let mut last_comma = None;
        let mut pairs = child_pairs(pair);
        while let Some(next) = pairs.peek() {
            let at = self.span(next);
            match next.as_rule() {
                Rule::inner_closer if next.as_str() == "," => {
                    match chain.take() {
                        Some(chain) => arguments.extend(self.fold_chain(chain)),
                        None => {
                            self.report(missing_argument_error(at, "before"));
                            arguments.push(invalid_expr(Span::empty(at.start)));
                        }
                    }
                    last_comma = Some(at);
                }
                Rule::inner_closer => self.report(errors::unopened_bracket_error(at, next.as_str())),
                Rule::unclosed => {
                    self.report_unclosed(span, "(", ")");
                    return None;
                }
                Rule::too_deep => {
                    self.report_too_deep(Span::new(span.start, span.start + 1));
                    return None;
                }
                _ => {
                    self.read_chain(chain.get_or_insert_with(OperandChain::for_argument), &mut pairs);
                    continue;
                }
            }
            pairs.next();
        }
        match (chain, last_comma) {
            (Some(chain), _) => arguments.extend(self.fold_chain(chain)),
            (None, Some(comma)) => self.report(missing_argument_error(comma, "after")),
            (None, None) => {}
        }
        Some(Call { arguments, span })
    }

    fn lower_index(&mut self, pair: Pair<'i>) -> Option<Index> {
        let span = self.opened_span(&pair);
        let mut kind = None;
        let mut problem = None;
        for part in child_pairs(pair) {
            let at = self.span(&part);
            match part.as_rule() {
                Rule::each => kind = Some(IndexKind::Each),
                Rule::word => {
                    kind = number::parse_element_index(part.as_str()).map(IndexKind::Element);
                    if kind.is_none() {
                        problem = Some(unquoted_key_error(at, part.as_str()));
                    }
                }
                Rule::quoted | Rule::single_quoted | Rule::smart_quoted | Rule::backtick_quoted => {
                    kind = self.lower_key(&part)
                }
                Rule::raw => problem = Some(raw_key_error(at, part.as_str())),
                Rule::index_rest => problem = problem.or(Some(malformed_index_error(at))),
                Rule::unclosed => {
                    self.report_unclosed(span, "[", "]");
                    return Some(Index { kind: IndexKind::Invalid, span });
                }
                _ => {}
            }
        }
        if problem.is_none() && span.text(self.source).trim_matches(['[', ']', ' ', '\n', '\r']).is_empty() {
            problem = Some(malformed_index_error(span));
        }
        let kind = if problem.is_some() { IndexKind::Invalid } else { kind.unwrap_or(IndexKind::Invalid) };
        self.diagnostics.extend(problem);
        Some(Index { kind, span })
    }

    fn lower_key(&mut self, pair: &Pair<'i>) -> Option<IndexKind> {
        let span = self.span(pair);
        let LiteralKind::Quoted(bytes) = self.lower_string(pair)?.kind else { return None };
        match String::from_utf8(bytes) {
            Ok(key) => Some(IndexKind::Key(key)),
            Err(_) => {
                self.report(Diagnostic::error(code::MALFORMED_INDEX, span, "a key must be valid UTF-8"));
                Some(IndexKind::Invalid)
            }
        }
    }
}

/// Returns whether a word is meant as a name rather than as a number, IP address or byte literal.
fn is_name(word: &str) -> bool {
    let first = word.strip_prefix('.').unwrap_or(word);
    first.starts_with(|c: char| c.is_alphabetic() || c == '_') && !word.contains(':')
}

fn whitespace_before_index_error(gap: Span, is_index: bool) -> Diagnostic {
    let edits = vec![Edit::delete(gap)];
    Diagnostic::error(code::SPACE_BEFORE_INDEX, gap, "whitespace is not allowed between a value and its index")
        .with_fix(match is_index {
            true => Fix::safe_edits("remove the whitespace", edits),
            false => Fix::unsafe_edits("remove the whitespace", edits),
        })
}

fn malformed_index_error(span: Span) -> Diagnostic {
    Diagnostic::error(code::MALFORMED_INDEX, span, "expected a single index")
        .with_help("an index is a number, a quoted key or `*`: `[0]`, `[\"name\"]`, `[*]`")
}

fn unquoted_key_error(span: Span, word: &str) -> Diagnostic {
    if word.starts_with(|c: char| c.is_alphabetic()) {
        let edits = vec![Edit::replace(span, errors::quote(word))];
        // A word with a dot may be a field.
        return malformed_index_error(span).with_label("keys must be quoted").with_fix(match word.contains('.') {
            true => Fix::unsafe_edits("add quotes", edits),
            false => Fix::safe_edits("add quotes", edits),
        });
    }
    if number::parse_integer(word) == Err(IntegerError::Octal) {
        let diagnostic =
            malformed_index_error(span).with_label("octal because it starts with 0, but octal digits only go up to 7");
        let decimal = word.trim_start_matches('0');
        return match number::parse_element_index(decimal) {
            Some(_) => diagnostic
                .with_fix(Fix::unsafe_edits("write it as a decimal number", vec![Edit::replace(span, decimal)])),
            None => diagnostic,
        };
    }
    malformed_index_error(span).with_label("not a number from 0 to 4294967295")
}

fn raw_key_error(span: Span, text: &str) -> Diagnostic {
    let inner = text.trim_start_matches('r').trim_matches('#');
    let inner = inner.get(1..inner.len().saturating_sub(1)).unwrap_or_default();
    Diagnostic::error(code::MALFORMED_INDEX, span, "a raw string cannot be a key")
        .with_fix(Fix::safe_edits("use a quoted string", vec![Edit::replace(span, errors::quote(inner))]))
}

fn missing_argument_error(comma: Span, side: &str) -> Diagnostic {
    Diagnostic::error(code::MISSING_ARGUMENT, comma, format!("expected an argument {side} this comma"))
        .with_fix(Fix::unsafe_edits("remove the comma", vec![Edit::delete(comma)]))
}
