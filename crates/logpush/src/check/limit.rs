//! Checks the limits of a filter.

use super::Checker;
use crate::{
    ast::{Filter, Node, NodeKind},
    code,
    format::{FormatStyle, print},
    parse::unwrap::UnwrappedSource,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span, group_digits};

impl Checker<'_> {
    /// Checks the number of conditions and bytes against the limits (assumption filter-limits).
    pub(super) fn check_limits(&mut self, unwrapped: &UnwrappedSource<'_>, filter: &Filter, problems: &[Diagnostic]) {
        let conditions = condition_spans(&filter.condition);
        let max = self.options.max_operators;
        if let Some(first) = conditions.get(max) {
            self.report(
                Diagnostic::error(
                    code::TOO_MANY_OPERATORS,
                    *first,
                    format!(
                        "the filter has {} operators; the limit is {}",
                        group_digits(conditions.len()),
                        group_digits(max)
                    ),
                )
                .with_label("the limit is exceeded here")
                .with_help("combine `eq` conditions on one field under `or` into one `in`, or simplify the filter"),
            );
        }
        let (bytes, max) = (unwrapped.text.len(), self.options.max_bytes);
        if bytes <= max {
            return;
        }
        let span = unwrapped.to_outer_span(Span::new(0, bytes));
        let mut start = max;
        while !unwrapped.text.is_char_boundary(start) {
            start -= 1;
        }
        let diagnostic = Diagnostic::error(
            code::FILTER_TOO_LONG,
            unwrapped.to_outer_span(Span::new(start, bytes)),
            format!("the filter has {} bytes; the limit is {}", group_digits(bytes), group_digits(max)),
        )
        .with_label("the limit is exceeded here")
        .with_help("combine `eq` conditions on one field under `or` into one `in`, or simplify the filter");
        // A fix must not drop text that was not understood.
        let compact = problems.is_empty().then(|| print(&filter.condition, FormatStyle::Compact));
        self.report(match compact.filter(|compact| compact.len() <= max) {
            Some(compact) => {
                let title = format!("remove the whitespace: {} bytes", compact.len());
                diagnostic.with_fix(Fix::safe_edits(title, vec![Edit::replace(span, compact)]))
            }
            None => diagnostic,
        });
    }
}

/// Returns the spans of all conditions, invalid ones included.
pub(crate) fn condition_spans(node: &Node) -> Vec<Span> {
    let mut spans = Vec::new();
    collect_condition_spans(node, &mut spans);
    spans
}

fn collect_condition_spans(node: &Node, spans: &mut Vec<Span>) {
    match &node.kind {
        NodeKind::And(nodes) | NodeKind::Or(nodes) => {
            nodes.iter().for_each(|node| collect_condition_spans(node, spans))
        }
        NodeKind::Condition(_) | NodeKind::Invalid => spans.push(node.span),
    }
}
