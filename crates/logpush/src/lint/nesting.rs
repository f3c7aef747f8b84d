//! Lints about lists without effect.

use super::{Linter, ListContext};
use crate::{
    ast::{Node, NodeKind},
    code,
};
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl Linter<'_> {
    /// Reports a list inside a list of the same operator, and a list with a single condition. `{"and":[…]}` with one
    /// condition as the whole filter is not reported, because the documentation uses it.
    pub(super) fn check_nesting(&mut self, node: &Node, nodes: &[Node], outer: ListContext, inner: ListContext) {
        let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return };
        let has_only_conditions = nodes.iter().all(|node| matches!(node.kind, NodeKind::Condition(_)));
        let word = operator_name(inner);
        let message = match nodes.len() {
            _ if outer == inner => format!("an `{word}` inside an `{word}` is redundant"),
            1 if outer != ListContext::Top || !has_only_conditions => {
                format!("this `{word}` has only one condition and is redundant")
            }
            _ => return,
        };
        let edits = vec![
            Edit::delete(Span::new(node.span.start, first.span.start)),
            Edit::delete(Span::new(last.span.end, node.span.end)),
        ];
        let fix = Fix::safe_edits("replace it with its conditions", edits);
        self.report(Diagnostic::hint(code::REDUNDANT_NESTING, node.span, message).with_fix(fix));
    }
}

/// Returns the member name of a list.
pub(super) fn operator_name(context: ListContext) -> &'static str {
    if context == ListContext::Or { "or" } else { "and" }
}
