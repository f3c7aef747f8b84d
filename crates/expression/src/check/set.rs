//! Checks of sets and their items.

use super::{
    Checker,
    condition::excerpt,
    literal::{LiteralContext, value_type_error},
};
use crate::{
    Type,
    ast::{Literal, LiteralKind},
    code,
    parse::has_mixed_separators,
    schema,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

/// Symbols that no unquoted literal contains.
const PUNCTUATION: [char; 6] = ['(', ')', '[', ']', '|', '&'];

impl Checker<'_> {
    /// Checks the items of a set against the type of the left side.
    pub(super) fn check_set(&mut self, items: &[Literal], left: Type) {
        let is_clear = !has_mixed_separators(items, self.source);
        for item in items {
            let LiteralKind::Unquoted(word) = &item.kind else {
                self.check_literal(item, left, LiteralContext::InSet);
                continue;
            };
            if let Some(offset) = word.find(PUNCTUATION) {
                self.report(punctuation_in_set_error(word, offset, item.span, left));
                // The symbol may have split a longer text into items.
                return;
            }
            if matches!(word.as_ref(), "and" | "or" | "xor" | "not") {
                self.report(
                    unexpected_item_error(word, item.span)
                        .with_fix(Fix::unsafe_edits("remove it", vec![Edit::replace(item.span, "")])),
                );
            } else if word.starts_with('$') || schema::field(word).is_some() {
                self.report(non_literal_item_error(word, item.span, left));
            } else if left.is_text() {
                self.check_bytes_literal(word, item.span, is_clear && !is_operator(word));
            } else {
                self.check_literal(item, left, LiteralContext::InSet);
            }
        }
    }
}

/// Returns whether a word is an operator in some spelling, so that a fix that quotes it would be a guess.
fn is_operator(word: &str) -> bool {
    ["and", "or", "xor", "eq", "ne", "lt", "le", "gt", "ge"].iter().any(|operator| word.eq_ignore_ascii_case(operator))
        || matches!(word, "in" | "contains" | "matches" | "wildcard" | "strict" | "bitwise_and")
}

fn unexpected_item_error(found: &str, span: Span) -> Diagnostic {
    Diagnostic::error(code::UNEXPECTED_TEXT, span, format!("unexpected `{found}` in a set"))
        .with_help("separate the literals of a set with spaces: `{\"a\" \"b\"}`, `{80 443}`")
}

fn punctuation_in_set_error(word: &str, offset: usize, span: Span, left: Type) -> Diagnostic {
    let (name, rest) = word.split_at_checked(offset).unwrap_or((word, ""));
    if schema::function(name).is_some() || schema::field(name).is_some() {
        return non_literal_item_error(word, span, left);
    }
    // Consecutive symbols are one error: `||`.
    let length = rest.find(|c| !PUNCTUATION.contains(&c)).unwrap_or(rest.len());
    let start = span.start + offset;
    let symbols = Span::new(start, start + length);
    let diagnostic = unexpected_item_error(rest.get(..length).unwrap_or_default(), symbols);
    match rest.contains(['|', '&']) {
        true => diagnostic.with_fix(Fix::unsafe_edits("use a space", vec![Edit::replace(symbols, " ")])),
        false => diagnostic,
    }
}

fn non_literal_item_error(word: &str, span: Span, left: Type) -> Diagnostic {
    let help = match word.starts_with('$') {
        true => format!("test the list in a separate condition: `… in {} or … in {{…}}`", excerpt(word)),
        false => "compare with another value in a separate condition: `… eq …`".to_owned(),
    };
    let mut diagnostic = value_type_error(span, word, left).with_help(help);
    diagnostic.message = format!("set items must be literals, found `{}`", excerpt(word));
    diagnostic
}
