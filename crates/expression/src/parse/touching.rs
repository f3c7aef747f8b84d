//! Items of a set without a blank between: `{80-90}`, `{61:6263:64}`.
//!
//! The open engine reads one literal of the type on the left and goes on right behind it.

use super::Lowering;
use crate::{
    Scalar,
    ast::{Expr, ExprKind, Literal, LiteralKind, Value},
    check::number,
    code,
    schema::{self, Returns},
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl<'i> Lowering<'i> {
    /// Cuts words of a set into the literals that the engine finds in them. A word in which it finds something else
    /// stays whole, so that it is reported as it was written.
    pub(super) fn separate_items(&mut self, left: &Expr, mut right: Expr) -> Expr {
        let ExprKind::Set(items) = &mut right.kind else { return right };
        let find_end = match scalar(left) {
            Some(Scalar::Integer) => integer_end,
            Some(Scalar::String | Scalar::Bytes) => bytes_end,
            _ => return right,
        };
        if !items.iter().any(|item| parts(item, find_end).is_some()) {
            return right;
        }
        let mut separated = Vec::with_capacity(items.len() + 1);
        for item in std::mem::take(items) {
            match parts(&item, find_end) {
                Some(found) => {
                    self.report(touching(item.span, &found));
                    separated.extend(found);
                }
                None => separated.push(item),
            }
        }
        *items = separated;
        right
    }
}

/// What a value holds, as far as its name tells.
fn scalar(left: &Expr) -> Option<Scalar> {
    let ExprKind::Value(Value { name, call, .. }) = &left.kind else { return None };
    let Some(call) = call else { return schema::field(&name.text).map(|field| field.ty.scalar) };
    match schema::function(&name.text)?.returns {
        Returns::Type(ty) => Some(ty.scalar),
        Returns::SameAsFirst => scalar(call.arguments.first()?),
    }
}

/// The literals in a word, if there are several and nothing else.
fn parts(item: &Literal, find_end: fn(&str) -> Option<usize>) -> Option<Vec<Literal>> {
    let LiteralKind::Word(word) = &item.kind else { return None };
    // A word from which stray blanks were taken out has other places than its span.
    if word.len() != item.span.end - item.span.start {
        return None;
    }
    let mut found = Vec::new();
    let mut start = 0;
    while start < word.len() {
        let rest = word.get(start..)?;
        let end = start + find_end(rest)?;
        let span = Span::new(item.span.start + start, item.span.start + end);
        found.push(Literal { kind: LiteralKind::Word(word.get(start..end)?.into()), span });
        start = end;
    }
    (found.len() > 1).then_some(found)
}

/// Where the integer or range ends that a text begins with.
fn integer_end(text: &str) -> Option<usize> {
    let one = |text: &str| {
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix('-')).unwrap_or(text);
        let prefix = text.len() - digits.len();
        let length = prefix + digits.bytes().take_while(u8::is_ascii_hexdigit).count();
        number::integer(text.get(..length)?).ok().map(|_| length)
    };
    let first = one(text)?;
    match text.get(first..)?.strip_prefix("..") {
        Some(last) => Some(first + 2 + one(last)?),
        None => Some(first),
    }
}

/// Where the byte literal ends that a text begins with.
fn bytes_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_byte = |at: usize| bytes.get(at..at + 2).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit));
    let mut end = 2;
    while matches!(bytes.get(end), Some(b':' | b'-' | b'.')) && is_byte(end + 1) {
        end += 3;
    }
    (is_byte(0) && end > 2).then_some(end)
}

fn touching(span: Span, items: &[Literal]) -> Diagnostic {
    let words: Vec<&str> = items
        .iter()
        .filter_map(|item| match &item.kind {
            LiteralKind::Word(word) => Some(word.as_str()),
            _ => None,
        })
        .collect();
    let named: Vec<String> = words.iter().take(3).map(|word| format!("`{word}`")).collect();
    let more = if words.len() > named.len() { ", …" } else { "" };
    let blanks = items.iter().skip(1).map(|item| Edit::insert(item.span.start, " ")).collect();
    let diagnostic = Diagnostic::warning(
        code::TOUCHING_ITEMS,
        span,
        format!("{} items without a blank between: {}{more}", words.len(), named.join(", ")),
    );
    match words.as_slice() {
        [first, last] if last.starts_with('-') => {
            let range = format!("{first}..{}", last.trim_start_matches('-'));
            diagnostic
                .with_help("a range is written with two dots")
                .with_fix(Fix::unsafe_(format!("use `{range}`"), vec![Edit::replace(span, range)]))
                .with_fix(Fix::unsafe_("separate the items", blanks))
        }
        _ => diagnostic.with_fix(Fix::unsafe_("separate the items", blanks)),
    }
}
