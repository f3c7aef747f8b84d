//! Lints on sets: duplicate, covered and overlapping items, long sets and empty sets.

use super::{Linter, excerpt};
use crate::{
    Scalar, code, edit,
    resolved::{Comparison, OperandSource, SetItem},
    schema::ValueForm,
};
use std::{cmp::Reverse, collections::HashMap, net::IpAddr};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span, sort_by_key};

/// The relation of an item to an earlier or wider item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Equal,
    Contained,
    /// Each item has values that the other item lacks.
    Partial,
}

impl Linter<'_> {
    pub(super) fn lint_text_set(&mut self, items: &[SetItem<Vec<u8>>], comparison: &Comparison) {
        self.lint_set_length(items.len(), comparison);
        let mut first: HashMap<&[u8], Span> = HashMap::new();
        for (index, item) in items.iter().enumerate() {
            match first.get(item.value.as_slice()) {
                Some(earlier) => self.report_redundant_item(items, index, *earlier, Overlap::Equal),
                None => {
                    first.insert(&item.value, item.span);
                }
            }
        }
    }

    pub(super) fn lint_integer_set(&mut self, items: &[SetItem<(i64, i64)>], comparison: &Comparison) {
        self.lint_set_length(items.len(), comparison);
        for (index, other, overlap) in find_overlaps(items) {
            let (Some(item), Some(wide)) = (items.get(index), items.get(other)) else { continue };
            if overlap != Overlap::Partial {
                self.report_redundant_item(items, index, wide.span, overlap);
                continue;
            }
            let merged = format!("{}..{}", item.value.0.min(wide.value.0), item.value.1.max(wide.value.1));
            let (first, second) = (index.min(other), index.max(other));
            let span = if first == index { item.span } else { wide.span };
            let edits = vec![Edit::replace(span, merged.clone()), self.remove_item_edit(items, second)];
            self.report_overlap(item.span, wide.span, Some(Fix::safe_edits(format!("use `{merged}`"), edits)));
        }
    }

    pub(super) fn lint_address_set(&mut self, items: &[SetItem<(IpAddr, IpAddr)>], comparison: &Comparison) {
        self.lint_set_length(items.len(), comparison);
        for (index, other, overlap) in find_overlaps(items) {
            let (Some(item), Some(wide)) = (items.get(index), items.get(other)) else { continue };
            match overlap {
                Overlap::Partial => self.report_overlap(item.span, wide.span, None),
                _ => self.report_redundant_item(items, index, wide.span, overlap),
            }
        }
    }

    fn report_redundant_item<T>(&mut self, items: &[SetItem<T>], index: usize, other: Span, overlap: Overlap) {
        let Some(item) = items.get(index) else { return };
        let quoted = |span: Span| excerpt::quote_excerpt(self.text(span).as_bytes());
        let (item_text, other_text) = (quoted(item.span), quoted(other));
        let diagnostic = match overlap {
            Overlap::Equal => {
                Diagnostic::warning(code::DUPLICATE_ITEM, item.span, format!("{item_text} is already in the set"))
            }
            _ => Diagnostic::warning(
                code::REDUNDANT_ITEM,
                item.span,
                format!("{item_text} is contained in {other_text}"),
            ),
        };
        let edits = vec![self.remove_item_edit(items, index)];
        self.report(diagnostic.with_related(other, "the other item").with_fix(Fix::safe_edits("remove it", edits)));
    }

    fn report_overlap(&mut self, item: Span, other: Span, fix: Option<Fix>) {
        let quoted = |span: Span| excerpt::quote_excerpt(self.text(span).as_bytes());
        let diagnostic =
            Diagnostic::hint(code::OVERLAPPING_RANGES, item, format!("{} overlaps {}", quoted(item), quoted(other)))
                .with_related(other, "the other range");
        self.report(match fix {
            Some(fix) => diagnostic.with_fix(fix),
            None => diagnostic,
        });
    }

    /// Returns the edit that removes an item from its set.
    fn remove_item_edit<T>(&self, items: &[SetItem<T>], index: usize) -> Edit {
        let span = items.get(index).map(|item| item.span).unwrap_or_default();
        let previous = index.checked_sub(1).and_then(|previous| items.get(previous));
        let next = items.get(index + 1);
        edit::delete(
            self.source,
            match (previous, next) {
                (Some(previous), _) => Span::new(previous.span.end, span.end),
                (None, Some(next)) => Span::new(span.start, next.span.start),
                (None, None) => span,
            },
        )
    }

    fn lint_set_length(&mut self, item_count: usize, comparison: &Comparison) {
        let span = comparison.right_span;
        if item_count == 0 {
            self.report(Diagnostic::warning(code::NEVER_MATCHES, span, "this is never true: the set is empty"));
            return;
        }
        let OperandSource::Field(field) = comparison.left.source else { return };
        // Named lists can contain these kinds of values.
        let is_listable = field.ty.scalar == Scalar::Ip || matches!(field.form, ValueForm::Host | ValueForm::AsNumber);
        let max_length = self.options.max_length.min(crate::options::MAX_EXPRESSION_CHARS);
        let length = self.text(span).chars().count();
        if is_listable && item_count > 1 && length > max_length / 2 {
            self.report(
                Diagnostic::hint(
                    code::LONG_SET,
                    span,
                    format!("this set uses {length} of the {max_length} characters that an expression may have"),
                )
                .with_help(format!(
                    "move its {item_count} items to a named list, and write `{} in $list_name`",
                    field.name
                )),
            );
        }
    }
}

/// Returns the overlaps of items with an earlier or wider item: the indexes of both items and their relation.
fn find_overlaps<T: Copy + Ord>(items: &[SetItem<(T, T)>]) -> Vec<(usize, usize, Overlap)> {
    let mut order: Vec<(T, Reverse<T>, usize)> =
        items.iter().enumerate().map(|(index, item)| (item.value.0, Reverse(item.value.1), index)).collect();
    sort_by_key(&mut order, |item| *item);
    let mut overlaps = Vec::new();
    // The item with the greatest end so far, and its range.
    let mut widest: Option<(T, T, usize)> = None;
    for (low, Reverse(high), index) in order {
        match widest {
            Some((start, end, other)) if low <= end => {
                let overlap = match () {
                    () if (start, end) == (low, high) => Overlap::Equal,
                    () if high <= end => Overlap::Contained,
                    () => Overlap::Partial,
                };
                overlaps.push((index, other, overlap));
                if high > end {
                    widest = Some((low, high, index));
                }
            }
            _ => widest = Some((low, high, index)),
        }
    }
    sort_by_key(&mut overlaps, |(index, ..)| *index);
    overlaps
}
