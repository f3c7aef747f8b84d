//! Lints about the lists of `in` and `!in`.

use super::{Linter, quote_excerpt, removal_fix};
use crate::{
    Comparison, Operand,
    algebra::item_text,
    ast::{Condition, JsonKind},
    code,
    parse::string::quoted,
};
use std::collections::BTreeSet;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span, sort_by_key};

impl Linter<'_> {
    /// Reports duplicate items, and lists with a single item.
    pub(super) fn check_items(&mut self, condition: &Condition, comparison: &Comparison) {
        let Operand::Items(items) = &comparison.operand else { return };
        let Some(JsonKind::Array(values)) = condition.value.as_ref().map(|value| &value.kind) else { return };
        let spans: Vec<Span> = values.iter().map(|item| item.span).collect();
        if let [only] = spans.as_slice() {
            return self.check_single_item(comparison, *only);
        }
        let mut texts = BTreeSet::new();
        for (index, (item, span)) in items.iter().zip(&spans).enumerate() {
            let text = item_text(item);
            let message = format!("{} is already in the list", quote_excerpt(&text));
            if texts.insert(text) {
                continue;
            }
            let diagnostic = Diagnostic::warning(code::DUPLICATE_ITEM, *span, message);
            let fix = removal_fix("remove it", &spans, index);
            self.report(diagnostic.with_fixes(fix.into_iter().collect()));
        }
    }

    fn check_single_item(&mut self, comparison: &Comparison, only: Span) {
        let (list, operator_span) = (comparison.operand_span, comparison.operator_span);
        let operator = comparison.operator.name().replace("in", "eq");
        let mut edits = vec![
            Edit::replace(operator_span, quoted(&operator)),
            Edit::delete(Span::new(list.start, only.start)),
            Edit::delete(Span::new(only.end, list.end)),
        ];
        let message = format!("a one-item list is equivalent to `{operator}`");
        let diagnostic = Diagnostic::hint(code::SINGLE_ITEM, list, message);
        // The value may precede the operator.
        sort_by_key(&mut edits, |edit| edit.span);
        self.report(diagnostic.with_fix(Fix::safe_edits(format!("use `{operator}`"), edits)));
    }
}
