//! Lints about repeated comparisons of one key, where one list is equivalent.

use super::{Linter, ListContext, chain::ChainItem, removal_edit};
use crate::{
    Operand, Operator,
    algebra::item_text,
    ast::{Condition, Json, JsonKind, Node, NodeKind, StringLiteral},
    code, print_node,
};
use std::collections::BTreeSet;
use zonewright_diagnostic::{Diagnostic, Edit, Fix, Span};

impl<'a> Linter<'a> {
    /// Reports `eq` and `in` under `or`, and `!eq` and `!in` under `and`, of one key in one list.
    pub(super) fn check_repeated(&mut self, items: &mut [ChainItem<'a>], group: &[usize], context: ListContext) {
        let single = if context == ListContext::Or { Operator::Equal } else { Operator::NotEqual };
        let list = list_operator(single);
        let is_mergeable = |item: &&ChainItem<'a>| {
            let operator = item.comparison.map(|comparison| comparison.operator);
            !item.reported && (operator == Some(single) || operator == Some(list))
        };
        let members: Vec<&ChainItem<'a>> =
            group.iter().filter_map(|index| items.get(*index)).filter(is_mergeable).collect();
        let Some((first, rest)) = members.split_first() else { return };
        let rest: Vec<&ChainItem<'a>> =
            rest.iter().copied().filter(|item| std::ptr::eq(item.list, first.list)).collect();
        let (Some(last), Some(comparison)) = (rest.last(), first.comparison) else { return };
        if !list.supports(comparison.field.ty) {
            return;
        }
        let spans: Vec<Span> = first.list.iter().map(|node| node.span).collect();
        let operands: Vec<Operand> = std::iter::once(*first)
            .chain(rest.iter().copied())
            .filter_map(|item| item.comparison)
            .flat_map(|comparison| match &comparison.operand {
                Operand::Items(items) => items.clone(),
                operand => vec![operand.clone()],
            })
            .collect();
        let merged = print_node(&listed(comparison.field.name, list, &operands));
        let mut edits = vec![Edit::replace(first.span, merged)];
        edits.extend(rest.iter().filter_map(|item| removal_edit(&spans, item.index)));
        let message = format!(
            "`{}` is compared {} times; one `{}` is equivalent",
            comparison.field.name,
            rest.len() + 1,
            list.name()
        );
        let diagnostic = Diagnostic::hint(code::REPEATED_COMPARISON, first.span.to(last.span), message)
            .with_fix(Fix::safe_edits("use one list", edits));
        self.report(diagnostic);
    }
}

fn list_operator(single: Operator) -> Operator {
    if single == Operator::Equal { Operator::In } else { Operator::NotIn }
}

/// Builds a condition with a list, each item once.
fn listed(name: &str, operator: Operator, items: &[Operand]) -> Node {
    let span = Span::default();
    let text = |text: &str| Some(StringLiteral { text: text.to_owned(), span });
    let mut seen = BTreeSet::new();
    let items = items.iter().filter(|item| seen.insert(item_text(item))).map(|item| Json {
        kind: match item {
            Operand::Number(number) => JsonKind::Number(number.to_json()),
            other => JsonKind::String(item_text(other)),
        },
        span,
    });
    let value = Json { kind: JsonKind::Array(items.collect()), span };
    let condition = Condition { key: text(name), operator: text(operator.name()), value: Some(value) };
    Node { kind: NodeKind::Condition(Box::new(condition)), span }
}
