//! Splits set items without a space between them: `{80-90}`, `{61:6263:64}`.
//!
//! The open-source engine needs no space between set items. It reads one literal of the left side's type and continues
//! directly after it.

use super::Lowering;
use crate::{
    Scalar,
    ast::{Expr, ExprKind, Literal, LiteralKind, Value},
    code, number,
    schema::{self, ReturnType},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl<'i> Lowering<'i> {
    /// Splits the words of a set into the literals that the engine reads from them, and warns about each such word. A
    /// word with any other content stays whole, so that its diagnostic quotes it as written.
    pub(super) fn separate_items(&mut self, left: &Expr, mut right: Expr) -> Expr {
        let ExprKind::Set(items) = &mut right.kind else { return right };
        let find_end = match find_scalar_type(left) {
            Some(Scalar::Integer) => find_integer_end,
            Some(Scalar::String | Scalar::Bytes) => find_bytes_end,
            _ => return right,
        };
        if !items.iter().any(|item| split_word(item, find_end).is_some()) {
            return right;
        }
        let mut separated = Vec::with_capacity(items.len() + 1);
        for item in std::mem::take(items) {
            match split_word(&item, find_end) {
                Some(literals) => {
                    self.report(adjacent_items_warning(item.span, &literals));
                    separated.extend(literals);
                }
                None => separated.push(item),
            }
        }
        *items = separated;
        right
    }
}

/// Returns the scalar type of a value, or `None` if its name does not determine one.
fn find_scalar_type(left: &Expr) -> Option<Scalar> {
    let ExprKind::Value(Value { name, call, .. }) = &left.kind else { return None };
    let Some(call) = call else { return schema::field(&name.text).map(|field| field.ty.scalar) };
    match schema::function(&name.text)?.returns {
        ReturnType::Type(ty) => Some(ty.scalar),
        ReturnType::SameAsFirst => find_scalar_type(call.arguments.first()?),
    }
}

/// Splits a word into literals. Returns `None` unless it consists of two or more literals and nothing else.
fn split_word(item: &Literal, find_end: fn(&str) -> Option<usize>) -> Option<Vec<Literal>> {
    let LiteralKind::Unquoted(word) = &item.kind else { return None };
    // The removal of unsupported whitespace from a word shifts its offsets, so they no longer match its span.
    if word.len() != item.span.end - item.span.start {
        return None;
    }
    let mut literals = Vec::new();
    let mut start = 0;
    while start < word.len() {
        let rest = word.get(start..)?;
        let end = start + find_end(rest)?;
        let span = Span::new(item.span.start + start, item.span.start + end);
        literals.push(Literal { kind: LiteralKind::Unquoted(word.get(start..end)?.into()), span });
        start = end;
    }
    (literals.len() > 1).then_some(literals)
}

/// Returns the end offset of the integer or range at the start of a text.
fn find_integer_end(text: &str) -> Option<usize> {
    let integer_length = |text: &str| {
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix('-')).unwrap_or(text);
        let prefix = text.len() - digits.len();
        let length = prefix + digits.bytes().take_while(u8::is_ascii_hexdigit).count();
        number::parse_integer(text.get(..length)?).ok().map(|_| length)
    };
    let first = integer_length(text)?;
    match text.get(first..)?.strip_prefix("..") {
        Some(last) => Some(first + 2 + integer_length(last)?),
        None => Some(first),
    }
}

/// Returns the end offset of the byte literal at the start of a text.
fn find_bytes_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_byte = |index: usize| bytes.get(index..index + 2).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit));
    let mut end = 2;
    while matches!(bytes.get(end), Some(b':' | b'-' | b'.')) && is_byte(end + 1) {
        end += 3;
    }
    (is_byte(0) && end > 2).then_some(end)
}

/// Returns the warning about a word that contains several items.
fn adjacent_items_warning(span: Span, items: &[Literal]) -> Diagnostic {
    let words: Vec<&str> = items
        .iter()
        .filter_map(|item| match &item.kind {
            LiteralKind::Unquoted(word) => Some(word.as_str()),
            _ => None,
        })
        .collect();
    let quoted: Vec<String> = words.iter().take(3).map(|word| format!("`{word}`")).collect();
    let more = if words.len() > quoted.len() { ", …" } else { "" };
    let inserts = items.iter().skip(1).map(|item| Edit::insert(item.span.start, " ")).collect();
    let diagnostic = Diagnostic::warning(
        code::UNSPACED_ITEMS,
        span,
        format!("{} items without a space between them: {}{more}", words.len(), quoted.join(", ")),
    );
    match words.as_slice() {
        [first, last] if last.starts_with('-') => {
            let range = format!("{first}..{}", last.trim_start_matches('-'));
            diagnostic
                .with_help("write a range with two dots")
                .with_fix(Fix::unsafe_edits(format!("use `{range}`"), vec![Edit::replace(span, range)]))
                .with_fix(Fix::unsafe_edits("separate the items with spaces", inserts))
        }
        _ => diagnostic.with_fix(Fix::unsafe_edits("separate the items with spaces", inserts)),
    }
}
